"""Compiles the C files of this folder into one shared library beside them.

The build hook runs this file by its path before Sabot is installed, so it uses only the standard library. The library
is built for the baseline processor of its architecture; it also holds faster paths, which are chosen at run time.
The same sources and compiler give the same bytes in any folder: no path is compiled in.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent

LIBRARY: Final = FOLDER / "kernel.so"
"""The same name on Linux and macOS: ctypes does not depend on the suffix."""

OPTIONS: Final = ("-std=gnu11", "-O3", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra")


def compiler() -> list[str] | None:
    """The C compiler's command: that of CC, or the first one found; an empty CC means none."""
    named = os.environ.get("CC")
    if named is not None:
        return named.split() or None
    found = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    return None if found is None else [found]


def compile_kernel(library: Path = LIBRARY) -> str | None:
    """Compile the kernel atomically. A failure is returned as a sentence and leaves no library."""
    library.unlink(missing_ok=True)
    command = compiler()
    if command is None:
        return "no C compiler was found"
    with tempfile.TemporaryDirectory(dir=library.parent, prefix=".kernel-") as folder:
        fresh = Path(folder, LIBRARY.name)  # Some linkers write the name of the library into it.
        words = [*command, *OPTIONS, f"-ffile-prefix-map={FOLDER}=.", f'-DSABOT_SOURCES="{digest_of_sources()}"']
        words += [*map(str, sorted(FOLDER.glob("*.c"))), "-o", fresh.name]
        try:
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603  The compiler we found.
        except OSError as error:
            return f"the C compiler {command[0]} could not be run ({error.strerror})"
        if done.returncode:
            return f"the C kernel could not be compiled: {done.stderr.strip()}"
        fresh.replace(library)
    return None


def digest_of_sources() -> str:
    """The digest that the loader compares with the library's own, so that a stale library is never used."""
    digest = hashlib.sha256()
    for path in sorted((*FOLDER.glob("*.c"), *FOLDER.glob("*.h"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
