"""Whether every credit of a ticket at a station rests on an escrow of the house, and each is used once (G-235)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sabot.audit.problem import Problem, ProblemKind
from sabot.floor.records.record_codec import table_stream


class InEscrowOnRecord(NamedTuple):
    """What the house put into escrow, and for whom."""

    ticket: str
    table: str
    station: str
    cents: int


class CreditOnRecord(NamedTuple):
    """A ticket that a station took in, as its table's record has it."""

    version: int
    escrow: int
    ticket: str
    station: str
    cents: int


class Escrows(NamedTuple):
    """The escrows of the house's records."""

    before: int = 0
    """The newest number that an earlier part of the journal has."""
    given: Mapping[int, InEscrowOnRecord] = {}


def credited_otherwise(
    escrows: Escrows, credited: Mapping[str, Sequence[CreditOnRecord]], *, is_whole: bool
) -> Problem | None:
    """The problem of a credit on an escrow that the house has not given so, or that was used before.

    `is_whole` says that the house wrote nothing since it was read, so that every escrow is known.
    """
    used: set[int] = set()
    for table, taken_in in credited.items():
        for one in taken_in:
            if one.escrow in used:
                why = f"ticket {one.ticket} is taken in on escrow {one.escrow}, which was used before"
                return Problem(table_stream(table), one.version, ProblemKind.TICKET, why)
            used.add(one.escrow)
            is_known = one.escrow > escrows.before and (is_whole or one.escrow in escrows.given)
            said = InEscrowOnRecord(one.ticket, table, one.station, one.cents)
            if is_known and escrows.given.get(one.escrow) != said:
                why = f"ticket {one.ticket} is taken in on escrow {one.escrow}, which the house has not given so"
                return Problem(table_stream(table), one.version, ProblemKind.TICKET, why)
    return None
