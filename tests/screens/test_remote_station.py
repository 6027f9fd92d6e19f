"""A remote station with a note acceptor and a ticket printer of its own, on a floor in its own process."""

import contextlib
import re
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from playwright.async_api import Browser, Page, expect

from sabot.devices.note_driver import NoteDriver
from sabot.devices.print_log import PrintLog
from sabot.devices.printer_driver import PrinterDriver
from sabot.devices.simulated_acceptor import SimulatedAcceptor
from sabot.devices.simulated_printer import JAM, SimulatedPrinter
from tests.devices.fitted import Machine
from tests.runtime.floors import until
from tests.screens.configurations import crown
from tests.screens.console_scene import bring_shoe_in_play, close_sheet, enter, floor_scene, go_on, show_who, sign_on
from tests.screens.patron import Patron, in_shoe_order
from tests.screens.scene import DESK, expect_purse, open_page
from tests.screens.stage import Stage
from tests.served.process import Process, serving_live
from tests.served.staff import Staff
from tests.web.reckoning import Hands

RULE_SET = "crown-traditional"
BANKER: Hands = ("2s", "3d", "8s"), ("4h", "3c")
NOTE = 10_000


@contextlib.asynccontextmanager
async def _fitted(floor: Process, kind: str, folder: Path) -> AsyncIterator[Machine]:
    """The machine of one device, enrolled as what it is."""
    (path := folder / kind).mkdir()
    machine = Machine(floor.url, await Staff(floor.url).enrol(f"{kind}-R1", kind, station="R1"), path)
    try:
        yield machine
    finally:
        await machine.stop()


async def _insert(acceptor: SimulatedAcceptor) -> None:
    """A note is taken in only while the acceptor is in touch with the floor."""
    before = len(acceptor.stacker)
    await until(lambda: acceptor.insert(NOTE))
    await until(lambda: len(acceptor.stacker) > before)


async def _leave(page: Page) -> None:
    await open_page(page, "leave")
    await page.get_by_role("dialog").get_by_role("button", name="Leave").tap()


async def _is_paid_by_hand(console: Page, page: Page) -> None:
    """The console knows the ticket that did not come out, and a supervisor pays it with a second person."""
    await expect(page.locator("[data-notice=ticket_not_printed]")).to_contain_text("100.00")
    alarm = console.locator("[data-alarm=alarm_not_printed]")
    await expect(alarm).to_be_visible()
    number = re.search(r"\d{18}", await alarm.inner_text())
    assert number is not None
    await console.keyboard.press("m")
    paying = console.locator("[data-act=manual_pay]")
    await paying.locator("[name=ticket]").fill(number.group())
    await paying.locator("[name=reason]").fill("the ticket jammed")
    await paying.locator("button").click()
    await console.locator("[data-confirm=manual_pay]").click()
    await expect(console.locator("[data-question=who]")).to_be_visible()
    await show_who(console, "CS1")
    await expect(page.locator("[data-notice=ticket_paid]")).to_be_visible()
    await close_sheet(console)


@pytest.mark.clause("CROWN 6.7.2(b)")
def test_notes_go_in_a_ticket_comes_out_and_one_that_jams_is_paid_by_hand(chromium: Stage, tmp_path: Path) -> None:
    made = crown(rule_set=RULE_SET)
    fitted = msgspec.structs.replace(made.stations["R1"], note_acceptor=True)
    configuration = msgspec.structs.replace(made, stations={**made.stations, "R1": fitted})
    acceptor, printer = SimulatedAcceptor(), SimulatedPrinter()

    async def play(browser: Browser) -> None:
        async with (
            floor_scene(browser, floor) as scene,
            _fitted(floor, "note_acceptor", tmp_path) as notes,
            _fitted(floor, "printer", tmp_path) as prints,
        ):
            notes.start(NoteDriver(acceptor, notes.connection()).run)
            prints.start(PrinterDriver(printer, prints.connection(), PrintLog(tmp_path / "print-log")).run)
            console, page = await scene.open("console"), await scene.open("station", "R1", DESK)
            await sign_on(console, "D1", "GS1")
            await bring_shoe_in_play(console)
            await _insert(acceptor)
            await expect_purse(page, NOTE, 0)
            patron = Patron(page, RULE_SET, NOTE)
            await go_on(console, "open")
            await patron.tap("banker", 2_500, times=2)
            await enter(console, *in_shoe_order(BANKER))
            await go_on(console, "confirm")
            await patron.is_settled(BANKER)
            await _leave(page)
            await until(lambda: printer.printed)
            assert printer.printed[0].cents == patron.balance
            await expect(page.locator("[data-notice=ticket_present]")).to_contain_text("147.50")

            await until(lambda: acceptor.insert_ticket(printer.printed[0].number))
            await expect(page.locator("[data-notice=ticket_given_back]")).to_contain_text("is paid at the cage")
            printer.fault = JAM
            await _insert(acceptor)
            await expect_purse(page, NOTE, 0)
            await _leave(page)
            await _is_paid_by_hand(console, page)
            assert len(printer.printed) == 1

    with serving_live(tmp_path, configuration) as floor:
        chromium.play(play)
