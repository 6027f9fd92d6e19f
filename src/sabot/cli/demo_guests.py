"""Who is at the demo's table beside the visitor: robots over the real wire, and a member of staff who sells chips."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

from sabot.cli.demo_console import DemoConsole
from sabot.cli.demo_deal import DealtShoes, prepare
from sabot.cli.demo_table import CREW, MINIMUMS, PATRONS, PERSONS, TABLE, robots
from sabot.client.connection import Identity
from sabot.client.console import Console
from sabot.client.desk import Desk
from sabot.client.key import DeviceKey
from sabot.client.robot import Seated
from sabot.client.station import Station
from sabot.floor.stamper import Giver
from sabot.house.state import DeviceKind
from sabot.rules.rule_set import Bet
from sabot.runtime.table_runner import RunningTable
from sabot.table.acts import BuyIn
from sabot.table.phase import Phase
from sabot.table.state import Stage, TableState
from sabot.web.http.start_routes import DemoLink, DemoPerson
from sabot.web.identity.enrolments import Granted
from sabot.web.identity.pin import PinHasher, new_pin
from sabot.web.identity.sessions import MINUTES, set_pin
from sabot.web.serving.process import Premises
from sabot.web.serving.server import Serving

WHO_ENROLS = Giver("CS1", "GS1")
"""Two of the demo's staff, in whose names devices are invited."""
INVITED_MS = 7 * 24 * 60 * MINUTES
BROKE_LOOK_S = 2.0


@contextlib.asynccontextmanager
async def guests(
    serving: Serving,
    folder: Path,
    pins: dict[str, str],
    visitor: str,
    stop: asyncio.Event,
    shoes: DealtShoes | None,
) -> AsyncIterator[asyncio.Event]:
    """Robots and the demo's own staff, for as long as the block lasts; gives what is set when play can begin.

    `shoes` are those of a table that the visitor deals.
    """
    async with contextlib.AsyncExitStack() as leaving:
        seats = []
        for robot in robots(secrets.randbits(63)):
            identity = await _identity(serving, folder, robot.station, DeviceKind.STATION)
            seats.append((robot, await leaving.enter_async_context(Station(serving.url, identity))))
        cashier = await leaving.enter_async_context(
            Console(serving.url, await _identity(serving, folder, "demo-chips", DeviceKind.CONSOLE))
        )
        console, table = DemoConsole(cashier, Desk(serving.url), pins), serving.premises.floor.tables[TABLE]
        chips = Chips(console, [*PATRONS, *([visitor] if visitor else [])])
        tasks = [asyncio.create_task(Seated(robot, station).play()) for robot, station in seats]
        tasks.append(asyncio.create_task(chips.give_out(table)))
        if shoes is not None:
            tasks.append(asyncio.create_task(prepare(console, table, shoes)))
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

    def __init__(self, at: DemoConsole, stations: list[str]) -> None:
        self._console, self._stations = at, stations
        self.given = asyncio.Event()
        """Every one of the stations has chips, and a shoe is in play."""

    async def give_out(self, table: RunningTable) -> None:
        while True:
            state = state_of(table)
            if state.phase is not Phase.CLOSED and state.dealer is not None:
                poor = [name for name in self._stations if _is_poor(state, name)]
                cents = MINIMUMS * state.limits[Bet("banker")].minimum
                if poor:
                    await self._console.give(CREW.dealer, *(BuyIn(station=name, cents=cents) for name in poor))
                elif state.shoe.stage is Stage.IN_PLAY:
                    self.given.set()
            await asyncio.sleep(BROKE_LOOK_S if self.given.is_set() else 0.05)


def _is_poor(state: TableState, station: str) -> bool:
    purse = state.purse(station)
    least = min(limits.minimum for limits in state.limits.values())
    return not state.stations[station].is_open or purse.balance + purse.wagered + purse.held < least


async def new_pins(premises: Premises) -> dict[str, str]:
    """New PINs for the demo's staff at every start, since they are printed."""
    hasher, pins = PinHasher(), {}
    for person in PERSONS:
        pin = new_pin()
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


async def links(premises: Premises, visitor: str, *, deals: bool) -> tuple[DemoLink, ...]:
    """The pages, those of devices with an invitation each; a browser that came at an earlier start stays who it is."""
    devices = premises.floor.house.state.devices.values()

    async def invited(
        page: str, kind: DeviceKind, station: str = "", people: tuple[str, ...] = (), more: int = 0
    ) -> DemoLink:
        number = sum(one.kind == kind for one in devices) + 1 + more
        code = await _invited(premises, kind, f"{kind}-{number}", station or None)
        return DemoLink(page=page, path=f"/{page}#invitation={code}", station=station, people=people)

    overseers = (CREW.game_supervisor, CREW.casino_supervisor)
    return (
        *([await invited("deal", DeviceKind.CONSOLE, people=(CREW.dealer,), more=1)] if deals else []),
        await invited("station", DeviceKind.STATION, visitor) if visitor else DemoLink(page="station", path="/station"),
        await invited("console", DeviceKind.CONSOLE, people=PERSONS),
        await invited("display", DeviceKind.DISPLAY),
        DemoLink(page="floor", path="/floor", people=overseers),
        DemoLink(page="board", path="/board"),
    )


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
