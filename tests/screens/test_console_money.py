"""Money at the console: whom to pay until it is paid, what an act does before it is done, what can be taken back."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.runtime.floors import table_for
from tests.screens.console_scene import close_sheet, show_who
from tests.screens.live_floor import SHOE, LiveFloor, live_floor
from tests.screens.scene import DESK, Scene, overflow, scene_on, violations
from tests.screens.stage import Stage

BOUGHT_IN = 140_000


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[LiveFloor]:
    with live_floor(table_for("crown-traditional", stations=2, period_ms=600_000), tmp_path) as live:
        live.deal(*SHOE, *({"do": "buy_in", "station": name, "cents": BOUGHT_IN} for name in ("A1", "A2")))
        yield live


@asynccontextmanager
async def _console(browser: Browser, floor: LiveFloor) -> AsyncIterator[tuple[Scene, Page]]:
    async with scene_on(browser, floor) as scene:
        page = await scene.open("console", viewport=DESK)
        await show_who(page, "D1")
        await expect(page.locator(".head .people")).to_contain_text("D1")
        yield scene, page


@pytest.mark.clause("CROWN 6.7.1")
def test_whom_to_pay_stands_there_until_the_dealer_says_paid_and_can_be_shown_again(
    chromium: Stage, floor: LiveFloor
) -> None:
    """Also after a reload and for another person; the patron may stay; one key and Enter say that it is paid."""

    async def scene(browser: Browser) -> None:
        async with _console(browser, floor) as (dealt, page):
            card = page.locator(".pay-band [data-pay]")
            await dealt.deal({"do": "leave", "station": "A1"}, {"do": "leave", "station": "A2"})
            await expect(card).to_contain_text("Pay A1 1,400.00 in chips")
            await page.reload()
            await expect(card).to_contain_text("Pay A1 1,400.00 in chips")
            await show_who(page, "GS1")
            await card.locator("[data-verb=stay]").click()
            await expect(card).to_contain_text("Pay A2 1,400.00 in chips")
            assert floor.state.purse("A1").balance == BOUGHT_IN
            assert await violations(page) == []

            await page.keyboard.press("p")
            await expect(page.locator("[data-sheet-open=payments] .paid")).to_be_focused()
            assert floor.state.stations["A2"].is_open
            await page.keyboard.press("Enter")
            await expect(page.locator("[data-paid=A2]")).to_be_visible()
            await expect(page.locator("[data-pay]")).to_have_count(0)
            await page.reload()
            await show_who(page, "D1")
            await page.locator(".bar [data-sheet=payments]").click()
            await page.locator("[data-paid=A2] button").click()
            await expect(page.locator("[data-paid-again]")).to_contain_text("A2 was paid 1,400.00 in chips GS1")
            assert await violations(page) == []
            await close_sheet(page)
            assert await overflow(page) <= 0

    chromium.play(scene)
