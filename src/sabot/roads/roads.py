"""All roads of one shoe, as one immutable value.

`Roads().then(result)` returns the next value in constant time, however many coups were played. A void or dummy coup is
never added; after a correction the roads are laid again from the corrected results.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from sabot.basics.growing_list import GrowingList
from sabot.roads.derived import DEPTHS_NEEDED, LOOK_BACK, DerivedRoad, MarkColour, entry
from sabot.roads.layout import ROWS, Cursor
from sabot.roads.result import CoupResult, WinnerLetter


class PlateBead(msgspec.Struct, frozen=True):
    """A cell of the bead plate, which has every coup, ties too, down and then across."""

    column: int
    row: int
    winner: WinnerLetter
    player_pair: bool
    banker_pair: bool
    natural: bool


class BigBead(msgspec.Struct, frozen=True):
    """A cell of the Big Road: a coup that Banker or Player won, with the number of ties shown on it."""

    column: int
    row: int
    winner: WinnerLetter
    coup: int
    ties: int
    player_pair: bool
    banker_pair: bool
    natural: bool


class Streak(msgspec.Struct, frozen=True):
    """A logical column of the Big Road, its tail included."""

    winner: WinnerLetter
    depth: int


class Roads(msgspec.Struct, frozen=True):
    coups: GrowingList[CoupResult] = GrowingList()
    leading_ties: int = 0
    """Ties before the first bead, on which they are shown."""
    streaks: GrowingList[Streak] = GrowingList()
    depths: tuple[int, ...] = ()
    """The depths of the newest streaks, newest first: as many as a derived road needs."""
    big_road: GrowingList[BigBead] = GrowingList()
    cursor: Cursor = Cursor()
    derived: tuple[DerivedRoad, ...] = (DerivedRoad(),) * len(LOOK_BACK)

    def then(self, result: CoupResult) -> "Roads":
        coups = self.coups.then(result)
        bead = self.big_road.last
        if result.winner == "T":
            if bead is None:
                return msgspec.structs.replace(self, coups=coups, leading_ties=self.leading_ties + 1)
            tied = msgspec.structs.replace(bead, ties=bead.ties + 1)
            return msgspec.structs.replace(self, coups=coups, big_road=self.big_road.instead(tied))
        streak = self.streaks.last
        depths = self._depths_after(result.winner)
        if streak is not None and streak.winner == result.winner:
            streaks, cursor = self.streaks.instead(Streak(result.winner, depths[0])), self.cursor.same_streak()
        else:
            streaks, cursor = self.streaks.then(Streak(result.winner, 1)), self.cursor.new_streak()
        laid = BigBead(
            *(cursor.column, cursor.row, result.winner, len(coups)),
            *(self.leading_ties if bead is None else 0, result.player_pair, result.banker_pair, result.natural),
        )
        derived = tuple(
            road.then(entry(look_back, depths))
            for road, look_back in zip(self.derived, LOOK_BACK.values(), strict=True)
        )
        return Roads(coups, self.leading_ties, streaks, depths, self.big_road.then(laid), cursor, derived)

    def ask(self, winner: Literal["B", "P"]) -> list[MarkColour | None]:
        """The entry that each derived road would get next if this hand won."""
        depths = self._depths_after(winner)
        return [entry(look_back, depths) for look_back in LOOK_BACK.values()]

    def bead_plate(self, columns: int | None = None) -> Iterator[PlateBead]:
        """The plate's cells; with a width, those of the newest columns, older ones having scrolled off."""
        scrolled = 0 if columns is None else max(0, -(-len(self.coups) // ROWS) - columns)
        for number, result in enumerate(self.coups):
            column, row = divmod(number, ROWS)
            if column >= scrolled:
                yield PlateBead(
                    *(column - scrolled + 1, row + 1, result.winner),
                    *(result.player_pair, result.banker_pair, result.natural),
                )

    def _depths_after(self, winner: WinnerLetter) -> tuple[int, ...]:
        streak = self.streaks.last
        if streak is not None and streak.winner == winner:
            return (self.depths[0] + 1, *self.depths[1:])
        return (1, *self.depths[: DEPTHS_NEEDED - 1])


def lay(results: Iterable[CoupResult]) -> Roads:
    """The roads of a whole shoe."""
    roads = Roads()
    for result in results:
        roads = roads.then(result)
    return roads
