"""The page of the dealer school: a lesson done well, one done badly, and what the trainer sees."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.async_api import Browser, Page, expect

from tests.cli.sabot import SABOT
from tests.runtime.floors import PATIENCE_S
from tests.screens.console_scene import deal_by_felt, enter, go_on
from tests.screens.scene import DESK, LANGUAGES, Pages, overflow, shown_in, violations
from tests.screens.stage import Stage

LESSON = Path(__file__).parents[1] / "data" / "short_lesson.toml"
QUESTIONS = 9
"""Signing on, opening, closing, four cards, the result, and the payment."""


class Class(NamedTuple):
    url: str
    invitations: list[str]
    pins: list[str]


@pytest.fixture(scope="module")
def school() -> Iterator[Class]:
    """Two trainees, who have the same lesson."""
    command = [str(SABOT), "school", "serve", str(LESSON), "--trainees", "2", "--port", "0"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603  Our own command.
    try:
        assert running.stdout is not None
        told = ""
        while "Ctrl-C" not in told:
            line = running.stdout.readline()
            assert line, told
            told += line
        url = re.search(r"http://[\d.:]+", told)
        assert url is not None
        yield Class(url[0], re.findall(r"invitation=(\w+)", told), re.findall(r"PIN (\d{6})", told))
    finally:
        running.terminate()
        running.communicate(timeout=PATIENCE_S)


async def _sit_down(page: Page, school: Class, number: int) -> None:
    await page.goto(f"{school.url}/school#invitation={school.invitations[number - 1]}")
    await page.locator("[name=person]").select_option(f"D{number}")
    await page.locator("[name=pin]").fill(school.pins[number - 1])
    await page.locator("form button[type=submit]").click()


async def _open_wagering(page: Page) -> None:
    await go_on(page, "open")
    for station in ("A1", "A2"):
        await expect(page.locator(f"[data-seat={station}] b")).to_be_visible()
    await page.keyboard.press("n")
    await expect(page.locator("[data-drawn]:not([data-drawn=''])")).to_be_visible()


async def _pay(page: Page) -> None:
    await expect(page.locator("[data-says=see_leaves]")).to_be_visible()
    await page.locator(".news [data-verb=pay]").click()


def test_a_lesson_done_well_ends_with_full_marks(chromium: Stage, school: Class) -> None:
    async def learn(browser: Browser) -> None:
        pages = Pages(browser, school.url)
        page = await pages.open_empty(DESK)
        await page.goto(f"{school.url}/")
        await expect(page.locator("[data-start=school] a")).to_have_attribute("href", "/school")
        await _sit_down(page, school, 1)
        await _open_wagering(page)
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
        await page.goto(f"{school.url}/school?report=T1")
        await expect(page.locator("main [data-report=short] [data-mark=true]")).to_have_count(QUESTIONS)
        assert await violations(page) == []
        assert pages.complaints == []
        await pages.close()

    chromium.play(learn)


def test_a_lesson_done_badly_names_every_mistake_with_its_clause(chromium: Stage, school: Class) -> None:
    """In the last language: a wrong card, a result on it, and a patron who is passed over."""

    async def err(browser: Browser) -> None:
        pages = Pages(browser, school.url, LANGUAGES[-1]["code"])
        page = await pages.open_empty(DESK)
        await _sit_down(page, school, 2)
        await _open_wagering(page)
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
        clauses = [await one.get_attribute("data-clause") for one in await report.locator("[data-fault] small").all()]
        assert len(clauses) == len(kinds)
        assert all(clauses)
        assert "{" not in "".join((await shown_in(page)).values())
        assert pages.complaints == []
        await page.goto(f"{school.url}/school?class")
        await expect(page.locator("[data-trainee]")).to_have_count(2)
        assert await violations(page) == []
        await pages.close()

    chromium.play(err)
