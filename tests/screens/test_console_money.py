"""Money at the console: whom to pay until it is paid, what an act does before it is done, what can be taken back."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, FloatRect, Page, ViewportSize, expect

from tests.runtime.floors import table_for
from tests.screens.console_scene import close_sheet, show_who
from tests.screens.live_floor import SHOE, LiveFloor, coup, live_floor
from tests.screens.scene import DESK, Scene, area, overflow, scene_on, standing, violations
from tests.screens.stage import Stage

BOUGHT_IN = 140_000


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[LiveFloor]:
    with live_floor(table_for("crown-traditional", stations=2, period_ms=600_000), tmp_path) as live:
        live.deal(*SHOE, *({"do": "buy_in", "station": name, "cents": BOUGHT_IN} for name in ("A1", "A2")))
        yield live


@asynccontextmanager
async def _console(browser: Browser, floor: LiveFloor) -> AsyncIterator[tuple[Scene, Page]]:
    async with scene_on(browser, floor) as scene:
        page = await scene.open("console", viewport=DESK)
        await show_who(page, "D1")
        await expect(page.locator(".bar [data-sheet=payments]")).to_be_enabled()
        yield scene, page


async def box_of(page: Page, selector: str) -> FloatRect:
    await expect(page.locator(selector)).to_be_visible()
    box = await page.locator(selector).bounding_box()
    assert box is not None
    return box


@pytest.mark.clause("CROWN 6.7.1")
def test_whom_to_pay_stands_there_until_the_dealer_says_paid_and_can_be_shown_again(
    chromium: Stage, floor: LiveFloor
) -> None:
    """Also after a reload and for another person; the patron may stay; one key and Enter say that it is paid."""

    async def scene(browser: Browser) -> None:
        async with _console(browser, floor) as (dealt, page):
            card = page.locator(".pay-band [data-pay]")
            await dealt.deal({"do": "leave", "station": "A1"}, {"do": "leave", "station": "A2"})
            await expect(card).to_contain_text("Pay A1 1,400.00 in chips")
            await page.reload()
            await expect(card).to_contain_text("Pay A1 1,400.00 in chips")
            await show_who(page, "GS1")
            await card.locator("[data-verb=stay]").click()
            await expect(card).to_contain_text("Pay A2 1,400.00 in chips")
            assert floor.state.purse("A1").balance == BOUGHT_IN
            assert await violations(page) == []

            await page.keyboard.press("p")
            await expect(page.locator("[data-sheet-open=payments] .paid")).to_be_focused()
            assert floor.state.stations["A2"].is_open
            await page.keyboard.press("Enter")
            await expect(page.locator("[data-paid=A2]")).to_be_visible()
            await expect(page.locator("[data-pay]")).to_have_count(0)
            await page.reload()
            await show_who(page, "D1")
            await page.locator(".bar [data-sheet=payments]").click()
            await page.locator("[data-paid=A2] button").click()
            await expect(page.locator("[data-paid-again]")).to_contain_text("A2 was paid 1,400.00 in chips GS1")
            assert await violations(page) == []
            await close_sheet(page)
            await dealt.deal({"do": "leave", "station": "A1"})
            for size in ((1024, 768), (1280, 800), (1920, 1080)):
                await page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
                assert await overflow(page) <= 0
                band, cards = await box_of(page, ".pay-card"), await box_of(page, ".entry")
                assert band["y"] + band["height"] <= cards["y"]
                assert band["x"] + band["width"] <= size[0]

    chromium.play(scene)


async def _a_coup_that_banker_wins(dealt: Scene) -> None:
    """A1 has 25.00 on Banker and A2 25.00 on Player; A2 is paid and leaves."""
    for station, bet in (("A1", "banker"), ("A2", "player")):
        page = await dealt.open("station", station, DESK)
        if station == "A1":
            await dealt.deal({"do": "open"})
        await area(page, bet).tap()
        await expect(standing(page, bet)).to_be_visible()
        await page.close()
    await dealt.deal(*coup("2s", "4h", "3d", "3c", "8s"))
    await dealt.deal({"do": "leave", "station": "A2"}, {"do": "pay", "station": "A2"})


@pytest.mark.clause("CROWN 11.11", "CROWN 11.10")
def test_a_wrong_outcome_shows_what_every_account_comes_to_before_anybody_confirms(
    chromium: Stage, floor: LiveFloor
) -> None:
    """The cards begin as recorded, a refusal stands beside them, and what was shown is what is then booked."""

    async def scene(browser: Browser) -> None:
        async with _console(browser, floor) as (dealt, page):
            await _a_coup_that_banker_wins(dealt)
            before = floor.state.purse("A1").balance
            await expect(page.locator("[data-result=banker]")).to_be_visible()
            await page.keyboard.press("f")
            await page.locator("dialog [data-verb=freeze]").click()
            sheet = page.locator("[data-sheet-open=correction]")
            await expect(sheet.locator("fieldset .line [data-card]")).to_have_count(5)
            written = sheet.locator("input[name=cards]")
            await written.fill("2s 4h zz")
            await written.press("Tab")
            await expect(sheet.locator("[data-problem=cards_unread]")).to_contain_text("These are not cards")
            await expect(written).to_have_value("2s 4h zz")
            await expect(sheet.locator("fieldset .line [data-card]")).to_have_count(5)
            await sheet.locator(".line [data-card='8S']").click()
            await sheet.locator("[data-pick='3S']").click()
            mine, left = sheet.locator("[data-effect=A1]"), sheet.locator("[data-effect=A2]")
            await expect(mine).to_contain_text("25.00won 23.75lost 25.00-48.75")
            await expect(left).to_contain_text("25.00lost 25.00won 25.000.00has left, 50.00 payable")
            await expect(sheet.locator("[data-change-sum]")).to_have_text("-48.75")
            assert await violations(page) == []
            assert floor.state.purse("A1").balance == before

            await sheet.locator(".line > button").click()
            await sheet.locator("[data-verb=correct]").click()
            await expect(sheet.locator("fieldset [data-refusal=not_a_card]")).to_contain_text("card 5 is missing")
            await sheet.locator("[data-pick='3S']").click()
            await sheet.locator("[data-verb=correct]").click()
            await expect(sheet.locator("[data-foreseen=recalculate] [data-effect=A1]")).to_contain_text("-48.75")
            await sheet.locator("[data-verb=recalculate]").click()
            await expect(sheet.locator("[data-verb=unfreeze]")).to_be_visible()
            assert floor.state.purse("A1").balance == before - 4_875
            assert list(floor.state.payable("A2").values()) == [5_000]

            await sheet.locator("[data-act=invalidate] [name=reason]").fill("power")
            await sheet.locator("[data-act=invalidate] button").click()
            await expect(page.locator("[data-confirming=invalidate] [data-effect=A1]")).to_contain_text("+25.00")
            await expect(page.locator("[data-confirm=invalidate]")).to_be_focused()
            await page.keyboard.press("Escape")
            assert not floor.state.played[-1].invalid

    chromium.play(scene)


@pytest.mark.clause("CROWN 3.9", "CROWN 11.4", "CROWN 13.7")
def test_what_cannot_be_taken_back_is_asked_once_and_what_can_be_is_undone_by_one_key(
    chromium: Stage, floor: LiveFloor
) -> None:
    async def scene(browser: Browser) -> None:
        async with _console(browser, floor) as (dealt, page):
            await page.keyboard.press("u")
            await expect(page.locator("[data-undo=withdraw_cutting_card]")).to_be_visible()
            await page.keyboard.press("z")
            await expect(page.locator("[data-undo]")).to_have_count(0)
            assert floor.state.shoe.last_coup is None
            await dealt.deal({"do": "freeze"})
            await page.locator("[data-undo=unfreeze]").click()
            await expect(page.locator("[data-undo]")).to_have_count(0)
            assert floor.state.frozen_at_ms is None

            await dealt.deal({"do": "open"}, {"do": "close"})
            await expect(page.locator("main[data-guided=void]")).to_be_visible()
            await page.keyboard.press("Enter")
            await expect(page.locator("[data-confirm=void]")).to_be_focused()
            assert floor.state.coup is not None
            await page.keyboard.press("Enter")
            await expect(page.locator("main[data-phase=between_coups]")).to_be_visible()
            await expect(page.locator("dialog")).to_have_count(0)

            await page.locator("[data-seat=A1]").click()
            top_up = page.locator("[data-act=top_up]")
            await top_up.locator("[name=amount]").fill("a hundred")
            await top_up.locator("button[type=submit]").click()
            await expect(top_up.locator("[data-problem=field_money]")).to_contain_text("such as 250 or 12.50")
            await expect(top_up.locator("[name=amount]")).to_be_focused()
            await expect(top_up.locator("[name=amount]")).to_have_value("a hundred")
            assert await violations(page) == []
            await top_up.locator("[name=amount]").fill("7")
            await top_up.locator("[name=reference]").fill("123456789012345678")
            await top_up.locator("button[type=submit]").click()
            await expect(top_up.locator("[data-refusal=unknown_tender]")).to_contain_text("no accepted tender")
            await expect(top_up.locator("[data-problem]")).to_have_count(0)
            assert await page.locator("[data-refusal]").count() == 1
            assert await violations(page) == []
            await close_sheet(page)
            await _announces_nothing_at_half_a_time(page)
            await _decides_no_dispute_by_one_touch(dealt, page)
            await _finds_no_sheet_of_who_was_here_before(page)

    chromium.play(scene)


async def _announces_nothing_at_half_a_time(page: Page) -> None:
    """A browser gives half a time of day as none, and a closure without a time would be announced at once."""
    await page.locator(".bar [data-sheet=notices]").click()
    closure = page.locator("[data-act=notice_closure]")
    await closure.locator("[name=from]").press("1")
    await closure.locator("button[type=submit]").click()
    await expect(closure.locator("[data-problem=field_time]")).to_be_visible()
    assert await page.locator("[data-question], [data-refusal]").count() == 0
    await close_sheet(page)


async def _decides_no_dispute_by_one_touch(dealt: Scene, page: Page) -> None:
    """Money that a final decision takes is named once more before."""
    await dealt.deal({"do": "dispute", "station": "A1", "text": "it was 50"})
    await page.locator(".bar [data-sheet=cases]").click()
    decide = page.locator("[data-act=decide_dispute]")
    await decide.locator("[name=decision]").fill("the video shows 25")
    await decide.locator("[name=amount]").fill("-25")
    await decide.locator("button[type=submit]").click()
    asked = page.locator("[data-confirming=decide_dispute]")
    await expect(asked).to_contain_text("25.00 is taken from the account of A1")
    await page.keyboard.press("Escape")
    await expect(decide.locator("[name=decision]")).to_have_value("the video shows 25")
    await close_sheet(page)


async def _finds_no_sheet_of_who_was_here_before(page: Page) -> None:
    """The dealer who signs off leaves the sheet of the staff open, and the next one begins at the table."""
    await page.keyboard.press("g")
    await page.locator("[data-signed-on=D1] button").click()
    await show_who(page, "D1")
    await expect(page.locator(".bar [data-sheet=payments]")).to_be_enabled()
    await expect(page.locator("dialog")).to_have_count(0)
