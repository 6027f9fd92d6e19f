"""The display in a real browser: what all at the table see from afar."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.runtime.floors import table_for, until, wall_ms
from tests.screens.live_floor import SHOE, LiveFloor, coup, live_floor
from tests.screens.scene import TV, area, overflow, scene_on, standing, violations
from tests.screens.stage import Stage

GLYPHS = ".hand .points, .hand h2, [data-result]"
FONT_SIZES = "all => all.map(one => parseFloat(getComputedStyle(one).fontSize))"
COUPS = (("9s", "9h", "9d", "2c"), ("3s", "2h", "3d", "4c"), ("9s", "2h", "9d", "3c"), ("2s", "4h", "3d", "3c", "8s"))
LONG_AFTER_MS = wall_ms() + 365 * 24 * 60 * 60 * 1000
LEAST_SHARE = 0.04
"""Of the screen's height, so that it is read from across the table."""


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[LiveFloor]:
    with live_floor(table_for("crown-baccarat", stations=2, period_ms=120_000), tmp_path) as live:
        yield live


@pytest.mark.clause('CROWN 1.1 "WND"', "CROWN 5.1", "CROWN 7.1", "CROWN 11.8.3")
def test_the_display_shows_cards_result_roads_limits_and_notices(floor: LiveFloor, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            display, station = await scene.open("display"), await scene.open("station", "A1")
            await scene.deal(*SHOE, {"do": "buy_in", "station": "A1", "cents": 100_000})
            for cards in COUPS:
                await scene.deal({"do": "open"})
                await area(station, "banker").tap()
                await expect(standing(station, "banker")).to_have_text("25")
                await expect(display.get_by_role("timer")).to_be_visible()
                await scene.deal(*coup(*cards))
                await expect(standing(station, "banker")).to_have_count(0)
            await expect(display.locator("[data-result]")).to_have_text("Coup 4: Banker wins 7 to 3")
            await expect(display.locator("[data-card]")).to_have_count(5)
            beads = display.locator("figure:has(figcaption:text('Bead plate')) [data-bead]")
            await expect(beads).to_have_count(4)
            assert await beads.evaluate_all("all => all.map(one => one.dataset.bead)") == ["P", "T", "P", "B"]
            for bet in ("player", "banker", "tie", "super_6", "player_dragon_bonus"):
                await expect(display.locator(f"[data-limits={bet}]")).to_be_visible()
            await expect(display.locator("[data-notice=version_notice]")).to_contain_text("CROWN 7.1")
            sizes = await display.locator(GLYPHS).evaluate_all(FONT_SIZES)
            assert len(sizes) == 5
            assert min(sizes) >= LEAST_SHARE * TV["height"]
            assert await violations(display) == []
            assert await overflow(display) <= 0
            await scene.deal({"do": "sign_on", "by": "CS1"}, {"do": "freeze", "by": "CS1"})
            await expect(display.locator("[data-notice=frozen]")).to_be_visible()
            await expect(station.locator("[data-state=frozen]")).to_contain_text("FROZEN")

    chromium.play(play)


@pytest.mark.clause("CROWN 5.1", "CROWN 5.2")
def test_the_pages_tell_which_signs_they_show(floor: LiveFloor, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            await scene.open("display")
            await scene.open("station", "A1")
            await until(lambda: floor.state.signs.keys() == {"display", "A1"})
            notice = {"do": "notice", "kind": "minimum", "bet": "player", "cents": 5_000, "from_ms": LONG_AFTER_MS}
            await scene.deal(*SHOE, notice)
            await until(lambda: all(floor.state.notices[0].late.get(one) for one in ("display", "A1")))

    chromium.play(play)


@pytest.mark.clause("CROWN 11.4", 'CROWN 1.1 "WND"')
def test_a_void_coup_is_told_across_every_page_and_the_result_before_it_is_dimmed(
    floor: LiveFloor, chromium: Stage
) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            display, station = await scene.open("display"), await scene.open("station", "A1")
            console = await scene.open("console")
            pages = (display, station, console)
            await scene.deal(*SHOE, {"do": "buy_in", "station": "A1", "cents": 100_000}, {"do": "open"})
            await area(station, "banker").tap()
            await expect(standing(station, "banker")).to_have_text("25")
            await scene.deal(*coup(*COUPS[0]))
            for page in pages:
                await expect(page.locator("[data-result]")).to_have_text(re.compile("^Coup 1: "))
                await expect(page.locator("[data-result]")).not_to_have_class(re.compile("past"))
            await scene.deal({"do": "open"})
            for page in pages:
                await expect(page.locator("main[data-phase=wagering]")).to_be_visible()
                await expect(page.locator(".hand [data-card]")).to_have_count(0)
            await expect(display.locator("[data-result-coup='1']")).to_have_class(re.compile("past"))
            await scene.deal({"do": "close"}, {"do": "void"})
            for page in pages:
                state = page.locator("[data-state=void_coup]")
                await expect(state).to_contain_text("VOID")
                await expect(state).to_contain_text("Coup 2")
                box, width = await state.bounding_box(), await page.evaluate("innerWidth")
                assert box is not None
                assert box["width"] > 0.6 * width
                await expect(page.locator("[data-result-coup='1']")).to_have_class(re.compile("past"))
                assert await violations(page) == []

    chromium.play(play)


@pytest.mark.clause("CROWN 11.8.3")
def test_a_dummy_coup_is_announced_everywhere_and_leaves_the_roads_alone(floor: LiveFloor, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            display, station = await scene.open("display"), await scene.open("station", "A1")
            await scene.deal(*SHOE, {"do": "open"}, {"do": "close"}, {"do": "card", "card": "9s"})
            for page in (display, station):
                await expect(page.locator("[data-notice=dummy_coup]")).to_contain_text("DUMMY COUP — NO WAGERS")
            await scene.deal(*({"do": "card", "card": card} for card in ("9h", "9d", "2c")), {"do": "confirm"})
            for page in (display, station):
                await expect(page.locator("[data-notice=dummy_coup]")).to_have_count(0)
                await expect(page.locator("[data-bead]")).to_have_count(0)

    chromium.play(play)
