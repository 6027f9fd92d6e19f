"""A tournament in a real browser, from its conditions to a prize that is paid at the cage."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.screens.configurations import crown
from tests.screens.console_scene import floor_scene
from tests.screens.fonts import without_glyph
from tests.screens.scene import LANGUAGES, overflow, shown_in, small_targets, violations
from tests.screens.stage import Stage
from tests.screens.test_tour import GAPS
from tests.screens.tournament_tour import TournamentTour
from tests.served.process import serving_live
from tests.served.turned_clock import TurnedClock

SESSION = ("session", "session-wagering-1", "session-wagering-2", "session-played")


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
        assert found == []

    clock = TurnedClock(tmp_path / "clock")
    with serving_live(tmp_path, crown(), clock=clock.path) as floor:
        chromium.play(look)
