"""The sums of a period: everything that a report of a table needs, added up one record at a time.

The sums of two periods that follow each other add up to the sum of both (`audit/summing.py` `Summing.join`). All
figures are whole numbers. A sum says at which record it begins and ends, and what later records are read by. So a
journal keeps sums of parts, gaming days and months beside its records, and a report reads those instead of the records.

Figures by dealer, bet and patron are those of the coups that were settled in the period, as they stand at its end. A
correction in one period may change a coup of an earlier one. So a sum keeps corrections of earlier coups apart, by
coup, until it is added to the sum of the period in which the coup was settled.
"""

import msgspec

from sabot.basics.mistake import UNREADABLE
from sabot.rules.terms import Terms
from sabot.table.configuration import terms_made_of
from sabot.table.role import Role
from sabot.table.state import Unconfigured
from sabot.views.reports import FloatLine, PutRightLine

FORM = 5
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
    coup_dealer: str = ""
    """Who opened the wagering of the newest coup, or ran the game at a dummy coup: its figures are this dealer's."""
    seated: tuple[tuple[str, str], ...] = ()
    """The stations whose patron gave a reference, with the reference."""

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
    moved: int = 0
    """What patrons who were moved brought along, less what they took to other stations."""


class BetSum(msgspec.Struct, frozen=True, array_like=True, gc=False):
    wagers: int
    turnover: int
    win: int


class StakeSum(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The stakes on a bet under the same terms."""

    terms: int
    """The place of the terms in the list of the period."""
    bet: str
    cents: int


class ProductSum(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The stakes of a coup on two bets, multiplied, or on one and the same; added up over coups under the same terms.

    The bets of a coup win or lose together, so the spread of the win follows from these.
    """

    terms: int
    bet: str
    other: str
    products: str
    """In decimal digits, since it has no bound."""


class PlaySum(msgspec.Struct, frozen=True, array_like=True):
    """What was played by some, in coups as they stand."""

    coups: int = 0
    commission: int = 0
    bets: dict[str, BetSum] = {}
    stakes: list[StakeSum] = []
    products: list[ProductSum] = []
    """Left out of what a late coup says of patrons."""

    @property
    def turnover(self) -> int:
        return sum(line.turnover for line in self.bets.values())

    @property
    def win(self) -> int:
        return sum(line.win for line in self.bets.values())


NOTHING_PLAYED = PlaySum()


class DealerSum(msgspec.Struct, frozen=True, array_like=True):
    """The coups that a dealer opened, and the time for which the dealer ran the game."""

    play: PlaySum
    voids: int
    """Coups that became void."""
    corrected: int
    """How often a coup was recalculated or made invalid, in this period."""
    present_ms: int


class PatronSums(msgspec.Struct, frozen=True, array_like=True):
    """The coups in which patrons wagered who gave a reference, and the time for which they had a station.

    In columns of eight bytes for each patron, the lowest first: so those of many patrons add up quickly.
    """

    patrons: list[str]
    """The references, in their order."""
    figures: list[bytes]
    """Coups, commission, win, time in milliseconds."""
    stakes: list[tuple[int, str, bytes]]
    """By the place of the terms in the list of the period, and by bet."""


class LateCoup(msgspec.Struct, frozen=True, array_like=True):
    """What the period changed in a coup that was settled before it."""

    coup: int
    dealer: str
    play: PlaySum
    patrons: dict[str, PlaySum]


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
    terms: tuple[PlayedTerms, ...]
    """Those that stakes were played by."""
    dealing: dict[str, DealerSum]
    """By dealer; of the coups settled in the period, as they stand at its end."""
    patrons: bytes
    """As `read_patrons` reads it: only a report by patron looks into it. Empty where it was left out."""
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


def write_patrons(patrons: PatronSums) -> bytes:
    return _encode(patrons)


def read_patrons(one: PeriodSum) -> PatronSums:
    """The figures of patrons who gave a reference; none where the sum leaves them out."""
    return _read_patrons(one.patrons) if one.patrons else PatronSums([], [b""] * 4, [])


_encode = msgspec.msgpack.Encoder(order="deterministic").encode
_read_form = msgspec.msgpack.Decoder(tuple[int, msgspec.Raw]).decode
_read_sum = msgspec.msgpack.Decoder(PeriodSum).decode
_read_patrons = msgspec.msgpack.Decoder(PatronSums).decode
