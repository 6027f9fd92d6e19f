"""Whole coups at two stations, the console and the display at once, on a floor in its own process.

What every patron must have is reckoned apart, from the rule books' pay tables. `./test` plays Crown's; the console's
tests come back from a power cut as well.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from sabot.table.configuration import Configuration
from tests.screens.configurations import crown, singapore
from tests.screens.console_scene import (
    FloorScene,
    bring_shoe_in_play,
    buy_in,
    close_sheet,
    enter,
    floor_scene,
    go_on,
    sign_on,
)
from tests.screens.patron import Patron, in_shoe_order
from tests.screens.scene import DESK, TV, area, choose_language, drag
from tests.screens.stage import Stage
from tests.served.process import Process, serving_live
from tests.web.reckoning import Hands

BANKER_SIX: Hands = ("2s", "3d", "Th"), ("3h", "3c")
SIXES: Hands = ("3s", "3d"), ("2h", "4c")
"""A tie."""
PLAYER_NATURAL: Hands = ("5s", "4d"), ("Kh", "Qc")
AS_ENTERED: Hands = ("2s", "3d", "3s"), ("4h", "3c")
"""Player wins 8 to 7, as a dealer enters who reads the last card wrong."""
AS_DEALT: Hands = ("2s", "3d", "8s"), ("4h", "3c")
"""Banker wins 7 to 3."""


class Table:
    """A console, two stations and a display; the second station speaks Chinese."""

    def __init__(self, scene: FloorScene, console: Page, display: Page, patrons: tuple[Patron, Patron]) -> None:
        self.scene, self.console, self.display, self.patrons = scene, console, display, patrons

    async def opens(self) -> None:
        await go_on(self.console, "open")
        for patron in self.patrons:
            await expect(patron.page.locator("[data-announcement=place_your_bets]")).to_be_visible()
            await expect(area(patron.page, "player")).to_be_enabled()

    async def deals(self, hands: Hands) -> None:
        await enter(self.console, *in_shoe_order(hands))
        await expect(self.console.locator("[data-guidance=guide_confirm]")).to_be_visible()

    async def settles(self, hands: Hands, winner: str) -> None:
        await go_on(self.console, "confirm")
        for patron in self.patrons:
            await patron.is_settled(hands)
        for page in (self.display, self.console, *(patron.page for patron in self.patrons)):
            await expect(page.locator(f"[data-result={winner}]").first).to_be_visible()


@asynccontextmanager
async def _table(browser: Browser, floor: Process, configuration: Configuration) -> AsyncIterator[Table]:
    """Two patrons have bought in with 5,000 each, and the shoe is in play."""
    first, second = list(configuration.stations)[:2]
    async with floor_scene(browser, floor) as scene:
        console, display = await scene.open("console", viewport=TV), await scene.open("display")
        pages = [await scene.open("station", first), await scene.open("station", second, DESK)]
        await choose_language(pages[1], "zh")
        await sign_on(console, "D1", "GS1")
        await bring_shoe_in_play(console)
        for station in (first, second):
            await buy_in(console, station, "5,000")
        one, other = (Patron(page, configuration.rule_set, 500_000) for page in pages)
        yield Table(scene, console, display, (one, other))


@pytest.mark.clause("CROWN 4.11.1", "CROWN 5.3", "CROWN 8.1(c)", "CROWN 11.5.2", "CROWN 11.11")
def test_under_crown_all_wagers_a_tie_a_dummy_coup_and_a_wrong_outcome(chromium: Stage, tmp_path: Path) -> None:
    configuration = crown(rule_set="crown-baccarat")

    async def play(browser: Browser) -> None:
        async with _table(browser, floor, configuration) as table:
            one, other = table.patrons
            await table.opens()
            await _touch_every_way(one)
            await _lift_what_others_stand_on(other)
            await one.page.reload()
            await one.sees_his_wagers()
            await other.tap("player", 2_500, times=2)
            await other.tap("player_pair", 500)
            await enter(table.console, "2s")  # The first card closes.
            for patron in table.patrons:
                await expect(patron.page.locator("[data-announcement=no_more_bets]")).to_be_visible()
                await expect(area(patron.page, "player")).to_be_disabled()
            await enter(table.console, "3h", "3d")
            await other.page.reload()
            await other.sees_his_wagers()
            await expect(other.page.locator(".hand.player [data-card]")).to_have_count(2)
            await enter(table.console, "3c", "Th")
            await table.settles(BANKER_SIX, "banker")

            await table.opens()
            await one.presses("repeat", {bet: 500 if bet != "banker" else 10_000 for bet in _SIDES} | {"tie": 20_000})
            await other.tap("tie", 10_000)
            await table.deals(SIXES)
            await table.settles(SIXES, "tie")

            await go_on(table.console, "open")
            await expect(area(one.page, "player")).to_be_enabled()
            await enter(table.console, "5s")
            for patron in table.patrons:
                await expect(patron.page.locator("[data-notice=dummy_coup]")).to_be_visible()
            await enter(table.console, "Kh", "4d", "Qc")
            await go_on(table.console, "confirm")
            for patron in table.patrons:
                await patron.has_his_wagers_back()

            await table.opens()
            await one.tap("banker", 10_000)
            await other.tap("player", 50_000)
            await _settle_a_wrong_outcome_and_put_it_right(table)

    with serving_live(tmp_path, configuration) as floor:
        chromium.play(play)


_SIDES = (
    *("banker", "tie", "player_pair", "banker_pair", "player_perfect_pairs", "banker_perfect_pairs"),
    *("player_dragon_bonus", "banker_dragon_bonus", "super_6"),
)


async def _touch_every_way(one: Patron) -> None:
    """Tap, drag, move, undo, double, clear, and more than the limit; at the end every bet but Player has a wager."""
    await one.drags_a_chip(10_000, "player")
    await one.drags_a_stack("player", "banker")
    await one.presses("undo", {"player": 10_000})
    await one.presses("double", {"player": 20_000})
    await one.presses("clear", {})
    await one.drags_a_chip(10_000, "banker")
    for bet in _SIDES[2:]:
        await one.tap(bet, 500)
    await one.page.get_by_role("radio", name="Chip 500").tap()
    await area(one.page, "tie").tap()
    await expect(one.page.locator("[data-remark=tie]")).to_have_text("Tie: 200 stands (limits 5 to 200)")
    one.layout["tie"] = 20_000
    await one.sees_his_wagers()


async def _lift_what_others_stand_on(other: Patron) -> None:
    await other.tap("player", 2_500)
    await other.tap("banker_pair", 500)
    await drag(other.page, area(other.page, "player"), None)
    await other.has_his_wagers_back()
    await expect(other.page.locator("[data-notice=returned_unqualified]")).to_contain_text("CROWN 4.11.1")


async def _settle_a_wrong_outcome_and_put_it_right(table: Table) -> None:
    wagers = [dict(patron.layout) for patron in table.patrons]
    before = [patron.balance for patron in table.patrons]
    await table.deals(AS_ENTERED)
    await table.settles(AS_ENTERED, "player")
    console = table.console
    await console.keyboard.press("f")
    await console.locator("[data-verb=freeze]").click()
    for patron in table.patrons:
        await expect(patron.page.locator("[data-notice=frozen]")).to_be_visible()
    await console.locator("dialog input[name=cards]").fill(" ".join(in_shoe_order(AS_DEALT)))
    await console.locator("dialog input[name=cards]").press("Tab")
    await console.locator("[data-verb=correct]").click()
    await console.locator("[data-verb=recalculate]").click()
    for patron, layout, balance in zip(table.patrons, wagers, before, strict=True):
        patron.layout, patron.balance = layout, balance
        patron.balance, patron.layout = balance + patron.reckon(AS_DEALT), {}
        await patron.sees_his_wagers()
    await console.locator("[data-verb=unfreeze]").click()
    await close_sheet(console)
    for patron in table.patrons:
        await expect(patron.page.locator("[data-notice=recalculated]")).to_be_visible()
    for page in (table.display, *(patron.page for patron in table.patrons)):
        await expect(page.locator("[data-result=banker]").first).to_be_visible()
        await expect(page.locator("[data-notice=frozen]")).to_have_count(0)


@pytest.mark.whole
def test_under_mbs_the_period_closes_and_an_orderly_restart_finds_all_wagers(chromium: Stage, tmp_path: Path) -> None:
    configuration = singapore(rule_set="mbs-baccarat", wagering_period_ms=20_000)

    async def play(browser: Browser) -> None:
        async with _table(browser, floor, configuration) as table:
            one, other = table.patrons
            await table.opens()
            await one.tap("banker", 10_000)
            await other.drags_a_chip(2_500, "tie")
            for patron in table.patrons:
                await expect(patron.page.locator("[data-announcement=no_more_bets]")).to_be_visible()
            await enter(table.console, *in_shoe_order(AS_DEALT)[:3])
            await table.scene.go_down(orderly=True)
            await table.scene.come_back()
            await _confirm_from_the_records(table)
            await enter(table.console, *in_shoe_order(AS_DEALT)[3:])
            await table.settles(AS_DEALT, "banker")

    with serving_live(tmp_path, configuration) as floor:
        chromium.play(play)


async def _confirm_from_the_records(table: Table) -> None:
    await go_on(table.console, "confirm_records")
    lines = table.console.locator("[data-on-record]")
    await expect(lines).to_have_count(len(table.patrons))
    for number in range(len(table.patrons)):
        for evidence in range(1, 4):
            await expect(lines.nth(number).locator("td").nth(evidence)).to_have_text("yes")
    await table.console.locator("[data-verb=confirm_records]").click()
    await close_sheet(table.console)
    for patron in table.patrons:
        await patron.sees_his_wagers()


@pytest.mark.whole
def test_under_rws_a_power_cut_in_the_wagering_period_gives_all_wagers_back(chromium: Stage, tmp_path: Path) -> None:
    configuration = singapore(rule_set="rws-non-commission")

    async def play(browser: Browser) -> None:
        async with _table(browser, floor, configuration) as table:
            one, other = table.patrons
            await table.opens()
            await one.tap("banker", 10_000)
            await other.drags_a_chip(2_500, "player")
            await table.scene.go_down()
            await table.scene.come_back()
            for patron in table.patrons:
                await patron.has_his_wagers_back()
            await table.opens()
            await one.tap("banker", 10_000)
            await one.tap("banker_pair", 2_500)
            await other.tap("player", 2_500)
            await table.console.keyboard.press("n")
            await table.deals(BANKER_SIX)
            await table.settles(BANKER_SIX, "banker")
            await table.opens()
            await one.presses("repeat", {"banker": 10_000, "banker_pair": 2_500})
            await other.presses("repeat", {"player": 2_500})
            await other.presses("double", {"player": 5_000})
            await table.console.keyboard.press("n")
            await table.deals(PLAYER_NATURAL)
            await table.settles(PLAYER_NATURAL, "player")

    with serving_live(tmp_path, configuration) as floor:
        chromium.play(play)
