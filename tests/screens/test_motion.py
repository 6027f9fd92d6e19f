"""What moves at a station: cards from the shoe, chips to the areas and back, where the device allows it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.runtime.floors import table_for
from tests.screens.live_floor import SHOE, LiveFloor, coup, live_floor
from tests.screens.scene import TV, area, scene_on, standing
from tests.screens.stage import Stage

LONGEST_MS = 300
RECORD = """
    window.moved = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        const kinds = { chip: "[data-flying]", card: ".card", face: "svg" };
        const what = Object.keys(kinds).find(kind => this.matches(kinds[kind]));
        const touchable = getComputedStyle(this).pointerEvents !== "none";
        if (what) window.moved.push({ what, ms: timing.duration, frames, touchable });
        return animate.call(this, frames, timing);
    };
"""


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[LiveFloor]:
    with live_floor(table_for("crown-baccarat", stations=2, period_ms=600_000), tmp_path) as live:
        yield live


def test_cards_and_chips_move_for_less_than_300_ms_and_not_at_all_where_calm_is_asked_for(
    floor: LiveFloor, chromium: Stage
) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            lively, calm = await scene.open_empty(TV, moving=True), await scene.open_empty(TV)
            for name, page in (("A1", lively), ("A2", calm)):
                await page.add_init_script(RECORD)
                await scene.enter(page, "station", name)
            buy_ins = [{"do": "buy_in", "station": name, "cents": 100_000} for name in ("A1", "A2")]
            await scene.deal(*SHOE, *buy_ins, {"do": "open"})
            for page in (lively, calm):
                await area(page, "banker").tap()
                await expect(standing(page, "banker")).to_have_text("25")
            assert [one["what"] for one in await _moved(lively)] == ["chip"], "to the area"
            await lively.locator(".controls button").nth(1).tap()
            await expect(standing(lively, "banker")).to_have_count(0)
            await area(lively, "banker").tap()
            await expect(standing(lively, "banker")).to_have_text("25")
            assert [one["what"] for one in await _moved(lively)] == ["chip"] * 3, "back, and to the area again"
            await area(lively, "player_pair").tap()
            await expect(standing(lively, "player_pair")).to_have_text("25")
            await scene.deal(*coup("2s", "4h", "3d", "3c", "8s"))
            for page in (lively, calm):
                await expect(page.locator("[data-outcome=win]")).to_be_visible()
            await expect(lively.locator("[data-flying]")).to_have_count(0)
            moved = await _moved(lively)
            assert [one["what"] for one in moved].count("chip") == 5, "and what was won, from the dealer's side"
            assert [one["what"] for one in moved].count("card") == 5
            turned = [one["frames"][-1]["transform"] for one in moved if one["what"] == "face"]
            assert sorted(turned) == ["rotate(0deg)"] * 4 + ["rotate(90deg)"]
            assert all(one["ms"] < LONGEST_MS for one in moved)
            assert all(not one["touchable"] for one in moved if one["what"] == "chip")
            assert await _moved(calm) == []

    chromium.play(play)


async def _moved(page: Page) -> list[dict[str, Any]]:
    moved: list[dict[str, Any]] = await page.evaluate("window.moved")
    return moved
