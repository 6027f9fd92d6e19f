"""The floor of the demo: the server that casinos run, robots over its real wire, and links for the visitor."""

import asyncio
import contextlib
import fcntl
import os
import signal
from collections.abc import AsyncIterator, Coroutine, Iterator
from pathlib import Path
from typing import Any

import msgspec

from sabot.audit.fairness import Fairness, fairness
from sabot.basics.mistake import Mistake
from sabot.basics.money import write_amount
from sabot.cli.demo_deal import DealtShoes
from sabot.cli.demo_guests import free_station, guests, links, new_pins, people, state_of
from sabot.cli.demo_links import open_browser, tell_links
from sabot.cli.demo_table import PATRONS, PERSONS, TABLE, configuration_of
from sabot.cli.fair.shoes import evidence_of, print_verdicts
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, net_text, print_json
from sabot.cli.terminal import table as columns
from sabot.floor.records.program_digest import program_digest
from sabot.floor.table_owner.messages import Connected
from sabot.journal.anchor import OWNER_ONLY
from sabot.ledger.audit import NO_METERS
from sabot.rules.rule_set import RuleSet
from sabot.runtime.link import LinkFeed, Published
from sabot.runtime.table_runner import RunningTable
from sabot.table.configuration import Configuration
from sabot.table.events import CoupDecided
from sabot.table.state import TableState
from sabot.views.audience import Audience
from sabot.web.http.start_routes import DemoShown, StartShown
from sabot.web.serving.floor_file import (
    CrewPart,
    Floor,
    FloorFile,
    StaffPart,
    TablePart,
    TableWanted,
    in_folder,
)
from sabot.web.serving.listening import Listening
from sabot.web.serving.logs import set_up_logs
from sabot.web.serving.process import Premises
from sabot.web.serving.server import Serving, run, served
from sabot.wire.frames import FloorFrame, Hello, Told

STATIONS = 8
"""Three for robots; each browser that ever came keeps one of the others."""
PERIOD_MS, SHORTEST_PERIOD_MS = 20_000, 300
"""For wagering, at the usual pace and at the quickest. A folder keeps the one that it began with."""


class DemoFloor(msgspec.Struct, frozen=True):
    rules: RuleSet
    decks: int
    port: int
    folder: Path
    coups: int | None
    pace: float
    burn_by_face_value: bool
    as_json: bool = False
    deals: bool = False
    """Whether the visitor deals."""


def run_demo(demo: DemoFloor) -> int:
    set_up_logs("error", "console")
    with _alone_in(demo.folder), in_one_sentence():
        fair: list[bool] = []
        run(_run(demo, fair))
    return 0 if all(fair) else 1


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """One demo at a time in a folder: a second one would wait for the table for ever."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(folder / "running.lock", "w", opener=_for_owner) as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Mistake(f"a demo is running in {folder} already; choose another --folder") from None
            yield
    except OSError as error:
        raise Mistake(f"the folder {folder} cannot be used: {error.strerror}") from None


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, OWNER_ONLY)


async def _run(demo: DemoFloor, fair: list[bool]) -> None:
    wanted = _floor(demo)
    async with served(wanted, program_digest()) as serving:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        table = serving.premises.floor.tables[TABLE]
        if await _first_of(stop, _owned(table)):
            return
        _check_same_game(table, wanted.tables[0].configuration, deals=demo.deals)
        counting = Counting(serving.premises, demo.coups, stop)
        async with _visited(serving, demo, stop):
            await stop.wait()
        counting.leave()
        await serving.premises.leave()
        verdicts = [fairness(tale) for tale in await evidence_of(serving.premises.floor.backing.journal, TABLE)]
        (_tell_end if demo.as_json else _show_end)(counting.state, verdicts[-1:])
        fair += [verdict.ok for verdict in verdicts]


def _floor(demo: DemoFloor) -> Floor:
    """What the floor's file of the demo would say."""
    stations = [f"A{number}" for number in range(1, STATIONS + 1)]
    configuration = msgspec.structs.replace(
        configuration_of(demo.rules, demo.decks, stations, TABLE),
        wagering_period_ms=max(SHORTEST_PERIOD_MS, round(PERIOD_MS * demo.pace)),
    )
    part = TablePart(
        dealer="live" if demo.deals else "virtual",
        crew=CrewPart(*PERSONS),
        pace=demo.pace,
        burn_by_face_value=demo.burn_by_face_value,
    )
    file = FloorFile(
        floor="Sabot demo",
        listen=Listening(port=demo.port),
        tables=(part,),
        staff=StaffPart(desks=("127.0.0.1", "::1")),
    )
    return Floor(in_folder(file, demo.folder.resolve()), (TableWanted(configuration, part),))


def _check_same_game(table: RunningTable, wanted: Configuration, *, deals: bool) -> None:
    shoe, known = state_of(table).shoe, state_of(table).configuration
    if shoe.number and bool(shoe.commitment) == deals:
        dealer = "a virtual dealer" if shoe.commitment else "a visitor who deals"
        raise Mistake(f"the demo in this folder has {dealer}; choose another --folder")
    if (known.rule_set, known.decks) != (wanted.rule_set, wanted.decks):
        raise Mistake(
            f"the demo in this folder plays {known.rule_set} with {known.decks} decks; choose another --folder"
        )


class Counting:
    """Sits at the table like a display, counts the coups, and says stop after so many."""

    feed: LinkFeed = "events"

    def __init__(self, premises: Premises, most: int | None, stop: asyncio.Event) -> None:
        self._dealer, self._most, self._stop = premises.dealers.get(TABLE), most, stop
        self._table = premises.floor.tables[TABLE]
        self.state = state_of(self._table)
        self.coups = 0
        self._table.hello(Connected("demo-counter", Audience.DISPLAY, Hello(feed="events")), self)

    def tell(self, frame: FloorFrame | Published) -> None:
        if self._table.term is not None:
            self.state = self._table.term.state
        if isinstance(frame, Told):
            self.coups += sum(isinstance(event, CoupDecided) for event in frame.events)
            if self._most is not None and self.coups >= self._most:
                if self._dealer is not None:
                    self._dealer.stop()
                self._stop.set()

    def end(self, why: str, owner: str = "") -> None:
        """The table is not served for the moment, and a demo has nowhere else to go."""

    def leave(self) -> None:
        if self._table.term is not None:
            self.state = self._table.term.state
        self._table.gone("demo-counter", self)


@contextlib.asynccontextmanager
async def _visited(serving: Serving, demo: DemoFloor, stop: asyncio.Event) -> AsyncIterator[None]:
    """The table with its robots, and the links told as soon as everybody has chips."""
    premises = serving.premises
    pins, visitor = await new_pins(premises), free_station(premises)
    shoes = DealtShoes(demo.folder) if demo.deals else None
    if shoes is not None:
        premises.felts[TABLE] = shoes.felt
    async with guests(serving, demo.folder, pins, visitor, stop, shoes) as given:
        await _first_of(stop, given.wait())
        shown = DemoShown(
            table=TABLE,
            rule_set=demo.rules.id,
            title=demo.rules.title,
            links=await links(premises, visitor, deals=demo.deals),
            people=people(pins),
        )
        premises.start.shown = StartShown(demo=shown)
        tell_links(serving.url, shown, demo.folder, as_json=demo.as_json)
        if demo.coups is None and not demo.as_json:
            open_browser(serving.url + (shown.links[0].path if demo.deals else "/"))
        yield


class DemoEnd(msgspec.Struct, frozen=True):
    """What `sabot demo --json` prints at the end."""

    balances: dict[str, int]
    """In cents, of every station with an account."""
    fair: bool


def _tell_end(state: TableState, verdicts: list[Fairness]) -> None:
    purses = {station: state.money_ledger.purse(station) for station, seat in state.stations.items() if seat.is_open}
    balances = {station: purse.balance + purse.wagered + purse.held for station, purse in purses.items()}
    print_json(DemoEnd(balances, all(verdict.ok for verdict in verdicts)))


def _show_end(state: TableState, verdicts: list[Fairness]) -> None:
    out = console()
    purses = columns("station", "", "bought in|", "wagered|", "balance|", "net|")
    for station, seat in state.stations.items():
        if seat.is_open:
            purse, meters = state.money_ledger.purse(station), state.money_meters.get(station, NO_METERS)
            brought, balance = sum(meters.came_in.values()), purse.balance + purse.wagered + purse.held
            who = PATRONS[station][0] if station in PATRONS else "you"
            figures = (write_amount(brought), write_amount(meters.wagered), write_amount(balance))
            purses.add_row(station, who, *figures, net_text(balance - brought))
    out.print()
    out.print(purses)
    if verdicts:
        print_verdicts(verdicts)


async def _owned(table: RunningTable) -> None:
    while table.term is None:
        await asyncio.sleep(0.02)


async def _first_of(stop: asyncio.Event, other: Coroutine[Any, Any, object]) -> bool:
    """Wait for the one or the other; whether it was the stop."""
    waiting: list[asyncio.Task[object]] = [asyncio.create_task(one) for one in (stop.wait(), other)]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for one in waiting:
        one.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    return stop.is_set()
