"""What the browser tests share: pages on a live floor, and eyes for what they show."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property
from pathlib import Path

from playwright.async_api import Browser, Locator, Page, StorageState, ViewportSize, expect

from tests.screens.live_floor import Line, LiveFloor
from tests.served.staff import Staff

TV = ViewportSize(width=1920, height=1080)
DESK = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)
SCREENS = Path(__file__).resolve().parents[2] / "screens"
AXE = SCREENS / "node_modules" / "axe-core" / "axe.min.js"
LANGUAGES: list[dict[str, str]] = json.loads((SCREENS / "src" / "catalogue" / "languages.json").read_text("utf-8"))
"""As the pages list them: the code that a device keeps, the locale, the language's own name."""
KEPT_UNDER = "sabot language"
_LATIN_RUN = re.compile(r"(?<![\w.])[A-Za-z][A-Za-z'’]*(?:[ ,;:–—-]+(?:[A-Za-z][A-Za-z'’]*|\d[\d,.]*))+(?!\w)")
_LATIN_WORD = re.compile(r"[A-Za-z'’]+")
_PLAIN_WORD = re.compile(r"\b[a-z]{3,}\b")
_RUN_AXE = """([part, rules]) => axe.run(part, { runOnly: rules, resultTypes: ["violations"], preload: false })
    .then(result => result.violations)"""
"""No rule here needs what axe fetches beforehand, and what passes is not described: that takes a third of its time."""
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

PATIENT_MS = 120_000
"""On a busy machine; only what never comes takes so long."""
expect.set_options(timeout=PATIENT_MS)


def keeping(url: str, language: str | None) -> StorageState:
    """The storage of a device on which somebody has chosen a language."""
    if language is None:
        return {}
    return {"origins": [{"origin": url, "localStorage": [{"name": KEPT_UNDER, "value": language}]}]}


class Pages:
    """Pages of a floor in one browser, in the language that devices keep; a complaint of a page fails the scene."""

    def __init__(self, browser: Browser, url: str, language: str | None = None) -> None:
        self._browser, self._url, self._language = browser, url, language
        self.complaints: list[str] = []

    @cached_property
    def _staff(self) -> Staff:
        """Signed on once for all pages: a PIN is slow to check on purpose."""
        return Staff(self._url)

    async def open_empty(self, viewport: ViewportSize, *, moving: bool = False) -> Page:
        """On a device of its own, before an address is called."""
        context = await self._browser.new_context(
            viewport=viewport,
            has_touch=True,
            reduced_motion="no-preference" if moving else "reduce",
            storage_state=keeping(self._url, self._language),
        )
        context.set_default_timeout(PATIENT_MS)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    async def open(
        self, kind: str, station: str | None = None, viewport: ViewportSize = TV, *, moving: bool = False
    ) -> Page:
        """`moving` leaves the motion on, which a test has no use for."""
        page = await self.open_empty(viewport, moving=moving)
        await self.enter(page, kind, station)
        return page

    async def enter(self, page: Page, kind: str, station: str | None = None) -> None:
        """Call a page's address with an invitation, and wait for its first view."""
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        code = await self._staff.invite(f"{kind}-{station or 'T1'}", kind, station=station)
        await page.goto(f"{self._url}/{kind}#invitation={code}")
        await expect(page.locator("main[data-phase]")).to_be_visible()

    async def close(self) -> None:
        for context in self._browser.contexts:
            await context.close()


class Scene(Pages):
    """Pages on a floor where the test is the dealer."""

    def __init__(self, browser: Browser, floor: LiveFloor) -> None:
        super().__init__(browser, floor.url)
        self._floor = floor

    async def deal(self, *lines: Line) -> None:
        await asyncio.to_thread(self._floor.deal, *lines)


@asynccontextmanager
async def scene_on(browser: Browser, floor: LiveFloor) -> AsyncIterator[Scene]:
    scene = Scene(browser, floor)
    try:
        yield scene
        assert scene.complaints == []
    finally:
        await scene.close()


def area(page: Page, bet: str) -> Locator:
    return page.locator(f"[data-bet={bet}]")


def standing(page: Page, bet: str) -> Locator:
    """The amount of the wager that the table has accepted on a bet."""
    return area(page, bet).locator(".chips > .stack:not(.pending) .amount")


async def choose_language(page: Page, code: str) -> None:
    """At the switch, as anybody would."""
    await page.locator("[data-languages]").first.click()
    await page.locator(f"[data-language='{code}']").click()
    await expect(page.locator("dialog")).to_have_count(0)
    locale = next(language["locale"] for language in LANGUAGES if language["code"] == code)
    await expect(page.locator("html")).to_have_attribute("lang", locale)


async def open_page(page: Page, name: str) -> None:
    """A sheet of the station's menu."""
    await page.locator("[data-menu]").tap()
    await page.locator(f"nav [data-opens={name}]").tap()
    await expect(page.locator("nav [data-opens]")).to_have_count(0)


async def expect_purse(page: Page, balance: int, wagered: int) -> None:
    await expect(page.locator(f"[data-wagered='{wagered}']")).to_be_visible()
    await expect(page.locator(f"[data-balance='{balance}']")).to_be_visible()


async def tab_to(page: Page, selector: str) -> None:
    """By the Tab key alone."""
    for _ in range(60):
        if await page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key never comes to {selector}")


async def press(page: Page, selector: str, key: str = "Enter") -> None:
    await expect(page.locator(selector).first).to_be_enabled()
    await tab_to(page, selector)
    await page.keyboard.press(key)


async def drag(page: Page, source: Locator, target: Locator | None) -> None:
    """With the mouse pressed, in steps as a hand moves; without a target, off the layout."""
    start = await source.bounding_box()
    end = await target.bounding_box() if target else {"x": 20.0, "y": 100.0, "width": 0.0, "height": 0.0}
    assert start is not None
    assert end is not None
    await page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    await page.mouse.down()
    await page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=6)
    await page.mouse.up()


async def violations(page: Page, part: str = "html") -> list[str]:
    """What axe finds wrong with the page, or with a part of it, by the rules of WCAG up to AA."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE.read_text(encoding="utf-8"))
    found = await page.evaluate(_RUN_AXE, [part, _RULES])
    return [f"{one['id']}: {node['target']} {node['failureSummary']}" for one in found for node in one["nodes"]]


async def small_targets(page: Page, least: int) -> list[str]:
    """Whatever can be touched and is smaller than it should be; the name of a bet is its text alone."""
    found: list[str] = await page.evaluate(
        """least => [...document.querySelectorAll("button:not([data-name-of]), textarea")]
            .map(one => [one, one.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && Math.min(box.width, box.height) < least - 0.5)
            .map(([one, box]) => `${one.textContent.trim()} ${box.width}x${box.height}`)""",
        least,
    )
    return found


async def shown_in(page: Page) -> dict[str, str]:
    """All that the page shows, by the language that it says it is in."""
    shown: dict[str, str] = await page.evaluate(
        """() => {
            const shown = {};
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const holder = walker.currentNode.parentElement;
                if (!holder.checkVisibility()) continue;
                const { lang } = holder.closest("[lang]");
                shown[lang] = (shown[lang] ?? "") + walker.currentNode.data;
            }
            return shown;
        }"""
    )
    return shown


async def overflow(page: Page) -> int:
    """By how much the page is wider than its window."""
    wider: int = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return wider


async def foreign_words(page: Page, allowed: frozenset[str]) -> list[str]:
    """Runs of three or more Latin words, or of two with a plain one, that a page shows outside what says that it is in
    another language; figures may stand between them.

    Words with a figure in them are identifiers, and those that people typed or a document prescribes are allowed.
    """
    shown: list[str] = await page.evaluate(
        """() => {
            const own = document.documentElement.lang;
            const said = [document.title];
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const node = walker.currentNode;
                const holder = node.parentElement;
                if (holder.closest("[lang]").lang !== own) continue;
                if (node.nodeType === Node.ELEMENT_NODE) {
                    for (const name of ["aria-label", "placeholder", "title"]) said.push(node.getAttribute(name) ?? "");
                } else if (holder.checkVisibility()) said.push(node.data);
            }
            return said;
        }"""
    )
    text = "\n".join(shown)
    for one in sorted(allowed, key=len, reverse=True):
        text = text.replace(one, " · ")
    return [run for run in _LATIN_RUN.findall(text) if _is_sentence(run)]


def _is_sentence(run: str) -> bool:
    words = len(_LATIN_WORD.findall(run))
    return words > 2 or (words == 2 and _PLAIN_WORD.search(run) is not None)
