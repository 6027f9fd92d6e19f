"""What stations feel while strangers attack: the time of a touch beside the quiet time just before, in the same run.

Twenty stations of one table touch ten times a second each. Every attack comes from an address of its own, which the
floor does not know yet. Server, stations and attackers share the machine; the
attackers give way, as if they had a machine of their own. `memory` is how much the server holds at the end of an
attack, beside what it held before, and `cpu` how busy it was. What became of the attackers is said on standard error.
"""

import asyncio
import contextlib
import math
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import ModuleType
from urllib.parse import urlsplit

import msgspec

from sabot.cli.stopwatch import Row, row
from sabot.cli.terminal import console

ROOT = Path(__file__).resolve().parent
STATIONS = 20
EVERY_S = 0.1
QUIET_S, ATTACKED_S = 5.0, 5.0
PERIOD_MS = 600_000


def measure() -> Iterator[Row]:
    sys.path[:0] = [str(ROOT.parent), str(ROOT)]  # The benchmark stands on the same ground as the tests.
    import _floor_load as load  # noqa: PLC0415  Only where it is.
    import floor as floors  # noqa: PLC0415

    from tests.served import attacks  # noqa: PLC0415

    names = [attack.__name__ for attack in (*attacks.OF_ONE, *attacks.OF_MANY)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        floors.write_keys(folder, 1)
        arguments = ("floor", str(folder), str(folder / "journal"), "1", str(PERIOD_MS))
        with floors.process("_floor_server.py", *arguments) as server:
            assert server.stdout is not None
            told = msgspec.json.decode(server.stdout.readline())
            yield from asyncio.run(_attacked(names, told["url"], told["pid"], folder / "keys", load, floors))


async def _attacked(
    names: list[str], url: str, pid: int, keys: Path, load: ModuleType, floors: ModuleType
) -> list[Row]:
    rows, port = [], urlsplit(url).port
    async with _touching(url, keys, load) as touches:
        for number, name in enumerate(names, 2):
            attacker = subprocess.Popen(  # noqa: S603  It waits until it is told to begin.
                [sys.executable, str(ROOT / "_attacker.py"), name, str(port), str(ATTACKED_S), f"127.0.1.{number}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            assert attacker.stdin is not None
            assert attacker.stdout is not None
            await asyncio.to_thread(attacker.stdout.readline)
            quiet, idle = await _window(touches, QUIET_S, pid, floors)
            held = floors.memory_kb(pid) / 1024
            attacker.stdin.write(b"go\n")
            attacker.stdin.flush()
            attacked, busy = await _window(touches, ATTACKED_S, pid, floors)
            rows.append(row(f"attack_{name}_cpu", busy, "% of a core", idle))
            rows.append(row(f"attack_{name}_memory", floors.memory_kb(pid) / 1024, "MB", held))
            out, _ = await asyncio.to_thread(attacker.communicate, None, 60)
            became = msgspec.json.decode(out, type=dict[str, int])
            console(to_error=True).print(f"sabot: {name}: {became}", style="dim")
            for word, share in (("p50", 0.5), ("p99", 0.99)):
                figures = [floors.percentile(one, share) for one in (attacked, quiet)]
                rows.append(row(f"attack_{name}_touch_{word}", figures[0], "ms", figures[1]))
    return rows


async def _window(touches: list[float], seconds: float, pid: int, floors: ModuleType) -> tuple[list[float], float]:
    """The touches that were answered in so many seconds, and how busy the server was, in percent of a core."""
    touches.clear()
    before = floors.cpu_s(pid)
    await asyncio.sleep(seconds)
    return list(touches), (floors.cpu_s(pid) - before) / seconds * 100


@contextlib.asynccontextmanager
async def _touching(url: str, keys: Path, load: ModuleType) -> AsyncIterator[list[float]]:
    """Stations that touch all the time, and how long each touch took."""
    taken = load.Taken(until=math.inf)
    stations = await load.connected(url, sorted(keys.glob("*.pem"))[:STATIONS], taken)
    for station in stations:
        station.touch_every(EVERY_S)
    try:
        yield taken.touches
        assert not taken.wrong, taken.wrong[0]
    finally:
        taken.until = 0.0
        for station in stations:
            station.leave()
