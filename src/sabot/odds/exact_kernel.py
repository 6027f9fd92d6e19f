"""The same count as `exact`, by the C kernel."""

import ctypes
import struct
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from sabot.odds.composition import Composition
from sabot.odds.exact import BANKER_DRAWS, CELLS, PLAYER_DRAWS, Counted
from sabot.odds.kernel import kernel

_TABLE_OF_PLAY: Final = bytes(
    [drawn for row in PLAYER_DRAWS for drawn in row]
    + [drawn for row in BANKER_DRAWS for columns in row for drawn in columns]
)
"""The struct `table_of_play` of exact.c, through which the kernel gets the drawing rules."""

_CARDS: Final = struct.Struct("@52i").pack
_CELLS: Final = struct.Struct(f"@{CELLS}q").unpack
_PAIRS: Final = struct.Struct("@3q").unpack
_Cells = ctypes.c_int64 * CELLS
_Pairs = ctypes.c_int64 * 3


def is_there() -> bool:
    return kernel() is not None


def count(composition: Composition) -> Counted:
    cells, pairs = _Cells(), _Pairs()
    _sabot_exact()(_CARDS(*composition.cards), _TABLE_OF_PLAY, cells, pairs)
    return Counted(_CELLS(cells), _PAIRS(pairs))


@cache
def _sabot_exact() -> Callable[..., Any]:
    library = kernel()
    assert library is not None, "the caller has checked is_there()"
    function = library.sabot_exact
    function.argtypes, function.restype = [ctypes.c_char_p, ctypes.c_char_p, _Cells, _Pairs], None
    return function
