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


@pytest.fixture(scope="module")
def school() -> Iterator[Told]:
    """Two trainees, who have the same lesson."""
    with visited("school", "serve", str(LESSON), "--trainees", "2") as told:
        yield told


async def _begin(page: Page, school: Told, number: int) -> None:
    own = school["trainees"][number - 1]
    await page.goto(f"{school['url']}{own['path']}")
    await sign_on_as(page, own["trainee"]["dealer"], own["pin"])
    await open_and_close(page, "A1", "A2")


async def _pay(page: Page) -> None:
    await expect(page.locator("[data-says=see_leaves]")).to_be_visible()
    await page.locator(".news [data-verb=pay]").click()


def test_a_lesson_done_well_ends_with_full_marks(chromium: Stage, school: Told) -> None:
    async def learn(browser: Browser) -> None:
        pages = Pages(browser, school["url"])
        page = await pages.open_empty(DESK)
        await page.goto(f"{school['url']}/")
        await expect(page.locator("[data-start=school] a")).to_have_attribute("href", "/school")
        await _begin(page, school, 1)
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
        await page.goto(f"{school['url']}/school?report=T1")
        await expect(page.locator("main [data-report=short] [data-mark=true]")).to_have_count(QUESTIONS)
        assert await violations(page) == []
        assert pages.complaints == []
        await pages.close()

    chromium.play(learn)


def test_a_lesson_done_badly_names_every_mistake_with_its_clause(chromium: Stage, school: Told) -> None:
    """In the last language: a wrong card, a result on it, and a patron who is passed over."""

    async def err(browser: Browser) -> None:
        pages = Pages(browser, school["url"], LANGUAGES[-1]["code"])
        page = await pages.open_empty(DESK)
        await _begin(page, school, 2)
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
        assert await foreign_words(page, PRESCRIBED) == []
        assert pages.complaints == []
        await page.goto(f"{school['url']}/school?class")
        await expect(page.locator("[data-trainee]")).to_have_count(2)
        assert await violations(page) == []
        await pages.close()

    chromium.play(err)


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
