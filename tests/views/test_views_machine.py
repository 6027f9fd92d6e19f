"""A machine that says anything to a table and watches its screens: what they show holds after every word."""

from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sabot.audit.table_report import win_report
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.ledger.account import COMMISSION
from sabot.rules.coup import next_card
from sabot.table import acts
from sabot.table.coup.seal import proves
from sabot.table.phase import Phase
from sabot.views.actions import asked, station_actions
from sabot.views.changed import changed
from sabot.views.console import CachedConsoleView, console
from sabot.views.display import display_view
from sabot.views.public import Public, public_view
from sabot.views.recall import recall
from sabot.views.scorecard import Scorecard
from sabot.views.station import StationView, concerned, seen_again, station_view, stations_stay
from sabot.views.story import shortened
from tests.audit.sums import sum_of
from tests.chance import coups
from tests.table.any_commands import BETS, STATIONS, any_line, steps_of_time
from tests.table.playing import table_with_money
from tests.views.watching import Watched

SALTED = ("seal", "receipt")
"""What is published over all wagers together; it is salted, so it tells nothing of anybody's."""


def own_view(watched: Watched, station: str) -> StationView:
    return station_view(watched.look(), station)


class ScreensMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.watched = Watched(table_with_money("crown-traditional"))
        self.console: CachedConsoleView | None = None
        self.seen: Public | None = None
        self.kept: dict[str, tuple[StationView, Public]] = {}

    def say(self, **line: Any) -> None:
        """A station that is not concerned sees the same as before while the public part stays."""
        before = self.watched.look()
        shown = {name: station_view(before, name) for name in STATIONS}
        self.watched.say(**line)
        after = self.watched.look()
        if changed(display_view(before), display_view(after)) or before.rules is not after.rules:
            return
        moved = concerned(before, after)
        for name in set(STATIONS) - moved:
            assert changed(shown[name], station_view(after, name)) == {}, "a station was forgotten"

    @initialize(stations=st.lists(st.sampled_from(STATIONS), unique=True))
    def seat_patrons(self, stations: list[str]) -> None:
        for station in stations:
            self.say(do="note", station=station, cents=10_000)
            self.say(do="buy_in", by="D1", station=station, cents=50_000, top_up=True)
        self.say(do="open", by="D1")

    @rule(line=any_line, passed=steps_of_time)
    def say_anything(self, line: dict[str, Any], passed: int) -> None:
        self.say(**{**line, "at_ms": self.watched.talk.now_ms + passed})

    @precondition(lambda self: self.watched.state.phase is Phase.BETWEEN_COUPS)
    @rule()
    def open_wagering(self) -> None:
        self.say(do="open", by="D1")

    @precondition(lambda self: self.watched.state.phase is Phase.WAGERING)
    @rule(station=st.sampled_from(STATIONS), bet=st.sampled_from(BETS), cents=st.sampled_from([2500, 5000, 10_000]))
    def wager(self, station: str, bet: str, cents: int) -> None:
        self.say(do="set_wager", by=station, station=station, bet=bet, cents=cents)

    @precondition(lambda self: self.watched.state.phase is Phase.WAGERING)
    @rule(coup=coups)
    def play_a_coup(self, coup: Any) -> None:
        self.say(do="close", by="D1")
        for card in coup.cards:
            self.say(do="card", by="D1", card=card.notation)
        self.say(do="confirm", by="D1")

    @precondition(lambda self: self.watched.state.phase is Phase.WAGERING)
    @rule(
        own=st.sampled_from(STATIONS),
        other=st.sampled_from(STATIONS),
        bet=st.sampled_from(BETS),
        cents=st.sampled_from([0, 2500, 5000, 20_000]),
        coup=coups,
    )
    def another_patron_wagers_otherwise(self, own: str, other: str, bet: str, cents: int, coup: Any) -> None:
        """Whatever another patron lays, lifts, wins or loses, nothing of it shows at this station or on the display."""
        if own == other:
            return
        one, otherwise = self.watched.fork(), self.watched.fork()
        otherwise.say(do="set_wager", by=other, station=other, bet=bet, cents=cents)
        assert own_view(one, own) == own_view(otherwise, own)
        assert display_view(one.look()) == display_view(otherwise.look())
        for world in (one, otherwise):
            world.say(do="close", by="D1")
        if bool(one.state.coup and one.state.coup.sealed) != bool(otherwise.state.coup and otherwise.state.coup.sealed):
            return  # Without any wager the coup is another coup, and that everybody may see.
        for card in coup.cards:
            for world in (one, otherwise):
                world.say(do="card", by="D1", card=card.notation)
        for world in (one, otherwise):
            world.say(do="confirm", by="D1")
        without_seal = dict.fromkeys(SALTED)
        shown = [msgspec.structs.replace(own_view(world, own), **without_seal) for world in (one, otherwise)]
        assert shown[0] == shown[1]

    @invariant()
    def a_card_from_the_state_alone_has_the_same_roads(self) -> None:
        """Folded record by record through corrections and new shoes, or made at once from the state."""
        made = Scorecard.of(self.watched.state)
        assert list(self.watched.card.roads.coups) == list(made.roads.coups)
        assert self.watched.card.roads.derived == made.roads.derived
        assert self.watched.card.newest == made.newest

    @invariant()
    def what_is_taken_over_equals_what_is_made_anew(self) -> None:
        public = self.watched.look()
        anew = public_view(self.watched.state, self.watched.card, self.watched.talk.now_ms)
        assert display_view(public) == display_view(anew)
        for station in STATIONS:
            assert station_view(public, station) == station_view(anew, station)
        self.console = console(public, None, self.console)
        assert self.console.view == console(anew).view

    @invariant()
    def what_stations_are_told_alike_is_what_each_would_be_told(self) -> None:
        """A station with nothing to undo, to repeat or to double is told what another with nothing there was told."""
        state, now_ms = self.watched.state, self.watched.talk.now_ms
        for name in STATIONS:
            told, own = station_actions(state, name, now_ms), Stamp(by=name, role=Role.STATION, at_ms=now_ms)
            if told["clear"].open:
                for act in (acts.Undo(), acts.Repeat(), acts.Double()):
                    assert told[act.verb] == asked(state, act, own)

    @invariant()
    def a_view_that_is_seen_again_is_the_one_that_would_be_made_anew(self) -> None:
        public = self.watched.look()
        if self.seen is not None and stations_stay(self.seen, public):
            for station in STATIONS:
                assert seen_again(station_view(self.seen, station), public) == station_view(public, station)
        self.seen = public

    @invariant()
    def a_view_made_from_the_one_before_is_the_one_that_would_be_made_anew(self) -> None:
        """Whatever was said in between: what a station may do, and what it is told, stays only where it is the same."""
        public = self.watched.look()
        for station in STATIONS:
            shown = station_view(public, station, *self.kept.get(station, ()))
            assert shown == station_view(public, station)
            self.kept[station] = shown, public

    @invariant()
    def an_open_action_is_open_and_a_closed_one_is_not(self) -> None:
        """What a station may do is what the table lets it do."""
        for station in STATIONS[:2]:
            actions = own_view(self.watched, station).actions
            for verb in ("clear", "undo", "repeat", "double"):
                answer = self.watched.fork().say(do=verb, by=station, station=station)
                assert answer.ok == actions[verb].open
                assert answer.refusal is None or answer.refusal.code == actions[verb].code

    @invariant()
    def the_screens_agree_with_the_state(self) -> None:
        state, public = self.watched.state, self.watched.look()
        for station in STATIONS:
            shown = station_view(public, station)
            purse = state.purse(station)
            assert (shown.purse.balance_cents, shown.purse.held_cents) == (purse.balance, purse.held)
            assert {area.bet for area in shown.table.areas} == state.offered
            assert shown.receipt is None or (proves(shown.receipt) and shown.receipt.root == self.watched.card.root)
            for coup in recall(self.watched.card, station).coups:
                assert all(step.balance_cents >= 0 for step in coup.steps)
        if public.cards is not None and public.cards.due is not None:
            assert state.coup is not None
            assert next_card(state.coup.cards) is not None

    @invariant()
    def a_story_in_short_tells_every_station_the_same(self) -> None:
        card = self.watched.card
        short = msgspec.structs.replace(card, stories=tuple(shortened(story) for story in card.stories))
        for station in STATIONS:
            assert recall(short, station, whole=True) == recall(card, station, whole=True)

    @invariant()
    def the_meters_and_the_books_have_won_the_same(self) -> None:
        report = win_report("T1", sum_of(self.watched.talk))
        assert report.variance == 0
        assert sum(line.commission for line in report.stations) == self.watched.state.ledger.balance(COMMISSION)


ScreensMachine.TestCase.settings = settings(max_examples=settings().max_examples // 10, stateful_step_count=30)
TestScreens = ScreensMachine.TestCase
