"""All roads of one shoe, as one immutable value.

`Roads().then(result)` returns the next value in constant time, however many coups were played. A void or dummy coup is
never added; after a correction the roads are laid again from the corrected results.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal

import msgspec

from sabot.basics.growing_list import GrowingList
from sabot.roads.derived import NO_DEPTHS, Depths, DerivedRoad, MarkColour, begins, goes_on
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
    depths: Depths = NO_DEPTHS
    """The depths of the newest streaks."""
    big_road: GrowingList[BigBead] = GrowingList()
    cursor: Cursor = Cursor()
    derived: tuple[DerivedRoad, DerivedRoad, DerivedRoad] = (DerivedRoad(),) * 3
    """Big Eye Boy, the Small Road, Cockroach Pig."""

    def then(self, result: CoupResult) -> "Roads":
        coups, bead, winner = self.coups.then(result), self.big_road.last, result.winner
        if winner == "T":
            return self._with_tie(coups, bead)
        if bead is not None and bead.winner == winner:
            cursor, ties = self.cursor.same_streak(), 0
            depths, (one, two, three) = goes_on(self.depths)
        else:
            cursor, ties = self.cursor.new_streak(), 0 if bead is not None else self.leading_ties
            depths, (one, two, three) = begins(self.depths)
        marks = result.player_pair, result.banker_pair, result.natural
        laid = BigBead(cursor.column, cursor.row, winner, len(coups), ties, *marks)
        big_eye_boy, small_road, cockroach_pig = self.derived
        derived = big_eye_boy.then(one), small_road.then(two), cockroach_pig.then(three)
        return Roads(coups, self.leading_ties, depths, self.big_road.then(laid), cursor, derived)

    def _with_tie(self, coups: GrowingList[CoupResult], bead: BigBead | None) -> "Roads":
        if bead is None:
            return msgspec.structs.replace(self, coups=coups, leading_ties=self.leading_ties + 1)
        tied = msgspec.structs.replace(bead, ties=bead.ties + 1)
        return msgspec.structs.replace(self, coups=coups, big_road=self.big_road.instead(tied))

    @property
    def streaks(self) -> list[Streak]:
        """The logical columns of the Big Road, from the oldest."""
        return [Streak(winner, len(list(beads))) for winner, beads in groupby(bead.winner for bead in self.big_road)]

    def ask(self, winner: Literal["B", "P"]) -> list[MarkColour | None]:
        """The entry that each derived road would get next if this hand won."""
        bead = self.big_road.last
        step = goes_on if bead is not None and bead.winner == winner else begins
        return list(step(self.depths)[1])

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


def lay(results: Iterable[CoupResult]) -> Roads:
    """The roads of a whole shoe."""
    roads = Roads()
    for result in results:
        roads = roads.then(result)
    return roads
