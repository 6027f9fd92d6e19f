"""What the tests of console and floor share: a floor in its own process, people with PINs, and a dealer's hands."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, Page, ViewportSize, expect

from tests.screens.scene import DESK, Pages
from tests.served.process import Process
from tests.served.staff import PINS

EXPECTED = ("Failed to load resource", "WebSocket connection to")
"""A browser says so of every answer that is no, and of a floor that is down; a test asserts elsewhere what it was."""


class FloorScene(Pages):
    def __init__(self, browser: Browser, floor: Process, language: str | None = None) -> None:
        super().__init__(browser, floor.url, language)
        self._process = floor

    async def open_floor(self) -> Page:
        page = await self.open_empty(DESK)
        await page.goto(f"{self._url}/floor")
        await expect(page.locator("input[name=person]")).to_be_visible()
        return page

    async def open_unknown(self, kind: str, viewport: ViewportSize) -> Page:
        """A page that nobody has invited."""
        page = await self.open_empty(viewport)
        await page.goto(f"{self._url}/{kind}")
        await expect(page.locator("output")).to_be_visible()
        return page

    async def go_down(self, *, orderly: bool = False) -> None:
        """As by a power cut, or as it is asked to leave."""
        code = await asyncio.to_thread(self._process.stop if orderly else self._process.kill)
        assert not orderly or code == 0

    async def come_back(self) -> None:
        await asyncio.to_thread(self._process.start)


@asynccontextmanager
async def floor_scene(browser: Browser, floor: Process, language: str | None = None) -> AsyncIterator[FloorScene]:
    scene = FloorScene(browser, floor, language)
    try:
        yield scene
        assert [said for said in scene.complaints if not said.startswith(EXPECTED)] == []
    finally:
        await scene.close()


async def show_who(page: Page, person: str) -> None:
    """Fill in the newest form that asks who somebody is."""
    form = page.locator("form:has(input[name=pin])").last
    field = form.locator("[name=person]")
    if await field.evaluate("one => one.tagName") == "SELECT":
        await field.select_option(person)
    else:
        await field.fill(person)
    await form.locator("input[name=pin]").fill(PINS[person])
    await form.locator("button[type=submit]").click()


async def sign_on(page: Page, *people: str) -> None:
    """Sign on at the console, the first where nobody is, the others beside."""
    for number, person in enumerate(people):
        if number:
            await page.keyboard.press("g")
            await expect(page.locator("[data-sheet-open=staff]")).to_be_visible()
        await show_who(page, person)
        await expect(page.locator(".head .people")).to_contain_text(person)
        if number:
            await close_sheet(page)


async def close_sheet(page: Page) -> None:
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog")).to_have_count(0)


async def bring_shoe_in_play(page: Page) -> None:
    """With a dealer and a supervisor signed on: the guided steps as they come, with what they suggest."""
    await page.locator(".procedure [data-verb=open_table]").click()
    for step in ("check_cards", "new_shoe", "cut"):
        await page.locator(f"[data-act={step}] button[type=submit]").click()
    await page.locator(".procedure [data-verb=burn]").click()
    await expect(page.locator("[data-pick=AS]")).to_be_visible()


async def buy_in(page: Page, station: str, amount: str) -> None:
    await page.locator(f"[data-seat={station}]").click()
    form = page.locator("[data-act=buy_in]")
    await form.locator("[name=amount]").fill(amount)
    await form.locator("button[type=submit]").click()
    await expect(page.locator("[data-act=top_up]")).to_be_visible()
    await close_sheet(page)


async def enter(page: Page, *cards: str) -> None:
    """Type cards one after the other, each when the table has taken the one before."""
    out = page.locator("[data-out]")
    for card in cards:
        await expect(page.locator("[data-pick]:enabled").first).to_be_visible()
        before = int(await out.inner_text())
        await page.keyboard.type(card)
        await expect(out).to_have_text(str(before + 1))


async def go_on(page: Page, guided: str) -> None:
    """Press Enter for what the table waits for, once it does not only end the last card."""
    await expect(page.locator(f"main[data-guided={guided}] .next")).to_be_enabled()
    await page.keyboard.press("Enter")


async def expect_seat(page: Page, station: str, balance: str) -> None:
    await expect(page.locator(f"[data-seat={station}] [data-balance]")).to_have_text(balance)
