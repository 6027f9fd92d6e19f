"""What a station's page costs in a real Chromium that draws in software: bytes, first paint, CPU and frame times.

The bytes are all that comes over the wire from an empty cache to a table where wagering is open. CPU is what all
processes of the browser take, as a share of a core: at a table between coups, during a countdown that nobody uses, and
while a patron lays or lifts chips every second. Frame times are those while a finger drags a chip once a frame, back
and forth between the rack and the areas; the same page at rest shows what the machine itself costs. The baseline of
each row is what is aimed at.
"""

import asyncio
import itertools
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sabot.cli.stopwatch import Row, row

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent
FRAMES = 240
STEPS = 30
"""From the rack to the end of the layout."""
FRAME_S = 1 / 60
CPU_S = 8.0
AIMED_CPU = {"idle": 3.0, "countdown": 10.0, "wagering": 10.0}
"""In hundredths of a core."""
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
AIMED_MS = {"p50": 17.0, "p95": 34.0}
RECORD = """
    frames => new Promise(done => {
        const times = [];
        const frame = now => { times.push(now); times.length > frames ? done(times) : requestAnimationFrame(frame); };
        requestAnimationFrame(frame);
    })
"""


def measure() -> Iterator[Row]:
    measured = _measured()
    yield row("screens_station_bytes", measured.bytes, "kB", 150.0)
    yield row("screens_first_paint", measured.first_paint_ms, "ms", 1000.0, on_clock=True)
    for name, share in measured.cpu.items():
        yield row(f"screens_cpu_{name}", 100 * share, "% of a core", AIMED_CPU[name], on_clock=True)
    for name, times in measured.frames.items():
        ordered = sorted(times)
        for percentile, aimed in AIMED_MS.items():
            place = int(len(ordered) * int(percentile[1:]) / 100)
            yield row(f"screens_{name}_{percentile}", ordered[place], "ms", aimed, on_clock=True)


@dataclass
class Measured:
    bytes: float = 0.0
    first_paint_ms: float = 0.0
    cpu: dict[str, float] = field(default_factory=dict)
    frames: dict[str, list[float]] = field(default_factory=dict)


def _measured() -> Measured:
    sys.path[:0] = [str(ROOT), str(ROOT / "bench")]  # The benchmark stands on the same ground as the tests.
    from _browser import cpu_share  # noqa: PLC0415  Only where it is.

    from tests.runtime.floors import table_for  # noqa: PLC0415
    from tests.screens import stage  # noqa: PLC0415
    from tests.screens.live_floor import SHOE, live_floor  # noqa: PLC0415
    from tests.screens.scales import Scales  # noqa: PLC0415
    from tests.screens.scene import TV, scene_on  # noqa: PLC0415

    measured = Measured()

    async def play(browser: "Browser") -> None:
        async with scene_on(browser, floor) as scene:
            page = await scene.open_empty(TV, moving=True)
            scales = Scales(page)
            await scene.enter(page, "station", "A1")
            measured.first_paint_ms = await page.evaluate(FIRST_PAINT)
            await scene.deal(*SHOE, {"do": "buy_in", "station": "A1", "cents": 1_000_000})
            measured.cpu["idle"] = await cpu_share(browser, asyncio.sleep(CPU_S))
            await scene.deal({"do": "open"})
            measured.cpu["countdown"] = await cpu_share(browser, asyncio.sleep(CPU_S))
            measured.bytes = await scales.weight() / 1000
            measured.cpu["wagering"] = await cpu_share(browser, _wagering(page))
            measured.frames["dragging"] = await _dragging(page)
            measured.frames["resting"] = _apart(await page.evaluate(RECORD, FRAMES))

    table = table_for("crown-baccarat", stations=1, period_ms=60_000)
    with tempfile.TemporaryDirectory() as folder, live_floor(table, Path(folder)) as floor, stage.set_up() as chromium:
        chromium.play(play)
    return measured


async def _wagering(page: "Page") -> None:
    """With a touch every second: on three areas, then on the button that clears them."""
    from tests.screens.patron import middle, touch  # noqa: PLC0415

    areas = [page.locator(f"[data-bet={bet}]") for bet in ("banker", "tie", "super_6")]
    places = [await middle(one) for one in (*areas, page.locator(".controls button").nth(1))]
    session = await page.context.new_cdp_session(page)

    for second in range(int(CPU_S)):
        await touch(session, "touchStart", places[second % len(places)])
        await touch(session, "touchEnd", None)
        await asyncio.sleep(1)


async def _dragging(page: "Page") -> list[float]:
    """A chip of the rack is carried to the upper end of the layout and back until all frames are seen."""
    from tests.screens.patron import middle, touch  # noqa: PLC0415

    rack, far = await middle(page.get_by_role("radio").first), await middle(page.locator("[data-bet=banker_pair]"))
    session = await page.context.new_cdp_session(page)
    await touch(session, "touchStart", rack)
    recording = asyncio.create_task(page.evaluate(RECORD, FRAMES))
    step = 0
    while not recording.done():
        step += 1
        way = abs(step % (2 * STEPS) - STEPS) / STEPS
        await touch(session, "touchMove", [a + (b - a) * way for a, b in zip(rack, far, strict=True)])
        await asyncio.sleep(FRAME_S)
    assert await page.locator(".dragged").count() == 1, "the chip is still in the air"
    await touch(session, "touchEnd", None)
    return _apart(await recording)


def _apart(times: list[float]) -> list[float]:
    return [later - sooner for sooner, later in itertools.pairwise(times)]
