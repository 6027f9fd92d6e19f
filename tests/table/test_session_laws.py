"""The laws of a session, whatever is played in it: credits are conserved, scores follow the books, money comes back."""

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot.ledger.account import COMMISSION, FORFEITED, ISSUED, WIN, AccountKind, Unit
from sabot.table import acts
from sabot.table.phase import Phase
from sabot.table.refusal import Refused
from sabot.table.sessions.standing import scores_of
from sabot.table.sessions.state import SeatStatus, SessionStage
from sabot.table.sessions.terms import SessionSeat
from sabot.table.snapshot import digest_of, read_state, write_state
from tests.table.session_play import LIMITS, READY, SITTING, STATIONS, WINNERS, SessionTable, natural

STEPS = (
    "coup",
    "coup",
    "coup",
    "void",
    "fault",
    "correct",
    "invalidate",
    "admit",
    "close",
    "direct",
    "dispute",
    "kill",
)
TERMS: dict[str, dict[str, Any]] = {
    "forfeit": {},
    "warning": {"missed": "warning", "warnings": 1},
    "minimum": {"each_coup": "minimum", "credits": 3_000, "missed": None, "void_coups": "counted"},
    "free": {"each_coup": "none", "credits": 0, "missed": None, "balances": "cash"},
    "timed": {"coups": None, "minutes": 3},
}


class Play:
    """Random steps at one table; each is lawful, or refused and without effect."""

    def __init__(self, table: SessionTable, data: st.DataObject) -> None:
        self.table, self.data = table, data

    def step(self, name: str) -> None:
        getattr(self, name)()
        check(self.table)

    def _lay(self) -> None:
        for station in self.table.session.open_seats:
            bet = self.data.draw(st.sampled_from(["player", "banker", "tie", ""]))
            if bet:
                amount = self.data.draw(st.integers(500, 120_000))
                self.table.try_(acts.SetWager(station=station, bet=LIMITS_BY_NAME[bet], cents=amount), station)

    def coup(self) -> None:
        if isinstance(self.table.try_(acts.Open(), "D1"), Refused):
            return
        self._lay()
        self.table.now_ms += 10_000
        self.table.hear("D1 close")
        if self.table.state.coup is not None and self.table.state.coup.sealed:
            self._deal(self.data.draw(st.sampled_from(sorted(WINNERS))))
        else:
            self.table.hear("D1 void")

    def _deal(self, winner: str) -> None:
        self.table.hear(*(f"D1 card {card}" for card in natural(winner, self.table.state.coups)), "D1 confirm")

    def void(self) -> None:
        if not isinstance(self.table.try_(acts.Open(), "D1"), Refused):
            self.table.hear("D1 close", "D1 void")

    def fault(self) -> None:
        if not isinstance(self.table.try_(acts.Open(), "D1"), Refused):
            self._lay()
            self.table.hear(f"D1 fault {self.data.draw(st.sampled_from(STATIONS))}", "D1 close")
            if self.table.state.coup is not None and self.table.state.coup.sealed:
                self._deal("banker")
            else:
                self.table.hear("D1 void")

    def kill(self) -> None:
        if not isinstance(self.table.try_(acts.Open(), "D1"), Refused):
            self._lay()
            self.table.now_ms += 5_000
            self.table.do(acts.Restart(last_sign_ms=self.table.now_ms))

    def _settled(self) -> int:
        return self.data.draw(st.integers(1, max(1, self.table.state.coups)))

    def correct(self) -> None:
        self.table.hear("D1 freeze")
        winner = self.data.draw(st.sampled_from(sorted(WINNERS)))
        if not isinstance(self.table.try_(acts.Correct(coup=self._settled(), cards=WINNERS[winner]), "D1"), Refused):
            self.table.hear("D1 recalculate")
        self.table.hear("D1 unfreeze")

    def invalidate(self) -> None:
        self.table.try_(acts.Invalidate(coup=self._settled(), cause="malfunction", reason="dark"), "GS1")

    def admit(self) -> None:
        station = self.data.draw(st.sampled_from(STATIONS))
        number = STATIONS.index(station) + 1
        seat = SessionSeat(entrant=number, patron=f"P-{number}", credit=100_000)
        order = self.table.order()
        self.table.try_(acts.AdmitSeat(sitting=SITTING, order=order, station=station, seat=seat, penalty=True))

    def close(self) -> None:
        station = self.data.draw(st.sampled_from(STATIONS))
        order = acts.CloseSeat(sitting=SITTING, order=self.table.order(), station=station, reason="retired")
        self.table.try_(order)
        before = digest_of(self.table.state)
        self.table.try_(order)
        assert digest_of(self.table.state) == before, "an order that was done changes nothing"

    def direct(self) -> None:
        station = self.data.draw(st.sampled_from(STATIONS))
        self.table.try_(acts.DirectToLeave(station=station, reason="noise"), "CS1")

    def move(self) -> None:
        station, target = self.data.draw(st.sampled_from(STATIONS)), self.data.draw(st.sampled_from(STATIONS))
        self.table.try_(acts.MovePatron(station=station, target=target), "D1")

    def dispute(self) -> None:
        station = self.data.draw(st.sampled_from(STATIONS))
        if isinstance(self.table.try_(acts.Dispute(station=station, text="wrong"), "D1"), Refused):
            return
        case = len(self.table.state.cases)
        cents = self.data.draw(st.integers(-200_000, 50_000))
        decide = acts.DecideDispute(case=case, decision="so", adjustments={station: cents} if cents else {})
        self.table.try_(decide, "CS1")


LIMITS_BY_NAME = {str(bet): bet for bet in LIMITS}


def check(table: SessionTable) -> None:
    """Law 1, and that the newest score is what the books say."""
    state, session = table.state, table.session
    ledger = state.ledger
    owed = sum(cents for account, cents in ledger.books.items() if account.kind is AccountKind.OWED)
    purses = sum(purse.balance + purse.wagered for purse in ledger.purses.values())
    income = sum(ledger.balance(account) for account in (WIN, COMMISSION, FORFEITED))
    assert ledger.unit is Unit.CREDITS
    assert ledger.balance(ISSUED) + owed == purses + income
    assert session.counted == len(session.scores)
    assert [score.counted for score in session.scores] == list(range(1, len(session.scores) + 1))
    newest, now = session.scores.last, scores_of(state, session)
    if newest is not None and state.phase is Phase.BETWEEN_COUPS:
        assert {number: now[number] for number in newest.scores} == newest.scores
        assert newest.revision <= session.revision
    assert read_state(write_state(state)) == state


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(TERMS)), st.lists(st.sampled_from(STEPS), max_size=25), st.data())
def test_credits_are_conserved_scores_follow_the_books_and_the_money_comes_back(
    terms: str, steps: list[str], data: st.DataObject
) -> None:
    """Laws 1, 2 and 6."""
    table = SessionTable()
    table.hear(*READY, "D1 buy_in A1 100", "A1 leave", "D1 pay A1")
    table.reserve()
    before = table.state
    table.do(table.opening("A6", seats=6, **{"coups": 8, **TERMS[terms]}))
    start = {name: table.balance(name) for name in table.session.open_seats}
    assert set(start.values()) == {100_000}, "all seats begin with the same"
    play = Play(table, data)
    for step in steps:
        play.step(step)
        assert table.session.money.ledger is before.ledger
    expected = scores_of(table.state, table.session)
    table.do(acts.EndSession(sitting=SITTING, order=table.order()))
    after = table.state
    assert after.session is None
    for name in ("ledger", "meters", "limits", "offered", "minimums", "aggregate_minimum"):
        assert msgspec.msgpack.encode(as_written(getattr(after, name))) == msgspec.msgpack.encode(
            as_written(getattr(before, name))
        ), name
    kept = after.kept_sessions[SITTING]
    playing = (SeatStatus.PLAYING, SeatStatus.BUST, SeatStatus.CLOSED)
    assert {seat.entrant: seat.score for seat in kept.seats.values() if seat.status in playing} == expected
    assert not any(station.is_open for station in after.stations.values())


def as_written(part: Any) -> Any:
    """The part in a form that has bytes."""
    if isinstance(part, frozenset):
        return sorted(part)
    if hasattr(part, "books"):
        return [part.purses, [(*account, cents) for account, cents in part.books.items()], part.unit]
    return part


def test_a_session_that_is_played_opens_no_wagering_whatever_is_corrected() -> None:
    table = SessionTable()
    table.hear(*READY)
    table.reserve()
    table.do(table.opening(coups=1))
    table.coup("banker", **table.everybody())
    table.hear("GS1 invalidate 1 malfunction dark")
    assert table.session.stage is SessionStage.PLAYED
    assert table.session.counted == 1
    assert table.refused(acts.Open(), "D1").code == "sitting_over"
