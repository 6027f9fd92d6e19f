"""Whether the streams agree about a tournament: the scores it noted with its tables, its slips with the house.

Each stream may be sound alone and still say what another never said. What one side notes of the other must stand in the
other's own records.
"""

from collections.abc import Iterator, Mapping

import msgspec

from sabot.audit.problem import Problem, ProblemKind
from sabot.floor.records.record_codec import HOUSE, tournament_stream

Scores = Mapping[int, int]
"""By entrant's number."""


class ScoreOnRecord(msgspec.Struct, frozen=True):
    """The scores after a counted coup, as a table's record has them."""

    sitting: str
    counted: int
    revision: int
    scores: dict[int, int]


class NoteOnRecord(msgspec.Struct, frozen=True):
    """What a tournament noted of a sitting."""

    version: int
    table: str
    sitting: str
    revision: int
    scores: dict[int, dict[int, int]]
    """By counted coup."""


class SlipOnRecord(msgspec.Struct, frozen=True):
    """A slip, as the tournament raised it or the house registered it."""

    version: int
    direction: str
    cents: int
    parts: dict[str, int]
    entrant: int
    player: str
    purpose: str
    settled: str = ""
    """What became of it in this stream: taken, paid, forfeited or cancelled."""
    settled_version: int = 0

    def is_like(self, other: "SlipOnRecord") -> bool:
        return _told(self) == _told(other)


def _told(slip: SlipOnRecord) -> tuple[object, ...]:
    return slip.direction, slip.cents, slip.parts, slip.entrant, slip.player, slip.purpose


def other_score(tournament: str, notes: list[NoteOnRecord], told: Mapping[str, list[ScoreOnRecord]]) -> Problem | None:
    """The first note that the table's own records contradict; `told` holds every table that could be replayed."""
    known = {table: _by_coup(scores) for table, scores in told.items()}
    for note in notes:
        if note.table not in known:
            continue
        for counted, scores in note.scores.items():
            by_revision = known[note.table].get((note.sitting, counted), {})
            newest = max((one for one in by_revision if one <= note.revision), default=None)
            if newest is None or by_revision[newest] != scores:
                why = f"the records of table {note.table} say otherwise about coup {counted} of {note.sitting}"
                return Problem(tournament_stream(tournament), note.version, ProblemKind.SCORE, why)
    return None


def _by_coup(scores: list[ScoreOnRecord]) -> dict[tuple[str, int], dict[int, Scores]]:
    """The scores of each revision, by sitting and counted coup."""
    found: dict[tuple[str, int], dict[int, Scores]] = {}
    for one in scores:
        found.setdefault((one.sitting, one.counted), {})[one.revision] = one.scores
    return found


def other_slip(
    raised: Mapping[str, Mapping[str, SlipOnRecord]], registered: Mapping[str, SlipOnRecord], *, is_whole: bool
) -> Problem | None:
    """The first slip of which tournament and house say different things.

    `raised` holds the slips of each tournament that could be replayed. `is_whole` says that the house has written
    nothing since it was read, so that all that a tournament noted of it must be there.
    """
    return next(_other_slips(raised, registered, is_whole=is_whole), None)


def _other_slips(
    raised: Mapping[str, Mapping[str, SlipOnRecord]], registered: Mapping[str, SlipOnRecord], *, is_whole: bool
) -> Iterator[Problem]:
    for number, slip in registered.items():
        tournament = number.rpartition("-")[0]
        if tournament in raised:
            known = raised[tournament].get(number)
            if known is None or not known.is_like(slip):
                why = f"tournament {tournament} has not raised slip {number} so"
                yield Problem(HOUSE, slip.version, ProblemKind.MONEY, why)
    for tournament, slips in raised.items():
        for number, slip in slips.items():
            if not slip.settled:
                continue
            done = registered[number].settled if number in registered else ""
            if done != slip.settled and (done or is_whole):
                why = f"the house has not {slip.settled} slip {number}"
                yield Problem(tournament_stream(tournament), slip.settled_version, ProblemKind.MONEY, why)
