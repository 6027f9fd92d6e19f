"""Simulated shoes by the C kernel; `simulated_arrays` returns the same counts without it."""

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from sabot.odds.dealing import BANKER_DRAWS_UP_TO, PLAYER_DRAWS_UP_TO, Dealing
from sabot.odds.kernel import kernel
from sabot.odds.simulated_arrays import CELLS, Counts

MOST_AT_ONCE: Final = 1 << 24
"""The most shoes of one call, so that the kernel's 32-bit counts cannot overflow."""


class _Dealing(ctypes.Structure):
    """`struct dealing` of simulate.c."""

    _fields_ = (
        ("cards_of_a_rank", ctypes.c_int32),
        ("burns_by_face_value", ctypes.c_int32),
        ("cutting_card", ctypes.c_int32),
        ("coups_after_cutting_card", ctypes.c_int32),
        ("coups_a_shoe", ctypes.c_int32),
        ("player_draws_up_to", ctypes.c_int32),
        ("banker_draws_up_to", ctypes.c_int32 * 11),
    )


def arguments() -> Sequence[Any]:
    """The types of what `sabot_simulate` is called with."""
    number = ctypes.c_uint64
    return [ctypes.POINTER(_Dealing), number, number, number, ctypes.c_int32, ctypes.c_void_p]


def is_there() -> bool:
    return kernel() is not None


def deal(dealing: Dealing, seed: int, first: int, shoes: int, path: int | None = None) -> Counts:
    """The coups of so many shoes from number `first`, a multiple of four, counted by cell.

    The kernel's default path is the fastest that this processor supports: 2 with 512-bit registers, 1 with 256-bit
    ones, 0 on any processor. All paths return the same counts.
    """
    assert first % 4 == 0
    simulate, fastest = _functions()
    counts, procedure = np.zeros(CELLS, dtype=np.uint64), written(dealing)
    for start in range(first, first + shoes, MOST_AT_ONCE):
        number = min(MOST_AT_ONCE, first + shoes - start)
        simulate(procedure, seed, start, number, fastest if path is None else path, counts.ctypes.data)
    return counts.astype(np.int64)


def paths() -> range:
    """The kernel's paths that this processor supports."""
    return range(_functions()[1] + 1)


@cache
def _functions() -> tuple[Callable[..., None], int]:
    library = kernel()
    assert library is not None
    library.sabot_simulate_path.argtypes, library.sabot_simulate_path.restype = [], ctypes.c_int32
    library.sabot_simulate.argtypes, library.sabot_simulate.restype = arguments(), None
    return library.sabot_simulate, library.sabot_simulate_path()


def written(dealing: Dealing) -> _Dealing:
    return _Dealing(
        4 * dealing.decks,
        dealing.burns_by_face_value,
        dealing.cards - dealing.behind_cutting_card,
        dealing.coups_after_cutting_card,
        dealing.coups_a_shoe or 0,
        PLAYER_DRAWS_UP_TO,
        (ctypes.c_int32 * 11)(*BANKER_DRAWS_UP_TO),
    )
