"""What a page is asked to play: once for each event, of the coup of now, and only where sound is on."""

from pathlib import Path

from playwright.async_api import Browser, Page, expect

from tests.runtime.floors import table_for
from tests.screens.live_floor import SHOE, live_floor
from tests.screens.scene import DESK, area, choose_language, scene_on, small_targets, standing, violations
from tests.screens.stage import Stage

RECORD = """
    window.said = [];
    new MutationObserver(found => found.forEach(({ target }) => said.push(target.dataset.said)))
        .observe(document.body, { subtree: true, attributeFilter: ["data-said"] });
"""


async def _hears(page: Page, said: str) -> None:
    await expect(page.locator("[data-said]")).to_have_attribute("data-said", said)


def test_each_event_is_said_once_in_the_language_of_the_page_and_never_of_another_coup(
    tmp_path: Path, chromium: Stage
) -> None:
    with live_floor(table_for("crown-baccarat", stations=1, period_ms=120_000), tmp_path) as floor:

        async def play(browser: Browser) -> None:
            async with scene_on(browser, floor) as scene:
                display = await scene.open("display", viewport=DESK)
                page = await scene.open("station", "A1", viewport=DESK)
                fetched: list[str] = []
                page.on("request", lambda asked: fetched.append(asked.url.rpartition("/")[2]))
                await page.evaluate(RECORD)
                await scene.deal(*SHOE, {"do": "buy_in", "station": "A1", "cents": 100_000}, {"do": "open"})
                await expect(page.locator("main[data-phase=wagering]")).to_be_visible()
                assert fetched == []  # Nothing can sound before the first touch.
                await area(page, "banker").tap()
                await expect(page.locator("[data-said]")).to_be_attached()
                await expect(standing(page, "banker")).to_have_text("25")
                await area(page, "banker").tap()
                await expect(page.locator("[data-clicked]")).to_have_attribute("data-clicked", "chip 1")
                await scene.deal({"do": "close"})
                await _hears(page, "1/1 closed: no_more_bets")
                await scene.deal(*({"do": "card", "card": card} for card in ("2s", "3h", "3d", "3c")))
                await _hears(page, "1/1 counts 2:5 2:6: player 5 banker 6")
                await choose_language(page, "zh-Hant")
                await scene.deal({"do": "card", "card": "Th"})
                await _hears(page, "1/1 counts 3:5 2:6: player 5 banker 6")
                await scene.deal({"do": "confirm"})
                await _hears(page, "1/1 result: banker_wins 6 to 5")
                # The next coup goes by at once: whatever is still to be said of it must not be said in the one after.
                cards = ({"do": "card", "card": card} for card in ("3s", "2h", "3d", "4c"))
                await scene.deal({"do": "open"}, {"do": "close"}, *cards, {"do": "confirm"}, {"do": "open"})
                await _hears(page, "1/3 open: place_your_bets")
                said: list[str] = await page.evaluate("window.said")
                assert len(said) == len(set(said)), said
                assert [one for one in said if one.startswith("1/3")] == ["1/3 open: place_your_bets"]
                assert said[-1].startswith("1/3"), said
                assert any(name.startswith("en-") for name in fetched)
                assert any(name.startswith("zh-Hant-") for name in fetched)

                await page.locator("[data-menu]").click()
                await page.locator("[data-mute]").click()
                await expect(page.locator("[data-sound='0']")).to_be_visible()
                assert await violations(page) == []
                assert await small_targets(page, 48) == []
                await page.keyboard.press("Escape")
                await scene.deal({"do": "close"})
                await expect(page.locator("main[data-phase=no_more_bets]")).to_be_visible()
                assert (await page.evaluate("window.said"))[-1].startswith("1/3 open")
                await display.locator("main").click()
                await expect(display.locator("[data-said]")).to_have_attribute("data-said", "")

        chromium.play(play)
