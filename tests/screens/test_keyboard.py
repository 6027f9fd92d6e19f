"""A coup, and what a patron may do beside it, by the keyboard alone, at a station of several tables."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from sabot.rules.rule_set import Bet
from sabot.table.care.state import OwnLimitKind
from tests.runtime.floors import table_for
from tests.screens.live_floor import LiveFloor, coup, live_floor
from tests.screens.scene import expect_purse, press, scene_on, tab_to
from tests.screens.stage import Stage
from tests.screens.test_stadium import BALANCE, BANKER, CHIP, PLACES, in_play, terminal


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[LiveFloor]:
    tables = [table_for("crown-baccarat", period_ms=600_000, name=name) for name in PLACES]
    with live_floor(tables[0], tmp_path, *tables[1:]) as live:
        live.deal(*in_play("T1", {"do": "open"}))
        yield live


async def _menu(page: Page, entry: str) -> None:
    await press(page, "[data-menu]")
    await press(page, f"nav [data-opens={entry}]")
    await expect(page.locator("nav [data-opens]")).to_have_count(0)


async def _close(page: Page) -> None:
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog")).to_have_count(0)


async def _wager_save_and_lay(page: Page) -> None:
    """Two chips of the next denomination on Banker, what the bet pays, a favourite saved and laid again."""
    await tab_to(page, "[role=radio][aria-checked=true]")
    await press(page, "[data-bet=banker]")
    await press(page, "[data-bet=banker]", "Space")
    await expect_purse(page, BALANCE - 2 * CHIP, 2 * CHIP)
    await page.keyboard.press("i")
    await expect(page.locator("[data-sheet-of=banker] [data-figure=house_edge]")).to_be_visible()
    await _close(page)
    await _menu(page, "favourites")
    await press(page, "[data-place='1'] [data-save]")
    await _close(page)
    await press(page, ".controls button:nth-child(2)")
    await expect_purse(page, BALANCE, 0)
    await _menu(page, "favourites")
    await press(page, "[data-place='1'] [data-lay]")
    await expect_purse(page, BALANCE - 2 * CHIP, 2 * CHIP)


async def _look_limit_query_and_leave(page: Page, floor: LiveFloor) -> None:
    await press(page, ".purse button")
    await expect(page.get_by_role("dialog")).to_contain_text("CROWN 10.1 Crown Banker")
    await _close(page)
    await _menu(page, "play")
    await press(page, "[data-own-limit=wager] button")
    await press(page, "[data-step]")
    await press(page, "[data-set-limit]")
    await expect(page.locator("[data-own-limit=wager] [data-most='0']")).to_have_count(0)
    assert OwnLimitKind.WAGER in floor.state.stations["A1"].care.limits
    await _close(page)
    await _menu(page, "query")
    await press(page, "[data-reason=wrong_total]")
    await press(page, "dialog [type=submit]")
    await expect(page.get_by_text("Your query is on record.")).to_be_visible()
    await _close(page)
    await _menu(page, "leave")
    await press(page, "dialog .choices button:last-child")
    await expect(page.locator("dialog")).to_have_count(0)


def test_a_coup_and_everything_beside_it_by_the_keyboard_alone(floor: LiveFloor, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene, terminal(scene, floor) as shown:
            page = shown.page
            await press(page, "[data-tile=T1], [data-tile=T1] button")
            await expect(page.locator("main[data-phase=wagering]")).to_be_visible()
            await _wager_save_and_lay(page)
            assert floor.state.purse("A1").layout == {Bet("banker"): 2 * CHIP}
            await scene.deal(*coup(*BANKER))
            await expect(page.locator("[data-outcome]")).to_be_visible()
            await _look_limit_query_and_leave(page, floor)
            assert floor.state.stations["A1"].leaving

    chromium.play(play)
