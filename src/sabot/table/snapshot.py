"""A table's state as bytes and back, exactly: what a journal may keep so that a table need not be read from its start.

Equal states give equal bytes: mappings keep their order, which follows from the events, and sets are sorted. So the
digest of the bytes is the digest of the state. Most of a state is its settled coups, in which the same few hundred
settlements come back over and over; each is written once and then named by its number.
"""

import hashlib
from typing import Any, Generic, TypeVar

import msgspec

from sabot.ledger.account import Unit
from sabot.ledger.ledger import Ledger, Purse
from sabot.ledger.meters import Meters
from sabot.rules.cards import CARDS, Card
from sabot.rules.limits import Limits
from sabot.rules.odds import Odds
from sabot.rules.rule_set import Bet
from sabot.rules.rule_set_file import read_odds
from sabot.rules.terms import Settlement, Terms
from sabot.table.accounts.state import ControlSession, Deferred, StationEscrow, StationState, TableTicket, Tendered
from sabot.table.care.state import AttendantCall, LeftCare
from sabot.table.cases.state import Case
from sabot.table.chips.state import ChipFloat
from sabot.table.configuration import Configuration, terms_of
from sabot.table.history.shelved import (
    WrittenSettlement,
    WrittenTerms,
    read_settlement,
    read_terms,
    write_settlement,
    write_terms,
)
from sabot.table.history.state import Fallen
from sabot.table.history.wanted import Wanted
from sabot.table.phase import Phase
from sabot.table.role import Role
from sabot.table.sessions.kept_form import (
    WrittenBooks,
    WrittenSession,
    read_books,
    read_session,
    write_books,
    write_session,
)
from sabot.table.sessions.state import KeptSession, Reservation
from sabot.table.state import (
    AnyTable,
    CardCheck,
    CoupUnderWay,
    Doubt,
    NewestPeriod,
    Played,
    Resolved,
    Scheduled,
    ShoeState,
    StatedFact,
    TableState,
    Unconfigured,
)


class _Played(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A settled coup whose settlements and terms are numbers in the lists before it."""

    coup: int
    shoe: int
    cards: tuple[str, ...]
    settlements: dict[str, list[int]]
    controls: dict[str, int]
    terms: int
    invalid: bool
    left_over: tuple[str, ...]
    proved: bool
    at_ms: int
    session: str


class WrittenTable(msgspec.Struct, frozen=True, array_like=True):
    """The parts of a state that msgspec writes by itself, and those that stand here in another form."""

    configuration: Configuration
    rule_set_digest: str
    offered: list[str]
    limits: dict[Bet, Limits]
    minimums: dict[Bet, int]
    aggregate_minimum: int
    phase: Phase
    locked: str
    signed_on: dict[str, Role]
    sign_ons: dict[str, int]
    approved_builds: list[str]
    notices: tuple[Scheduled, ...]
    signs: dict[str, str]
    down: list[str]
    face_up: bool
    cards_checked: CardCheck
    packs: list[str]
    shoe: ShoeState
    coups: int
    days_ended_with: int
    day_ended: str
    coup: CoupUnderWay | None
    fact: StatedFact | None
    resolved: Resolved | None
    stations: dict[str, StationState]
    purses: dict[str, Purse]
    books: WrittenBooks
    meters: dict[str, Meters]
    controls: int
    sessions: dict[int, ControlSession]
    tickets: dict[str, TableTicket]
    escrows: dict[str, StationEscrow]
    last_result: str
    cases: dict[int, Case]
    faulted: list[str]
    out_of_service: list[str]
    moved: dict[int, str]
    calls: dict[str, AttendantCall]
    left_care: tuple[LeftCare, ...]
    awaits_confirmation: bool
    journal_ahead_ms: int
    period: NewestPeriod | None
    doubts: tuple[Doubt, ...]
    frozen_at_ms: int | None
    correction: tuple[int, tuple[str, ...], tuple[str, ...]] | None
    deferred: tuple[Deferred, ...]
    buy_ins: dict[int, Tendered]
    chip_float: ChipFloat
    buy_ins_made: int
    cases_opened: int
    slips: tuple[str, ...]
    keeps: int
    fallen: Fallen
    looked_for: tuple[Wanted, ...]
    reserved: Reservation | None
    session: WrittenSession | None
    kept_sessions: dict[str, KeptSession]
    terms: list[WrittenTerms]
    settlements: list[WrittenSettlement]
    played: list[_Played]


def digest_of(state: AnyTable) -> str:
    """What two states share only if they are the same to the last bit; before its configuration a table has none."""
    return hashlib.sha256(b"" if isinstance(state, Unconfigured) else write_state(state)).hexdigest()


def write_state(state: TableState) -> bytes:
    terms, settlements = _Numbers[Terms](), _Numbers[Settlement]()
    played = [_write_played(one, terms, settlements) for one in state.played]
    kept: dict[str, Any] = {name: getattr(state, name) for name in _KEPT}
    sets: dict[str, Any] = {name: sorted(getattr(state, name)) for name in _SETS}
    return _encode(
        WrittenTable(
            **kept,
            **sets,
            purses=dict(state.ledger.purses),
            books=write_books(state.ledger),
            session=write_session(state.session),
            terms=[write_terms(one) for one in terms.listed],
            settlements=[write_settlement(one) for one in settlements.listed],
            played=played,
        )
    )


def read_state(written: bytes) -> TableState:
    """The state that was written; what is no state raises `msgspec.DecodeError`."""
    raw = _decode(written)
    current = terms_of(raw.configuration)
    terms = [current if write_terms(current) == one else read_terms(one) for one in raw.terms]
    settlements = [read_settlement(one) for one in raw.settlements]
    played = tuple(_read_played(one, terms, settlements) for one in raw.played)
    session = read_session(raw.session)
    unit = Unit.MONEY if session is None else Unit.CREDITS
    kept: dict[str, Any] = {name: getattr(raw, name) for name in _KEPT}
    sets: dict[str, Any] = {name: frozenset(getattr(raw, name)) for name in _SETS}
    return TableState(
        **kept,
        **sets,
        terms=current,
        ledger=Ledger(raw.purses, read_books(raw.books), unit),
        session=session,
        played=played,
    )


_SETS = ("offered", "approved_builds", "down", "packs", "faulted", "out_of_service")
_APART = {"terms", "ledger", "played", "session"}
_KEPT = tuple(name for name in TableState.__struct_fields__ if name not in _APART and name not in _SETS)
"""What is written as it is. A field that is new in `TableState` is missing in `WrittenTable` at the first one."""


T = TypeVar("T")


class _Numbers(Generic[T]):
    """Numbers things in the order in which they first come."""

    def __init__(self) -> None:
        self.listed: list[T] = []
        self._numbers: dict[T, int] = {}

    def of(self, thing: T) -> int:
        number = self._numbers.get(thing)
        if number is None:
            number = self._numbers[thing] = len(self.listed)
            self.listed.append(thing)
        return number


def _write_played(one: Played, terms: _Numbers[Terms], settlements: _Numbers[Settlement]) -> _Played:
    number = settlements.of
    return _Played(
        one.coup,
        one.shoe,
        one.cards,
        {station: [number(each) for each in settled] for station, settled in one.settlements.items()},
        dict(one.controls),
        terms.of(one.terms),
        one.invalid,
        one.left_over,
        one.proved,
        one.at_ms,
        one.session,
    )


def _read_played(one: _Played, terms: list[Terms], settlements: list[Settlement]) -> Played:
    return Played(
        one.coup,
        one.shoe,
        one.cards,
        {station: [settlements[number] for number in settled] for station, settled in one.settlements.items()},
        one.controls,
        terms[one.terms],
        one.invalid,
        one.left_over,
        one.proved,
        one.at_ms,
        one.session,
    )


def _write_part(value: object) -> str:
    if isinstance(value, Card):
        return value.notation
    if isinstance(value, Odds):
        return str(value)
    raise NotImplementedError(f"a state holds no {type(value).__name__}")


def _read_part(wanted: type, written: object) -> object:
    return CARDS[str(written)] if wanted is Card else read_odds(wanted, written)


_encode = msgspec.msgpack.Encoder(enc_hook=_write_part).encode
_decode = msgspec.msgpack.Decoder(WrittenTable, dec_hook=_read_part).decode
