"""The score board in its stable JSON form, as `sabot roads --json` prints it; columns and rows count from 1."""

import msgspec

from sabot.roads.derived import MarkColour
from sabot.roads.roads import BigBead, PlateBead, Roads, Streak


class BigRoad(msgspec.Struct, frozen=True):
    columns: list[Streak]
    """Logical columns: a streak with its tail is one."""
    cells: list[BigBead]


class AskCells(msgspec.Struct, frozen=True):
    """Each derived road's next entry, Big Eye Boy first, if Banker or if Player wins the next coup."""

    banker: list[MarkColour | None]
    player: list[MarkColour | None]


class ScoreBoard(msgspec.Struct, frozen=True):
    bead_plate: list[PlateBead]
    leading_ties: int
    big_road: BigRoad
    big_eye_boy: str
    small_road: str
    cockroach_pig: str
    ask: AskCells

    @staticmethod
    def of(roads: Roads) -> "ScoreBoard":
        big_eye_boy, small_road, cockroach_pig = roads.derived
        return ScoreBoard(
            list(roads.bead_plate()),
            roads.leading_ties,
            BigRoad(list(roads.streaks), list(roads.big_road)),
            str(big_eye_boy),
            str(small_road),
            str(cockroach_pig),
            AskCells(roads.ask("B"), roads.ask("P")),
        )
