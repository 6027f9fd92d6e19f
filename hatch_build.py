"""The build hook: compiles the C kernel of the odds room where a C compiler is found, builds the pages and the
site of the documents.

An editable install leaves pages and site out: it reads them from the checkout, where bootstrap.py builds them when a
command needs them.

The same commit gives the same archives byte for byte, in any folder and at any time. What the tools say for themselves
is pinned in pyproject.toml; the date inside the archives is the one below.
"""

import os
import runpy
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LABORATORY = (
    "drill/broken_rules.toml",
    "requirements/run.txt",
    "requirements/screens.txt",
    "screens/package-lock.json",
    "docs/handbook/check_vectors.py",
)
"""What `sabot dossier` and `sabot deploy` read of a checkout, so that a wheel does the same."""
KERNEL = Path("src", "sabot", "odds", "kernel")
DATE_OF_FILES = "1580601600"
"""2 February 2020, for every file in wheel and sdist. An sdist knows no commit, so the date cannot be a commit's."""


class SabotHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        os.environ["SOURCE_DATE_EPOCH"] = DATE_OF_FILES
        if self.target_name != "wheel":
            return
        self._compile_kernel(build_data)
        if version != "editable":
            runpy.run_path(str(Path(self.root, "screens", "build.py")))["build"]()
            runpy.run_path(str(Path(self.root, "docsite", "make_site.py")))["build"]()
            for path in sorted(Path(self.root, "deploy").rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    build_data["force_include"][str(path)] = f"sabot/{path.relative_to(self.root)}"
            for file in LABORATORY:
                build_data["force_include"][str(Path(self.root, file))] = f"sabot/laboratory/{file}"

    def _compile_kernel(self, build_data: dict[str, Any]) -> None:
        compiling = runpy.run_path(str(Path(self.root, KERNEL, "compiling.py")))
        reason = compiling["compile_kernel"]()
        if reason is not None:
            self.app.display_warning(f"sabot: {reason}; NumPy will do the work of the C kernel")
            return
        build_data["artifacts"].append(f"/{KERNEL}/{compiling['LIBRARY'].name}")
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"  # One library serves every Python: ctypes knows no Python version.
