"""What a patron sees and sets of the own play at a station, and how staff hear of a call."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, expect

from sabot.table.care.state import OwnLimitKind
from sabot.table.configuration import CarePart
from tests.runtime.floors import table_for
from tests.screens.live_floor import SHOE, LiveFloor, coup, live_floor
from tests.screens.measures import Size, flaws
from tests.screens.scene import (
    DESK,
    LANGUAGES,
    PHONE,
    area,
    expect_purse,
    foreign_words,
    open_page,
    overflow,
    scene_on,
    violations,
)
from tests.screens.stage import Stage
from tests.screens.test_tour import PRESCRIBED

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


@pytest.mark.clause("G-222")
def test_time_and_money_come_between_coups_and_stay_until_the_patron_goes_on_or_leaves(
    tmp_path: Path, chromium: Stage
) -> None:
    """Never over a wager, and with the countdown where one runs; through Escape, a touch beside it and a reload."""
    table = replace(
        table_for("crown-traditional", stations=2, period_ms=600_000), care=CarePart(reality_check_minutes=1)
    )

    async def play(browser: Browser) -> None:
        async with scene_on(browser, live) as scene:
            page = await scene.open("station", "A1", DESK)
            sheet, timer = page.locator("[data-check]"), page.get_by_role("timer")
            await scene.deal(*SHOE, {"do": "buy_in", "station": "A1", "cents": BALANCE}, {"do": "open"})
            await area(page, "player").tap()
            await expect_purse(page, BALANCE - 2_500, 2_500)
            live.let_pass(61_000)
            await page.reload()
            await expect(timer).to_have_text(re.compile(r"^\s*5[0-3]\d$"))
            await expect(sheet).to_have_count(0)
            await scene.deal(*coup(*BANKER))
            await expect(sheet.locator("[data-coups]")).to_have_text("1")
            await expect(sheet.locator("[data-stay-net='-2500']")).to_be_visible()
            await expect(sheet.locator("[data-played]")).to_contain_text("1 min")
            assert await violations(page, "[data-check]") == []
            await page.keyboard.press("Escape")
            await page.mouse.click(5, 5)
            await scene.deal({"do": "open"})
            await expect(sheet.get_by_role("timer")).to_be_visible()
            await page.evaluate("code => localStorage.setItem('sabot language', code)", LANGUAGES[-1]["code"])
            await page.reload()
            await expect(sheet.get_by_role("timer")).to_be_visible()
            assert await foreign_words(page, PRESCRIBED) == []
            for viewport in (DESK, PHONE):
                assert await flaws(page, Size(viewport, 12, frozenset()), scrolls=False) == []
            await page.locator("[data-go-on]").tap()
            await expect(sheet).to_have_count(0)
            await area(page, "player").tap()
            await expect_purse(page, BALANCE - 2 * 2_500, 2_500)
            live.let_pass(61_000)
            await scene.deal(*coup(*BANKER))
            await expect(sheet.locator("[data-coups]")).to_have_text("2")
            await sheet.locator("[data-leave]").tap()
            await expect(sheet).to_have_count(0)
            await expect(page.get_by_role("dialog")).to_be_visible()

    with live_floor(table, tmp_path) as live:
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
