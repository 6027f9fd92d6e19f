"""The start page of a demo: what each page is for, in every language, and every link leads where it says."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, expect

from tests.screens.console_scene import go_on
from tests.screens.scene import DESK, LANGUAGES, Pages, foreign_words, overflow, violations
from tests.screens.stage import Stage
from tests.screens.visiting import Told, deal_by_felt, open_and_close, sign_on_as, visited


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    with visited("demo", "--deal", "--folder", str(tmp_path_factory.mktemp("dealt"))) as ready:
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
        await sign_on_as(page, "D1", told["people"][0]["pin"])
        await open_and_close(page, "A1", "A2", "A3")
        assert 4 <= len(await deal_by_felt(page)) <= 6
        assert await violations(page) == []
        assert await overflow(page) <= 0
        await go_on(page, "confirm")
        await expect(page.locator("main[data-phase=between_coups]")).to_be_visible()
        await expect(page.locator("[data-felt] [data-card]")).to_have_count(0)
        assert pages.complaints == []
        await pages.close()

    chromium.play(deal)
