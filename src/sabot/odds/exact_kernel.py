"""The same count as `exact`, by the C kernel: one composition or many, summed by groups of cells."""

import ctypes
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sabot.odds import exact
from sabot.odds.composition import Composition
from sabot.odds.exact import BANKER_DRAWS, CELLS, PLAYER_DRAWS, Counted, Sums, summed
from sabot.odds.kernel import kernel
from sabot.odds.kernel.compiling import LIBRARY


def write_table_of_play(player: Sequence[Sequence[bool]], banker: Sequence[Sequence[Sequence[bool]]]) -> bytes:
    """The struct `table_of_play` of exact.h, through which the kernel gets the drawing rules."""
    after_player = [drawn for row in banker for columns in row for drawn in columns]
    return bytes([*(drawn for row in player for drawn in row), *after_player])


_TABLE_OF_PLAY: Final = write_table_of_play(PLAYER_DRAWS, BANKER_DRAWS)

CardCounts = NDArray[np.uint8]
"""A row for each composition: how many copies of each card are left, in the order of `DECK`."""

ANY_SIZE: Final = -1
"""The path for shoes whose sequences do not fit in a double. The others are 2 with 512-bit registers, 1 with 256-bit
ones, 0 on any processor; they turn to this one for such shoes.
"""

_AFTER_GROUPS: Final = 5
"""Four kinds of pair, and the total."""


def is_there() -> bool:
    return kernel() is not None


def paths() -> range:
    """The kernel's paths that this processor supports."""
    return range(ANY_SIZE, _functions().fastest + 1)


class Plan:
    """The table of play and groups of cells, made ready for the kernel once. It serves all threads."""

    def __init__(
        self, group_of_cell: Sequence[int], groups: int, path: int | None = None, play: bytes = _TABLE_OF_PLAY
    ) -> None:
        functions = _functions()
        self._memory = ctypes.create_string_buffer(functions.plan_size)
        self._at = ctypes.addressof(self._memory)
        self._width = groups + _AFTER_GROUPS
        self._sums = ctypes.c_int64 * self._width
        self._read = struct.Struct(f"@{self._width}q").unpack
        self._count, self._count_many = functions.count_one, functions.count_many
        of_cell = struct.pack(f"@{CELLS}H", *group_of_cell)
        functions.plan(play, of_cell, groups, functions.fastest if path is None else path, self._at)
        self._group_of_cell, self._groups = group_of_cell, groups

    def count(self, composition: Composition) -> Sums:
        try:
            cards = bytes(composition.cards)
        except ValueError:  # More copies of a card than a byte holds: no casino's shoe.
            return summed(exact.count(composition), self._group_of_cell, self._groups)
        sums = self._sums()
        self._count(cards, 1, self._at, sums)
        return self._read(sums)

    def count_many(self, cards: CardCounts) -> NDArray[np.int64]:
        """The same for each row of an array."""
        sums = np.empty((len(cards), self._width), dtype=np.int64)
        rows = np.ascontiguousarray(cards, dtype=np.uint8)
        self._count_many(rows.ctypes.data, len(rows), self._at, sums.ctypes.data)
        return sums


def count(composition: Composition, path: int | None = None) -> Counted:
    """All cells, each a group of its own."""
    sums = _all_cells(path).count(composition)
    return Counted(sums[:CELLS], (sums[CELLS], sums[CELLS + 1], sums[CELLS + 2], sums[CELLS + 3]))


@cache
def _all_cells(path: int | None) -> Plan:
    return Plan(range(CELLS), CELLS, path)


class _Functions(NamedTuple):
    fastest: int
    plan_size: int
    plan: Callable[..., None]
    count_one: Callable[..., None]
    """Holds the GIL, since letting it go takes part of the time of a single count."""
    count_many: Callable[..., None]
    """Lets the GIL go, so that threads use all cores."""


@cache
def _functions() -> _Functions:
    library = kernel()
    assert library is not None, "the caller has checked is_there()"
    library.sabot_exact_path.argtypes, library.sabot_exact_path.restype = [], ctypes.c_int32
    library.sabot_exact_plan_size.argtypes, library.sabot_exact_plan_size.restype = [], ctypes.c_size_t
    plan, many = library.sabot_exact_plan, library.sabot_exact
    plan.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p]
    many.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]
    one = ctypes.PyDLL(str(LIBRARY)).sabot_exact
    one.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]
    plan.restype = many.restype = one.restype = None
    return _Functions(library.sabot_exact_path(), library.sabot_exact_plan_size(), plan, one, many)
