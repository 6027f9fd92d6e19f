"""The floor's desk over a table that is cheated: map, curves and lights of integrity, in every language."""

import asyncio
import json
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.screens.configurations import crown
from tests.screens.console_scene import FloorScene, close_sheet, floor_scene, show_who
from tests.screens.fonts import without_glyph
from tests.screens.scene import LANGUAGES, choose_language, foreign_words, overflow, shown_in, violations
from tests.screens.stage import Stage
from tests.screens.test_tour import PRESCRIBED
from tests.served.planted import COUPS, StackedTable
from tests.served.process import Process, get, serving_live
from tests.served.troubled import troubled_table

SURE = {"return_of_table": "alarm", "return_of_dealer": "alarm", "return_of_bet": "alarm", "return_of_seat": "watch"}
"""The lights that follow from the cards; whether wagers were late as well depends on the speed of the machine."""
SAID = {
    "en": ("Return of a bet", f"{COUPS} coups: 900.00% came back to patrons", "gaming days", "with the video"),
    "zh": ("投注项返还率", f"{COUPS} 局：客人收回 900.00%", "个营业日中有一日", "与录像核对"),
    "zh-Hant": ("投注項目返還率", f"{COUPS} 局：客人收回 900.00%", "個營業日中有一日", "與錄影核對"),
}
"""Which light, what was seen, how unlikely it is, and what to do."""
TROUBLE = {
    "en": {
        "alarms": ("Alarms: alarm", "All accounts are frozen while a result is put right"),
        "calls": ("Attendant calls: alarm", "A1 calls an attendant"),
        "census": ("Cards of the shoe: alarm", "The cards do not add up"),
    },
    "zh": {
        "alarms": ("警报：警报", "正在更正结果，所有账户已冻结"),
        "calls": ("呼叫服务：警报", "A1 呼叫服务员"),
        "census": ("牌靴点算：警报", "牌数不符"),
    },
    "zh-Hant": {
        "alarms": ("警報：警報", "正在更正結果，所有帳戶已凍結"),
        "calls": ("呼叫服務：警報", "A1 呼叫服務員"),
        "census": ("牌靴點算：警報", "牌數不符"),
    },
}
"""What each light is called on the map, and what the table's drill-down says about it."""
DOWN = {"en": "The display is down", "zh": "显示屏 已断开", "zh-Hant": "顯示屏 已斷線"}
REFUSED = {
    "en": ("not for a Dealer", "CS1 has seen to this light of T1 already: return of bet"),
    "zh": ("此项须由", "CS1 已处理 T1 的这项警示：投注项返还率"),
    "zh-Hant": ("此項須由", "CS1 已處理 T1 的這項警示：投注項目返還率"),
}
"""Why somebody may not see to a light: the role, and that it was done."""
CODES = [language["code"] for language in LANGUAGES]
TYPED = frozenset({"The Gold Room", "the video shows every card as it was entered"})


class Cheated(NamedTuple):
    floor: Process
    table: StackedTable


@pytest.fixture(scope="module")
def cheated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cheated]:
    """T1 is cheated, T2 is not opened, and T3 is for other trouble."""
    folder = tmp_path_factory.mktemp("floor")
    tables = [crown(table=table) for table in ("T1", "T2", "T3")]
    with serving_live(folder, *tables, casino="The Gold Room") as process:
        table = StackedTable(process.url)
        asyncio.run(table.play())
        yield Cheated(process, table)


async def _desk(pages: FloorScene, person: str) -> Page:
    page = await pages.open_floor()
    await show_who(page, person)
    await expect(page.locator("main[data-page]")).to_be_visible()
    return page


async def _to(page: Page, name: str) -> None:
    await page.locator(f"#tab-{name}").click()
    await expect(page.locator(f"main[data-page={name}]")).to_be_visible()


def _light(page: Page, table: str, kind: str = "integrity") -> Locator:
    return page.locator(f"[data-table={table}] [data-light={kind}]")


async def _is_well_said(page: Page, code: str) -> None:
    assert await violations(page) == []
    if code != CODES[0]:
        assert await foreign_words(page, PRESCRIBED | TYPED) == []
    for locale, text in (await shown_in(page)).items():
        assert without_glyph(text, locale) == set(), locale


async def _is_in_sight(page: Page, part: Locator) -> None:
    """On the lowest screen of a desk, without scrolling."""
    await page.set_viewport_size({"width": 1366, "height": 768})
    await expect(part).to_be_in_viewport(ratio=1)


async def _sees_it_on_the_map(page: Page, code: str) -> None:
    await _to(page, "map")
    await expect(_light(page, "T1")).to_have_attribute("data-state", "alarm")
    await expect(_light(page, "T2")).to_have_attribute("data-state", "quiet")
    await page.locator("[data-table=T1]").click()
    panel = page.locator("[data-panel=T1]")
    await _is_in_sight(page, panel.locator(".roads"))
    await panel.locator("[data-lights] summary").click()
    await expect(panel.locator("[data-raised=return_of_bet]")).to_be_visible()
    await expect(panel.locator("[data-raised=return_of_bet]")).to_have_attribute("data-state", "alarm")
    await expect(panel.locator("[data-raised=return_of_bet]")).to_contain_text(SAID[code][1])
    await expect(panel.locator(".coup [data-card]")).to_have_count(4)
    await expect(panel.locator("[data-report=seats] tbody tr").first).to_contain_text("2,600.00")
    await expect(panel.locator("[data-record]").first).to_be_visible()
    await _is_well_said(page, code)
    await page.keyboard.press("Escape")
    await expect(panel).to_have_count(0)


async def _sees_the_curves(page: Page, code: str) -> None:
    await _to(page, "curves")
    win = page.locator("[data-chart=curve_win]")
    await expect(win.locator("[data-band]").first).to_be_visible()
    await win.locator("summary").click()
    await expect(win.locator("[data-report=curve_win] tbody tr").last).to_contain_text("-1,600.00")
    await expect(page.locator("[data-chart=hold_bet] [data-bar]")).to_have_count(1)
    await _is_well_said(page, code)
    await page.emulate_media(media="print")
    assert await overflow(page) <= 0
    await page.emulate_media(media="screen")


async def _sees_it_on_the_page(page: Page, code: str) -> None:
    await _to(page, "integrity")
    for kind, state in SURE.items():
        await expect(page.locator(f"[data-raised={kind}]")).to_have_attribute("data-state", state)
    bet = page.locator("[data-raised=return_of_bet]")
    for said in SAID[code]:
        await expect(bet).to_contain_text(said)
    await _is_well_said(page, code)


def test_an_alarm_is_on_the_map_on_its_page_and_in_the_outbox_in_every_language(
    chromium: Stage, cheated: Cheated
) -> None:
    async def scene(browser: Browser) -> None:
        async with floor_scene(browser, cheated.floor) as pages:
            page = await _desk(pages, "CS1")
            for code in CODES:
                await choose_language(page, code)
                await _sees_it_on_the_map(page, code)
                await _sees_the_curves(page, code)
                await _sees_it_on_the_page(page, code)

    chromium.play(scene)
    told = [json.loads(line) for line in get(cheated.floor.url, "/api/outbox", limit=1000).text.splitlines()]
    raised = [event for one in told if one.get("headings") == ["integrity"] for event in one["events"]]
    alarms = {("T1", kind) for kind, state in SURE.items() if state == "alarm"}
    assert {(one["table"], one["kind"]) for one in raised} >= alarms


def test_a_call_missing_cards_and_frozen_accounts_are_lights_in_every_language_until_they_are_seen_to(
    chromium: Stage, cheated: Cheated
) -> None:
    async def scene(browser: Browser) -> None:
        async with (
            floor_scene(browser, cheated.floor) as pages,
            troubled_table(cheated.floor.url, "T3") as table,
        ):
            page = await _desk(pages, "CS1")
            for kind in TROUBLE["en"]:
                await expect(_light(page, "T3", kind)).to_have_attribute("data-state", "quiet")
            await table.raise_all()
            for code in CODES:
                await choose_language(page, code)
                await _sees_the_trouble(page, code)

            await choose_language(page, CODES[0])
            await table.answer_the_call()
            await expect(_light(page, "T3", "calls")).to_have_attribute("data-state", "watch")
            await table.see_to_all()
            for kind in TROUBLE["en"]:
                await expect(_light(page, "T3", kind)).to_have_attribute("data-state", "quiet")
            await page.locator("[data-table=T3]").click()
            await expect(page.locator("[data-panel=T3] section.coup")).to_be_visible()
            await expect(page.locator("[data-panel=T3] .alarms")).to_have_count(0)

    chromium.play(scene)


async def _sees_the_trouble(page: Page, code: str) -> None:
    for kind, (called, _) in TROUBLE[code].items():
        await expect(_light(page, "T3", kind)).to_have_attribute("data-state", "alarm")
        await expect(_light(page, "T3", kind).locator("title")).to_have_text(called)
    await page.locator("[data-table=T3]").click()
    panel = page.locator("[data-panel=T3]")
    await _is_in_sight(page, panel.locator(".roads"))
    await panel.locator(".alarms summary").click()
    for said in (*(said for _, said in TROUBLE[code].values()), DOWN[code]):
        await expect(panel.locator(".alarms li", has_text=said)).to_be_visible()
    await expect(panel.locator("[data-report=seats] tbody tr").first).to_contain_text("1,000.00")
    await _is_well_said(page, code)
    await page.keyboard.press("Escape")


async def _see_to(page: Page, kind: str, found: str) -> None:
    form = page.locator(f"[data-raised={kind}] [data-act=see_to_light]")
    await form.locator("[name=reason]").fill(found)
    await form.locator("button").click()


def test_a_supervisor_whom_it_is_not_about_sees_to_an_alarm_and_it_goes_out(chromium: Stage, cheated: Cheated) -> None:
    async def scene(browser: Browser) -> None:
        async with floor_scene(browser, cheated.floor) as pages:
            page, late = await _desk(pages, "CS1"), await _desk(pages, "GS1")
            await _to(page, "integrity")
            await _looks_away(late)
            await _see_to(page, "return_of_bet", "the video shows every card as it was entered")
            await expect(page.locator("[data-raised=return_of_bet]")).to_have_count(0)
            await _is_told_that_it_was_done(late)
            await _follows_the_table(page, cheated.table)
            for code in CODES:
                await choose_language(page, code)
                row = page.locator("[data-report=lights_seen_to] tbody tr")
                for said in ("T1", SAID[code][0], "CS1", "the video shows every card as it was entered"):
                    await expect(row).to_contain_text(said)
                await _is_well_said(page, code)
            await choose_language(page, CODES[0])

            await _appoint_the_dealer(page)
            dealer = await _desk(pages, "D1")
            await _to(dealer, "integrity")
            for code in reversed(CODES):
                await choose_language(dealer, code)
                await _see_to(dealer, "return_of_dealer", "it was chance")
                await expect(dealer.locator("[data-question=who]")).to_contain_text(REFUSED[code][0])
                assert await violations(dealer) == []
                await close_sheet(dealer)
            await cheated.table.relieve_the_dealer()
            await dealer.locator("[data-raised=return_of_dealer] [data-act=see_to_light] button").click()
            refused = dealer.locator("[data-raised=return_of_dealer] [data-refusal=own_light]")
            await expect(refused).to_contain_text("D1 cannot see to a light that is about D1")
            assert await violations(dealer) == []

            await _to(page, "integrity")
            await expect(page.locator("[data-raised=return_of_dealer]")).to_be_visible()
            alarms = page.locator("[data-raised][data-state=alarm]")
            for kind in await alarms.evaluate_all("all => all.map(one => one.dataset.raised)"):
                await _see_to(page, kind, "the shoe was changed")
                await expect(page.locator(f"[data-raised={kind}]")).to_have_count(0)
            await expect(alarms).to_have_count(0)
            await _to(page, "map")
            await expect(_light(page, "T1")).not_to_have_attribute("data-state", "alarm")

    chromium.play(scene)


async def _looks_away(page: Page) -> None:
    """Another window lies before the desk's, which shows from then on what it showed before."""
    await _to(page, "integrity")
    await expect(page.locator("[data-raised=return_of_bet]")).to_be_visible()
    await page.evaluate("Object.defineProperty(document, 'hidden', { value: true })")


async def _is_told_that_it_was_done(page: Page) -> None:
    await _see_to(page, "return_of_bet", "I looked as well")
    refused = page.locator("[data-refusal=light_seen_to]")
    await expect(refused).to_be_visible()
    await expect(page.locator("[data-raised=return_of_bet]")).to_have_count(0)
    for code in CODES:
        await choose_language(page, code)
        await expect(refused).to_contain_text(REFUSED[code][1])
        await _is_well_said(page, code)
    await page.close()


async def _follows_the_table(page: Page, cheated: StackedTable) -> None:
    """All lights of the table, which change by themselves with the next coup."""
    await page.locator("select[name=table]").select_option("T1")
    await page.locator("form[data-all-lights] button").click()
    seat = page.locator("[data-report=lights] tr", has_text="Return of a seat")
    await expect(seat).to_contain_text("watch")
    await cheated.play(1)
    await expect(seat).to_contain_text("alarm")
    await expect(page.locator("[data-raised=return_of_seat]")).to_have_attribute("data-state", "alarm")


async def _appoint_the_dealer(page: Page) -> None:
    """D1 becomes a supervisor as well; the operator says so at the same desk."""
    await _to(page, "people")
    appoint = page.locator("[data-act=appoint]")
    await appoint.locator("[name=person]").fill("D1")
    for role in ("dealer", "game_supervisor"):
        await appoint.locator(f"[name={role}]").check()
    await appoint.locator("button").click()
    await show_who(page, "OP1")
    await expect(page.get_by_role("row", name="D1 Dealer")).to_contain_text("Game Supervisor")
