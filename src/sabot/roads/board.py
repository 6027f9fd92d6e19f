"""The score board in its stable form, for screens and for `sabot roads --json`; columns and rows count from 1."""

import msgspec

from sabot.roads.derived import Colour
from sabot.roads.roads import BigBead, PlateBead, Roads, Streak


class BigRoad(msgspec.Struct, frozen=True):
    columns: list[Streak]
    """Logical columns: a streak with its tail is one."""
    cells: list[BigBead]


class Ask(msgspec.Struct, frozen=True):
    """Each derived road's next entry, Big Eye Boy first, if Banker or if Player wins the next coup."""

    banker: list[Colour | None]
    player: list[Colour | None]


class Board(msgspec.Struct, frozen=True):
    bead_plate: list[PlateBead]
    leading_ties: int
    big_road: BigRoad
    big_eye_boy: str
    small_road: str
    cockroach_pig: str
    ask: Ask

    @staticmethod
    def of(roads: Roads) -> "Board":
        big_eye_boy, small_road, cockroach_pig = roads.derived
        return Board(
            list(roads.bead_plate()),
            roads.leading_ties,
            BigRoad(list(roads.streaks), list(roads.big_road)),
            str(big_eye_boy),
            str(small_road),
            str(cockroach_pig),
            Ask(roads.ask("B"), roads.ask("P")),
        )
