"""The page of the dealer school: a lesson done well, one done badly, and what the trainer sees."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.screens.console_scene import enter, go_on
from tests.screens.scene import DESK, LANGUAGES, Pages, foreign_words, overflow, violations
from tests.screens.school_tour import LESSON as STAGED
from tests.screens.school_tour import SchoolTour
from tests.screens.stage import Stage
from tests.screens.test_tour import PRESCRIBED
from tests.screens.visiting import Told, deal_by_felt, open_and_close, sign_on_as, visited

LESSON = Path(__file__).parents[1] / "data" / "short_lesson.toml"
QUESTIONS = 9
"""Signing on, opening, closing, four cards, the result, and the payment."""


CODES = [one["code"] for one in LANGUAGES]
WELL = [
    pytest.param(code, number, marks=[pytest.mark.whole] * (code != CODES[0])) for number, code in enumerate(CODES, 1)
]
BADLY = [
    pytest.param(code, number, marks=[pytest.mark.whole] * (code != CODES[-1]))
    for number, code in enumerate(CODES, len(CODES) + 1)
]
"""Each language has a trainee for a lesson done well and one for a lesson done badly."""


@pytest.fixture(scope="module")
def school() -> Iterator[Told]:
    """Two trainees for each language, who all have the same lesson."""
    with visited("school", "serve", str(LESSON), "--trainees", str(2 * len(CODES))) as told:
        yield told


async def _begin(page: Page, school: Told, number: int) -> None:
    own = school["trainees"][number - 1]
    await page.goto(f"{school['url']}{own['path']}")
    await sign_on_as(page, own["trainee"]["dealer"], own["pin"])
    await open_and_close(page, "A1", "A2")


async def _pay(page: Page) -> None:
    await expect(page.locator("[data-says=see_leaves]")).to_be_visible()
    await page.locator(".news [data-verb=pay]").click()


@pytest.mark.parametrize(("language", "number"), WELL)
def test_a_lesson_done_well_ends_with_full_marks(language: str, number: int, chromium: Stage, school: Told) -> None:
    async def learn(browser: Browser) -> None:
        pages = Pages(browser, school["url"], language)
        page = await pages.open_empty(DESK)
        await page.goto(f"{school['url']}/")
        await expect(page.locator("[data-start=school] a")).to_have_attribute("href", "/school")
        await _begin(page, school, number)
        assert await violations(page) == []
        assert await overflow(page) <= 0
        assert await deal_by_felt(page) == ["7S", "6H", "KD", "KC"]
        await go_on(page, "confirm")
        await _pay(page)
        report = page.get_by_role("dialog").locator("[data-report=short]")
        await expect(report).to_have_attribute("data-total", str(QUESTIONS))
        await expect(report).to_have_attribute("data-right", str(QUESTIONS))
        await expect(report.locator("[data-no-faults]")).to_be_visible()
        assert await violations(page) == []
        await page.goto(f"{school['url']}/school?report=T{number}")
        await expect(page.locator("main [data-report=short] [data-mark=true]")).to_have_count(QUESTIONS)
        assert await violations(page) == []
        if language != CODES[0]:
            assert await foreign_words(page, PRESCRIBED) == []
        assert pages.complaints == []
        await pages.close()

    chromium.play(learn)


@pytest.mark.parametrize(("language", "number"), BADLY)
def test_a_lesson_done_badly_names_every_mistake_with_its_clause(
    language: str, number: int, chromium: Stage, school: Told
) -> None:
    """A wrong card, a result on it, and a patron who is passed over; then what the teacher sees, behind a PIN."""

    async def err(browser: Browser) -> None:
        pages = Pages(browser, school["url"], language)
        page = await pages.open_empty(DESK)
        await _begin(page, school, number)
        await enter(page, "8S")
        await expect(page.locator("[data-fault=other_card] [data-clause]")).to_have_attribute(
            "data-clause", "CROWN 8.3.3"
        )
        await enter(page, "6H", "KD", "KC")
        await expect(page.locator("[data-felt=player]")).to_have_attribute("data-cards", "7S KD")
        await go_on(page, "confirm")
        await go_on(page, "open")
        await expect(page.locator("main[data-phase=wagering]")).to_be_visible()
        await page.locator("[data-school=marks]").click()
        report = page.get_by_role("dialog").locator("[data-report=short]")
        await expect(report).to_be_visible()
        kinds = [await one.get_attribute("data-fault") for one in await report.locator("[data-fault]").all()]
        assert {"other_card", "other_result", "passed_over"} <= {*kinds}
        cited = [await one.get_attribute("data-clause") for one in await report.locator("[data-fault] small").all()]
        assert len(cited) == len(kinds)
        assert all(cited)
        if language != CODES[0]:
            assert await foreign_words(page, PRESCRIBED) == []
        assert pages.complaints == []
        await _teach(page, school)
        await pages.close()

    chromium.play(err)


async def _teach(page: Page, school: Told) -> None:
    await page.goto(f"{school['url']}/school?class")
    assert await violations(page) == []
    for pin in ("135792468135", school["pin"]):
        await expect(page.locator("[data-trainee]")).to_have_count(0)
        await page.locator("[name=pin]").fill(pin)
        await page.keyboard.press("Enter")
        if pin != school["pin"]:
            await expect(page.get_by_role("alert")).to_be_visible()
    await expect(page.locator("[data-trainee]")).to_have_count(2 * len(CODES))
    assert await violations(page) == []


async def _tab_to(page: Page, selector: str) -> None:
    """By the keyboard alone."""
    await expect(page.locator(selector).first).to_be_visible()
    for _ in range(80):
        if await page.evaluate("one => document.activeElement?.matches(one) ?? false", selector):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not reach {selector}")


def test_a_staged_fact_is_stated_and_resolved_by_the_keyboard_alone(chromium: Stage) -> None:
    """At a table of Marina Bay Sands: two cards come out at once, and their order is known."""

    async def resolve(browser: Browser) -> None:
        pages, own = Pages(browser, served["url"]), served["trainees"][0]
        page = await pages.open_empty(DESK)
        await page.goto(f"{served['url']}{own['path']}")
        await sign_on_as(page, own["trainee"]["dealer"], own["pin"])
        await open_and_close(page, "A1", "A2")
        await deal_by_felt(page, 1)
        await expect(page.locator(".says")).to_contain_text("You saw which of them came first")
        await page.keyboard.press("x")
        for selector in (
            "[data-fact=simultaneous_cards]",
            ".choices button:first-of-type",
            ".state",
            "[data-resolution=play_on] button",
        ):
            await _tab_to(page, selector)
            await page.keyboard.press("Enter")
        await expect(page.locator("[data-fact]").first).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.locator("dialog")).to_have_count(0)
        await enter(page, "3H", "KD", "5C")
        await expect(page.locator(".lesson-band")).to_have_attribute("data-faults", "0")
        await page.locator("[data-school=marks]").click()
        cited = page.locator("[data-mark=true] [data-clause='MBS-B 5.3']")
        await expect(cited).to_have_count(2)  # The fact, and the way on.
        assert pages.complaints == []
        await pages.close()

    with visited("school", "serve", "marina-two-at-once") as served:
        chromium.play(resolve)


@pytest.mark.whole
@pytest.mark.parametrize("language", LANGUAGES, ids=[one["code"] for one in LANGUAGES])
def test_start_page_felt_and_school_can_be_read_in_every_language(
    language: dict[str, str], chromium: Stage, tmp_path: Path
) -> None:
    """By axe in the first; in the others without a sentence of the first."""

    async def look(browser: Browser) -> None:
        found = list[str]()
        async for name, shown in SchoolTour(browser, demo, school, language["code"]).stops():
            for kind, page in shown.items():
                first = language is LANGUAGES[0]
                wrong = await violations(page) if first else await foreign_words(page, PRESCRIBED)
                found += [f"{kind} {name}: {one}" for one in wrong]
                assert await overflow(page) <= 0
        assert found == []
        await Pages(browser, "").close()

    with (
        visited("demo", "--deal", "--folder", str(tmp_path)) as demo,
        visited("school", "serve", STAGED) as school,
    ):
        chromium.play(look)
