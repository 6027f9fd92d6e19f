from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from sabot.rulebook.clauses import clauses
from sabot.rules.shipped import all_rule_sets
from tests.screens.configurations import crown
from tests.screens.console_scene import floor_scene, show_who
from tests.screens.fonts import without_glyph
from tests.screens.measures import misfits
from tests.screens.scene import LANGUAGES, foreign_words, overflow, shown_in, violations
from tests.screens.stage import Stage
from tests.screens.tour import COUP, FLOOR_PAGES, RULE_SET, Tour
from tests.served.process import serving_live

PRESCRIBED = frozenset(
    said.words for rules in all_rule_sets() for said in (rules.wagering.opens, rules.wagering.closes)
) | frozenset(clauses())
"""What stands in the language of its document on every page: words that a rule set prescribes, and names of clauses."""
AXE_STOPS = frozenset(
    {
        *("enrolment", "closed", "wagering", "settled", "why", "frozen", "no-link", "recovery", "seat", "trouble"),
        *("last-coups", "receipt", "rules", "remote", "sign-on", *FLOOR_PAGES),
    }
)
"""Where the short form runs axe, which takes a third of a second for a page: each page once in every form that it has.
The other stops differ from these in what the same parts say."""
GAPS = ("{", "undefined", "NaN")
"""What a page shows where a sentence or one of its figures is missing."""


@pytest.mark.parametrize(
    ("language", "axe_everywhere"),
    [
        pytest.param(LANGUAGES[0], False, id=LANGUAGES[0]["code"]),
        pytest.param(LANGUAGES[0], True, id=f"{LANGUAGES[0]['code']}-whole", marks=pytest.mark.whole),
        *(pytest.param(one, False, id=one["code"], marks=pytest.mark.whole) for one in LANGUAGES[1:]),
    ],
)
def test_every_page_can_be_read_and_reached_in_every_phase_and_language(
    language: dict[str, str], axe_everywhere: bool, chromium: Stage, tmp_path: Path
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
                    if language is LANGUAGES[0] and (axe_everywhere or name in AXE_STOPS):
                        found += [f"{kind} {name}: {one}" for one in await violations(page)]
                    if language is not LANGUAGES[0]:
                        found += [f"{kind} {name}: {one}" for one in await foreign_words(page, PRESCRIBED)]
                    for locale, text in (await shown_in(page)).items():
                        assert [gap for gap in GAPS if gap in text] == [], f"{kind} {name}"
                        assert without_glyph(text, locale) == set(), f"{kind} {name} {locale}"
                    assert await overflow(page) <= 0, f"{kind} {name}"
                    if kind == "floor":
                        found += await misfits(kind, name, page, whole=language is not LANGUAGES[0])
        assert found == []
        assert {f"{kind} wagering" for kind in ("station", "phone", "console", "display")} <= seen

    with serving_live(tmp_path, crown(rule_set=RULE_SET)) as floor:
        chromium.play(look)


async def _desk_says_no(floor: Page) -> AsyncIterator[str]:
    """Nothing on record, a ticket that nobody knows, a person who is asked for, a wrong code."""
    await floor.locator("#tab-audit").click()
    await floor.locator("[name=coup]").fill("99")
    await floor.keyboard.press("Enter")
    await expect(floor.locator("[data-refusal=no_such_coup]")).to_be_visible()
    yield "no such coup"
    await floor.locator("#tab-cage").click()
    await floor.locator("[data-act=redeem] [name=ticket]").fill("0" * 18)
    await floor.locator("[data-act=redeem] button").click()
    await expect(floor.locator("[data-question=who]")).to_be_visible()
    yield "who"
    await show_who(floor, "CA1")
    await expect(floor.locator("[data-refusal=unknown_ticket]")).to_be_visible()
    yield "unknown ticket"
    await floor.locator("header .tools button").first.click()
    await show_who(floor, "TE1")
    form = floor.locator("[data-waiting=station] [data-act=enrol]").first
    for name, value in (("code", "ABCD"), ("device", "S-9"), ("table", "T1"), ("station", "A9"), ("approval", "W-1")):
        await form.locator(f"[name={name}]").fill(value)
    await form.locator("button").click()
    await expect(floor.locator("[data-refusal=wrong_code]")).to_be_visible()
    yield "wrong code"


def test_no_english_sentence_stands_on_a_page_in_chinese(chromium: Stage, tmp_path: Path) -> None:
    """The short form of the tour in the other languages: the pages up to a wager, and the floor's desk."""

    async def look(browser: Browser) -> None:
        found: list[str] = []
        async with floor_scene(browser, floor, LANGUAGES[-1]["code"]) as scene:
            tour = Tour(scene, (COUP,))  # The curves of a day need a coup.
            async for name, pages in tour.stops():
                for kind, page in pages.items():
                    found += [f"{kind} {name}: {one}" for one in await foreign_words(page, PRESCRIBED)]
                if name == "wagering":
                    break
            async for name, pages in tour.floor_pages():
                for kind, page in pages.items():
                    found += [f"{kind} {name}: {one}" for one in await foreign_words(page, PRESCRIBED)]
                    found += await misfits(kind, name, page, whole=False)
            async for name in _desk_says_no(page):
                found += [f"floor {name}: {one}" for one in await foreign_words(page, PRESCRIBED)]
                found += await misfits("floor", name, page, whole=False)
        assert found == []

    with serving_live(tmp_path, crown(rule_set=RULE_SET)) as floor:
        chromium.play(look)
