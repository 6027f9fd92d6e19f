"""The start page of a demo: what each page is for, in every language, and every link leads where it says."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, expect

from tests.cli.sabot import SABOT
from tests.runtime.floors import PATIENCE_S
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


def path_of(told: Told, page: str) -> str:
    return next(str(link["path"]) for link in told["links"] if link["page"] == page)


def test_the_start_page_says_what_each_page_is_for_and_leads_there(chromium: Stage, tmp_path: Path) -> None:
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

    with demo(tmp_path) as told:
        chromium.play(look)
