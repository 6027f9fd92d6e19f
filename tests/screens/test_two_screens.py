"""A station of two screens: the lower window holds the connection, the upper one shows what that is told."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.screens.live_floor import SHOE, LiveFloor, coup, live_floor
from tests.screens.measures import Size, flaws
from tests.screens.scene import DESK, area, choose_language, expect_purse, foreign_words, scene_on, violations
from tests.screens.stage import Stage
from tests.screens.test_station import BALANCE, limited_table
from tests.screens.test_tour import PRESCRIBED

SIZE = Size(DESK, 14, frozenset())


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[LiveFloor]:
    with live_floor(limited_table(period_ms=600_000), tmp_path) as live:
        yield live


def test_the_upper_screen_follows_the_lower_one_which_alone_can_be_touched(floor: LiveFloor, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            lower = await scene.open("station", "A1", DESK)
            await lower.goto(f"{floor.url}/station?screen=lower")
            upper = await lower.context.new_page()
            await upper.set_viewport_size(DESK)
            await upper.goto(f"{floor.url}/station?screen=upper")
            await scene.deal(*SHOE, {"do": "buy_in", "station": "A1", "cents": BALANCE}, {"do": "open"})
            await expect(upper.locator("[data-announcement=place_your_bets]")).to_be_visible()
            left = [int(await page.get_by_role("timer").inner_text()) for page in (lower, upper)]
            assert abs(left[0] - left[1]) <= 2
            await area(lower, "banker").tap()
            await expect_purse(lower, BALANCE - 2_500, 2_500)
            await scene.deal(*coup("2s", "4h", "3d", "3c", "8s"))
            await expect(upper.locator("[data-result=banker]")).to_have_text("Coup 1: Banker wins 7 to 3")
            await expect(upper.locator(".hand [data-card]")).to_have_count(5)
            await expect(upper.locator("[data-bead]").first).to_be_visible()
            await expect(upper.locator("button, input, a")).to_have_count(0)
            await expect(lower.locator(".hand, [data-bead]")).to_have_count(0)
            for page in (lower, upper):
                assert await flaws(page, SIZE, scrolls=False) == []
                assert await violations(page) == []
            await choose_language(lower, "zh")
            await expect(upper.locator("html[lang=zh-CN]")).to_be_visible()
            for page in (lower, upper):
                assert await foreign_words(page, PRESCRIBED) == []
            await upper.reload()
            await expect(upper.locator("[data-result=banker]")).to_be_visible()
            await lower.close()
            await expect(upper.locator("[data-standing=connecting]")).to_be_visible()

    chromium.play(play)
