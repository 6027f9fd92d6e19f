"""A walk through every phase of a table with all pages open: what a picture is taken of, and what axe looks at."""

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from playwright.async_api import Page, expect

from tests.screens.console_scene import (
    FloorScene,
    bring_shoe_in_play,
    buy_in,
    close_sheet,
    enter,
    go_on,
    show_who,
    sign_on,
)
from tests.screens.patron import Patron, in_shoe_order
from tests.screens.scene import DESK, PHONE, TV, open_page
from tests.web.reckoning import Hands

RULE_SET = "crown-baccarat"
BOUGHT_IN = 500_000
COUP: Hands = ("2s", "3d", "8s"), ("4h", "3c")
"""Banker wins 7 to 3."""
TRUE_CARDS = "2s 4h 3d 3c 3s"
FLOOR_PAGES = ("map", "curves", "integrity", "tables", "devices", "people", "cage", "tournaments", "audit", "reports")


class Stop(NamedTuple):
    name: str
    pages: dict[str, Page]
    """The pages that show something new here, by what they are."""


class Tour:
    """One table from its opening to a recovery; `past` are the coups that the roads are to show."""

    def __init__(self, scene: FloorScene, past: Sequence[Hands] = ()) -> None:
        self._scene, self._past = scene, past

    async def stops(self) -> AsyncIterator[Stop]:
        yield Stop("enrolment", {"station": await self._scene.open_unknown("station", DESK)})
        console, display = await self._scene.open("console", viewport=DESK), await self._scene.open("display", None, TV)
        station, phone = await self._scene.open("station", "A1", DESK), await self._scene.open("station", "A2", PHONE)
        self._console, self._patrons = console, [Patron(page, RULE_SET, BOUGHT_IN) for page in (station, phone)]
        self._all = {"station": station, "phone": phone, "console": console, "display": display}
        yield Stop("closed", self._all)
        await self._prepare()
        yield Stop("between-coups", self._all)
        for hands in self._past:
            await self._play(hands)
        await self._wager()
        yield Stop("wagering", self._all)
        for part in (
            self._coup,
            self._correction,
            self._dummy,
            self._recovery,
            self._sheets,
            self._remote,
            self.floor_pages,
        ):
            async for stop in part():
                yield stop

    async def _prepare(self) -> None:
        await sign_on(self._console, "D1", "GS1")
        await bring_shoe_in_play(self._console)
        for station in ("A1", "A2"):
            await buy_in(self._console, station, "5,000")

    async def _open(self) -> None:
        await go_on(self._console, "open")
        for patron in self._patrons:
            await expect(patron.page.locator("main[data-phase=wagering]")).to_be_visible()

    async def _play(self, hands: Hands) -> None:
        await self._open()
        await self._patrons[0].tap("banker", 2_500)
        await enter(self._console, *in_shoe_order(hands))
        await self._finish()
        await self._patrons[0].is_settled(hands)

    async def _finish(self) -> None:
        await go_on(self._console, "confirm")
        await expect(self._console.locator("main[data-phase=between_coups]")).to_be_visible()

    async def _wager(self) -> None:
        await self._open()
        one, other = self._patrons
        for bet, cents in (("banker", 10_000), ("tie", 2_500), ("super_6", 2_500), ("banker_dragon_bonus", 500)):
            await one.tap(bet, cents)
        await other.tap("player", 50_000)
        await other.tap("player_pair", 2_500)

    async def _coup(self) -> AsyncIterator[Stop]:
        await self._console.keyboard.press("n")
        for page in self._all.values():
            await expect(page.locator("main[data-phase=no_more_bets]")).to_be_visible()
        yield Stop("no-more-bets", self._all)
        cards = in_shoe_order(COUP)
        await enter(self._console, *cards[:3])
        yield Stop("dealing", self._all)
        await enter(self._console, *cards[3:])
        await expect(self._console.locator("main[data-guided=confirm]")).to_be_visible()
        yield Stop("complete", self._all)
        await self._finish()
        for patron in self._patrons:
            await patron.is_settled(COUP)
        yield Stop("settled", self._all)
        why = self._patrons[0].page
        await why.locator(".purse button").tap()
        await expect(why.get_by_role("dialog")).to_be_visible()
        yield Stop("why", {"station": why})
        await _close_dialog(why)

    async def _correction(self) -> AsyncIterator[Stop]:
        await self._console.keyboard.press("f")
        await self._console.locator("[data-verb=freeze]").click()
        for patron in self._patrons:
            await expect(patron.page.locator("[data-notice=frozen]")).to_be_visible()
        await self._console.locator("dialog input[name=cards]").fill(TRUE_CARDS)
        await self._console.locator("dialog input[name=cards]").press("Tab")
        yield Stop("frozen", self._all)
        for verb in ("correct", "recalculate", "unfreeze"):
            await self._console.locator(f"[data-verb={verb}]").first.click()
        await close_sheet(self._console)
        await expect(self._all["station"].locator("[data-notice=recalculated]")).to_be_visible()
        yield Stop("corrected", self._all)

    async def _dummy(self) -> AsyncIterator[Stop]:
        """Nobody wagers, and a card is drawn."""
        await self._open()
        await enter(self._console, *in_shoe_order(COUP))
        for page in self._all.values():
            await expect(page.locator("[data-notice=dummy_coup]")).to_be_visible()
        yield Stop("dummy-coup", self._all)
        await self._finish()

    async def _recovery(self) -> AsyncIterator[Stop]:
        station = self._all["station"]
        await self._open()
        await self._patrons[0].chip(2_500).tap()
        await station.locator("[data-bet=player]").tap()
        await expect(station.locator(".stack:not(.pending)")).to_be_visible()
        await enter(self._console, *in_shoe_order(COUP)[:2])
        await self._scene.go_down()
        await expect(station.locator("[data-standing]")).to_be_visible()
        yield Stop("no-link", {"station": station})
        await self._scene.come_back()
        await go_on(self._console, "confirm_records")
        await expect(self._console.locator("[data-on-record=A1]")).to_be_visible()
        yield Stop("recovery", self._all)
        await self._console.locator("[data-verb=confirm_records]").click()
        await close_sheet(self._console)
        await enter(self._console, *in_shoe_order(COUP)[2:])
        await self._finish()

    async def _sheets(self) -> AsyncIterator[Stop]:
        for name, button in (("seat", "[data-seat=A1]"), ("trouble", ".bar [data-sheet=trouble]")):
            await self._console.locator(button).click()
            await expect(self._console.locator(f"[data-sheet-open={name}]")).to_be_visible()
            yield Stop(name, {"console": self._console})
            await close_sheet(self._console)
        station = self._all["station"]
        for name, page in (("last-coups", "history"), ("receipt", "receipt"), ("rules", "rules")):
            await open_page(station, page)
            await expect(station.get_by_role("dialog")).to_be_visible()
            yield Stop(name, {"station": station})
            await _close_dialog(station)

    async def _remote(self) -> AsyncIterator[Stop]:
        remote = await self._scene.open("station", "R1", DESK)
        await open_page(remote, "devices")
        yield Stop("remote", {"station": remote})

    async def floor_pages(self, names: Sequence[str] = FLOOR_PAGES) -> AsyncIterator[Stop]:
        floor = await self._scene.open_floor()
        yield Stop("sign-on", {"floor": floor})
        await show_who(floor, "CS1")
        for name in names:
            await floor.locator(f"#tab-{name}").click()
            await expect(floor.locator(f"main[data-page={name}]")).to_be_visible()
            if name == "map":
                await floor.locator("[data-table]").first.click()
                await expect(floor.locator("[data-panel] [data-record]").first).to_be_visible()
            if name == "curves":
                await expect(floor.locator("[data-chart=hold_dealer] [data-bar]")).to_be_visible()
            if name == "integrity":
                await floor.locator("select[name=table]").select_option("T1")
                await floor.locator("form[data-all-lights] button").click()
                await expect(floor.locator("[data-report=lights]")).to_be_visible()
            if name == "audit":
                await floor.locator("[name=question]").fill("What happened to station A1 in coup 1?")
                await floor.keyboard.press("Enter")
                await expect(floor.locator("[data-record]").last).to_be_visible()
            if name == "reports":
                await floor.locator("form button[type=submit]").click()
                await expect(floor.locator("[data-report=shift]")).to_be_visible()
            yield Stop(name, {"floor": floor})


async def _close_dialog(page: Page) -> None:
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
