"""The floor's desk in a real browser: devices, cage, what happened, reports."""

import asyncio
import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, Route, expect

from tests.cli.sabot import sabot
from tests.screens.configurations import crown, singapore
from tests.screens.console_scene import bring_shoe_in_play, buy_in, enter, floor_scene, go_on, show_who, sign_on
from tests.screens.scene import DESK, area, choose_language, overflow, standing, violations
from tests.screens.stage import Stage
from tests.screens.tour import FLOOR_PAGES
from tests.served import plain_http
from tests.served.floor_file import staffed_floor
from tests.served.process import Process, serving, serving_live
from tests.served.staff import PINS
from tests.web.workbook import read_workbook


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Process]:
    shifts = ["00:00", "06:00", "12:00", "18:00"]
    with serving_live(tmp_path, crown(), crown(table="T2"), casino="The Gold Room", shifts=shifts) as process:
        yield process


async def _to(page: Page, name: str) -> None:
    await page.locator(f"#tab-{name}").click()
    await expect(page.locator(f"main[data-page={name}]")).to_be_visible()
    assert await violations(page) == []


async def _sees_the_map(page: Page) -> None:
    """Both tables, and from the keyboard the one that was played: its hands, its seats and what happened there."""
    tile = page.locator("[data-table=T1]")
    await expect(page.locator("[data-table]")).to_have_count(2)
    await expect(tile).to_have_attribute("data-phase", "between_coups")
    await expect(tile.locator("[data-light]")).to_have_count(4)
    assert await violations(page) == []
    await page.locator("[data-table=T2]").focus()
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Enter")
    panel = page.locator("[data-panel=T1]")
    await expect(panel.locator(".coup [data-card]")).to_have_count(5)
    await expect(panel.locator("[data-report=seats] tbody tr").first).to_contain_text("523.75")
    await expect(panel.locator("[data-record]").first).to_contain_text("Banker")
    assert await violations(page) == []
    await page.keyboard.press("Escape")
    await expect(panel).to_have_count(0)
    await expect(tile).to_be_focused()


async def _sees_the_curves(page: Page) -> None:
    """The win within its band, with the table of the same figures behind it; also on paper."""
    await _to(page, "curves")
    win = page.locator("[data-chart=curve_win]")
    await expect(win).to_contain_text("-23.75; 0.26 expected")
    await expect(win.locator("[data-band]").first).to_be_visible()
    await win.locator("summary").click()
    await expect(win.locator("[data-report=curve_win] tbody tr").last).to_contain_text("-23.75")
    await expect(page.locator("[data-chart=hold_dealer] [data-bar=D1]")).to_be_visible()
    await expect(page.locator("[data-chart=hold_bet] [data-bar]")).to_have_count(1)
    assert await violations(page) == []
    await page.locator("select[name=table]").select_option("T2")
    await page.locator("form button[type=submit]").click()
    await expect(page.locator("[data-curves] h2")).to_contain_text("T2")
    await page.emulate_media(media="print")
    await expect(page.locator("[data-curves] h2")).to_be_visible()
    await expect(page.locator("[role=tablist]")).to_be_hidden()
    assert await overflow(page) <= 0
    await page.emulate_media(media="screen")


async def _play_a_coup(console: Page, station: Page) -> None:
    await sign_on(console, "D1", "GS1")
    await bring_shoe_in_play(console)
    await buy_in(console, "A1", "500")
    await console.keyboard.press("o")
    await area(station, "banker").click()
    await expect(standing(station, "banker")).to_be_visible()
    await enter(console, "2S", "4H", "3D", "3C", "8S")
    await go_on(console, "confirm")
    await expect(console.locator("[data-result=banker]")).to_be_visible()


def test_the_floor_tells_what_happened_and_what_it_came_to(chromium: Stage, floor: Process) -> None:
    async def scene(browser: Browser) -> None:
        async with floor_scene(browser, floor) as pages:
            console, station = await pages.open("console"), await pages.open("station", "A1")
            await _play_a_coup(console, station)
            page = await pages.open_floor()
            assert await violations(page) == []
            await show_who(page, "CS1")
            await _sees_the_map(page)
            await _to(page, "tables")
            tables = page.locator("[data-report=tables] tbody tr")
            await expect(tables).to_have_count(2)
            await expect(tables.first).to_contain_text("-23.75")
            assert await violations(page) == []

            await _sees_the_curves(page)
            await _to(page, "integrity")
            await expect(page.locator("[data-integrity='0']")).to_contain_text("in 100 gaming days")
            await page.locator("select[name=table]").select_option("T1")
            await page.locator("form[data-all-lights] button").click()
            await expect(page.get_by_text("Return of the table")).to_be_visible()  # The page asks again by itself.
            assert await violations(page) == []
            await _to(page, "audit")
            await page.locator("[name=coup]").fill("the first")
            await expect(page.locator("[data-problem=field_number]")).to_contain_text("Coup: Write a whole number")
            await page.locator("[name=question]").fill("What happened to station A1 in coup 1?")
            await page.keyboard.press("Enter")
            story = page.locator("[data-record]")
            await expect(story.last).to_contain_text("CROWN 10.1 Traditional Banker")
            await expect(story.last).to_contain_text("win")
            await expect(story.first).to_contain_text("layout:A1:banker")
            assert await violations(page) == []
            await _finds_by_code(page)

            await _waits_for_the_gaming_day(page)
            await _read_reports(page)

    chromium.play(scene)


async def _waits_for_the_gaming_day(page: Page) -> None:
    """No report can be asked for before the floor has told its gaming day: a touch is not lost."""
    held: asyncio.Queue[Route] = asyncio.Queue()
    await page.route("**/api/reports", held.put)
    await _to(page, "reports")
    day = await held.get()
    make = page.locator("form button[type=submit]")
    await expect(make).to_be_disabled()
    await day.continue_()
    await page.unroute("**/api/reports")
    await expect(make).to_be_enabled()


async def _shows_the_newest_report(page: Page) -> None:
    """The answer to an earlier report comes after that to a newer one, and is not shown."""
    held: asyncio.Queue[Route] = asyncio.Queue()
    await page.route("**/api/reports/win?*", held.put)
    choice = page.locator("[name=report]")
    await choice.select_option("win")
    earlier = await held.get()
    await choice.select_option("float")
    await expect(page.locator("[data-report=float]")).to_be_visible()
    async with page.expect_response("**/api/reports/win?*") as late:
        await earlier.continue_()
    await (await late.value).finished()
    await page.unroute("**/api/reports/win?*")
    await expect(page.locator("[data-report=float]")).to_be_visible()
    await expect(page.locator("[data-report=win]")).to_have_count(0)


async def _finds_by_code(page: Page) -> None:
    """Significant events show code and severity, in every language, and are found by either; the house has its own."""
    story = page.locator("[data-record]")
    await page.locator("[name=question]").fill("")
    for field in ("station", "coup"):
        await page.locator(f"[name={field}]").fill("")
    await page.locator("[name=code]").fill("1201")
    for language, word in (("zh", "通知"), ("zh-Hant", "通知"), ("en", "notice")):
        await choose_language(page, language)
        await page.locator("form button[type=submit]").click()
        await expect(story).to_have_count(1)
        await expect(story.locator("[data-code='1201']")).to_have_text(f"1201 {word}")
    await page.locator("[name=code]").fill("42")
    await page.keyboard.press("Enter")
    await expect(page.locator("[data-refusal=no_such_code]")).to_be_visible()
    await page.locator("[name=code]").fill("")
    await page.locator("[name=table]").select_option("")
    await page.locator("[name=severity]").select_option("notice")
    await page.locator("form button[type=submit]").click()
    await expect(story.locator("[data-code='1404']").first).to_be_visible()
    assert await violations(page) == []


async def _laid_out_for_paper(report: Locator) -> list[str]:
    """How a report's heads and what holds it are laid out: pages repeat no button, and are cut well in blocks alone."""
    await report.page.emulate_media(media="print")
    laid_out: list[str] = await report.evaluate(
        """table => {
            const seen = new Set([...table.querySelectorAll("th button")].map((one) => getComputedStyle(one).display));
            for (let at = table.parentElement; at !== null; at = at.parentElement) {
                const { display, overflowX } = getComputedStyle(at);
                if (display !== "block") seen.add(display);
                if (overflowX !== "visible") seen.add(overflowX);
            }
            return [...seen];
        }"""
    )
    await report.page.emulate_media(media="screen")
    return laid_out


async def _read_reports(page: Page) -> None:
    await page.locator("form button[type=submit]").click()
    await expect(page.locator("[data-report=shift] tfoot")).to_contain_text("500.00")
    await expect(page.locator("[data-report=tenders]")).to_contain_text("Cash")
    assert await _laid_out_for_paper(page.locator("[data-report=shift]")) == ["contents"]
    choice = page.locator("[name=report]")
    for report in ("shifts", "win", "patrons", "put_right", "float", "meters", "liability", "dealers"):
        await choice.select_option(report)
        await expect(page.locator(f"[data-report={report}]")).to_be_visible()
    await _shows_the_newest_report(page)
    await choice.select_option("theory")
    row = page.locator("[data-report=theory] tbody tr")
    await expect(row).to_contain_text("0.26")  # A little over one in a hundred of 25.00 is the house's.
    await expect(row).to_contain_text("within the bounds")
    await expect(page.locator("[data-chart=theory_chart] [data-bar='T1 · Banker']")).to_be_visible()
    assert await violations(page) == []
    lines = list(csv.reader((await _saved(page, "CSV")).decode("utf-8-sig").splitlines()))
    assert lines[0] == ["The Gold Room"]
    (header, banker, total) = (one for one in lines if len(one) > 2)
    assert (header[1], banker[1], banker[4], banker[5]) == ("Bet", "Banker", "-23.75", "0.26")
    assert total[4] == "-23.75"
    await _check_shift(page)
    await page.emulate_media(media="print")
    await expect(page.locator("[role=tablist]")).to_be_hidden()
    await expect(page.locator("[name=report]")).to_be_hidden()
    document = page.locator(".document")
    for said in ("The Gold Room", "by CS1", "AE", "Program ", "Checked by"):
        await expect(document).to_contain_text(said)
    assert await overflow(page) <= 0
    totals = document.locator("tfoot").first
    assert await totals.evaluate("one => getComputedStyle(one).display") == "table-row-group"  # Not on every page.


async def _check_shift(page: Page) -> None:
    """Shifts of a day have its coup once; commission is told by dealer, and a workbook holds the same."""
    await page.locator("[name=report]").select_option("dealers")
    await page.locator("[name=period]").select_option("shift")
    coups = 0
    for start in ("06:00", "12:00", "18:00", "00:00"):
        await page.locator("[name=shift]").select_option(start)
        async with page.expect_response(f"**/api/reports/dealers?*shift={start[:2]}%3A00") as answer:
            await page.locator("form button[type=submit]").click()
        sheet = (await (await answer.value).json())["sheets"][0]
        coups += sum(row[1] for row in sheet["rows"])
    assert coups == 1
    await page.locator("[name=period]").select_option("between")
    await page.locator("[name=from]").fill("2026-02-01T10:00")
    await page.locator("[name=to]").fill("2026-01-31T10:00")
    await page.locator("main form button[type=submit]").click()
    await expect(page.locator("[data-refusal=malformed]")).to_contain_text("the period ends before it begins")
    await page.locator("[name=period]").select_option("day")
    for language, word in (("zh", "佣金"), ("zh-Hant", "每小時局數"), ("en", "Coups an hour")):
        await choose_language(page, language)
        await page.locator("form button[type=submit]").click()
        await expect(page.locator("[data-report=dealers] thead")).to_contain_text(word)
        rows = next(iter(read_workbook(await _saved(page, "XLSX")).values()))
        (dealer,) = [row for row in rows if row[0] == "D1"]
        assert dealer[1:5] == [1.0, 25.0, -23.75, 1.25]
        assert any(word in map(str, row) for row in rows)
        assert await violations(page) == []


async def _saved(page: Page, form: str) -> bytes:
    async with page.expect_download() as saving:
        await page.get_by_role("button", name=form).click()
    return Path(await (await saving.value).path()).read_bytes()


def test_two_persons_enrol_a_device_by_the_code_that_it_shows_and_revoke_it(chromium: Stage, floor: Process) -> None:
    async def scene(browser: Browser) -> None:
        async with floor_scene(browser, floor) as pages:
            context = await browser.new_context()
            device = await context.new_page()
            await device.goto(f"{floor.url}/display")
            code = await device.locator("output").inner_text()
            page = await pages.open_floor()
            await show_who(page, "TE1")
            form = page.locator("[data-waiting=display] [data-act=enrol]")
            await form.locator("[name=code]").fill(code.lower())
            await form.locator("[name=device]").fill("wall-1")
            await form.locator("[name=table]").fill("T2")
            await form.locator("[name=approval]").fill("WND-2026-01")
            await form.locator("button").click()
            await expect(page.locator("[data-question=second]")).to_be_visible()
            assert await violations(page) == []
            await show_who(page, "GS1")
            await expect(page.locator("[data-waiting]")).to_have_count(0)
            await expect(device.locator("main[data-phase=closed]")).to_be_visible()

            revoking = page.locator("[data-act=revoke]")
            await revoking.locator("[name=device]").fill("wall-1")
            await revoking.locator("[name=reason]").fill("moved")
            await revoking.locator("button").click()
            await expect(device.locator(".enrolment output")).to_be_visible()

            again = page.locator("[data-waiting=display] [data-act=enrol]")
            await again.locator("[name=code]").fill(await device.locator("output").inner_text())
            for name, value in (("device", "wall-1"), ("table", "T1"), ("approval", "WND-2026-01")):
                await again.locator(f"[name={name}]").fill(value)
            await again.locator("button").click()
            await expect(page.locator("[data-question=second]")).to_be_visible()
            await show_who(page, "GS1")
            await expect(device.locator("main[data-phase=closed]")).to_be_visible()

    chromium.play(scene)


def test_an_act_waits_visibly_while_another_is_under_way_and_nothing_typed_is_lost(
    chromium: Stage, floor: Process
) -> None:
    """A press that comes too early is impossible, not dropped in silence: it waits for its turn."""

    async def scene(browser: Browser) -> None:
        async with floor_scene(browser, floor) as pages:
            page = await pages.open_floor()
            await show_who(page, "CS1")
            await _to(page, "people")
            held: asyncio.Queue[Route] = asyncio.Queue()
            await page.route("**/api/house", held.put)
            first, other = page.locator("[data-act=exclude]"), page.locator("[data-act=readmit]")
            for form in (first, other):
                await form.locator("[name=patron]").fill("P-7")
                await form.locator("[name=reason]").fill("asked for it")
            await first.locator("button").click()
            sent = await held.get()
            await expect(page.locator("main.floor")).to_have_attribute("aria-busy", "true")
            for form in (first, other):
                await expect(form.locator("button")).to_be_disabled()
            await first.locator("[name=patron]").fill("P-8")
            await sent.continue_()
            await page.unroute("**/api/house")
            await other.locator("button").click()
            await expect(other.locator("[name=patron]")).to_have_value("")
            await expect(first.locator("[name=patron]")).to_have_value("P-8")
            await expect(page.locator("[data-refusal]")).to_have_count(0)

    chromium.play(scene)


def test_a_floor_takes_a_pin_only_at_a_desk_that_is_enrolled(chromium: Stage, tmp_path: Path) -> None:
    """The first desk is invited from the machine itself; the next one shows its code when somebody tries."""

    async def scene(browser: Browser, floor: Process) -> None:
        async with floor_scene(browser, floor) as pages:
            first = await pages.open_empty(DESK)
            await first.goto(f"{floor.url}/floor#invitation={code}")
            await show_who(first, "TE1")
            await expect(first.locator("#tab-devices")).to_be_visible()
            second = await pages.open_floor()
            await show_who(second, "CS1")
            shown = await second.locator(".enrolment output").inner_text()
            await first.locator("#tab-devices").click()
            form = first.locator("[data-waiting=desk] [data-act=enrol]")
            await expect(form).to_contain_text("127.0.0.1")
            assert await form.locator("[name=table]").count() == 0
            for name, value in (("code", shown), ("device", "desk-2"), ("approval", "WND-2026-02")):
                await form.locator(f"[name={name}]").fill(value)
            await form.locator("button").click()
            await show_who(first, "GS1")
            await expect(second.locator("input[name=pin]")).to_be_visible()
            await show_who(second, "CS1")
            await expect(second.locator("#tab-people")).to_be_visible()
            assert await violations(second) == []

    config = staffed_floor(tmp_path, crown(), dealer="live", limits={}, staff={"desks": []})
    persons = ("--by", "TE1", "--second", "CS1", "--approval", "WND-2026-01")
    invited = sabot(
        *("staff", "invite", "desk-1", "--store", str(tmp_path / "floor.vault"), *persons),
        given=f"{PINS['TE1']}\n{PINS['CS1']}\n",
    )
    assert invited.code == 0, invited.error
    code = invited.out.strip()
    with serving(config) as floor:
        chromium.play(lambda browser: scene(browser, floor))


def test_the_cage_pays_a_ticket_once_and_in_chinese(chromium: Stage, tmp_path: Path) -> None:
    """A patron leaves with a ticket; a cashier redeems it, and it is worth nothing then."""

    async def scene(browser: Browser, floor: Process) -> None:
        async with floor_scene(browser, floor) as pages:
            console, station = await pages.open("console"), await pages.open("station", "P1")
            await sign_on(console, "D1", "GS1")
            await bring_shoe_in_play(console)
            await buy_in(console, "P1", "125.50")
            await console.locator("[data-seat=P1]").click()
            await console.locator("[data-act=leave] button").click()
            told = station.locator("[data-notice=ticket_present]").first
            number = re.search(r"\d{18}", await told.inner_text())
            assert number is not None

            page = await pages.open_floor()
            await choose_language(page, "zh")
            await show_who(page, "CA1")
            await expect(page.locator("main[data-page=cage]")).to_be_visible()
            await expect(page.locator("[role=tab]")).to_have_count(2)
            redeem = page.locator("[data-act=redeem]")
            scanned = redeem.locator("[name=ticket]")
            await scanned.press_sequentially(f"{number[0][:-1]}{(int(number[0][-1]) + 1) % 10}")  # A scanner types.
            await scanned.press("Enter")
            await expect(page.locator("[data-refusal=misread_ticket]")).to_contain_text("校验位")
            await scanned.press_sequentially(number[0])
            await scanned.press("Enter")
            await expect(page.locator("[data-paid='12550']")).to_contain_text("125.50")
            assert await violations(page) == []
            await redeem.locator("[name=ticket]").fill(number[0])
            await redeem.locator("button").click()
            await expect(page.locator("[data-refusal=paid_already]")).to_contain_text(f"票券 {number[0]} 已付")

    with serving_live(tmp_path, singapore()) as floor:
        chromium.play(lambda browser: scene(browser, floor))


async def _make_and_revoke_a_service_account(page: Page, floor: Process) -> None:
    """Its token is shown once and is good until it is revoked."""
    make = page.locator("[data-act=make_service]")
    await make.locator("[name=service]").fill("loyalty")
    await make.locator("[name=purpose]").fill("the loyalty system")
    await make.locator("[name=meters]").check()
    await make.locator("button").click()
    token = await page.locator("[data-token=loyalty] code").inner_text()
    await expect(page.locator("[data-service=loyalty][data-revoked=false]")).to_contain_text("Meters")
    headers = {"Authorization": f"Bearer {token}"}
    assert plain_http.get(f"{floor.url}/api/meters", headers=headers).status_code == 200
    assert await violations(page) == []
    revoke = page.locator("[data-act=revoke_service]")
    await revoke.locator("[name=reason]").fill("a test")
    await revoke.locator("button").click()
    await expect(page.locator("[data-service=loyalty][data-revoked=true]")).to_be_visible()
    assert plain_http.get(f"{floor.url}/api/meters", headers=headers).status_code == 401


def test_surveillance_sees_every_page_and_no_act(chromium: Stage, tmp_path: Path) -> None:
    """The operator appoints a person, who signs on at the desk and finds nothing to press. On the same page a service
    account is made and revoked."""

    async def scene(browser: Browser, floor: Process) -> None:
        async with floor_scene(browser, floor) as pages:
            page = await pages.open_floor()
            await show_who(page, "OP1")
            await _to(page, "people")
            appoint = page.locator("[data-act=appoint]")
            await appoint.locator("[name=person]").fill("SV1")
            await appoint.locator("[name=surveillance]").check()
            await appoint.locator("button").click()
            await expect(page.locator("[data-report=staff]")).to_contain_text("SV1")
            await _make_and_revoke_a_service_account(page, floor)
            await page.locator("header .tools button").first.click()

            await show_who(page, "SV1")
            await expect(page.locator("[role=tab]")).to_have_count(len(FLOOR_PAGES))
            for name in FLOOR_PAGES:
                await _to(page, name)
                await expect(page.locator("[data-act]")).to_have_count(0)
            await _to(page, "people")
            await expect(page.locator("[data-report=staff]")).to_contain_text("Surveillance")

    with serving_live(tmp_path, crown()) as floor:
        chromium.play(lambda browser: scene(browser, floor))
