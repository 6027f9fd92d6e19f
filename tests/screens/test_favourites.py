"""What a patron arranges at a station: the chips in the rack, saved layouts, and repeats ordered ahead."""

from pathlib import Path

import msgspec
import pytest
from playwright.async_api import Browser, Page, expect

from sabot.table.configuration import Configuration
from tests.runtime.floors import table_for
from tests.screens.live_floor import SHOE, Line, coup, live_floor
from tests.screens.scene import DESK, PHONE, area, drag, expect_purse, overflow, scene_on, small_targets, violations
from tests.screens.stage import Stage

BALANCE = 100_000
BOUGHT_IN: tuple[Line, ...] = ({"do": "buy_in", "station": "A1", "cents": BALANCE},)
TIE = ("3s", "2h", "3d", "4c")
PLAYER_SEVEN = ("4s", "2h", "3d", "3c", "8h")


def _table(most_repeats: int = 20) -> Configuration:
    table = table_for("crown-baccarat", stations=2, period_ms=120_000)
    return msgspec.structs.replace(table, smallest_chip=500, most_repeats=most_repeats)


async def _lies(page: Page, wagers: dict[str, int]) -> None:
    await expect(page.locator(".chips > .stack:not(.pending) .amount")).to_have_count(len(wagers))
    for bet, cents in wagers.items():
        amount = area(page, bet).locator(".chips > .stack:not(.pending) .amount")
        await expect(amount).to_have_text(f"{cents // 100:,}")


async def _opened(page: Page) -> None:
    await page.locator("[data-opens=favourites]").click()
    await expect(page.locator("[data-place]")).to_have_count(3)


async def _closed(page: Page) -> None:
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog")).to_have_count(0)


async def _order(page: Page, coups: int) -> None:
    await _opened(page)
    await expect(page.locator("[data-repeats-offered]")).to_be_visible()
    for _ in range(5 - coups):
        await page.locator("[data-fewer]").click()
    await page.locator("[data-begin]").click()
    await expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.clause("CROWN 4.2.2")
def test_layouts_and_chips_are_kept_for_the_patron_and_gone_with_the_session(tmp_path: Path, chromium: Stage) -> None:
    with live_floor(_table(most_repeats=0), tmp_path) as floor:

        async def play(browser: Browser) -> None:
            async with scene_on(browser, floor) as scene:
                page = await scene.open("station", "A1", viewport=DESK)
                await scene.deal(*SHOE, *BOUGHT_IN, {"do": "open"})
                await area(page, "banker").click()
                await area(page, "tie").click()
                await _lies(page, {"banker": 2_500, "tie": 2_500})
                await _opened(page)
                await expect(page.locator("[data-place='1'] [data-lay]")).to_be_disabled()
                await page.locator("[data-place='1'] [data-save]").click()
                await expect(page.locator("[data-repeats-offered]")).to_have_count(0)  # The house has turned them off.
                await page.locator("dialog").get_by_role("switch", name="Chip 5", exact=True).click()
                assert await violations(page) == []
                assert await small_targets(page, 48) == []
                await _closed(page)
                await page.get_by_role("button", name="Clear").click()
                await expect_purse(page, BALANCE, 0)
                await _opened(page)
                await page.locator("[data-place='1'] [data-lay]").click()
                await _lies(page, {"banker": 2_500, "tie": 2_500})
                assert dict(floor.state.purse("A1").layout) == {"banker": 2_500, "tie": 2_500}
                await expect(page.get_by_role("radio", name="Chip 5", exact=True)).to_have_count(0)
                await page.reload()
                await _opened(page)
                await expect(page.locator("[data-place='1'] .amount")).to_have_text("50")
                await _closed(page)
                await expect(page.get_by_role("radio", name="Chip 5", exact=True)).to_have_count(0)
                leaves: tuple[Line, ...] = ({"do": "leave", "station": "A1"}, {"do": "pay", "station": "A1"})
                await scene.deal(*coup(*TIE), *leaves, *BOUGHT_IN)
                await expect_purse(page, BALANCE, 0)
                await expect(page.get_by_role("radio", name="Chip 5", exact=True)).to_be_visible()
                await _opened(page)
                await expect(page.locator("[data-place] .amount")).to_have_count(0)

        chromium.play(play)


@pytest.mark.clause("CROWN 4.9")
def test_repeats_lay_the_same_in_each_coup_and_end_by_a_touch_news_or_a_reload(tmp_path: Path, chromium: Stage) -> None:
    with live_floor(_table(), tmp_path) as floor:

        async def play(browser: Browser) -> None:
            async with scene_on(browser, floor) as scene:
                page = await scene.open("station", "A1", viewport=PHONE)
                await scene.deal(*SHOE, *BOUGHT_IN, {"do": "open"})
                running, ended = page.locator("[data-repeats]"), page.locator("[data-repeats-ended]")
                await area(page, "tie").click()
                await _lies(page, {"tie": 2_500})
                await _order(page, 2)
                await expect(running).to_have_text("Repeats 2 more coups — touch to stop")
                assert await overflow(page) == 0
                await scene.deal(*coup(*TIE), {"do": "open"})
                await _lies(page, {"tie": 2_500})
                await expect(running).to_have_text("Repeats 1 more coup — touch to stop")
                await scene.deal(*coup(*TIE), {"do": "open"})
                await _lies(page, {"tie": 2_500})
                await expect(running).to_have_count(0)  # The last of them lies there.
                await scene.deal(*coup(*PLAYER_SEVEN), {"do": "open"})
                await expect(page.locator("main[data-phase=wagering]")).to_be_visible()
                await _lies(page, {})

                await area(page, "player").click()
                await _lies(page, {"player": 2_500})
                await _order(page, 5)
                await expect(running).to_be_visible()
                await drag(page, page.get_by_role("radio", name="Chip 25", exact=True), area(page, "tie"))
                await expect(running).to_have_count(0)  # By the touch.
                await _order(page, 5)
                await running.click()
                await expect(running).to_have_count(0)
                await _order(page, 5)
                await scene.deal({"do": "freeze", "by": "GS1"})
                await expect(ended).to_have_attribute("data-repeats-ended", "news")
                await scene.deal({"do": "unfreeze", "by": "GS1"}, *coup(*TIE), {"do": "open"})
                await expect(page.locator("main[data-phase=wagering]")).to_be_visible()
                await _lies(page, {})

                await area(page, "tie").click()
                await _lies(page, {"tie": 2_500})
                await _order(page, 5)
                await page.reload()
                await _lies(page, {"tie": 2_500})
                await expect(running).to_have_count(0)
                await scene.deal(*coup(*TIE), {"do": "open"})
                await expect(page.locator(".controls button")).to_have_count(4)
                assert floor.state.purse("A1").layout == {}

        chromium.play(play)
