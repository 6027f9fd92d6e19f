"""What the evolving of several topics shares: a mapping with one entry changed, and a figure of the day."""

from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from sabot.house.state import Day, HouseState

K = TypeVar("K")
V = TypeVar("V")


def put(mapping: Mapping[K, V], key: K, value: V) -> Mapping[K, V]:
    return {**mapping, key: value}


def without(mapping: Mapping[K, V], key: K) -> Mapping[K, V]:
    return {name: value for name, value in mapping.items() if name != key}


def counted(state: HouseState, figure: str, cents: int) -> HouseState:
    day = state.days.get(state.day, Day())
    return replace(state, days=put(state.days, state.day, replace(day, **{figure: getattr(day, figure) + cents})))
