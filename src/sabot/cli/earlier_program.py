"""An earlier commit of this program, checked out beside it, so that a benchmark can run both in turns."""

import os
import runpy
import shutil
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import msgspec

from sabot.basics.mistake import Mistake
from sabot.cli.checkout import checkout

EARLIER: Final = "c1fdb61"
"""The commit that the figures of speed are compared with."""


def earlier_program(commit: str = EARLIER) -> Path:
    """The folder of the earlier program, with its C kernel compiled. It is kept for the next run.

    Raises `Mistake` where the history is not there, as in a shallow clone or a package.
    """
    root = checkout()
    if root is None:
        raise Mistake("the earlier program comes from the history of a checkout")
    place = root / ".sabot" / f"earlier-{commit}"
    if place.is_dir():
        return place
    git = shutil.which("git")
    words = [git or "git", "-C", str(root), "archive", "--format=tar", commit]
    try:
        packed = subprocess.run(words, capture_output=True, check=True).stdout  # noqa: S603  Our own words.
    except (OSError, subprocess.CalledProcessError) as error:
        raise Mistake(f"commit {commit} is not in the history of this checkout") from error
    place.parent.mkdir(exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=place.parent, prefix=f"{place.name}."))
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2 has none yet.
        archive.extractall(fresh)  # noqa: S202  Our own history.
    runpy.run_path(str(fresh / "src/sabot/odds/kernel/compiling.py"))["compile_kernel"]()
    try:
        fresh.rename(place)
    except OSError:  # Another run was quicker.
        shutil.rmtree(fresh)
    return place


def run_beside(program: Path, code: str, *words: str) -> Any:
    """Run Python code with the package of a checkout; returns the JSON that it prints last."""
    environment = {**os.environ, "PYTHONPATH": str(program / "src")}
    done = subprocess.run(  # noqa: S603  Our own program.
        [sys.executable, "-c", code, *words], cwd=program, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Mistake(f"the program in {program} failed: {done.stderr.strip().splitlines()[-1]}")
    return msgspec.json.decode(done.stdout.strip().splitlines()[-1])
