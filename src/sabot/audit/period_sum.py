"""The sums of a period: everything that a report of a table needs, added up one record at a time.

The sums of two periods that follow each other add up to the sum of both (`audit/summing.py` `Summing.join`). All
figures are whole numbers. A sum says at which record it begins and ends, and what later records are read by. So a
journal keeps sums of parts and of gaming days beside its records, and a report reads those instead of the records.

A correction in one period may change a coup of an earlier one. Figures by bet are those of the coups that were settled
in the period, as they stand at its end. So a sum keeps corrections of earlier coups apart, by coup, until it is added
to the sum of the period in which the coup was settled.
"""

import msgspec

from sabot.basics.mistake import UNREADABLE
from sabot.rules.terms import Terms
from sabot.table.configuration import terms_made_of
from sabot.table.role import Role
from sabot.table.state import Unconfigured
from sabot.views.reports import FloatLine, PutRightLine

FORM = 1
"""The form of kept sums, and of what they add up. Sums of another form are not used; the records give them again."""


class PlayedTerms(msgspec.Struct, frozen=True, array_like=True):
    """Terms by what they are made of; a casino's own rule set is written out."""

    rule_set: str
    own: bytes | None
    decks: int
    options: tuple[tuple[str, int], ...]

    @property
    def terms(self) -> Terms:
        return terms_made_of(self.rule_set, self.own, self.decks, self.options)


class SumPlace(msgspec.Struct, frozen=True, array_like=True):
    """Where a sum begins or ends, and what the records behind it are read by."""

    version: int = 0
    """The last record before this place."""
    at_ms: int = 0
    """The newest time of an act before it."""
    coup: int = 0
    """The newest coup that an event named."""
    coups: int = 0
    """The number of the newest coup that was opened, or declared a dummy coup."""
    currency: str = ""
    time_zone: str = ""
    day_starts: str = ""
    """When a gaming day begins there; empty before the first configuration."""
    stations: tuple[str, ...] = ()
    """All stations of all configurations so far."""
    played_by: PlayedTerms | None = None
    signed_on: tuple[tuple[str, Role], ...] = ()
    """In the order of their sign-ons."""
    in_credits: bool = False
    """Whether a session of a tournament is on, so that amounts are credits."""
    rack_cents: int = 0
    """The chips in the rack by the books."""
    metered: tuple[str, ...] = ()
    """The stations that have meters, in the order in which they were first counted."""

    @property
    def dealer(self) -> str | None:
        return Unconfigured(signed_on=dict(self.signed_on)).dealer


START = SumPlace()


class StationSum(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the meters of a station counted, and the commission of its coups as they stand."""

    coups: int
    wagered: int
    credited: int
    adjusted: int
    commission: int
    came_in: dict[str, int]
    paid: dict[str, int]


class BetSum(msgspec.Struct, frozen=True, array_like=True, gc=False):
    wagers: int
    turnover: int
    win: int


class StakeSum(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The stakes on a bet under the same terms, by coup: their sum, and the sum of their squares."""

    played_by: PlayedTerms
    bet: str
    cents: int
    squares: str
    """In decimal digits, since it has no bound."""


class LateCoup(msgspec.Struct, frozen=True, array_like=True):
    """What the period changed in a coup that was settled before it."""

    coup: int
    bets: dict[str, BetSum]
    stakes: list[StakeSum]


class FloatSum(msgspec.Struct, frozen=True, array_like=True, gc=False):
    fills: int
    credits: int
    differences: int
    uncounted: int


class PeriodSum(msgspec.Struct, frozen=True, array_like=True, kw_only=True):
    before: SumPlace
    after: SumPlace
    records: int
    accepted: int
    """How many of them changed something."""
    first: int
    last: int
    """The versions of the first and last of these; 0 where there are none."""
    owners: int
    from_ms: int
    to_ms: int
    """The times of the first and last act, accepted or refused; 0 where there is none."""
    refusals: dict[str, int]
    """By code."""
    events: dict[str, int]
    """By kind."""
    dealers: tuple[str, ...]
    """Who opened wagering, in this order."""
    coups: int
    """Coups settled for money."""
    first_coup: int
    """The number of the first of them; 0 where there is none."""
    voided: int
    turnover: int
    win: int
    commission: int
    """Of coups as they were first settled."""
    won: dict[str, int]
    """Wagers that won, lost or pushed as they were first settled, by bet.outcome."""
    came_in: int
    paid_out: int
    stations: dict[str, StationSum]
    booked: int
    """What the ledger's win and commission grew by."""
    outside: int
    """What is owed and uncollected, less payable and seized, grew by."""
    chip_float: FloatSum
    put_right: tuple[PutRightLine, ...]
    float_lines: tuple[FloatLine, ...]
    bets: dict[str, BetSum]
    """Of the coups settled in the period, as they stand at its end."""
    stakes: list[StakeSum]
    late: list[LateCoup]
    """By coup."""


def write_sum(one: PeriodSum) -> bytes:
    """The bytes in which a sum is kept. Equal sums have equal bytes."""
    return _encode((FORM, one))


def read_sum(written: bytes) -> PeriodSum | None:
    """The sum that was kept; nothing where it has another form."""
    try:
        form, rest = _read_form(written)
        return None if form != FORM else _read_sum(rest)
    except UNREADABLE:
        return None


_encode = msgspec.msgpack.Encoder(order="deterministic").encode
_read_form = msgspec.msgpack.Decoder(tuple[int, msgspec.Raw]).decode
_read_sum = msgspec.msgpack.Decoder(PeriodSum).decode
