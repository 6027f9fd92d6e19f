"""One night at one table, through the runtime of a served floor: the game goes on, and anybody says anything meanwhile.

The same stream of numbers plays the same night. After every act the laws hold (`laws`), and from every state a
supervisor can end the night (`closing`); the last state of the night is really ended, by the runtime.
"""

from collections import Counter

import msgspec

from sabot.floor.lines.table import LineFloor
from sabot.floor.nights.closing import SECOND, SUPERVISOR, WHY, close_down, is_over, trouble, way_out
from sabot.floor.nights.laws import Authority, Laws
from sabot.floor.nights.plausible import STORIES, Moment, filled, fitting, some_act, some_card
from sabot.floor.nights.undoing import check_undoing
from sabot.floor.simulator.chance import Chance
from sabot.floor.simulator.violation import Violation
from sabot.floor.table_owner.errands import Backing
from sabot.journal.memory import MemoryJournal
from sabot.rules.coup import next_card
from sabot.table import acts
from sabot.table.configuration import Configuration
from sabot.table.fixtures import fixture
from sabot.table.irregularities.deciding import resolutions
from sabot.table.phase import Phase
from sabot.table.role import Role
from sabot.table.rules import RULES
from sabot.table.state import Stage, TableState

TABLES = (
    ("crown", "crown-traditional"),
    ("crown", "crown-baccarat"),
    ("singapore", "mbs-baccarat"),
    ("singapore", "mbs-rapid-no-commission"),
    ("singapore", "rws-non-commission"),
)
TWO_PERSONS = ("correct", "void", "invalidate", "manual_pay", "waive", "limits")
DEALER, OTHER_DEALER, TECHNICIAN = "D1", "D2", "TE1"
PERSONS = (DEALER, OTHER_DEALER, SECOND, SUPERVISOR, "S7", "CA1", TECHNICIAN, "IN1")
LEAST_ACTS, MOST_ACTS = 40, 160
TOUCHES: tuple[type[acts.Act], ...] = (
    *(acts.SetWager,) * 8,
    acts.Move,
    acts.Undo,
    acts.Clear,
    acts.Repeat,
    acts.Double,
    acts.Lay,
)
ON_THE_WAY = 0.7
"""How often the next act is what the game wants; otherwise anybody says anything."""


UNDONE_AT = 20
"""Of so many acts one is followed by a look at what can be done and undone in the state that it leads to."""
KEPT_IN_NIGHTS = 2
"""The newest coups that the state keeps: so few that acts often name one that must be brought back."""


class NightOutcome(msgspec.Struct, frozen=True):
    seed: int
    rule_set: str
    acts: int
    accepted: int
    coups: int
    done: dict[str, int]
    """How often each kind of act was accepted, and each fact was stated."""
    violation: str = ""


def play_night(seed: int, chance: Chance, authority: Authority) -> NightOutcome:
    night = Night(chance, authority)
    violation = ""
    try:
        night.play()
    except (Violation, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as found:
        what = str(found) if isinstance(found, Violation) else f"the program failed: {found!r}"
        violation = f"{what} (after act {night.given}: {night.last})"
    state = night.table.state
    done = {kind.__name__: count for kind, count in night.done.items() if count} | dict(night.facts)
    rule_set = state.configuration.rule_set
    return NightOutcome(seed, rule_set, night.given, night.accepted, state.coups, done, violation)


class Night:
    def __init__(self, chance: Chance, authority: Authority, keeps: int = KEPT_IN_NIGHTS) -> None:
        self.chance, self.laws = chance, Laws(authority)
        journal = MemoryJournal(lambda: 0)
        backing = Backing(journal=journal, owner="a night", build="", wall_ms=lambda: 0, keeps=keeps)
        self.table = LineFloor(backing).enter(_table(chance))
        self.given = self.accepted = 0
        self.story: list[type[acts.Act]] = []
        """What is still to come of a story."""
        self.focus = ""
        """The station that it is about."""
        self.done: Counter[type[acts.Act]] = Counter()
        self.facts: Counter[str] = Counter()
        self.last = ""

    @property
    def state(self) -> TableState:
        return self.table.state

    def play(self) -> None:
        for _ in range(self.chance.between(LEAST_ACTS, MOST_ACTS)):
            before = self.state
            self.say(*(self._on_the_way() if self.chance.happens(ON_THE_WAY) else self._anything()))
            if self.state is not before:
                close_down(self.state, self.table.now_ms)
                if self.given % UNDONE_AT == 0:
                    check_undoing(self.state, self.table.now_ms)
        self._end()

    def say(self, by: str, act: acts.Act, second: str = "") -> bool:
        self.given += 1
        self.last = f"{by} {act}"
        passed = self.chance.pick((0, 100, 1_000, 20_000)) if self.chance.happens(0.3) else 0
        before, noted = self.state, len(self.table.records)
        answer = self.table.give(act, by, at_ms=self.table.now_ms + passed, second=second)
        for record in self.table.records[noted:]:
            self.laws.check(before, record)
            before = record.state
        self.accepted += answer.ok
        self.done[type(act)] += answer.ok
        if isinstance(act, acts.Fact) and answer.ok:
            self.facts[act.kind] += 1
        return answer.ok

    def _anything(self) -> tuple[str, acts.Act, str]:
        moment = self._moment()
        if not self.story and self.chance.happens(0.3):
            self.story, self.focus = list(self.chance.pick(STORIES)), self._some_player()
        next_one = fitting(self.story.pop(0), moment) if self.story and self.chance.happens(0.7) else None
        act = next_one or some_act(moment)
        everybody = (*PERSONS, *self.state.stations, "clock", "operator")
        entitled = RULES[type(act)].who
        wanted = [who for who in everybody if entitled & self._roles(who)] if self.chance.happens(0.8) else []
        by = self.focus if self.focus in wanted and Role.STATION in entitled else self.chance.pick(wanted or everybody)
        return by, act, by if self.chance.happens(0.05) else self.chance.pick(("", SECOND, SUPERVISOR))

    def _roles(self, who: str) -> frozenset[Role]:
        if who in self.state.stations:
            return frozenset({Role.STATION})
        if who in ("clock", "operator"):
            return frozenset({Role(who)})
        return frozenset(self.state.configuration.staff.get(who, ()))

    def _moment(self) -> Moment:
        return Moment(self.state, self.table.now_ms, self.chance, self.done, self.focus)

    def _on_the_way(self) -> tuple[str, acts.Act, str]:
        """What a dealer, a supervisor or a patron would do next in an ordinary night."""
        state = self.state
        if DEALER not in state.signed_on:
            return DEALER, acts.SignOn(), ""
        if (chosen := self._of_the_fact(state)) is not None and self.chance.happens(0.3):
            return SUPERVISOR, chosen, SECOND
        if self.chance.happens(0.5):
            pressing = next(trouble(state), None)
            if pressing is not None:
                return SUPERVISOR, pressing, SECOND
        by, act = self._in_the_game(state)
        return by, act, ""

    def _of_the_fact(self, state: TableState) -> acts.Act | None:
        """One of the ways that a stated fact leaves open, or a resolution taken back while it can be."""
        if state.resolved is not None:
            return acts.Unresolve(reason=WHY)
        ways = resolutions(state, state.fact) if state.fact is not None else ()
        return acts.Resolve(id=self.chance.pick(ways).id) if ways else None

    def _in_the_game(self, state: TableState) -> tuple[str, acts.Act]:
        if state.phase is Phase.CLOSED:
            return DEALER, acts.OpenTable()
        if state.phase is Phase.BETWEEN_COUPS:
            return self._between_coups(state)
        if state.phase is Phase.WAGERING and self.chance.happens(0.75):
            return self._patron()
        coup = state.coup
        if coup is None or state.phase is Phase.WAGERING:
            return DEALER, acts.Close()
        if next_card(coup.cards) is None:
            return DEALER, acts.Confirm()
        return DEALER, acts.Card(card=some_card(self._moment()))

    def _between_coups(self, state: TableState) -> tuple[str, acts.Act]:
        if not state.cards_checked:
            return SECOND, acts.CheckCards(cards=52 * state.configuration.decks)
        if state.shoe.stage in (Stage.NONE, Stage.SPENT):
            return DEALER, acts.NewShoe()
        if state.shoe.stage is Stage.SHUFFLED:
            return SECOND, acts.Cut(at=100)
        if state.shoe.stage is Stage.CUT or state.shoe.burns_due:
            return DEALER, acts.Burn(count=max(1, state.shoe.burns_due))
        if self.chance.happens(0.4):
            at_the_table = [name for name, one in state.configuration.stations.items() if not one.remote]
            station = self.chance.pick(at_the_table)
            return DEALER, acts.BuyIn(station=station, cents=50_000, top_up=state.stations[station].is_open)
        return DEALER, acts.Open()

    def _some_player(self) -> str:
        playing = [name for name, station in self.state.stations.items() if station.is_open]
        return self.chance.pick(playing or tuple(self.state.stations))

    def _patron(self) -> tuple[str, acts.Act]:
        station = self._some_player()
        if self.chance.happens(0.1):
            return station, acts.Leave()
        act = filled(self.chance.pick(TOUCHES), self._moment())
        if isinstance(act, acts.SetWager):
            act = msgspec.structs.replace(act, cents=self.chance.pick((500, 2_500, 5_000, 10_000)))
        return station, msgspec.structs.replace(act, station="")

    def _end(self) -> None:
        """End the night by the runtime, in as many acts as the proof needed for this state."""
        needed = close_down(self.state, self.table.now_ms)
        for _ in range(needed):
            for act in way_out(self.state):
                if self.say(SUPERVISOR, act, SECOND):
                    break
        if not is_over(self.state):
            raise Violation("the night is not over although the way out was shown")


def _table(chance: Chance) -> Configuration:
    name, rule_set = chance.pick(TABLES)
    two = TWO_PERSONS if chance.happens(0.5) else ()
    return msgspec.structs.replace(fixture(name), rule_set=rule_set, two_persons=two)
