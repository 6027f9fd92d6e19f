"""The score board of the shoe: the roads and the counts, in a form that is small on the wire.

A mark is written as an array, and the bead plate as the letters of its coups, since the place of a bead follows from
its number.
"""

import msgspec

from sabot.roads.derived import DerivedRoad, MarkColour
from sabot.roads.result import WinnerLetter
from sabot.roads.roads import Roads
from sabot.table.state import ShoeState
from sabot.views.scorecard import Scorecard


class BigRoadBead(msgspec.Struct, frozen=True, array_like=True):
    column: int
    row: int
    winner: WinnerLetter
    ties: int
    marks: str
    """`b` for a Banker pair, `p` for a Player pair, `n` for a natural."""


class DerivedMark(msgspec.Struct, frozen=True, array_like=True):
    column: int
    row: int
    colour: MarkColour


class NextMarks(msgspec.Struct, frozen=True):
    """The next mark of each derived road, Big Eye Boy first, if Banker or if Player won the next coup."""

    banker: tuple[MarkColour | None, ...]
    player: tuple[MarkColour | None, ...]


class RoadsShown(msgspec.Struct, frozen=True):
    bead_plate: tuple[str, ...]
    """Every coup that counts as `B`, `P` or `T` with its marks: coup i, from 0, lies in column i / 6, row i mod 6."""
    leading_ties: int
    big_road: tuple[BigRoadBead, ...]
    big_eye_boy: tuple[DerivedMark, ...]
    small_road: tuple[DerivedMark, ...]
    cockroach_pig: tuple[DerivedMark, ...]
    ask: NextMarks


class ShoeShown(msgspec.Struct, frozen=True):
    """The shoe and its counts of results; nothing about the cards that are left."""

    number: int
    stage: str
    coups: int
    banker: int
    player: int
    tie: int
    banker_pairs: int
    player_pairs: int
    naturals: int
    void: int
    dummy: int
    commitment: str
    """The commitment of a virtual shoe to its order, or nothing."""
    opened: bool


def roads_shown(roads: Roads) -> RoadsShown:
    big_eye_boy, small_road, cockroach_pig = roads.derived
    return RoadsShown(
        bead_plate=tuple(str(result) for result in roads.coups),
        leading_ties=roads.leading_ties,
        big_road=tuple(
            BigRoadBead(
                *(bead.column, bead.row, bead.winner, bead.ties),
                "b" * bead.banker_pair + "p" * bead.player_pair + "n" * bead.natural,
            )
            for bead in roads.big_road
        ),
        big_eye_boy=_marks(big_eye_boy),
        small_road=_marks(small_road),
        cockroach_pig=_marks(cockroach_pig),
        ask=NextMarks(tuple(roads.ask("B")), tuple(roads.ask("P"))),
    )


def _marks(road: DerivedRoad) -> tuple[DerivedMark, ...]:
    return tuple(DerivedMark(mark.column, mark.row, mark.colour) for mark in road.marks)


def shoe_shown(shoe: ShoeState, card: Scorecard) -> ShoeShown:
    results = [result for _, result in card.results]
    winners = [result.winner for result in results]
    return ShoeShown(
        number=shoe.number,
        stage=shoe.stage.value,
        coups=len(results),
        banker=winners.count("B"),
        player=winners.count("P"),
        tie=winners.count("T"),
        banker_pairs=sum(result.banker_pair for result in results),
        player_pairs=sum(result.player_pair for result in results),
        naturals=sum(result.natural for result in results),
        void=card.tally.void,
        dummy=card.tally.dummy,
        commitment=shoe.commitment,
        opened=shoe.opened,
    )
