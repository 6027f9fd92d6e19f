"""Every sheet of a station and of a console, opened one after the other by what the page itself lists."""

from collections.abc import AsyncIterator

from playwright.async_api import Page, expect

_FIRST_BET = "[data-name-of]"
_FILLED = {"bet": "[data-figure=house_edge]", "history": "dialog [role=tabpanel]"}
"""What is asked for when a sheet opens; other sheets have all that they show."""


async def station_sheets(page: Page) -> AsyncIterator[str]:
    """The menu, all that it opens, the sheet of a bet, why it was settled so, and the languages; each is told open."""
    await page.locator("[data-menu]").tap()
    entries = page.locator("nav [data-opens]:enabled")
    await expect(entries.first).to_be_visible()
    names = [await one.get_attribute("data-opens") or "" for one in await entries.all()]
    async for name in _told(page, "menu"):
        yield name
    for name in names:
        await page.locator("[data-menu]").tap()
        await page.locator(f"nav [data-opens={name}]").tap()
        await expect(page.locator("nav [data-opens]")).to_have_count(0)
        async for told in _told(page, name):
            yield told
    for name, opens in (("bet", _FIRST_BET), ("settled", ".purse button"), ("languages", "[data-languages]")):
        await page.locator(opens).first.tap(force=True)
        async for told in _told(page, name):
            yield told


async def console_sheets(page: Page) -> AsyncIterator[str]:
    """What the bar opens, a seat, a question that is asked once more, and the languages."""
    keys = page.locator(".bar [data-sheet]")
    names = [await one.get_attribute("data-sheet") or "" for one in await keys.all()]
    for name in names:
        await page.locator(f".bar [data-sheet={name}]").click()
        async for told in _told(page, name):
            yield told
    await page.locator("[data-seat]").first.click()
    async for told in _told(page, "seat"):
        yield told
    await page.locator("[data-languages]").first.click()
    async for told in _told(page, "languages"):
        yield told


async def _told(page: Page, name: str) -> AsyncIterator[str]:
    """With what is fetched when it opens there, and closed afterwards."""
    await expect(page.locator(_FILLED.get(name, "dialog[open] .content > *")).first).to_be_visible()
    yield name
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog[open]")).to_have_count(0)
