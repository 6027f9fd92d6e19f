"""What fell out of a table's state, in the form in which it is kept beside the records and brought back by one."""

from collections.abc import Mapping

import msgspec

from sabot.basics.money import Cents
from sabot.rules.part import Clause
from sabot.rules.rule_set import Bet
from sabot.rules.rule_set_file import read_rule_set, write_rule_set
from sabot.rules.shipped import IDS, rule_set
from sabot.rules.terms import Outcome, Settlement, Terms
from sabot.table.accounts.state import ControlSession, TableTicket, Tendered
from sabot.table.sessions.state import KeptSession
from sabot.table.state import Played


class WrittenTerms(msgspec.Struct, frozen=True, array_like=True):
    """Terms by what they were made of; a casino's own rule set is written out."""

    rule_set: str
    own: bytes | None
    decks: int
    options: dict[str, int]


class WrittenSettlement(msgspec.Struct, frozen=True, array_like=True, gc=False):
    bet: str
    stake_cents: int
    outcome: str
    gross_cents: int
    commission_cents: int
    net_cents: int
    clause: str


class ShelvedCoup(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A settled coup as it stands: everything that a correction of it needs, beside the sessions that it names."""

    coup: int
    shoe: int
    cards: tuple[str, ...]
    settlements: dict[str, tuple[WrittenSettlement, ...]]
    controls: dict[str, int]
    terms: WrittenTerms
    at_ms: int
    invalid: bool = False
    left_over: tuple[str, ...] = ()
    proved: bool = False
    session: str = ""


class ShelvedSession(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A control session, and where its patron went on, if moved."""

    station: str
    patron: str
    from_ms: int
    moved: str = ""


class FromShelf(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What was found of something that was wanted."""

    coups: tuple[ShelvedCoup, ...] = ()
    sessions: dict[int, ShelvedSession] = {}
    tickets: dict[str, TableTicket] = {}
    buy_ins: dict[int, Tendered] = {}
    slips: tuple[str, ...] = ()
    sittings: dict[str, KeptSession] = {}


def write_coup(one: Played) -> ShelvedCoup:
    return ShelvedCoup(
        coup=one.coup,
        shoe=one.shoe,
        cards=one.cards,
        settlements={
            station: tuple(write_settlement(each) for each in settled) for station, settled in one.settlements.items()
        },
        controls=dict(one.controls),
        terms=write_terms(one.terms),
        at_ms=one.at_ms,
        invalid=one.invalid,
        left_over=one.left_over,
        proved=one.proved,
        session=one.session,
    )


def read_shelved(one: ShelvedCoup, current: Terms) -> Played:
    """The coup; the terms are the table's present ones where they are the same."""
    return Played(
        one.coup,
        one.shoe,
        one.cards,
        {station: [read_settlement(each) for each in settled] for station, settled in one.settlements.items()},
        one.controls,
        current if write_terms(current) == one.terms else read_terms(one.terms),
        one.invalid,
        one.left_over,
        one.proved,
        one.at_ms,
        one.session,
    )


def write_control_session(one: ControlSession, moved: str) -> ShelvedSession:
    return ShelvedSession(one.station, one.patron, one.from_ms, moved)


def read_control_sessions(found: Mapping[int, ShelvedSession]) -> tuple[dict[int, ControlSession], dict[int, str]]:
    """The control sessions, and where those of moved patrons went on."""
    sessions = {number: ControlSession(one.station, one.patron, one.from_ms) for number, one in found.items()}
    return sessions, {number: one.moved for number, one in found.items() if one.moved}


def write_terms(terms: Terms) -> WrittenTerms:
    shipped = terms.rule_set.id in IDS and rule_set(terms.rule_set.id) == terms.rule_set
    return WrittenTerms(
        terms.rule_set.id, None if shipped else write_rule_set(terms.rule_set), terms.decks, dict(terms.options)
    )


def read_terms(written: WrittenTerms) -> Terms:
    own = written.own
    played_by = rule_set(written.rule_set) if own is None else read_rule_set(own, f"{written.rule_set}.json")
    return Terms(played_by, written.decks, written.options)


def write_settlement(one: Settlement) -> WrittenSettlement:
    return WrittenSettlement(
        one.bet, one.stake_cents, one.outcome, one.gross_cents, one.commission_cents, one.net_cents, one.clause
    )


def read_settlement(one: WrittenSettlement) -> Settlement:
    return Settlement(
        Bet(one.bet),
        Cents(one.stake_cents),
        Outcome(one.outcome),
        Cents(one.gross_cents),
        Cents(one.commission_cents),
        Cents(one.net_cents),
        Clause(one.clause),
    )
