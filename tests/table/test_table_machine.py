"""A machine that says anything to a table, and holds it to its laws after every word."""

from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.records.record_codec import read_events, written
from sabot.ledger.account import AccountKind
from sabot.ledger.audit import discrepancy
from sabot.rules.cards import DECK, Card
from sabot.rules.coup import Coup, next_card
from sabot.rules.shipped import IDS
from sabot.table.acts import Correct, OpenTable, Pay
from sabot.table.decide import decide
from sabot.table.effects import AccountEffect
from sabot.table.events import (
    BoughtIn,
    BuyInCorrected,
    ChipsCredited,
    ChipsFilled,
    CoupDecided,
    CoupVoided,
    Event,
    FloatCounted,
    NoteStacked,
    PaidOut,
    PayablePaid,
    ResolutionTakenBack,
    SeizedReleased,
    TicketIssued,
    TicketPaidManually,
    WagersChanged,
    WagersSettled,
)
from sabot.table.fixtures import fixture
from sabot.table.history.wanted import Elsewhere
from sabot.table.phase import Phase
from sabot.table.preview import PREVIEWED, preview
from sabot.table.refusal import Refused
from sabot.table.state import TableState
from sabot.views.payments import payments_due
from tests.chance import coups
from tests.table.any_commands import BETS, STATIONS, any_line, facts, steps_of_time
from tests.table.playing import whole


def snapshot(state: TableState) -> bytes:
    """Everything in a state, as bytes: equal before and after whenever nothing was changed."""
    return msgspec.json.encode(msgspec.structs.replace(state, terms=None, configuration=None), enc_hook=str)


def table_of(identity: str) -> LineTable:
    """A table under this rule set, whose seats have the names that the commands use."""
    crown = identity.startswith("crown")
    configuration = fixture("crown" if crown else "singapore")
    stations = (
        fixture("crown").stations if crown else dict(zip(STATIONS, configuration.stations.values(), strict=False))
    )
    return LineFloor().enter(msgspec.structs.replace(configuration, rule_set=identity, stations=stations))


def changes_told(effects: tuple[AccountEffect, ...]) -> dict[str, int]:
    """By how much the purse of each station changes, as an effect tells it."""
    told: dict[str, int] = {}
    for one in effects:
        station = one.moved_to or one.station
        told[station] = told.get(station, 0) + one.change_cents
    return {name: cents for name, cents in told.items() if cents}


def changes_in_purses(before: TableState, after: TableState) -> dict[str, int]:
    """The same as the ledger has it: what is free and what is held."""
    free = {
        name: [state.purse(name).balance + state.purse(name).held for state in (before, after)]
        for name in before.stations
    }
    return {name: now - was for name, (was, now) in free.items() if now != was}


class TableMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.talk = table_of("crown-traditional")
        self.lines: list[dict[str, Any]] = []
        self.came_in = 0
        self.went_out = 0
        self.ended: dict[int, int] = {}
        self.checked = 0

    def say(self, **line: Any) -> LineAnswer:
        before_lines = len(self.talk.history)
        before = snapshot(self.talk.state)
        state = self.talk.state
        answer = self.talk.answer(dict(line))
        assert snapshot(state) == before, "deciding or evolving changed an earlier state"
        if answer.refusal is not None:
            assert self.talk.state is state
            assert answer.refusal.text
            assert answer.refusal.clause or answer.refusal.code == "malformed"
        for event in self.talk.history[before_lines:]:
            self._watch(event, line, state)
        if answer.refusal is None or answer.refusal.code != "malformed":
            self._hold_to_its_preview(state)
        self.lines.append(line)
        return answer

    def _watch(self, event: Event, line: dict[str, Any], before: TableState) -> None:
        if isinstance(event, BoughtIn | NoteStacked):
            self.came_in += event.cents
        elif isinstance(event, BuyInCorrected):
            self.came_in += event.cents - event.was_cents
        elif isinstance(event, ChipsFilled):
            self.came_in += event.cents
        elif isinstance(event, ChipsCredited):
            self.went_out += event.cents
        elif isinstance(event, FloatCounted):
            self.came_in += event.brought_forward_cents
        elif isinstance(event, PaidOut | TicketPaidManually | PayablePaid) or (
            isinstance(event, SeizedReleased) and not event.forfeit
        ):
            self.went_out += event.cents
        elif isinstance(event, WagersChanged):
            assert before.phase is Phase.WAGERING
            assert before.coup is not None
            assert line.get("at_ms", 0) < before.coup.deadline_ms, "a wager was accepted at or after the deadline"
        elif isinstance(event, CoupDecided | CoupVoided):
            self.ended[event.coup] = self.ended.get(event.coup, 0) + 1
        elif isinstance(event, ResolutionTakenBack) and event.id == "void" and event.coup is not None:
            del self.ended[event.coup]

    def _hold_to_its_preview(self, before: TableState) -> None:
        """What the newest act was answered and did is what its preview had told."""
        record = self.talk.records[-1]
        paid = [event for event in record.events if isinstance(event, PaidOut)]
        if isinstance(record.act, Pay) and paid:
            due = [one.cents for one in payments_due(before, record.stamp.at_ms) if one.station == record.act.station]
            assert due == [event.cents for event in paid]
        if record.act is None or type(record.act) not in PREVIEWED:
            return
        try:
            told = preview(before, record.act, record.stamp)
        except Elsewhere:
            return
        assert told.refusal == record.refusal
        if record.refusal is None and not isinstance(record.act, Correct):
            assert changes_told(told.effects) == changes_in_purses(before, record.state)

    @initialize(
        identity=st.sampled_from(IDS),
        stations=st.lists(st.sampled_from(STATIONS), min_size=1, unique=True),
        ready=st.booleans(),
    )
    def open_the_table(self, identity: str, stations: list[str], ready: bool) -> None:
        self.talk = table_of(identity)
        if not ready:
            return
        for line in (
            {"do": "sign_on", "by": "D1"},
            {"do": "open_table", "by": "D1"},
            {"do": "check_cards", "by": "GS1", "cards": 52 * self.talk.state.configuration.decks},
            {"do": "new_shoe", "by": "D1"},
            {"do": "cut", "by": "GS1", "at": 208},
            {"do": "burn", "by": "D1"},
        ):
            assert self.say(**line).ok
        for station in stations:
            self.say(do="note", station=station, cents=10_000)
            self.say(do="buy_in", by="D1", station=station, cents=50_000, top_up=True)
        assert self.say(do="open", by="D1").ok

    @rule(line=any_line, passed=steps_of_time)
    def say_anything(self, line: dict[str, Any], passed: int) -> None:
        self.say(**{**line, "at_ms": self.talk.now_ms + passed})

    @precondition(lambda self: self.lines)
    @rule(back=st.integers(1, 5))
    def say_it_again(self, back: int) -> None:
        self.say(**self.lines[-min(back, len(self.lines))])

    @precondition(lambda self: self.talk.state.phase is Phase.BETWEEN_COUPS)
    @rule()
    def open_wagering(self) -> None:
        self.say(do="open", by="D1", at_ms=self.talk.now_ms)

    @precondition(lambda self: self.talk.state.phase is Phase.WAGERING)
    @rule(
        station=st.sampled_from(STATIONS),
        bet=st.sampled_from(BETS),
        cents=st.sampled_from([0, 500, 2500, 5000, 20_000]),
    )
    def wager(self, station: str, bet: str, cents: int) -> None:
        self.say(do="set_wager", by=station, station=station, bet=bet, cents=cents, at_ms=self.talk.now_ms)

    @rule(kind=facts, drawn=st.lists(st.sampled_from(DECK), max_size=2), pick=st.integers(0, 3), mistaken=st.booleans())
    def something_happened(self, kind: str, drawn: list[Card], pick: int, mistaken: bool) -> None:
        """State a fact and take one of the resolutions that are offered; take it back where it was a mistake."""
        cards = [card.notation for card in drawn]
        answer = self.say(do="fact", by="D1", kind=kind, cards=cards, hand="player", at_ms=self.talk.now_ms)
        if answer.ok:
            assert isinstance(answer.resolutions, list)
            assert answer.resolutions
            chosen = answer.resolutions[pick % len(answer.resolutions)]
            stated = self.talk.state
            assert self.say(do="resolve", by="CS1", id=chosen.id, at_ms=self.talk.now_ms).ok
            if chosen.id == "void":
                assert changes_told(chosen.effects) == changes_in_purses(stated, self.talk.state)
            if mistaken:
                self.take_it_back(stated)

    def take_it_back(self, stated: TableState) -> None:
        """An act and its undoing leave everything as it was; a patron whom the act let go does not come back by it."""
        can = self.talk.state.resolved is not None
        assert self.say(do="unresolve", by="CS1", reason="a slip", at_ms=self.talk.now_ms).ok == can
        if can:
            left = msgspec.structs.replace(self.talk.state, ledger=stated.ledger, resolved=stated.resolved)
            assert msgspec.structs.replace(left, played=stated.played) == stated
            assert self.talk.state.ledger.purses == stated.ledger.purses
            assert self.talk.state.ledger.income == stated.ledger.income
            assert all(one in stated.played for one in self.talk.state.played)

    @precondition(lambda self: len(self.talk.state.played) > 0)
    @rule(data=st.data(), coup=coups)
    def put_an_outcome_right(self, data: st.DataObject, coup: Coup) -> None:
        """Freeze, correct any coup of the day, recalculate, unfreeze."""
        number = data.draw(st.sampled_from([played.coup for played in self.talk.state.played]))
        now = self.talk.now_ms
        self.say(do="freeze", by="D1", at_ms=now)
        cards = [card.notation for card in coup.cards]
        before = self.talk.state
        if self.say(do="correct", by="D1", coup=number, cards=cards, at_ms=now).ok:
            record = self.talk.records[-1]
            assert record.act is not None
            told = preview(before, record.act, record.stamp)
            assert self.say(do="recalculate", by="D1", at_ms=now).ok
            assert changes_told(told.effects) == changes_in_purses(before, self.talk.state)
        self.say(do="unfreeze", by="D1", at_ms=now)

    @invariant()
    def the_order_of_the_shoe_is_preserved(self) -> None:
        """Every card that left the shoe is burned, in a hand, or waiting; positions are never skipped."""
        state = self.talk.state
        assert 0 <= len(state.shoe.carried) <= state.shoe.out <= state.shoe.cards or not state.shoe.cards
        assert sum(state.shoe.census.values()) <= state.shoe.out
        assert all(copies >= 0 for copies in state.shoe.census.values())

    @precondition(lambda self: self.talk.state.coup is not None)
    @rule(data=st.data())
    def play_the_coup_out(self, data: st.DataObject) -> None:
        """Close, deal whatever comes, confirm."""
        if self.talk.state.phase is Phase.WAGERING:
            self.say(do="close", by="D1", at_ms=self.talk.now_ms)
        while self.talk.state.coup is not None and next_card(self.talk.state.coup.cards) is not None:
            waiting = self.talk.state.shoe.carried
            card = (waiting[0] if waiting else None) or data.draw(st.sampled_from(DECK)).notation
            if not self.say(do="card", by="D1", card=card, at_ms=self.talk.now_ms).ok:
                return
        self.say(do="confirm", by="D1", at_ms=self.talk.now_ms)

    @invariant()
    def money_is_conserved_to_the_cent(self) -> None:
        ledger = self.talk.state.ledger
        assert discrepancy(ledger, self.talk.state.meters) is None
        owed_in = (AccountKind.OWED, AccountKind.UNCOLLECTED)
        receivable = sum(cents for account, cents in ledger.books.items() if account.kind in owed_in)
        assert self.came_in - self.went_out + receivable == ledger.liabilities + ledger.income

    @invariant()
    def no_account_is_negative(self) -> None:
        for purse in self.talk.state.ledger.purses.values():
            assert purse.balance >= 0
            assert purse.held >= 0
            assert all(cents > 0 for cents in purse.layout.values())

    @invariant()
    def nothing_is_left_at_a_closed_station(self) -> None:
        """What is left there nobody could reach but the next patron."""
        for name, station in self.talk.state.stations.items():
            assert station.is_open or not self.talk.state.purse(name).total

    @invariant()
    def a_layout_is_always_a_permitted_one(self) -> None:
        state = self.talk.state
        if state.phase is Phase.WAGERING:
            for purse in state.ledger.purses.values():
                for bet, cents in purse.layout.items():
                    assert state.limits[bet].permitted(cents) == cents
        if state.phase in (Phase.CLOSED, Phase.BETWEEN_COUPS):
            assert not any(purse.layout for purse in state.ledger.purses.values())

    @invariant()
    def each_coup_ends_exactly_once(self) -> None:
        assert set(self.ended.values()) <= {1}
        under_way = self.talk.state.coup is not None
        assert len(self.ended) + under_way == self.talk.state.coups

    @invariant()
    def the_fold_of_all_events_is_the_state(self) -> None:
        if len(self.talk.history) - self.checked < 12:
            return
        self.checked = len(self.talk.history)
        assert whole(self.talk.history) == self.talk.state

    def teardown(self) -> None:
        again = read_events(msgspec.Raw(written(tuple(self.talk.history))))
        assert list(again) == self.talk.history
        assert whole(again) == self.talk.state
        settled = [event.coup for event in self.talk.history if isinstance(event, WagersSettled)]
        assert len(settled) == len(set(settled))
        issued = sum(event.cents for event in self.talk.history if isinstance(event, TicketIssued))
        paid = sum(event.cents for event in self.talk.history if isinstance(event, TicketPaidManually))
        assert paid <= issued


TestTableMachine = TableMachine.TestCase
TestTableMachine.settings = settings(max_examples=settings().max_examples // 5, stateful_step_count=60)


def test_a_decision_can_be_asked_for_without_being_carried_out() -> None:
    talk = LineFloor().enter(fixture("crown"))
    talk.answer({"do": "sign_on", "by": "D1"})
    stamp = Stamp(by="D1", role=Role.DEALER)
    first, second = decide(talk.state, OpenTable(), stamp), decide(talk.state, OpenTable(), stamp)
    assert first == second
    assert not isinstance(first, Refused)
