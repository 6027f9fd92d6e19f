"""A walk through what visitors and trainees see: the start page, a demo that they deal, and a lesson of the school."""

from collections.abc import AsyncIterator

from playwright.async_api import Browser, Page, expect

from tests.screens.scene import DESK, Pages
from tests.screens.tour import Stop
from tests.screens.visiting import ASTRAY, Told, deal_by_felt, open_and_close, sign_on_as

LESSON = "wrong-third-card"


class SchoolTour:
    """`demo` is dealt by its visitor; in `school` the first trainee has the lesson `LESSON`."""

    def __init__(self, browser: Browser, demo: Told, school: Told, language: str | None = None) -> None:
        self._browser, self._demo, self._school, self._language = browser, demo, school, language

    async def stops(self) -> AsyncIterator[Stop]:
        start = await self._open(self._demo, "/")
        await expect(start.locator("[data-start=deal]")).to_be_visible()
        yield Stop("demo", {"start": start})
        await start.locator("[data-start=deal] a").click()
        await sign_on_as(start, "D1", self._demo["people"][0]["pin"])
        await open_and_close(start, "A1", "A2", "A3")
        await deal_by_felt(start, 2)
        yield Stop("dealing", {"deal": start})
        async for stop in self._lesson():
            yield stop

    async def _lesson(self) -> AsyncIterator[Stop]:
        own = self._school["trainees"][0]
        page = await self._open(self._school, own["path"])
        await sign_on_as(page, own["trainee"]["dealer"], own["pin"])
        await open_and_close(page, "A1")
        await deal_by_felt(page)
        await expect(page.locator(ASTRAY)).to_be_visible()
        yield Stop("a-card-too-many", {"school": page})
        for sheet, shown in (("marks", "[data-report]"), ("lessons", "[data-lesson]")):
            await page.locator(f"[data-school={sheet}]").click()
            await expect(page.locator(shown).first).to_be_visible()
            yield Stop(sheet, {"school": page})
            await page.keyboard.press("Escape")
        for name, path in (("report", f"/school?report={own['table']}"), ("class", "/school?class")):
            other = await self._open(self._school, path)
            await other.evaluate("pin => sessionStorage.setItem('sabot-school-pin', pin)", self._school["pin"])
            await other.reload()
            await expect(other.locator("main table").first).to_be_visible()
            yield Stop(name, {"school": other})

    async def _open(self, told: Told, path: str) -> Page:
        page = await Pages(self._browser, told["url"], self._language).open_empty(DESK)
        await page.goto(f"{told['url']}{path}")
        return page
