"""The session that is on in the form of a snapshot: mappings keep their order, and sets are sorted."""

import msgspec

from sabot.basics.growing_list import GrowingList
from sabot.ledger.account import Account, AccountKind
from sabot.ledger.ledger import Ledger, Purse
from sabot.ledger.meters import Meters
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet
from sabot.table.sessions.state import MoneyAside, SeatInSession, SessionScore, SessionStage, SessionState
from sabot.table.sessions.terms import SessionTerms

WrittenBooks = list[tuple[str, str, str, int]]


class WrittenMoney(msgspec.Struct, frozen=True, array_like=True):
    purses: dict[str, Purse]
    books: WrittenBooks
    meters: dict[str, Meters]
    offered: list[str]
    limits: dict[Bet, Limits]
    minimums: dict[Bet, int]
    aggregate_minimum: int


class WrittenSession(msgspec.Struct, frozen=True, array_like=True):
    terms: SessionTerms
    stage: SessionStage
    money: WrittenMoney
    seats: dict[str, SeatInSession]
    opened_ms: int
    first_coup: int
    counted: int
    revision: int
    scores: list[SessionScore]
    forfeits: dict[int, dict[str, int]]
    agreed: tuple[str, ...]
    orders: tuple[int, ...]
    went: dict[str, str]


def write_books(ledger: Ledger) -> WrittenBooks:
    return [(*account, cents) for account, cents in ledger.books.items()]


def read_books(written: WrittenBooks) -> dict[Account, int]:
    return {Account(AccountKind(kind), station, part): cents for kind, station, part, cents in written}


def write_session(session: SessionState | None) -> WrittenSession | None:
    if session is None:
        return None
    aside = session.money
    money = WrittenMoney(
        dict(aside.ledger.purses),
        write_books(aside.ledger),
        dict(aside.meters),
        sorted(aside.offered),
        dict(aside.limits),
        dict(aside.minimums),
        aside.aggregate_minimum,
    )
    return WrittenSession(
        session.terms,
        session.stage,
        money,
        dict(session.seats),
        session.opened_ms,
        session.first_coup,
        session.counted,
        session.revision,
        list(session.scores),
        {coup: dict(forfeits) for coup, forfeits in session.forfeits.items()},
        session.agreed,
        session.orders,
        dict(session.went),
    )


def read_session(written: WrittenSession | None) -> SessionState | None:
    if written is None:
        return None
    aside = written.money
    money = MoneyAside(
        Ledger(aside.purses, read_books(aside.books)),
        aside.meters,
        frozenset(Bet(bet) for bet in aside.offered),
        aside.limits,
        aside.minimums,
        aside.aggregate_minimum,
    )
    scores: GrowingList[SessionScore] = GrowingList()
    for score in written.scores:
        scores = scores.then(score)
    return SessionState(
        terms=written.terms,
        stage=written.stage,
        money=money,
        seats=written.seats,
        opened_ms=written.opened_ms,
        first_coup=written.first_coup,
        counted=written.counted,
        revision=written.revision,
        scores=scores,
        forfeits=written.forfeits,
        agreed=written.agreed,
        orders=written.orders,
        went=written.went,
    )
