"""What a patron sees and sets of the own play at a station, and how staff hear of a call."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from sabot.table.care.state import OwnLimitKind
from tests.runtime.floors import table_for
from tests.screens.live_floor import SHOE, LiveFloor, coup, live_floor
from tests.screens.scene import DESK, PHONE, area, expect_purse, open_page, overflow, scene_on, violations
from tests.screens.stage import Stage

BALANCE = 100_000
BANKER = ("2s", "3h", "3d", "3c", "Th")


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[LiveFloor]:
    with live_floor(table_for("crown-traditional", stations=2, period_ms=120_000), tmp_path) as live:
        yield live


@pytest.mark.clause("G-220", "G-221", "G-223")
def test_a_patron_sees_figures_and_sets_a_limit_and_a_break_by_touch(floor: LiveFloor, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            page = await scene.open("station", "A1", DESK)
            await scene.deal(*SHOE, {"do": "buy_in", "station": "A1", "cents": BALANCE}, {"do": "open"})
            await area(page, "player").tap()
            await expect(page.locator("[data-wagered='0']")).to_have_count(0)
            await scene.deal(*coup(*BANKER))
            lost = BALANCE - floor.state.purse("A1").balance
            await open_page(page, "play")
            await expect(page.locator("[data-coups]")).to_have_text("1")
            await expect(page.locator(f"[data-stay-net='{-lost}']")).to_be_visible()
            limit = page.locator("[data-own-limit=wager]")
            await limit.get_by_role("button", name="Change").tap()
            step = page.locator("[data-step]").first
            most = int(await step.get_attribute("data-step") or 0)
            await step.tap()
            assert await violations(page) == []
            await page.locator("[data-set-limit]").tap()
            await expect(limit.locator(f"[data-most='{most}']")).to_be_visible()
            assert floor.state.stations["A1"].care.limits[OwnLimitKind.WAGER].most == most
            await limit.get_by_role("button", name="Change").tap()
            await page.locator("[data-remove-limit]").tap()
            await expect(limit.locator("[data-waits]")).to_contain_text("no limit from")
            await page.locator("[data-break='15']").tap()
            await expect(page.get_by_text("It can be made longer")).to_be_visible()
            await page.set_viewport_size(PHONE)
            assert await overflow(page) <= 0
            await page.set_viewport_size(DESK)
            await page.get_by_role("button", name="Close").tap()
            await scene.deal({"do": "open"})
            await area(page, "banker").tap()
            await expect(page.locator("[data-remark]")).to_contain_text("you take a break until")
            await expect_purse(page, BALANCE - lost, 0)

    chromium.play(play)


@pytest.mark.clause("G-224", "CROWN 11.12")
def test_an_attendant_is_called_answered_and_served_and_a_query_needs_no_words(
    floor: LiveFloor, chromium: Stage
) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            page, console = await scene.open("station", "A1", DESK), await scene.open("console", viewport=DESK)
            await scene.deal(*SHOE, {"do": "buy_in", "station": "A1", "cents": BALANCE})
            await open_page(page, "attendant")
            await page.locator("[data-call-attendant]").tap()
            await expect(page.locator("[data-call=called]")).to_be_visible()
            await expect(console.locator("[data-alarm=alarm_called]")).to_be_visible()
            await expect(console.locator("[data-seat-call=called]")).to_be_visible()
            await scene.deal({"do": "answer_call", "station": "A1"})
            await expect(page.locator("[data-call=answered]")).to_contain_text("Service in progress")
            await expect(console.locator("[data-alarm=alarm_called]")).to_have_count(0)
            await scene.deal({"do": "end_call", "station": "A1"})
            await expect(page.locator("[data-call-attendant]")).to_be_visible()
            await page.get_by_role("button", name="Close").tap()
            await open_page(page, "query")
            await page.locator("[data-reason=wrong_total]").tap()
            await page.get_by_role("button", name="Send the query").tap()
            await expect(page.get_by_text("Your query is on record.")).to_be_visible()
            assert floor.state.cases[1].reason == "wrong_total"

    chromium.play(play)
