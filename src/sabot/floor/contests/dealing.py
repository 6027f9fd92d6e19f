"""The dealer of one simulated table: the virtual dealer's own steps, at the times of the floor."""

import hashlib
from functools import lru_cache

from sabot.basics.act import Act
from sabot.floor.contests.outcome import LawBroken
from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.table import LineTable
from sabot.floor.virtual.dealer import Crew, DealerHand, FetchShoe, Manner, Say, next_act
from sabot.floor.virtual.shoe import ENTROPY_BYTES, VirtualShoe, shuffle
from sabot.rules.cards import CARDS
from sabot.rules.chance import uniform, words
from sabot.rules.coup import next_card
from sabot.table import acts
from sabot.table.phase import Phase
from sabot.table.state import CardCheck, Stage, TableState

CREW = Crew("D1", "GS1", "CS1")
MANNER = Manner()


class TableDealer:
    def __init__(self, table: LineTable, seed: int) -> None:
        self._table, self._seed = table, seed
        self._hand: DealerHand = None
        self._since_ms = 0
        """When the dealer last did something."""

    def open_table(self) -> None:
        for act, by in ((acts.SignOn(), CREW.dealer), (acts.OpenTable(), CREW.dealer)):
            self._say(act, by)

    def bring_shoe(self) -> None:
        """Shuffle, cut and burn, as far as nothing is in play yet."""
        self._since_ms = self._table.floor.now_ms
        while not self._is_ready:
            self.step()

    @property
    def _is_ready(self) -> bool:
        shoe = self._table.state.shoe
        return shoe.stage is Stage.IN_PLAY and not shoe.burns_due

    @property
    def due_ms(self) -> int:
        """When the next step is due."""
        return self._next().at_ms

    def step(self) -> None:
        """Do what comes next, at its time."""
        say = self._next()
        self._say(say.act, say.by, say.at_ms, say.second)
        self._since_ms = max(self._since_ms, say.at_ms)

    def _next(self) -> Say:
        table = self._table
        while isinstance(act := next_act(table.state, self._hand, CREW, MANNER, self._since_ms), FetchShoe):
            self._hand = self._shoe(act.number)
        if act is None:
            raise LawBroken(f"the dealer of {table.name} does not know what to do")
        return act

    def _say(self, act: Act, by: str, at_ms: int = 0, second: str = "") -> LineAnswer:
        answer = self._table.give(act, by, at_ms=at_ms, second=second)
        if answer.refusal is not None:
            raise LawBroken(f"{self._table.name}: {by} {act.verb}: {answer.refusal.text} ({answer.refusal.clause})")
        return answer

    def _shoe(self, number: int) -> VirtualShoe:
        """A shoe that follows from the seed; drawn again it is the same."""
        table = self._table
        label = f"{table.name} {number} {self._seed}".encode()
        entropy = b"".join(hashlib.sha512(label + bytes([part])).digest() for part in range(-(-ENTROPY_BYTES // 64)))
        return shuffle(table.name, number, table.state.configuration.decks, entropy[:ENTROPY_BYTES])


class LiveDealer(TableDealer):
    """A dealer with real cards, whose entry of a coup can turn out to be wrong."""

    def _next(self) -> Say:
        act, by, pause_ms = self._wanted(self._table.state)
        coup = self._table.state.coup
        at_ms = coup.deadline_ms if coup is not None and isinstance(act, acts.Close) else self._since_ms + pause_ms
        return Say(by, act, at_ms)

    def _wanted(self, state: TableState) -> tuple[acts.DeviceAct, str, int]:
        """What comes next, who does it, and how long it takes."""
        dealer, supervisor, pace = CREW.dealer, CREW.game_supervisor, MANNER.pace
        if state.coup is not None:
            act, pause_ms = self._in_coup(state)
            return act, dealer, pause_ms
        match state.shoe.stage:
            case Stage.NONE | Stage.SPENT if state.cards_checked is not CardCheck.OPENING:
                return acts.CheckCards(cards=52 * state.configuration.decks), supervisor, pace.shoe
            case Stage.NONE | Stage.SPENT:
                return acts.NewShoe(), dealer, pace.shoe
            case Stage.SHUFFLED:
                return acts.Cut(at=state.shoe.cards // 2), supervisor, pace.shoe
            case Stage.CUT:
                return acts.Burn(), dealer, pace.shoe
        return acts.Open(), dealer, pace.coup

    def _in_coup(self, state: TableState) -> tuple[acts.DeviceAct, int]:
        coup = state.coup
        assert coup is not None
        if state.phase is Phase.WAGERING:
            return acts.Close(), 0
        if state.awaits_confirmation:
            return acts.ConfirmRecords(), 0
        if state.phase is Phase.NO_MORE_BETS and not coup.sealed and not coup.burned:
            return acts.Void(), 0
        if next_card(coup.cards) is None:
            return acts.Confirm(), 0
        return acts.Card(card=self._card(state)), MANNER.pace.card

    def _card(self, state: TableState) -> str:
        return _pack(f"{self._table.name} {state.shoe.number} {self._seed}", state.configuration.decks)[state.shoe.out]


@lru_cache(maxsize=16)
def _pack(label: str, decks: int) -> tuple[str, ...]:
    """A shuffled pack that follows from its label."""
    pack = sorted({card.notation for card in CARDS.values()}) * decks
    draw = uniform(words(label.encode()))
    for last in range(len(pack) - 1, 0, -1):
        other = draw(last + 1)
        pack[last], pack[other] = pack[other], pack[last]
    return tuple(pack)
