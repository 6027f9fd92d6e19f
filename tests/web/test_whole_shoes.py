"""A full table of stations on real sockets plays a whole shoe under every rule set, and every cent is accounted for."""

import asyncio
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from sabot.floor.records.record_codec import read_answer, read_events
from sabot.journal.sqlite import open_sqlite
from sabot.rules import shipped
from sabot.rules.rule_set import Bet
from sabot.table import events as e
from sabot.table.configuration import Configuration
from sabot.table.phase import Phase
from sabot.table.state import TableState
from tests.runtime.floors import PATIENCE_S, sit_down, table_for, until
from tests.served.device import Wire
from tests.served.server import Served, served
from tests.web.reckoning import net

STATIONS = 10
"""So many that every bet of every rule set is wagered on."""
ALL_STATIONS = 50
BROUGHT = 5_000_000
SHOE_S = 5 * PATIENCE_S
"""How long all shoes of a test may take, on a machine that has much else to do."""
BETS = (
    *("player", "banker", "tie", "player_pair", "banker_pair", "super_6"),
    *("player_dragon_bonus", "banker_dragon_bonus", "player_perfect_pairs", "banker_perfect_pairs"),
)


class Patron:
    """Wagers once in every coup, and keeps what was acknowledged and what the station was sent."""

    def __init__(self, wire: Wire, configuration: Configuration, number: int) -> None:
        self.wire, self.number = wire, number
        offered = [bet for bet in BETS if bet in configuration.limits]
        self._minimums = {bet: configuration.limits[Bet(bet)].minimum for bet in offered}
        self._side = offered[number % len(offered)]
        self.acknowledged: dict[int, dict[str, int]] = {}
        self.settled: dict[int, dict[str, int]] = {}
        self.refused: set[str] = set()
        self.balance = 0
        self._wagered = 0
        self._asked: dict[int, tuple[int, str, int]] = {}

    async def play(self) -> None:
        while True:
            frame = await self.wire.next()
            match frame["type"]:
                case "told":
                    self._look(frame)
                    for event in frame["events"]:
                        await self._see(event)
                case "answer":
                    self._answered(frame)
                case "bye":
                    return

    def _look(self, frame: dict[str, Any]) -> None:
        """Nothing in a frame is anybody else's."""
        own = self.wire.device
        for event in frame["events"]:
            assert event.get("station", own) == own
            for part in ("settlements", "refunds", "sealed"):
                assert set(event.get(part) or {own}) == {own}
        if frame.get("purse") is not None:
            self.balance = frame["purse"]["balance"]

    async def _see(self, event: dict[str, Any]) -> None:
        kind, coup = event["event"], event.get("coup", 0)
        if kind == "WageringOpened":
            self._wagered = coup
            main = "banker" if self.number % 2 else "player"
            for bet in dict.fromkeys((main, self._side)):
                cents = self._minimums[bet]
                n = await self.wire.ask(coup, do="set_wager", bet=bet, cents=cents)
                self._asked[n] = (coup, bet, cents)
        elif kind == "WagersSettled" and self.wire.device in event["settlements"]:
            lines = event["settlements"][self.wire.device]
            self.settled[coup] = {line["bet"]: line["stake_cents"] for line in lines}

    def _answered(self, frame: dict[str, Any]) -> None:
        coup, bet, cents = self._asked.pop(frame["n"])
        if frame.get("refusal"):
            self.refused.add(frame["refusal"]["code"])
        else:
            self.acknowledged.setdefault(coup, {})[bet] = cents


class Played(NamedTuple):
    patrons: list[Patron]
    state: TableState
    history: list[e.Event]


CROWNS = [rule_set for rule_set in shipped.IDS if rule_set.startswith("crown")]
SINGAPORE = [rule_set for rule_set in shipped.IDS if rule_set not in CROWNS]


@pytest.mark.parametrize("stations", [STATIONS, pytest.param(ALL_STATIONS, marks=pytest.mark.whole)])
@pytest.mark.parametrize("rule_sets", [CROWNS, SINGAPORE], ids=["Crown", "Singapore"])
def test_whole_shoes_reconcile_to_the_cent(
    rule_sets: list[str], stations: int, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    """Under each rule set on a floor of its own, all at once, since a table waits most of the time for wagers."""

    async def play_all() -> list[Played]:
        async with asyncio.timeout(SHOE_S + 2 * PATIENCE_S):
            return await asyncio.gather(
                *(_play_a_shoe(rule_set, stations, tmp_path / rule_set) for rule_set in rule_sets)
            )

    for rule_set, played in zip(rule_sets, asyncio.run(play_all()), strict=True):
        with subtests.test(rule_set=rule_set):
            assert len(played.patrons) == stations
            assert sum(isinstance(event, e.WagersSettled) for event in played.history) > 20, "a shoe was played"
            for patron in played.patrons:
                _reconcile(rule_set, patron, played.state, played.history)


async def _play_a_shoe(rule_set: str, stations: int, folder: Path) -> Played:
    folder.mkdir()
    configuration = msgspec.structs.replace(table_for(rule_set, stations, period_ms=250), decks=_decks(rule_set))
    journal = await open_sqlite(folder / "journal")
    async with served(journal, configuration) as floor:
        await _buy_in(floor, stations)
        patrons = await _sit(floor, configuration, stations)
        dealers = sit_down(floor.floor, folder)
        try:
            await until(lambda: floor.state.shoe.number >= 2, SHOE_S)
        finally:
            for dealer in dealers:
                dealer.stop()
        await until(lambda: _is_quiet(floor, [patron for patron, _ in patrons]))
        state = floor.state
        for patron, _ in patrons:
            await patron.wire.socket.close()
        await asyncio.gather(*(task for _, task in patrons), return_exceptions=True)
    history = [
        event
        async for record in journal.read("table/T1")
        if (accepted := read_answer(record.entry).accepted) is not msgspec.UNSET
        for event in read_events(accepted)
    ]
    await journal.close()
    assert all(task.done() for _, task in patrons)
    return Played([patron for patron, _ in patrons], state, history)


def _is_quiet(floor: Served, patrons: list[Patron]) -> bool:
    """Whether nothing is on its way, be it that the dealers' last word opened a coup, and every patron knows all."""
    assert floor.table.term is not None
    if floor.table.term.append or floor.state.phase is Phase.WAGERING:
        return False
    return all(patron.balance == floor.balance(patron.wire.device) for patron in patrons)


def _decks(rule_set: str) -> int:
    """As many as it takes to offer every bet, and otherwise as few as there may be."""
    return 8 if "perfect_pairs" in shipped.rule_set(rule_set).options else 4


async def _buy_in(floor: Served, stations: int) -> None:
    """A dealer signs on at an enrolled console, opens the table and sells chips to every patron."""
    await floor.enrol("console", "console")
    token = await floor.token("D1")
    async with floor.connected("console") as console:
        await console.hello(feed="events")
        for verb in ("sign_on", "open_table"):
            answer = await console.answer(token=token, do=verb)
            assert not answer.get("refusal"), answer
        for number in range(1, stations + 1):
            answer = await console.answer(token=token, do="buy_in", station=f"A{number}", cents=BROUGHT)
            assert not answer.get("refusal"), answer


async def _sit(floor: Served, configuration: Configuration, stations: int) -> list[tuple[Patron, asyncio.Task[None]]]:
    """Every patron at a station, each on a socket of its own."""
    patrons = []
    for number in range(1, stations + 1):
        station = f"A{number}"
        await floor.enrol(station)
        seated = asyncio.get_running_loop().create_future()

        async def sit(station: str = station, number: int = number, seated: asyncio.Future[Patron] = seated) -> None:
            async with floor.connected(station) as wire:
                await wire.hello(feed="events")
                patron = Patron(wire, configuration, number)
                seated.set_result(patron)
                await patron.play()

        task = asyncio.create_task(sit())
        await asyncio.wait((task, seated), return_when=asyncio.FIRST_COMPLETED)
        if not seated.done():
            task.result()  # It says what kept the patron from sitting down.
        patrons.append((seated.result(), task))
    return patrons


def _reconcile(rule_set: str, patron: Patron, state: TableState, history: list[e.Event]) -> None:
    own = patron.wire.device
    hands: dict[str, list[str]] = {"player": [], "banker": []}
    reckoned, settled = BROUGHT, 0
    for event in history:
        if isinstance(event, e.WageringOpened):
            hands = {"player": [], "banker": []}
        elif isinstance(event, e.CardDealt):
            hands[event.hand].append(event.card)
        elif isinstance(event, e.WagersSettled) and own in event.settlements:
            lines = event.settlements[own]
            settled += 1
            assert {str(line.bet): line.stake_cents for line in lines} == patron.acknowledged[event.coup]
            for line in lines:
                expected = net(
                    rule_set, line.bet, line.stake_cents, (hands["player"], hands["banker"]), _options(rule_set)
                )
                assert line.net_cents == expected
                reckoned += expected
    assert settled, "on a busy machine a patron misses coups, but not all"
    assert state.purse(own).total == reckoned
    assert patron.balance == state.purse(own).balance
    assert patron.acknowledged.keys() - patron.settled.keys() <= {state.coups}, "what was acknowledged was settled"
    assert patron.refused <= {"wagering_closed", "stale_coup", "late"}


def _options(rule_set: str) -> dict[str, int]:
    return dict.fromkeys(shipped.rule_set(rule_set).options, 1)
