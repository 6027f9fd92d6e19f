"""The table on one core: wager commands decided, evolved and booked; a coup settled; a night replayed.

Fifty stations play. The baselines: for wagers, building the commands alone; for the settled coup and for late
commands, the same at the tenth coup; for replay, deciding the same commands live.
"""

import random
from collections.abc import Iterator

import msgspec

from sabot.basics.stamp import Stamp, Stamped
from sabot.cli.stopwatch import Row, row, seconds
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.rules.cards import DECK
from sabot.rules.coup import next_card
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.configuration import StationPart
from sabot.table.decide import decide
from sabot.table.events import Event
from sabot.table.evolve import evolve, fold
from sabot.table.fixtures import fixture
from sabot.table.refusal import Refused
from sabot.table.role import Role
from sabot.table.state import TableState

STATIONS = [f"A{number}" for number in range(1, 51)]
WAGERS = {"player": 5_000, "banker": 10_000, "tie": 500, "player_dragon_bonus": 500}
COMMANDS = 20_000


def measure() -> Iterator[Row]:
    talk = _open_table()
    _play(talk, coups=10)
    early = _measured(talk)
    _play(talk, coups=1_990)
    late = _measured(talk)
    yield row("wager_commands", early["wagers"], "commands/s", early["building"])
    yield row("wager_commands_at_coup_2000", late["wagers"], "commands/s", early["wagers"])
    yield row("settle_50_stations_x_4", early["settle_ms"], "ms", early["deal_ms"])
    yield row("settle_at_coup_2000", late["settle_ms"], "ms", early["settle_ms"])
    yield row("replay", early["replay"], "events/s", early["wagers"])


def _measured(talk: LineTable) -> dict[str, float]:
    _say(talk, do="open", by="D1")
    chance = random.Random(5)
    given: list[Stamped[acts.TableAct]] = []

    def build() -> None:
        given.clear()
        for number in range(COMMANDS):
            station, bet = STATIONS[number % 50], Bet(chance.choice(list(WAGERS)))
            cents = chance.randrange(2_500, 20_001, 500)
            stamp = Stamp(by=station, role=Role.STATION, at_ms=talk.now_ms)
            given.append(Stamped(acts.SetWager(bet=bet, cents=cents), stamp))

    events: list[Event] = []

    def run() -> TableState:
        events.clear()
        state = talk.state
        for act, stamp in given:
            decision = decide(state, act, stamp)
            if not isinstance(decision, Refused):
                for event in decision:
                    state = evolve(state, event)
                events.extend(decision)
        return state

    figures = {"building": COMMANDS / seconds(build, runs=1), "wagers": COMMANDS / seconds(run)}
    figures["replay"] = len(events) / seconds(lambda: fold(events, talk.state))
    figures |= _settling(talk)
    return figures


def _settling(talk: LineTable) -> dict[str, float]:
    """The confirmation of a coup with four wagers at each of fifty stations, against dealing one of its cards."""
    for station in STATIONS:
        for bet, cents in WAGERS.items():
            _say(talk, do="set_wager", by=station, station=station, bet=bet, cents=cents)
    for card in ("2S", "4H", "3D", "3C"):
        _say(talk, do="card", by="D1", card=card)
    stamp, before = Stamp(by="D1", role=Role.DEALER, at_ms=talk.now_ms), talk.state
    deal_ms = seconds(lambda: _run_one(before, acts.Card(card="8S"), stamp)) * 1000
    _say(talk, do="card", by="D1", card="8S")
    ready = talk.state
    settle_ms = seconds(lambda: _run_one(ready, acts.Confirm(), stamp)) * 1000
    _say(talk, do="confirm", by="D1")
    return {"deal_ms": deal_ms, "settle_ms": settle_ms}


def _run_one(state: TableState, act: acts.TableAct, stamp: Stamp) -> TableState:
    decision = decide(state, act, stamp)
    assert not isinstance(decision, Refused), decision
    return fold(decision, state)


def _open_table() -> LineTable:
    configuration = fixture("crown")
    stations = {name: StationPart(approval="bench") for name in STATIONS}
    talk = LineFloor().enter(msgspec.structs.replace(configuration, stations=stations))
    for line in (
        {"do": "sign_on", "by": "D1"},
        {"do": "open_table", "by": "D1"},
        {"do": "check_cards", "by": "GS1", "cards": 416},
    ):
        _say(talk, **line)
    _new_shoe(talk)
    for station in STATIONS:
        _say(talk, do="buy_in", by="D1", station=station, cents=10**9)
    return talk


def _new_shoe(talk: LineTable) -> None:
    _say(talk, do="new_shoe", by="D1")
    _say(talk, do="cut", by="GS1", at=200)
    _say(talk, do="burn", by="D1")


def _play(talk: LineTable, coups: int) -> None:
    """Coups with a wager at every station, over as many shoes as it takes."""
    chance = random.Random(6)
    for _ in range(coups):
        if talk.state.shoe.left < 60:
            _say(talk, do="order_shuffle", by="CS1", reason="bench")
            _new_shoe(talk)
        _say(talk, do="open", by="D1")
        for station in STATIONS:
            _say(talk, do="set_wager", by=station, station=station, bet="banker", cents=10_000)
        _say(talk, do="close", by="D1")
        while talk.state.coup is not None and next_card(talk.state.coup.cards) is not None:
            talk.answer({"do": "card", "by": "D1", "card": chance.choice(DECK).notation})
        _say(talk, do="confirm", by="D1")
    talk.records.clear()


def _say(talk: LineTable, **line: object) -> None:
    answer = talk.answer(line)
    assert answer.ok, (line, answer.refusal)
