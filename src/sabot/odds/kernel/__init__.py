"""The C kernel, called by ctypes: `kernel()` is the loaded library, or None where NumPy must do its work.

The library is compiled by the build (see `compiling.py`). It is used only when it says that it was compiled from the
very sources that lie beside it. SABOT_KERNEL=numpy in the environment sets it aside, for tests and comparisons.
ctypes lets other threads run while C is at work, so threads use all cores.

A file of this folder that has C functions declares their argument types on `kernel()` where it wraps them.
"""

import ctypes
import os
import sys
from functools import cache

from sabot.basics.mistake import Mistake
from sabot.odds.kernel.compiling import LIBRARY, digest_of_sources

SETTING = "SABOT_KERNEL"


@cache
def kernel() -> ctypes.CDLL | None:
    """The loaded library; where there is none, that is said once on standard error."""
    wish = os.environ.get(SETTING, "")
    if wish not in ("", "numpy"):
        raise Mistake(f"{SETTING} is {wish!r}; it may be numpy, or absent")
    if wish == "numpy":
        return None
    try:
        library = ctypes.CDLL(str(LIBRARY))
    except OSError:
        _say_it_is_missing("there is no C kernel for this machine")
        return None
    library.sabot_sources.argtypes, library.sabot_sources.restype = [], ctypes.c_char_p
    if library.sabot_sources() != digest_of_sources().encode():
        _say_it_is_missing("the C kernel was not built from the sources beside it")
        return None
    return library


def _say_it_is_missing(reason: str) -> None:
    sentence = f"sabot: {reason}, so NumPy does its work, more slowly"
    print(sentence, file=sys.stderr)  # noqa: T201  The one place that knows.
