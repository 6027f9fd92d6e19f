"""A tournament in a real browser, from its conditions to a prize that is paid at the cage."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.screens.configurations import crown
from tests.screens.console_scene import floor_scene
from tests.screens.fonts import without_glyph
from tests.screens.measures import misfits
from tests.screens.scene import (
    LANGUAGES,
    choose_language,
    foreign_words,
    overflow,
    shown_in,
    small_targets,
    violations,
)
from tests.screens.stage import Stage
from tests.screens.test_tour import GAPS, PRESCRIBED
from tests.screens.tournament_tour import TournamentTour
from tests.served.process import serving_live
from tests.served.turned_clock import TurnedClock

SESSION = ("session", "session-wagering-1", "session-wagering-2", "session-played")
IN_CHINESE_AT = {
    "draft": ("floor",),
    "cage-slips": ("floor",),
    "drawn": ("floor",),
    "session-wagering-1": ("station", "console", "display", "board"),
    "finished": ("floor", "board"),
    "prize": ("floor",),
}
"""Where the short form looks at a page in another language as well."""


async def _english_in(page: Page, kind: str, name: str, language: dict[str, str]) -> list[str]:
    if language is not LANGUAGES[0]:
        return await foreign_words(page, PRESCRIBED)
    if kind not in IN_CHINESE_AT.get(name, ()):
        return []
    await choose_language(page, LANGUAGES[-1]["code"])
    found = await foreign_words(page, PRESCRIBED)
    await choose_language(page, language["code"])
    return found


@pytest.mark.clause("CROWN 12.1.1", "CROWN 12.2.1(a)", "CROWN 12.2.1(d)", "CROWN 12.2.1(j)")
@pytest.mark.parametrize(
    "language",
    [
        pytest.param(language, id=language["code"], marks=pytest.mark.whole if number else ())
        for number, language in enumerate(LANGUAGES)
    ],
)
def test_a_tournament_is_planned_entered_played_and_paid_at_the_pages(
    language: dict[str, str], chromium: Stage, tmp_path: Path
) -> None:
    """No word is missing and nothing scrolls sideways on the way; by axe, up to WCAG AA, in the first language."""

    async def look(browser: Browser) -> None:
        found: list[str] = []
        async with floor_scene(browser, floor, language["code"]) as scene:
            async for name, pages in TournamentTour(scene, floor.url, clock).stops():
                for kind, page in pages.items():
                    await expect(page.locator("html")).to_have_attribute("lang", language["locale"])
                    if language is LANGUAGES[0]:
                        found += [f"{kind} {name}: {one}" for one in await violations(page)]
                    shown = await shown_in(page)
                    for locale, text in shown.items():
                        assert [gap for gap in GAPS if gap in text] == [], f"{kind} {name}"
                        assert without_glyph(text, locale) == set(), f"{kind} {name} {locale}"
                    if name in SESSION and kind in ("station", "phone", "display", "board"):
                        assert [text for text in shown.values() if "AUD" in text] == [], "credits are no money"
                    if name in SESSION and kind == "station":
                        assert await small_targets(page, 48) == [], name
                    assert await overflow(page) <= 0, f"{kind} {name}"
                    if kind in ("floor", "board"):
                        found += await misfits(kind, name, page, whole=language is not LANGUAGES[0])
                    found += [f"{kind} {name}: {one}" for one in await _english_in(page, kind, name, language)]
        assert found == [], "\n".join(found)

    clock = TurnedClock(tmp_path / "clock")
    with serving_live(tmp_path, crown(), clock=clock.path) as floor:
        chromium.play(look)
