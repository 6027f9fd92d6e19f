"""The smallest station: its chips keep clear of the keys beside them, whatever the balance."""

from pathlib import Path

from playwright.async_api import Browser, ViewportSize

from tests.screens.configurations import crown
from tests.screens.live_floor import SHOE, live_floor
from tests.screens.scene import expect_purse, scene_on
from tests.screens.stage import Stage

SMALLEST = ViewportSize(width=1024, height=600)
MILLION = 100_000_000
APART_PX = 3.5
GAPS = """
    () => {
        const boxes = [...document.querySelectorAll("footer button")].map(one => one.getBoundingClientRect());
        boxes.sort((one, other) => one.left - other.left);
        return boxes.slice(1).map((box, place) => box.left - boxes[place].right);
    }
"""


def test_chips_have_room_beside_a_large_balance(tmp_path: Path, chromium: Stage) -> None:
    with live_floor(crown(), tmp_path) as floor:

        async def play(browser: Browser) -> None:
            async with scene_on(browser, floor) as scene:
                page = await scene.open("station", "A1", SMALLEST)
                await scene.deal(*SHOE, {"do": "buy_in", "station": "A1", "cents": MILLION})
                await expect_purse(page, MILLION, 0)
                assert await page.locator(".rack button").count() == 5
                gaps = await page.evaluate(GAPS)
                assert min(gaps) >= APART_PX, gaps

        chromium.play(play)
