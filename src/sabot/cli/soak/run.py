"""A soak from beginning to end: the floor in a process of its own, robots, faults, samples, and the proof."""

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from sabot.cli.soak.curves import SoakSample
from sabot.cli.soak.faults import PlannedFault, SoakFault, fault_plan
from sabot.cli.soak.floor_under_soak import FloorProcess, SoakFloor
from sabot.cli.soak.patrons import Patrons
from sabot.cli.soak.proof import Money, prove
from sabot.cli.soak.report import Recovery, SoakReport, conclude, write_report
from sabot.cli.soak.trends import percentile
from sabot.client.addresses import socket_url
from sabot.client.connection import Identity
from sabot.house.state import DeviceKind
from sabot.journal.keys import read_ring
from sabot.journal.opening import open_to_read
from sabot.wire.frames import Challenge, Hello, Prove, read_floor_frame, write

SETTLE_WITHIN_S = 120.0
COME_BACK_WITHIN_S = 60.0
NAP_S = 0.02
_LOST = (OSError, WebSocketException, TimeoutError)


class SoakPlan(msgspec.Struct, frozen=True, kw_only=True):
    folder: Path
    journal: str
    tables: int
    stations: int
    pace: float
    seconds: float
    faults_every_s: float
    sample_every_s: float
    seed: int


class Soak:
    """One soak. `tell` hears a line on every sample."""

    def __init__(self, plan: SoakPlan, floor: SoakFloor, tell: Callable[[str], None]) -> None:
        self._plan, self._floor, self._tell = plan, floor, tell
        self.samples: list[SoakSample] = []
        self._recoveries: list[Recovery] = []
        self._problems: list[str] = []
        self._fault_at = 0.0
        """Until when the newest fault was felt, in seconds of the soak."""
        self._stop = asyncio.Event()

    async def run(self) -> SoakReport:
        plan, floor = self._plan, self._floor
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop.set)
        self._process = process = FloorProcess(floor, plan.folder / "floor.log")
        self._patrons = patrons = Patrons(floor, plan.seed)
        try:
            await process.start()
            await patrons.sit_down()
            await self._play(floor)
            shown = await self._come_to_rest()
            await patrons.leave()
            code = await process.stop()
            if code:
                self._problems.append(f"the floor ended with code {code}")
        finally:
            await patrons.leave()
            await process.kill()
        return await self._conclude(floor, shown)

    async def _play(self, floor: SoakFloor) -> None:
        """Until the time is up or the command is stopped; a fault under way is brought to its end."""
        self._began = time.monotonic()
        faults = asyncio.create_task(self._cause_faults(floor))
        samples = asyncio.create_task(self._take_samples())
        stopped = asyncio.create_task(self._stop.wait())
        await asyncio.wait((faults, samples, stopped), timeout=self._plan.seconds, return_when=asyncio.FIRST_COMPLETED)
        self._stop.set()
        samples.cancel()
        await asyncio.gather(faults, samples, stopped, return_exceptions=True)
        for task in (faults, samples):
            if not task.cancelled() and task.exception() is not None:
                self._problems.append(f"the soak itself failed: {task.exception()!r}")

    @property
    def _now_s(self) -> float:
        return time.monotonic() - self._began

    # Samples

    async def _take_samples(self) -> None:
        while True:
            since = self._now_s
            lag_s = await _late_by(self._plan.sample_every_s)
            reading = self._process.read()
            if reading is None:
                continue
            taken = self._patrons.own.take_latencies()
            sample = SoakSample(
                at_s=round(self._now_s, 1),
                life=self._process.lives,
                rss_mb=round(reading.rss_bytes / 2**20, 3),
                descriptors=reading.descriptors,
                threads=reading.threads,
                touches=len(taken),
                p50_ms=round(percentile(taken, 0.5) * 1000, 3),
                p99_ms=round(percentile(taken, 0.99) * 1000, 3),
                lag_ms=round(lag_s * 1000, 3),
                coups=self._coups(),
                quiet=self._fault_at < since,
            )
            self.samples.append(sample)
            self._tell(_line(sample, self._plan.seconds, len(self._recoveries)))

    def _coups(self) -> int:
        newest: dict[str, int] = {}
        for station in self._patrons.stations:
            table = station.device.table
            newest[table] = max(newest.get(table, 0), station.mirror.coup)
        return sum(newest.values())

    # Faults

    async def _cause_faults(self, floor: SoakFloor) -> None:
        plan = self._plan
        for planned in fault_plan(plan.seed, 0.0, plan.seconds - plan.faults_every_s, plan.faults_every_s):
            await self._sleep_until(planned.at_s)
            if self._stop.is_set():
                return
            await self._cause(planned, floor)
            over = time.monotonic()
            took = await self._until_acknowledged(over)
            self._fault_at = self._now_s
            if took is None:
                self._problems.append(
                    f"no wager was acknowledged within {COME_BACK_WITHIN_S:.0f} s of a {planned.fault}"
                )
                return
            self._recoveries.append(Recovery(round(planned.at_s, 1), planned.fault.value, round(took, 2)))
        await self._stop.wait()

    async def _sleep_until(self, at_s: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), max(0.0, at_s - self._now_s))

    async def _cause(self, planned: PlannedFault, floor: SoakFloor) -> None:
        self._fault_at = float("inf")
        stations = self._patrons.stations
        match planned.fault:
            case SoakFault.KILL:
                await self._process.kill()
                await asyncio.sleep(planned.lasts_s)
                await self._process.start()
            case SoakFault.PAUSE:
                await self._process.pause(planned.lasts_s)
            case SoakFault.CUT:
                stations[int(planned.chance * len(stations))].cut()
            case SoakFault.STORM:
                for station in stations:
                    station.cut()
            case SoakFault.SLOW:
                displays = floor.of(DeviceKind.DISPLAY)
                chosen = displays[int(planned.chance * len(displays))]
                with contextlib.suppress(*_LOST):
                    await _read_nothing(floor.url, chosen.identity, planned.lasts_s)

    async def _until_acknowledged(self, since: float) -> float | None:
        ledger = self._patrons.own
        while ledger.last_at < since:
            if time.monotonic() - since > COME_BACK_WITHIN_S:
                return None
            await asyncio.sleep(0.02)
        return ledger.last_at - since

    # The end

    async def _come_to_rest(self) -> Money | None:
        """What each station shows when nothing is on the layout any more."""
        patrons = self._patrons
        await patrons.stop_playing()
        if patrons.gave_up:
            self._problems += [f"a device did not come back: {one}" for one in patrons.gave_up[:5]]
            return None
        try:
            async with asyncio.timeout(SETTLE_WITHIN_S):
                await patrons.until_settled()
        except TimeoutError:
            self._problems.append("the tables did not play on to a coup without wagers")
            return None
        return {(one.device.table, one.device.station): one.balance for one in patrons.stations}

    async def _conclude(self, floor: SoakFloor, shown: Money | None) -> SoakReport:
        journal = await open_to_read(floor.journal)
        try:
            ring = read_ring(self._plan.folder / "signing.key.ring")
            proved = await prove(journal, self._patrons.own, ring)
        finally:
            await journal.close()
        for (table, station), cents in (shown or {}).items():
            if proved.money[table, station] != cents:
                wanted = proved.money[table, station]
                self._problems.append(f"{station} of {table} shows {cents} cents, and the records give {wanted}")
        report = conclude(self.samples, self._plan.seed, proved, self._problems, self._recoveries)
        write_report(report, self.samples, self._plan.folder)
        return report


async def _late_by(seconds: float) -> float:
    """Sleep for so long in short naps, and tell how much later than asked for they end, p99.

    A thread naps, since the event loop of the soak has robots to see to.
    """

    def nap() -> float:
        until, late = time.monotonic() + seconds, list[float]()
        while (began := time.monotonic()) < until:
            time.sleep(NAP_S)
            late.append(time.monotonic() - began - NAP_S)
        return percentile(late, 0.99)

    return await asyncio.to_thread(nap)


async def _read_nothing(url: str, identity: Identity, seconds: float) -> None:
    """A display that proves itself, says hello, and then takes nothing in."""
    async with connect(socket_url(url), compression=None, max_size=None, max_queue=1, close_timeout=1) as socket:
        challenge = read_floor_frame(await socket.recv())
        assert isinstance(challenge, Challenge)
        proof = identity.key.prove(challenge.floor, challenge.nonce)
        await socket.send(write(Prove(device=identity.device, signature=proof)), text=True)
        await socket.recv()
        await socket.send(write(Hello()), text=True)
        await asyncio.sleep(seconds)
        socket.transport.abort()


def _line(sample: SoakSample, seconds: float, faults: int) -> str:
    return (
        f"{sample.at_s / 60:7.1f} of {seconds / 60:.1f} min  {sample.coups:7,} coups  {faults:4} faults  "
        f"{sample.rss_mb:7.1f} MB  {sample.descriptors:4} fd  {sample.threads:3} threads  "
        f"p50 {sample.p50_ms:6.1f} ms  p99 {sample.p99_ms:6.1f} ms"
    )
