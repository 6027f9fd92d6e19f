"""The console in a real browser, at a floor in its own process: what a dealer and supervisors do and see."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.screens.configurations import crown
from tests.screens.console_scene import (
    bring_shoe_in_play,
    buy_in,
    close_sheet,
    enter,
    expect_seat,
    floor_scene,
    go_on,
    show_who,
    sign_on,
)
from tests.screens.scene import DESK, area, choose_language, overflow, small_targets, standing, tab_to, violations
from tests.screens.stage import Stage
from tests.served.process import Process, serving_live
from tests.served.staff import PINS

LEAST_TOUCH = 40
PLAYER_EIGHT = ("2S", "4H", "3D", "3C", "3S")
"""Player draws to 8, and Banker stands on 7."""


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Process]:
    with serving_live(tmp_path, crown(two_persons=("correct",))) as process:
        yield process


async def _wager_on_banker(page: Page) -> None:
    await area(page, "banker").click()
    await expect(standing(page, "banker")).to_be_visible()


async def _prepare_by_keyboard(page: Page) -> None:
    """Sign on, open the table, bring the shoe in play; a supervisor's PIN where one is due."""
    keys = page.keyboard
    assert await violations(page) == []
    await keys.type(PINS["D1"])
    await keys.press("Enter")
    await expect(page.locator("main[data-guided=open_table]")).to_be_visible()
    await keys.press("Enter")
    for step in ("check_cards", "new_shoe", "cut"):
        await expect(page.locator(f"main[data-guided={step}]")).to_be_visible()
        await keys.press("Enter")  # To the form of the step,
        await keys.press("Enter")  # which is sent as it stands.
        if step != "new_shoe":
            await expect(page.locator("[data-question=who]")).to_be_visible()
            await keys.type(PINS["GS1"])
            await keys.press("Enter")
    await expect(page.locator("main[data-guided=burn]")).to_be_visible()
    assert await violations(page) == []
    await keys.press("Enter")
    await keys.press("Enter")
    await expect(page.locator("main[data-guided=open]")).to_be_visible()


async def _buy_in_by_keyboard(page: Page) -> None:
    keys = page.keyboard
    await tab_to(page, "[data-seat=A1]")
    await keys.press("Enter")
    await tab_to(page, "[data-act=buy_in] [name=amount]")
    await keys.type("500")
    await keys.press("Enter")
    await expect(page.locator("[data-act=top_up]")).to_be_visible()
    await close_sheet(page)
    await keys.press("Escape")


def test_a_whole_coup_is_run_from_the_keyboard_alone(chromium: Stage, floor: Process) -> None:
    """From an empty table to a settled coup, with a card corrected on the way; only the patron touches a screen."""

    async def scene(browser: Browser) -> None:
        async with floor_scene(browser, floor) as pages:
            page, station = await pages.open("console"), await pages.open("station", "A1")
            keys = page.keyboard
            await _prepare_by_keyboard(page)
            await _buy_in_by_keyboard(page)
            await go_on(page, "open")
            await expect(page.locator("main[data-phase=wagering]")).to_be_visible()
            await _wager_on_banker(station)
            await expect(page.locator("[data-wagered]")).to_have_text("25.00")
            assert await violations(page) == []

            await enter(page, *PLAYER_EIGHT)
            await expect(page.locator("[data-guidance=guide_confirm]")).to_contain_text("Player wins 8 to 7")
            await expect(page.locator(".amend")).to_be_enabled()
            await keys.press("Backspace")
            await keys.type("8S")
            await expect(page.locator("[data-guidance=guide_confirm]")).to_contain_text("Banker wins 7 to 3")
            await go_on(page, "confirm")
            await expect(page.locator("[data-result=banker]")).to_be_visible()
            await expect_seat(page, "A1", "523.75")
            await expect(page.locator("[data-house]")).to_have_text("-23.75")

    chromium.play(scene)


async def _resolve_a_card_on_the_wrong_hand(page: Page) -> None:
    """The fifth card was laid on Banker; each way shows what it does before anybody chooses it."""
    await page.locator(".bar [data-sheet=trouble]").click()
    await page.locator("[data-fact=card_on_wrong_hand]").click()
    await page.locator(".choices button").nth(1).click()
    await page.locator("dialog [data-pick='3S']").click()
    assert await violations(page) == []
    await page.locator(".state").click()
    way = page.locator("[data-resolution=in_shoe_order]")
    await expect(way).to_contain_text("CROWN 11.3")
    await expect(way.locator("[data-card]")).to_have_count(5)
    lost = way.locator("[data-effect=A1][data-change='0']")
    await expect(lost).to_contain_text("25.00")
    assert await violations(page) == []
    await way.locator("button").click()
    await expect(page.locator("[data-fact]").first).to_be_visible()
    await close_sheet(page)
    await page.locator(".next").click()
    await expect(page.locator("[data-result=player]")).to_be_visible()
    await expect_seat(page, "A1", "475.00")


async def _correct_by_two(page: Page) -> None:
    """Freeze, the true cards, a second person's PIN, recalculate, let play go on."""
    await page.locator(".bar [data-sheet=correction]").click()
    await page.locator("[data-verb=freeze]").click()
    await page.locator("dialog input[name=cards]").fill("2s 4h 3d 3c 8s")
    await page.locator("dialog input[name=cards]").press("Tab")
    assert await violations(page) == []
    await page.locator("[data-verb=correct]").click()
    await expect(page.locator("[data-question=second]")).to_be_visible()
    await show_who(page, "CS1")
    await page.locator("[data-verb=recalculate]").click()
    await page.locator("[data-verb=unfreeze]").click()
    await expect(page.locator("[data-verb=freeze]")).to_be_visible()
    await close_sheet(page)
    await expect_seat(page, "A1", "523.75")
    await expect(page.locator("[data-notice=recalculated]")).to_be_visible()


async def _reject_a_claim(page: Page) -> None:
    await page.locator("[data-seat=A1]").click()
    claim = page.locator("[data-act=claim]")
    await claim.locator("textarea").fill("我下的是闲")
    await claim.locator("button").click()
    await close_sheet(page)
    await page.locator(".bar [data-sheet=cases]").click()
    await expect(page.locator("blockquote")).to_have_text("我下的是闲")
    await page.locator("[data-act=reject_claim] [name=reason]").fill("封存为庄")
    await page.locator("[data-act=reject_claim] button").click()
    await expect(page.locator("[data-case]")).to_have_count(0)
    await close_sheet(page)


@pytest.mark.clause("CROWN 11.3", "CROWN 11.11", "CROWN 11.12")
def test_trouble_is_resolved_corrected_and_answered_in_chinese_by_touch(chromium: Stage, floor: Process) -> None:
    """On the smaller screen; at the end nothing can be done at a locked console."""

    async def scene(browser: Browser) -> None:
        async with floor_scene(browser, floor) as pages:
            page, station = await pages.open("console", viewport=DESK), await pages.open("station", "A1")
            await choose_language(page, "zh")
            await expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
            await sign_on(page, "D1", "GS1")
            await bring_shoe_in_play(page)
            await buy_in(page, "A1", "500")
            await page.locator(".bar [data-verb=open]").click()
            await expect(page.locator("main[data-phase=wagering]")).to_be_visible()
            await _wager_on_banker(station)
            for card in ("2S", "4H", "3D", "3C"):
                await page.locator(f"[data-pick='{card}']").click()
                await expect(page.locator(f".last [data-card='{card}']")).to_be_visible()
            await _resolve_a_card_on_the_wrong_hand(page)
            await _correct_by_two(page)
            await _reject_a_claim(page)
            assert await overflow(page) <= 0
            assert await small_targets(page, LEAST_TOUCH) == []
            await page.keyboard.press("l")
            await expect(page.locator("[data-locked=true]")).to_be_visible()
            await page.keyboard.press("o")
            await expect(page.locator("main[data-phase=between_coups]")).to_be_visible()
            assert await violations(page) == []

    chromium.play(scene)


async def _report_and_repair_the_display(page: Page) -> None:
    alarm, report = page.locator("[data-alarm=alarm_device_down]"), page.locator("[data-act=device]")
    for works in (False, True):
        await page.keyboard.press("m")
        await report.locator("[name=up]").set_checked(works)
        await report.locator("button[type=submit]").click()
        await expect(alarm).to_have_count(0 if works else 1)
        await close_sheet(page)


async def _report_and_confirm_a_failed_station(page: Page) -> None:
    """After the close: it is an alarm without a time, until its wagers are confirmed."""
    alarm = page.locator("[data-alarm=alarm_faulted]")
    await page.locator("[data-seat=A1]").click()
    await page.locator("[data-act=fault] button").click()
    await expect(alarm).to_have_text("A1 has failed CROWN 11.14")
    await close_sheet(page)
    await page.locator("nav .pressing").click()
    await expect(page.locator("[data-verb=confirm_records]")).to_have_count(0)
    await page.locator("[data-on-record=A1] button").click()
    await expect(alarm).to_have_count(0)
    await close_sheet(page)


@pytest.mark.clause("CROWN 11.14(b)", "CROWN 11.15(b)")
def test_after_a_power_cut_the_dealer_confirms_the_wagers_from_the_records(chromium: Stage, floor: Process) -> None:
    async def scene(browser: Browser) -> None:
        async with floor_scene(browser, floor) as pages:
            page, station = await pages.open("console"), await pages.open("station", "A1")
            await sign_on(page, "D1", "GS1")
            await bring_shoe_in_play(page)
            await buy_in(page, "A1", "500")
            await page.keyboard.press("o")
            await expect(page.locator("main[data-phase=wagering]")).to_be_visible()
            await _wager_on_banker(station)
            await enter(page, "2S", "4H")
            await pages.go_down()
            await pages.come_back()
            await expect(page.locator("[data-state=malfunction]")).to_be_visible()
            await go_on(page, "confirm_records")
            line = page.locator("[data-on-record=A1]")
            await expect(line).to_contain_text("Banker 25.00")
            await expect(line.locator("td").nth(1)).to_have_text("yes")
            await expect(line.locator("td").nth(2)).to_have_text("yes")
            await expect(line.locator("td").nth(3)).to_have_text("yes")
            assert await violations(page) == []
            await page.locator("[data-verb=confirm_records]").click()
            await expect(page.locator("main[data-guided=card]")).to_be_visible()
            await close_sheet(page)
            await expect(page.locator("[data-state=malfunction]")).to_have_count(0)
            await _report_and_repair_the_display(page)
            await _report_and_confirm_a_failed_station(page)
            await enter(page, "3D", "3C", "8S")
            await go_on(page, "confirm")
            await expect_seat(page, "A1", "523.75")

    chromium.play(scene)
