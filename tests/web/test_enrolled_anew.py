"""A device is what its present enrolment makes it: a name that was revoked and enrolled anew begins from nothing."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from sabot.client.connection import Identity
from sabot.floor.records.record_codec import read_act, read_answer, table_stream
from sabot.house.state import device_of
from sabot.table import acts
from sabot.views.console import ConsoleView
from sabot.views.display import DisplayView
from sabot.views.station import StationView
from tests.runtime.floors import PATIENCE_S, until
from tests.served.device import Wire, proved
from tests.served.open_table import OpenTable, open_table
from tests.served.server import Served

STATIONS = ("A1", "A2", "A3")
PLACES = (*STATIONS, "console", "display")
NAMES = ("X", "Y")
SECTIONS = {"station": StationView, "console": ConsoleView, "display": DisplayView}
CHIP = 2_500


class Step(NamedTuple):
    do: str
    name: str
    place: str
    last: int
    """Which of the keys or connections of the name, counted from the newest."""
    feed: str
    resumes: bool


steps = st.builds(
    Step,
    do=st.sampled_from(("enrol", "enrol", "revoke", "move", "connect", "connect", "hello", "hello", "touch", "stir")),
    name=st.sampled_from(NAMES),
    place=st.sampled_from(PLACES),
    last=st.integers(0, 2),
    feed=st.sampled_from(("views", "events")),
    resumes=st.booleans(),
)


class Guest:
    """A connection that was let in, with the place of the enrolment whose key it proved, and all that it heard."""

    def __init__(self, socket: ClientConnection, enrolment: str, place: str) -> None:
        self.socket, self.enrolment, self.place = socket, enrolment, place
        self.heard: list[dict[str, Any]] = []
        self.n = 0
        self.stood = (0, 0)
        """What it was told of last, before its enrolment was revoked."""
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for message in self.socket:
                self.heard.append(msgspec.json.decode(message))

    async def send(self, **frame: Any) -> None:
        with contextlib.suppress(ConnectionClosed):
            await self.socket.send(msgspec.json.encode(frame).decode())

    async def has_heard_all(self) -> None:
        """A pong comes behind every frame that was sent before the ping; a connection that ends has none to come."""
        with contextlib.suppress(ConnectionClosed):
            await (await self.socket.ping())
        await asyncio.sleep(0)

    @property
    def standing(self) -> tuple[int, int]:
        told = [(frame["epoch"], frame["version"]) for frame in self.heard if "epoch" in frame and "version" in frame]
        return max(told, default=self.stood)


class Floor:
    """An open table with three patrons, and two names that are enrolled as anything in turn."""

    def __init__(self, table: OpenTable) -> None:
        self._table = table
        self._keys: dict[str, list[tuple[Identity, str, str]]] = {name: [] for name in NAMES}
        self.guests: list[Guest] = []
        self._secrets: dict[str, set[int]] = {station: set() for station in STATIONS}
        self._bought = self._checked = 0
        self._journal = table.floor.backing.journal

    async def begin(self) -> None:
        """What another example left is gone."""
        for guest in self.guests:
            await guest.socket.close()
        self.guests.clear()
        for name in NAMES:
            await self.revoke(Step("revoke", name, "", 0, "", resumes=False))

    def _current(self, name: str) -> str:
        known = self._table.floor.house.state.devices.get(name)
        return "" if known is None or known.revoked else known.enrolment_of(name)

    async def enrol(self, step: Step) -> None:
        house = self._table.floor.house.state
        taken = {known.station for known in house.devices.values() if not known.revoked}
        if self._current(step.name) or step.place in taken:
            return
        kind = step.place if step.place in SECTIONS else "station"
        station = step.place if kind == "station" else ""
        identity = await self._table.enrol(step.name, kind, station)
        self._keys[step.name].append((identity, self._current(step.name), step.place))

    async def revoke(self, step: Step) -> None:
        ended = self._current(step.name)
        if not ended:
            return
        await self._table.revoke(step.name)
        for guest in self.guests:
            if guest.enrolment == ended:
                async with asyncio.timeout(PATIENCE_S):
                    await guest.socket.wait_closed()
                    await guest.reading
                guest.place = "nowhere"
                assert guest.heard[-1]["type"] == "bye"
                guest.stood = guest.standing
                guest.heard.clear()

    async def move(self, step: Step) -> None:
        await self.revoke(step)
        await self.enrol(step)

    async def connect(self, step: Step) -> None:
        keys = self._keys[step.name]
        if not keys:
            return
        identity, enrolment, place = keys[max(0, len(keys) - 1 - step.last)]
        socket = await connect(self._table.socket, compression=None, max_size=None, max_queue=None)
        wire = Wire(socket, step.name)
        challenge = await wire.frame("challenge")
        signature = identity.key.prove(challenge["floor"], challenge["nonce"])
        await wire.send(type="prove", device=step.name, signature=signature)
        answer = await wire.frame("ready", "bye")
        assert (answer["type"] == "ready") is (enrolment == self._current(step.name))
        if answer["type"] == "ready":
            self.guests.append(Guest(socket, enrolment, place))
        else:
            await socket.close()

    def _guest(self, step: Step) -> Guest | None:
        own = [guest for guest in self.guests if device_of(guest.enrolment) == step.name]
        return own[max(0, len(own) - 1 - step.last)] if own else None

    async def hello(self, step: Step) -> None:
        """With what this name was told last under whichever enrolment, if it resumes."""
        guest = self._guest(step)
        if guest is None:
            return
        known = [one.standing for one in self.guests if device_of(one.enrolment) == step.name]
        epoch, version = max(known) if step.resumes else (0, 0)
        pending = {"pending": [epoch, 1]} if step.resumes and epoch else {}
        await guest.send(type="hello", feed=step.feed, epoch=epoch, version=version, **pending)
        await guest.has_heard_all()

    async def touch(self, step: Step) -> None:
        guest = self._guest(step)
        if guest is None:
            return
        guest.n += 1
        command = {"do": "set_wager", "bet": "banker", "cents": CHIP * (guest.n % 4)}
        state = self._table.state
        await guest.send(type="ask", epoch=state_epoch(self._table), n=guest.n, coup=state.coups, command=command)
        await guest.has_heard_all()

    async def stir(self, _: Step) -> None:
        """Every patron's balance becomes a figure that nobody ever had."""
        for station in STATIONS:
            self._bought += 1
            await self._table.console.ask(acts.BuyIn(station=station, cents=100_000 * self._bought, top_up=True))
            self._secrets[station].add(self._table.balance(station))

    async def check(self) -> None:
        term = self._table.table.term
        assert term is not None
        views = self._table.table.views
        await until(lambda: not views._unseen)  # noqa: SLF001  The look that shows the newest is over.
        for guest in self.guests:
            await guest.has_heard_all()
            for frame in guest.heard:
                self._check_frame(guest, frame)
        places = {known: place for keys in self._keys.values() for _, known, place in keys}
        async for record in self._journal.read(table_stream("T1"), self._checked):
            _, device, *_ = record.entry.key.split("/")
            if device_of(device) in NAMES:
                assert read_act(read_answer(record.entry)).stamp.by == places[device]
            self._checked = record.version

    def _check_frame(self, guest: Guest, frame: dict[str, Any]) -> None:
        """Nothing is told that another station's patron or the console alone may know."""
        if frame["type"] in ("challenge", "ready", "bye", "vouched", "resynchronise", "trouble"):
            return
        assert guest.place != "nowhere", f"{guest.enrolment} was revoked and is told {frame}"
        kind = guest.place if guest.place in SECTIONS else "station"
        sections = {**(frame.get("view") or {}), **(frame.get("changed") or {})}
        assert set(sections) <= set(SECTIONS[kind].__struct_fields__)
        if kind == "console":
            return
        said = msgspec.json.encode(frame).decode()
        for station, secrets in self._secrets.items():
            if station != guest.place:
                assert not [figure for figure in secrets if str(figure) in said], (guest.place, station)


def state_epoch(table: Served) -> int:
    term = table.table.term
    assert term is not None
    return term.epoch


@asynccontextmanager
async def stirred() -> AsyncIterator[Floor]:
    async with open_table() as table:
        for number, station in enumerate(STATIONS, start=1):
            await table.console.ask(acts.BuyIn(station=station, cents=7_770_000 + 130_000 * number))
        await table.open_wagering()
        yield Floor(table)


def test_however_names_are_enrolled_revoked_moved_and_connected_each_audience_sees_only_its_own() -> None:
    """One floor for all examples: each begins with both names revoked, and with everything that they ever were."""
    with asyncio.Runner() as runner:
        entering = stirred()
        floor = runner.run(entering.__aenter__())

        @settings(
            deadline=None, max_examples=max(15, settings().max_examples // 8), suppress_health_check=list(HealthCheck)
        )
        @given(st.lists(steps, min_size=4, max_size=14))
        def law(sequence: Sequence[Step]) -> None:
            runner.run(_walk(floor, sequence))

        try:
            law()
        finally:
            runner.run(_left(entering, floor))


async def _walk(floor: Floor, sequence: Sequence[Step]) -> None:
    await floor.begin()
    for step in sequence:
        does: Callable[[Step], Awaitable[None]] = getattr(floor, step.do)
        await does(step)
    await floor.stir(sequence[0])
    await floor.check()


async def _left(entering: Any, floor: Floor) -> None:
    await floor.begin()
    await entering.__aexit__(None, None, None)


@pytest.mark.parametrize(("first", "then"), [("A2", "A3"), ("console", "A1"), ("A1", "console"), ("display", "A2")])
@pytest.mark.parametrize("feed", ["views", "events"])
def test_a_name_enrolled_for_another_place_is_shown_that_place_and_nothing_of_the_last(
    first: str, then: str, feed: str
) -> None:
    async def play() -> None:
        async with stirred() as floor:

            def at(place: str, do: str, *, resumes: bool = False) -> Step:
                return Step(do, "X", place, 0, feed, resumes)

            for step in ("enrol", "connect", "hello", "touch", "stir"):
                await getattr(floor, step)(at(first, step))
            await floor.check()
            for step in ("move", "connect", "hello", "stir"):
                await getattr(floor, step)(at(then, step, resumes=True))
            await floor.check()
            assert [frame["type"] for frame in floor.guests[-1].heard].count("welcome") == 1
            welcome = next(frame for frame in floor.guests[-1].heard if frame["type"] == "welcome")
            assert welcome.get("last", 0) == 0
            assert welcome.get("picture") or welcome["whole"]
            await floor.begin()

    asyncio.run(play())


def test_a_device_that_proved_itself_and_said_nothing_yet_is_sent_away_when_it_is_revoked() -> None:
    async def play() -> None:
        async with open_table() as table, proved(table.socket, await table.enrol("A1")) as wire:
            await table.revoke("A1")
            assert (await wire.frame("bye", "welcome"))["type"] == "bye"

    asyncio.run(play())
