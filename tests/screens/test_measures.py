"""Nothing overlaps, nothing is cut and nothing is too small to read, at any size of tests/data/measures.tsv."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.runtime.floors import wall_ms
from tests.screens.console_scene import show_who
from tests.screens.live_floor import SHOE, LiveFloor, coup, live_floor
from tests.screens.measures import flaws, matrix
from tests.screens.scene import LANGUAGES, TV, Scene, area, choose_language, scene_on, standing
from tests.screens.stage import Stage
from tests.screens.test_station import BALANCE, limited_table

SIZES = matrix()
SCROLLING = ("console", "floor")
"""Pages at which staff may scroll."""
LAID = ("player", "tie", "banker", "banker_pair", "super_6", "banker_dragon_bonus", "player_perfect_pairs")
PAIRS = ("4s", "3h", "4d", "3c")
"""A Player natural with a pair of either hand."""
THREE_CARDS = ("2s", "4h", "3d", "3c", "8s")
LONG_AFTER_MS = wall_ms() + 365 * 24 * 60 * 60 * 1000


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[LiveFloor]:
    with live_floor(limited_table(period_ms=600_000), tmp_path) as live:
        yield live


async def _lay(station: Page, *bets: str) -> None:
    await station.get_by_role("radio").nth(2).tap()
    for bet in bets:
        await area(station, bet).tap()
        await expect(standing(station, bet)).to_have_text("100")


async def _all_in(pages: dict[str, Page], phase: str) -> None:
    for kind, page in pages.items():
        if kind != "floor":
            await expect(page.locator(f"main[data-phase={phase}]")).to_be_visible()


async def _phases(scene: Scene, pages: dict[str, Page]) -> AsyncIterator[str]:
    """The table walks through its phases; every page shows each before its name is told."""
    station = pages["station"]
    yield "closed"
    await scene.deal(*SHOE, {"do": "buy_in", "station": "A1", "cents": BALANCE}, {"do": "open"})
    if "console" in pages:
        await show_who(pages["console"], "D1")
    await _lay(station, "banker")
    await scene.deal(*coup(*PAIRS))
    await _all_in(pages, "between_coups")
    yield "between_coups"
    await scene.deal({"do": "open"})
    await _all_in(pages, "wagering")
    await area(station, "player_pair").tap()
    await expect(station.locator("[data-remark]")).to_be_visible()
    yield "refused"
    await _lay(station, *LAID)
    yield "wagering"
    closing = coup(*THREE_CARDS)
    await scene.deal(*closing[:-1])
    for page in pages.values():
        await expect(page.locator(".hand [data-card]")).to_have_count(len(THREE_CARDS))
    yield "complete"
    await scene.deal(closing[-1])
    await _all_in(pages, "between_coups")
    await expect(station.locator("[data-outcome]")).to_have_count(len(LAID))
    yield "settled"
    await scene.deal({"do": "open"}, {"do": "close"}, {"do": "void"})
    for page in pages.values():
        await expect(page.locator("[data-state=void_coup]")).to_be_visible()
    yield "void"
    for bet in ("player", "banker"):
        await scene.deal({"do": "notice", "kind": "minimum", "bet": bet, "cents": 5_000, "from_ms": LONG_AFTER_MS})
    await scene.deal({"do": "open"})
    await _all_in(pages, "wagering")
    yield "noticed"
    await scene.deal({"do": "sign_on", "by": "CS1"}, {"do": "freeze", "by": "CS1"})
    for page in pages.values():
        await expect(page.locator("[data-state=frozen]")).to_be_visible()
    yield "frozen"


async def _measured(browser: Browser, floor: LiveFloor, kinds: tuple[str, ...], *, code: str, whole: bool) -> list[str]:
    """What is wrong with the pages of these kinds on the way through a table's phases."""
    found: list[str] = []
    async with scene_on(browser, floor) as scene:
        pages = {"station": await scene.open("station", "A1", TV)}
        for kind in kinds:
            if kind not in pages:
                pages[kind] = await scene.open(kind, viewport=TV)
        for page in pages.values():
            await choose_language(page, code)
        async for phase in _phases(scene, pages):
            for kind in kinds:
                for size in SIZES[kind]:
                    if whole or phase in size.short:
                        at = f"{kind} {code} {phase} {size.viewport['width']}x{size.viewport['height']}"
                        found += [f"{at}: {one}" for one in await flaws(pages[kind], size, scrolls=kind in SCROLLING)]
                await pages[kind].set_viewport_size(TV)
    return found


def test_nothing_overlaps_or_is_cut_where_patrons_and_dealers_look(floor: LiveFloor, chromium: Stage) -> None:
    async def measure(browser: Browser) -> None:
        kinds = ("station", "display", "console")
        assert await _measured(browser, floor, kinds, code=LANGUAGES[0]["code"], whole=False) == []

    chromium.play(measure)


@pytest.mark.whole
@pytest.mark.parametrize("code", [language["code"] for language in LANGUAGES])
@pytest.mark.parametrize("kind", ["station", "display", "console"])
def test_nothing_overlaps_or_is_cut_at_any_size_in_any_phase_and_language(
    kind: str, code: str, floor: LiveFloor, chromium: Stage
) -> None:
    async def measure(browser: Browser) -> None:
        assert await _measured(browser, floor, (kind,), code=code, whole=True) == []

    chromium.play(measure)
