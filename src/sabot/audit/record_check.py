"""What every replay asks of a record, and how it says what is wrong with one."""

from collections.abc import Callable, Sequence

from sabot.audit.problem import Problem, ProblemKind
from sabot.basics.mistake import UNREADABLE, Mistake
from sabot.basics.stamp import Stamp
from sabot.journal.journal import Snapshot
from sabot.journal.record import FORMAT, Record
from sabot.table.history.wanted import Elsewhere


class BadRecord(Exception):
    """The fault of a record; caught where its stream and version are known."""

    def __init__(self, kind: ProblemKind, why: str) -> None:
        super().__init__(why)
        self.kind = kind


STUCK = (AssertionError, KeyError, IndexError, StopIteration, AttributeError, Mistake, Elsewhere)
"""What `evolve` raises for an event that does not fit the state, and `decide` where nothing was brought back before."""


def problem_of(take: Callable[[Record], None], record: Record) -> Problem | None:
    """The problem that taking a record raises, with its stream and version."""
    stream, version = record.stream, record.version
    try:
        take(record)
    except BadRecord as bad:
        return Problem(stream, version, bad.kind, str(bad))
    except STUCK as stuck:
        why = f"what it says cannot have happened after what came before it ({stuck})"
        return Problem(stream, version, ProblemKind.IMPOSSIBLE, why)
    except UNREADABLE as error:
        return Problem(stream, version, ProblemKind.DAMAGED, f"its answer cannot be read: {error}")
    return None


OPENING = "opening"
"""The form of a snapshot that is the state with which a part of the journal opens."""


def other_snapshot(
    snapshots: Sequence[Snapshot], place: tuple[int, bytes], read: Callable[[Snapshot], object | None], state: object
) -> Problem | None:
    """The problem of a state that was kept at this record and differs from the one that the records give.

    A snapshot that does not fit the chain, or cannot be read, is ignored at start-up, and here as well. The state that
    a part opens with must fit.
    """
    for one in snapshots:
        if one.version != place[0] or (one.hash != place[1] and one.form != OPENING):
            continue
        kept = read(one)
        if one.form == OPENING and (kept != state or one.hash != place[1]):
            why = "the state that the next part of the journal opens with is not the one that the records come to"
            return Problem(one.stream, one.version, ProblemKind.PART, why)
        if kept is not None and kept != state:
            why = "the state that was kept after it is not the one that the records come to; drop the snapshot"
            return Problem(one.stream, one.version, ProblemKind.SNAPSHOT, why)
    return None


def is_older_form(record: Record) -> bool:
    """Whether a program of an earlier form wrote it, whose rules this program need not have.

    Its decision is then taken as recorded; what must never happen, and that the money adds up, is checked all the same.
    """
    return record.form < FORMAT


def check_name(record: Record, stamp: Stamp) -> None:
    """Who did it, who approved it and when stand in the record twice, and must be the same."""
    entry = record.entry
    if (stamp.by, stamp.second, stamp.at_ms) != (entry.actor, entry.second_actor, entry.at_ms):
        raise BadRecord(ProblemKind.DECISION, "its actor, its second actor or its time is not the one in its stamp")
