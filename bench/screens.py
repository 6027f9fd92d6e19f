"""Frame times of a station's page in a real Chromium while a finger drags chips over the layout.

A finger moves once a frame, back and forth between the rack and the areas, at a table where wagering is open and with
chips lying on it. The baseline of each row is what is aimed at: sixty frames a second, and hardly ever one that is left
out. The same page at rest shows what the machine itself costs.
"""

import asyncio
import itertools
import sys
import tempfile
from collections.abc import Iterator
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
AIMED_MS = {"p50": 17.0, "p95": 34.0}
RECORD = """
    frames => new Promise(done => {
        const times = [];
        const frame = now => { times.push(now); times.length > frames ? done(times) : requestAnimationFrame(frame); };
        requestAnimationFrame(frame);
    })
"""


def measure() -> Iterator[Row]:
    for name, times in _measured().items():
        ordered = sorted(times)
        for percentile, aimed in AIMED_MS.items():
            place = int(len(ordered) * int(percentile[1:]) / 100)
            yield row(f"screens_{name}_{percentile}", ordered[place], "ms", aimed)


def _measured() -> dict[str, list[float]]:
    sys.path.insert(0, str(ROOT))  # The benchmark stands on the same ground as the tests.
    from tests.runtime.floors import table_for  # noqa: PLC0415
    from tests.screens import stage  # noqa: PLC0415
    from tests.screens.live_floor import SHOE, live_floor  # noqa: PLC0415
    from tests.screens.scene import DESK, scene_on  # noqa: PLC0415

    times: dict[str, list[float]] = {}

    async def play(browser: "Browser") -> None:
        async with scene_on(browser, floor) as scene:
            page = await scene.open("station", "A1", DESK)
            await scene.deal(*SHOE, {"do": "buy_in", "station": "A1", "cents": 1_000_000}, {"do": "open"})
            for bet in ("banker", "tie", "super_6"):
                await page.locator(f"[data-bet={bet}]").tap()
            times["dragging"] = await _dragging(page)
            times["resting"] = _apart(await page.evaluate(RECORD, FRAMES))

    table = table_for("crown-baccarat", stations=1, period_ms=600_000)
    with tempfile.TemporaryDirectory() as folder, live_floor(table, Path(folder)) as floor, stage.set_up() as chromium:
        chromium.play(play)
    return times


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
