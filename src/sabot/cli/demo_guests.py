"""Who is at the demo's table beside the visitor: robots over the real wire, and somebody who gives out chips."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

from sabot.cli.demo_table import CREW, MINIMUMS, PATRONS, PERSONS, TABLE, robots
from sabot.client.connection import Identity
from sabot.client.console import Console
from sabot.client.desk import Desk
from sabot.client.key import DeviceKey
from sabot.client.outcome import CommandRefused
from sabot.client.robot import Seated
from sabot.client.station import Station
from sabot.floor.stamper import Giver
from sabot.house.state import DeviceKind
from sabot.rules.rule_set import Bet
from sabot.runtime.table_runner import RunningTable
from sabot.table.acts import BuyIn
from sabot.table.phase import Phase
from sabot.table.state import TableState
from sabot.web.http.start_routes import DemoLink, DemoPerson
from sabot.web.identity.enrolments import Granted
from sabot.web.identity.pin import PinHasher, weakness
from sabot.web.identity.sessions import MINUTES, set_pin
from sabot.web.serving.process import Premises
from sabot.web.serving.server import Serving

WHO_ENROLS = Giver("CS1", "GS1")
"""Two of the demo's staff, in whose names devices are invited."""
INVITED_MS = 7 * 24 * 60 * MINUTES
BROKE_LOOK_S = 2.0


@contextlib.asynccontextmanager
async def guests(
    serving: Serving, folder: Path, pins: dict[str, str], visitor: str, stop: asyncio.Event
) -> AsyncIterator[asyncio.Event]:
    """Robots and the giver of chips, for as long as the block lasts; gives what is set when everybody has chips."""
    async with contextlib.AsyncExitStack() as leaving:
        seats = []
        for robot in robots(secrets.randbits(63)):
            identity = await _identity(serving, folder, robot.station, DeviceKind.STATION)
            seats.append((robot, await leaving.enter_async_context(Station(serving.url, identity))))
        cashier = await leaving.enter_async_context(
            Console(serving.url, await _identity(serving, folder, "demo-chips", DeviceKind.CONSOLE))
        )
        chips = Chips(cashier, Desk(serving.url), pins, [*PATRONS, *([visitor] if visitor else [])])
        tasks = [asyncio.create_task(Seated(robot, station).play()) for robot, station in seats]
        tasks.append(asyncio.create_task(chips.give_out(serving.premises.floor.tables[TABLE])))
        for task in tasks:
            task.add_done_callback(lambda _: stop.set())  # None of them ends by itself, unless it fails.
        try:
            yield chips.given
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
            state = state_of(table)
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


async def new_pins(premises: Premises) -> dict[str, str]:
    """New PINs for the demo's staff at every start, since they are printed."""
    hasher, pins = PinHasher(), {}
    for person in PERSONS:
        while weakness(pin := f"{secrets.randbelow(10**6):06}") is not None:
            pass
        await set_pin(premises.vault, hasher, person, pin)
        pins[person] = pin
    return pins


async def _identity(serving: Serving, folder: Path, device: str, kind: DeviceKind) -> Identity:
    """A device of the demo's own, which keeps its key in a file and is enrolled at its first start."""
    devices = folder / "devices"
    devices.mkdir(mode=0o700, exist_ok=True)
    path = devices / f"{device}.pem"
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


async def links(premises: Premises, visitor: str) -> tuple[DemoLink, ...]:
    """The pages, those of devices with an invitation each; a browser that came at an earlier start stays who it is."""
    known = premises.floor.house.state.devices
    made: list[DemoLink] = []
    for kind in (DeviceKind.STATION, DeviceKind.CONSOLE, DeviceKind.DISPLAY):
        station = visitor if kind is DeviceKind.STATION else ""
        path, people = f"/{kind}", PERSONS if kind is DeviceKind.CONSOLE else ()
        if kind is not DeviceKind.STATION or visitor:
            number = sum(one.kind == kind for one in known.values()) + 1
            path += f"#invitation={await _invited(premises, kind, f'{kind}-{number}', station or None)}"
        made.append(DemoLink(page=kind.value, path=path, station=station, people=people))
    overseers = (CREW.game_supervisor, CREW.casino_supervisor)
    return (*made, DemoLink(page="floor", path="/floor", people=overseers), DemoLink(page="board", path="/board"))


def people(pins: dict[str, str]) -> tuple[DemoPerson, ...]:
    return tuple(DemoPerson(person=one, role=role, pin=pins[one]) for one, role in zip(PERSONS, ROLES, strict=True))


ROLES = tuple(CREW.__struct_fields__)


def free_station(premises: Premises) -> str:
    """A station that no device has been enrolled for."""
    taken = {one.station for one in premises.floor.house.state.devices.values() if one.kind is DeviceKind.STATION}
    every = state_of(premises.floor.tables[TABLE]).stations
    return next((name for name in every if name not in taken and name not in PATRONS), "")


def state_of(table: RunningTable) -> TableState:
    assert table.term is not None, "the demo's table is served here"
    return table.term.state
