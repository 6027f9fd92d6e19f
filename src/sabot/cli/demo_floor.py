"""The floor of the demo: the server that casinos run, robots over its real wire, and links for the visitor."""

import asyncio
import contextlib
import fcntl
import os
import secrets
import signal
import sys
import webbrowser
from collections.abc import AsyncIterator, Coroutine, Iterator
from pathlib import Path
from typing import Any

import msgspec

from sabot.audit.fairness import Fairness, fairness
from sabot.basics.mistake import Mistake
from sabot.basics.money import write_amount
from sabot.cli.demo_table import CREW, MINIMUMS, PATRONS, configuration_of, robots
from sabot.cli.fair.shoes import evidence_of, print_verdicts
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, net_text
from sabot.cli.terminal import table as columns
from sabot.client.connection import Identity
from sabot.client.console import Console
from sabot.client.desk import Desk
from sabot.client.key import DeviceKey
from sabot.client.outcome import CommandRefused
from sabot.client.robot import Seated
from sabot.client.station import Station
from sabot.floor.records.program_digest import program_digest
from sabot.floor.stamper import Giver
from sabot.floor.table_owner.messages import Connected
from sabot.house.state import DeviceKind
from sabot.journal.anchor import OWNER_ONLY
from sabot.ledger.audit import NO_METERS
from sabot.rules.rule_set import Bet, RuleSet
from sabot.runtime.link import LinkFeed, Published
from sabot.runtime.table_runner import RunningTable
from sabot.table.acts import BuyIn
from sabot.table.configuration import Configuration
from sabot.table.events import CoupDecided
from sabot.table.phase import Phase
from sabot.table.state import TableState
from sabot.views.audience import Audience
from sabot.web.identity.enrolments import Granted
from sabot.web.identity.pin import PinHasher, weakness
from sabot.web.identity.sessions import MINUTES, set_pin
from sabot.web.serving.floor_file import (
    CrewPart,
    Floor,
    FloorFile,
    JournalPart,
    SecretsPart,
    ShoesPart,
    StaffPart,
    TablePart,
    TableWanted,
    TournamentsPart,
)
from sabot.web.serving.listening import Listening
from sabot.web.serving.logs import set_up_logs
from sabot.web.serving.process import Premises
from sabot.web.serving.server import Serving, run, served
from sabot.wire.frames import FloorFrame, Hello, Told

TABLE = "DEMO"
STATIONS = 8
"""Three for robots; each browser that ever came keeps one of the others."""
WHO_ENROLS = Giver("CS1", "GS1")
"""Two of the demo's staff, in whose names devices are invited."""
INVITED_MS = 7 * 24 * 60 * MINUTES
BROKE_LOOK_S = 2.0
PERIOD_MS, SHORTEST_PERIOD_MS = 20_000, 300
"""For wagering, at the usual pace and at the quickest. A folder keeps the one that it began with."""
PERSONS = (CREW.dealer, CREW.game_supervisor, CREW.casino_supervisor)


class DemoFloor(msgspec.Struct, frozen=True):
    rules: RuleSet
    decks: int
    port: int
    folder: Path
    coups: int | None
    pace: float
    burn_by_face_value: bool


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
        _check_same_game(table, wanted.tables[0].configuration)
        counting = Counting(serving.premises, demo.coups, stop)
        async with _visitors(serving, demo, stop):
            await stop.wait()
        counting.leave()
        await serving.premises.leave()
        verdicts = [fairness(tale) for tale in await evidence_of(serving.premises.floor.backing.journal, TABLE)]
        _show_end(counting.state, verdicts[-1:])
        fair += [verdict.ok for verdict in verdicts]


def _floor(demo: DemoFloor) -> Floor:
    """What the floor's file of the demo would say."""
    stations = [f"A{number}" for number in range(1, STATIONS + 1)]
    configuration = msgspec.structs.replace(
        configuration_of(demo.rules, demo.decks, stations, TABLE),
        wagering_period_ms=max(SHORTEST_PERIOD_MS, round(PERIOD_MS * demo.pace)),
    )
    folder = demo.folder.resolve()
    part = TablePart(
        dealer="virtual",
        crew=CrewPart(*PERSONS),
        pace=demo.pace,
        burn_by_face_value=demo.burn_by_face_value,
    )
    file = FloorFile(
        floor="Sabot demo",
        listen=Listening(port=demo.port),
        journal=JournalPart(
            place=str(folder / "floor.journal"),
            anchor=str(folder / "floor.anchor"),
            signing_key=str(folder / "signing.key"),
        ),
        secrets=SecretsPart(place=str(folder / "floor.vault")),
        shoes=ShoesPart(folder=str(folder / "shoes"), key=str(folder / "floor.key")),
        tournaments=TournamentsPart(draws_key=str(folder / "draws.key")),
        tables=(part,),
        staff=StaffPart(desks=("127.0.0.1", "::1")),
    )
    return Floor(file, (TableWanted(configuration, part),))


def _check_same_game(table: RunningTable, wanted: Configuration) -> None:
    known = _state(table).configuration
    if (known.rule_set, known.decks) != (wanted.rule_set, wanted.decks):
        raise Mistake(
            f"the demo in this folder plays {known.rule_set} with {known.decks} decks; choose another --folder"
        )


class Counting:
    """Sits at the table like a display, counts the coups, and says stop after so many."""

    feed: LinkFeed = "events"

    def __init__(self, premises: Premises, most: int | None, stop: asyncio.Event) -> None:
        self._dealer, self._most, self._stop = premises.dealers[TABLE], most, stop
        self._table = premises.floor.tables[TABLE]
        self.state = _state(self._table)
        self.coups = 0
        self._table.hello(Connected("demo-counter", Audience.DISPLAY, Hello(feed="events")), self)

    def tell(self, frame: FloorFrame | Published) -> None:
        if self._table.term is not None:
            self.state = self._table.term.state
        if isinstance(frame, Told):
            self.coups += sum(isinstance(event, CoupDecided) for event in frame.events)
            if self._most is not None and self.coups >= self._most:
                self._dealer.stop()
                self._stop.set()

    def end(self, why: str, owner: str = "") -> None:
        """The table is not served for the moment, and a demo has nowhere else to go."""

    def leave(self) -> None:
        if self._table.term is not None:
            self.state = self._table.term.state
        self._table.gone("demo-counter", self)


@contextlib.asynccontextmanager
async def _visitors(serving: Serving, demo: DemoFloor, stop: asyncio.Event) -> AsyncIterator[None]:
    """Robots and the giver of chips, for as long as the block lasts."""
    pins = await _pins(serving.premises)
    async with contextlib.AsyncExitStack() as leaving:
        seats = []
        for robot in robots(secrets.randbits(63)):
            identity = await _identity(serving, demo, robot.station, DeviceKind.STATION)
            seats.append((robot, await leaving.enter_async_context(Station(serving.url, identity))))
        cashier = await leaving.enter_async_context(
            Console(serving.url, await _identity(serving, demo, "demo-chips", DeviceKind.CONSOLE))
        )
        place = _free_station(serving.premises)
        chips = Chips(cashier, Desk(serving.url), pins, [*PATRONS, *([place] if place else [])])
        tasks = [asyncio.create_task(Seated(robot, station).play()) for robot, station in seats]
        tasks.append(asyncio.create_task(chips.give_out(serving.premises.floor.tables[TABLE])))
        for task in tasks:
            task.add_done_callback(lambda _: stop.set())  # None of them ends by itself, unless it fails.
        try:
            await _first_of(stop, chips.given.wait())
            _show_links(serving.url, await _links(serving.premises, place), pins, demo)
            yield
        finally:
            failed = [task for task in tasks if task.done()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in failed:
            task.result()


class Chips:
    """Gives chips to stations that have none, as the dealer at a console would."""

    def __init__(self, at: Console, desk: Desk, pins: dict[str, str], stations: list[str]) -> None:
        self._console, self._desk, self._pins, self._stations = at, desk, pins, stations
        self.given = asyncio.Event()
        """Every one of the stations has chips."""

    async def give_out(self, table: RunningTable) -> None:
        while True:
            state = _state(table)
            if state.phase is not Phase.CLOSED and state.dealer is not None:
                poor = [name for name in self._stations if _is_poor(state, name)]
                if poor:
                    await self._buy_in(poor, MINIMUMS * state.limits[Bet("banker")].minimum)
                else:
                    self.given.set()
            await asyncio.sleep(BROKE_LOOK_S if self.given.is_set() else 0.05)

    async def _buy_in(self, stations: list[str], cents: int) -> None:
        dealer = CREW.dealer
        at = self._console.identity
        signed = await self._desk.sign_on(dealer, self._pins[dealer], at.device, at.key)
        for station in stations:
            with contextlib.suppress(
                CommandRefused
            ):  # A table that cannot take it now is asked again at the next look.
                await self._console.ask(BuyIn(station=station, cents=cents), token=signed.token)
        await self._desk.sign_off(signed.token)


def _is_poor(state: TableState, station: str) -> bool:
    purse = state.purse(station)
    least = min(limits.minimum for limits in state.limits.values())
    return not state.stations[station].is_open or purse.balance + purse.wagered + purse.held < least


async def _pins(premises: Premises) -> dict[str, str]:
    """New PINs for the demo's staff at every start, since they are printed."""
    hasher, pins = PinHasher(), {}
    for person in PERSONS:
        while weakness(pin := f"{secrets.randbelow(10**6):06}") is not None:
            pass
        await set_pin(premises.vault, hasher, person, pin)
        pins[person] = pin
    return pins


async def _identity(serving: Serving, demo: DemoFloor, device: str, kind: DeviceKind) -> Identity:
    """A device of the demo's own, which keeps its key in a file and is enrolled at its first start."""
    folder = demo.folder / "devices"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / f"{device}.pem"
    key = DeviceKey.read(path) if path.exists() else DeviceKey.make()
    if not path.exists():
        key.write(path)
    if device not in serving.premises.floor.house.state.devices:
        code = await _invited(serving.premises, kind, device)
        await Desk(serving.url).accept(code, key)
    return Identity(device, key)


async def _invited(premises: Premises, kind: DeviceKind, device: str, station: str | None = None) -> str:
    granted = Granted(device=device, table=TABLE, approval=f"demo {device}", station=station)
    return await premises.identities.enrolments.invite(kind, granted, WHO_ENROLS, INVITED_MS)


async def _links(premises: Premises, place: str) -> dict[str, str]:
    """The pages with an invitation each; a browser that has one from an earlier start stays who it is."""
    known = premises.floor.house.state.devices
    links: dict[str, str] = {}
    for kind, station in ((DeviceKind.STATION, place), (DeviceKind.CONSOLE, ""), (DeviceKind.DISPLAY, "")):
        if kind is DeviceKind.STATION and not place:
            links[kind] = f"/{kind}"
            continue
        number = sum(one.kind == kind for one in known.values()) + 1
        links[kind] = f"/{kind}#invitation={await _invited(premises, kind, f'{kind}-{number}', station or None)}"
    return links


def _free_station(premises: Premises) -> str:
    """A station that no device has been enrolled for."""
    taken = {one.station for one in premises.floor.house.state.devices.values() if one.kind is DeviceKind.STATION}
    every = _state(premises.floor.tables[TABLE]).stations
    return next((name for name in every if name not in taken and name not in PATRONS), "")


def _show_links(url: str, links: dict[str, str], pins: dict[str, str], demo: DemoFloor) -> None:
    out = console()
    out.print(f"{demo.rules.title}: one table, three robots, and chips for you. No real money is played for.\n")
    for page, path in links.items():
        out.print(f"  {page:8} {url}{path}", soft_wrap=True)
    out.print()
    for person, pin in pins.items():
        out.print(f"  {person:8} PIN {pin}")
    out.print(f"\nThe records are in {demo.folder}. Ctrl-C ends the demo; the next start goes on from there.")
    out.file.flush()
    if demo.coups is None and _has_a_screen():
        webbrowser.open(url + links["station"])


def _has_a_screen() -> bool:
    shown = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(shown) and sys.stdout.isatty()


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
    print_verdicts(verdicts)


def _state(table: RunningTable) -> TableState:
    assert table.term is not None, "the demo's table is served here"
    return table.term.state


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
