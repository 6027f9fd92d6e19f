"""Compiling the C kernel: all C files of this folder into one shared library beside them.

The build hook runs this file by its path before Sabot is installed, so it uses the standard library alone. The library
is built for the plainest processor of its kind; faster paths stand beside the plain one and are chosen at run time.
"""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent

LIBRARY: Final = FOLDER / "kernel.so"
"""The same name on Linux and macOS: ctypes asks for a path, not for a suffix."""

OPTIONS: Final = ("-std=gnu11", "-O3", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra")


def compiler() -> list[str] | None:
    """The C compiler's command: what CC names, or the first that is found; an empty CC means none."""
    named = os.environ.get("CC")
    if named is not None:
        return named.split() or None
    found = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    return None if found is None else [found]


def compile_kernel(library: Path = LIBRARY) -> str | None:
    """Compile the kernel, which appears whole or not at all; a failure is told in words and leaves no library."""
    library.unlink(missing_ok=True)
    command = compiler()
    if command is None:
        return "no C compiler was found"
    fresh = library.with_suffix(f".{os.getpid()}")
    sources = map(str, sorted(FOLDER.glob("*.c")))
    words = [*command, *OPTIONS, f'-DSABOT_SOURCES="{digest_of_sources()}"', *sources, "-o", str(fresh)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603  The compiler we found.
    except OSError as error:
        return f"the C compiler {command[0]} could not be run ({error.strerror})"
    if done.returncode:
        fresh.unlink(missing_ok=True)
        return f"the C kernel could not be compiled: {done.stderr.strip()}"
    fresh.replace(library)
    return None


def digest_of_sources() -> str:
    """What the loader holds against the library's own answer, so that a stale library is never used."""
    digest = hashlib.sha256()
    for path in sorted((*FOLDER.glob("*.c"), *FOLDER.glob("*.h"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
