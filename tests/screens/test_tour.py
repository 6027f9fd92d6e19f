from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from sabot.rulebook.clauses import clauses
from sabot.rules.shipped import all_rule_sets
from tests.screens.configurations import crown
from tests.screens.console_scene import floor_scene
from tests.screens.fonts import without_glyph
from tests.screens.scene import LANGUAGES, foreign_words, overflow, shown_in, violations
from tests.screens.stage import Stage
from tests.screens.tour import RULE_SET, Tour
from tests.served.process import serving_live

PRESCRIBED = frozenset(
    said.words for rules in all_rule_sets() for said in (rules.wagering.opens, rules.wagering.closes)
) | frozenset(clauses())
"""What stands in the language of its document on every page: words that a rule set prescribes, and names of clauses."""
GAPS = ("{", "undefined", "NaN")
"""What a page shows where a sentence or one of its figures is missing."""


@pytest.mark.parametrize(
    "language",
    [
        pytest.param(language, id=language["code"], marks=pytest.mark.whole if number else ())
        for number, language in enumerate(LANGUAGES)
    ],
)
def test_every_page_can_be_read_and_reached_in_every_phase_and_language(
    language: dict[str, str], chromium: Stage, tmp_path: Path
) -> None:
    """Without scrolling sideways, no word missing and no glyph; by axe, up to WCAG AA, in the first language; in the
    others without a sentence of the first.

    Axe is slow here; test_station runs it in every language, test_console and test_floor in a second one.
    """

    async def look(browser: Browser) -> None:
        seen = set()
        found: list[str] = []
        async with floor_scene(browser, floor, language["code"]) as scene:
            async for name, pages in Tour(scene).stops():
                for kind, page in pages.items():
                    seen.add(f"{kind} {name}")
                    await expect(page.locator("html")).to_have_attribute("lang", language["locale"])
                    if language is LANGUAGES[0]:
                        found += [f"{kind} {name}: {one}" for one in await violations(page)]
                    else:
                        found += [f"{kind} {name}: {one}" for one in await foreign_words(page, PRESCRIBED)]
                    for locale, text in (await shown_in(page)).items():
                        assert [gap for gap in GAPS if gap in text] == [], f"{kind} {name}"
                        assert without_glyph(text, locale) == set(), f"{kind} {name} {locale}"
                    assert await overflow(page) <= 0, f"{kind} {name}"
        assert found == []
        assert {f"{kind} wagering" for kind in ("station", "phone", "console", "display")} <= seen

    with serving_live(tmp_path, crown(rule_set=RULE_SET)) as floor:
        chromium.play(look)


def test_no_english_sentence_stands_on_a_page_in_chinese(chromium: Stage, tmp_path: Path) -> None:
    """The short form of the tour in the other languages: the pages up to a wager, and what is on record."""

    async def look(browser: Browser) -> None:
        found: list[str] = []
        async with floor_scene(browser, floor, LANGUAGES[-1]["code"]) as scene:
            tour = Tour(scene)
            async for name, pages in tour.stops():
                for kind, page in pages.items():
                    found += [f"{kind} {name}: {one}" for one in await foreign_words(page, PRESCRIBED)]
                if name == "wagering":
                    break
            async for name, pages in tour.floor_pages(("audit",)):
                for kind, page in pages.items():
                    found += [f"{kind} {name}: {one}" for one in await foreign_words(page, PRESCRIBED)]
        assert found == []

    with serving_live(tmp_path, crown(rule_set=RULE_SET)) as floor:
        chromium.play(look)
