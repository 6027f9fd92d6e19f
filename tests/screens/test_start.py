"""The start page of a demo: what each page is for, in every language, and every link leads where it says."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.cli.sabot import SABOT
from tests.runtime.floors import PATIENCE_S
from tests.screens.console_scene import deal_by_felt, go_on
from tests.screens.scene import DESK, LANGUAGES, Pages, foreign_words, overflow, violations
from tests.screens.stage import Stage

Told = dict[str, Any]


@contextmanager
def demo(folder: Path, *words: str) -> Iterator[Told]:
    """A demo of its own; gives what it tells when it is ready."""
    command = [str(SABOT), "demo", "--json", "--port", "0", "--folder", str(folder), *words]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603  Our own command.
    try:
        assert running.stdout is not None
        yield json.loads(running.stdout.readline())
    finally:
        running.terminate()
        running.communicate(timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    with demo(tmp_path_factory.mktemp("dealt"), "--deal") as ready:
        yield ready


def test_the_start_page_says_what_each_page_is_for_and_leads_there(chromium: Stage, told: Told) -> None:
    async def look(browser: Browser) -> None:
        for language in LANGUAGES:
            pages = Pages(browser, told["url"], language["code"])
            page = await pages.open_empty(DESK)
            await page.goto(f"{told['url']}/")
            await expect(page.locator("[data-start]")).to_have_count(len(told["links"]))
            await expect(page.locator("[data-person=GS1] .pin")).to_have_text(told["people"][1]["pin"])
            assert await overflow(page) <= 0
            if language is LANGUAGES[0]:
                assert await violations(page) == []
                for link in told["links"]:
                    shown = page.locator(f"[data-start={link['page']}] a")
                    await expect(shown).to_have_attribute("href", link["path"])
                await page.locator("[data-start=station] a").click()
                await expect(page.locator("main[data-phase] .purse")).to_be_visible()
            else:
                assert await foreign_words(page, frozenset()) == []
            assert pages.complaints == []
            await pages.close()

    chromium.play(look)


def test_a_visitor_deals_a_coup_to_the_robots_by_what_the_felt_shows(chromium: Stage, told: Told) -> None:
    async def deal(browser: Browser) -> None:
        pages = Pages(browser, told["url"], LANGUAGES[-1]["code"])
        page = await pages.open_empty(DESK)
        await page.goto(f"{told['url']}/")
        await page.locator("[data-start=deal] a").click()
        await page.locator("[name=person]").select_option("D1")
        await page.locator("[name=pin]").fill(told["people"][0]["pin"])
        await page.locator("form button[type=submit]").click()
        await go_on(page, "open")
        for station in ("A1", "A2", "A3"):
            await expect(page.locator(f"[data-seat={station}] b")).to_be_visible()
        await page.keyboard.press("n")
        assert 4 <= len(await deal_by_felt(page)) <= 6
        assert await violations(page) == []
        assert await overflow(page) <= 0
        await go_on(page, "confirm")
        await expect(page.locator("main[data-phase=between_coups]")).to_be_visible()
        await expect(page.locator("[data-felt] [data-card]")).to_have_count(0)
        assert pages.complaints == []
        await pages.close()

    chromium.play(deal)
