"""Every sheet of station and console can be read, reached and measured, in every language."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.screens.console_scene import show_who
from tests.screens.live_floor import SHOE, LiveFloor, coup, live_floor
from tests.screens.measures import misfits
from tests.screens.scene import DESK, LANGUAGES, area, choose_language, foreign_words, scene_on, shown_in, violations
from tests.screens.sheets import console_sheets, station_sheets
from tests.screens.stage import Stage
from tests.screens.test_station import BALANCE, limited_table
from tests.screens.test_tour import GAPS, PRESCRIBED

BANKER = ("2s", "4h", "3d", "3c", "8s")
SHORT = LANGUAGES[:1]


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[LiveFloor]:
    with live_floor(limited_table(period_ms=600_000), tmp_path) as live:
        yield live


async def _sheets(station: Page, console: Page) -> AsyncIterator[tuple[str, str, Page]]:
    async for name in station_sheets(station):
        yield "station sheet", name, station
    async for name in console_sheets(console):
        yield "console sheet", name, console


@pytest.mark.parametrize(
    "language",
    [
        pytest.param(language, id=language["code"], marks=() if language in SHORT else pytest.mark.whole)
        for language in LANGUAGES
    ],
)
def test_every_sheet_is_whole_in_its_language(language: dict[str, str], floor: LiveFloor, chromium: Stage) -> None:
    """By axe in the first language, without a sentence of it in the others; nothing cut, over another or too small."""

    async def look(browser: Browser) -> None:
        found: list[str] = []
        async with scene_on(browser, floor) as scene:
            station, console = await scene.open("station", "A1", DESK), await scene.open("console", viewport=DESK)
            await scene.deal(*SHOE, {"do": "buy_in", "station": "A1", "cents": BALANCE}, {"do": "open"})
            await show_who(console, "D1")
            await area(station, "banker").tap()
            await expect(station.locator("[data-wagered='0']")).to_have_count(0)
            await scene.deal(*coup(*BANKER))
            await expect(station.locator("[data-outcome]").first).to_be_visible()
            for page in (station, console):
                await choose_language(page, language["code"])
            async for kind, name, page in _sheets(station, console):
                at = f"{kind} {name}"
                for text in (await shown_in(page)).values():
                    found += [f"{at}: {gap}" for gap in GAPS if gap in text]
                if language is LANGUAGES[0]:
                    found += [f"{at}: {one}" for one in await violations(page, "dialog[open]")]
                else:
                    found += [f"{at}: {one}" for one in await foreign_words(page, PRESCRIBED)]
                found += await misfits(kind, name, page, whole=language not in SHORT)
        assert found == []

    chromium.play(look)
