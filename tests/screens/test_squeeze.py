"""Squeezing at a station: whose hand lies face down there, how it is turned, and that nothing waits for it."""

from pathlib import Path

import msgspec
import pytest
from playwright.async_api import Browser, Page, expect

from tests.runtime.floors import table_for
from tests.screens.live_floor import SHOE, Line, live_floor
from tests.screens.patron import drag_by_touch
from tests.screens.scene import TV, area, scene_on, standing, violations
from tests.screens.stage import Stage

BUY_INS: tuple[Line, ...] = tuple({"do": "buy_in", "station": name, "cents": 100_000} for name in ("A1", "A2"))


def _cards(*cards: str) -> tuple[Line, ...]:
    return tuple({"do": "card", "card": card} for card in cards)


async def _wagers(page: Page, bet: str, *, chips: int = 1) -> None:
    for count in range(1, chips + 1):
        await area(page, bet).tap()
        await expect(standing(page, bet)).to_have_text(str(25 * count))


@pytest.mark.clause("CROWN 8.3.3")
def test_the_largest_wager_turns_the_cards_of_its_hand_and_nothing_waits_for_it(
    tmp_path: Path, chromium: Stage
) -> None:
    table = msgspec.structs.replace(table_for("crown-baccarat", stations=2, period_ms=600_000), squeeze=True)
    with live_floor(table, tmp_path) as floor:

        async def play(browser: Browser) -> None:
            async with scene_on(browser, floor) as scene:
                lively, calm = await scene.open("station", "A1", TV, moving=True), await scene.open("station", "A2")
                await scene.deal(*SHOE, *BUY_INS, {"do": "open"})
                await _wagers(lively, "player", chips=2)
                await _wagers(calm, "player")
                await _wagers(calm, "banker")
                await scene.deal({"do": "close"})
                await expect(lively.locator("[data-squeeze]")).to_be_visible()

                await scene.deal(*_cards("2s", "4h", "3d", "3c"))
                player, covered = lively.locator(".hand.player"), lively.locator("[data-covered]")
                await expect(lively.locator(".hand.banker .points")).to_have_text("7")
                await expect(covered).to_have_count(2)
                await expect(player.locator("[data-card]")).to_have_count(0)
                await expect(player.locator(".points")).to_have_text("–")
                # This patron has the largest wager on Banker, and the device asks for less motion.
                await expect(calm.locator(".hand [data-card]")).to_have_count(4)
                assert await violations(lively) == []

                await drag_by_touch(covered.first, lively.locator(".hand.player .points"))
                await expect(player.locator("[data-card]")).to_have_count(1)
                await covered.press("Enter")
                await expect(player.locator(".points")).to_have_text("5")

                await scene.deal(*_cards("8s"))
                await expect(covered).to_have_count(1)
                await expect(player.locator(".points")).to_have_text("–")
                await scene.deal({"do": "confirm"})
                await expect(covered).to_have_count(0)
                await expect(player.locator(".points")).to_have_text("3")
                await expect(lively.locator(".coup [data-result]")).to_be_visible()

        chromium.play(play)
