"""The C kernel, called through ctypes: `kernel()` is the loaded library, or None where NumPy is used instead.

The build compiles the library (see `compiling.py`). It is used only if it was compiled from exactly the sources in this
folder. SABOT_KERNEL=numpy in the environment disables it, for tests and comparisons. ctypes releases the GIL during a
call, so threads use all cores. The modules that wrap a C function declare its argument types.
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
    """The loaded library. Where there is none, standard error gets one line about it."""
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
    print(sentence, file=sys.stderr)  # noqa: T201  No caller reports it.
