"""The kinds of devices that come with the program."""

import asyncio
from typing import cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sabot.basics.mistake import Mistake
from sabot.devices.card_reader import CardDriver
from sabot.devices.cctalk.acceptor import CctalkAcceptor
from sabot.devices.cctalk.message import BILL_VALIDATOR, Checksum
from sabot.devices.escpos.layout import TicketTerms
from sabot.devices.escpos.printer import EscPosPrinter, read_port
from sabot.devices.kinds import DriverKind, Fitted, chosen, numbered
from sabot.devices.note_driver import NoteDriver
from sabot.devices.print_log import PrintLog
from sabot.devices.printer_driver import PrinterDriver
from sabot.devices.serial_port import SPEEDS
from sabot.devices.shoe_driver import ShoeDriver
from sabot.devices.typed_lines import typed_lines
from sabot.devices.typed_shoe import TypedShoe
from sabot.house.state import DeviceKind

SPEED_SAID = "baud of the serial port; 9600 unless said"


def _speed(fitted: Fitted) -> int:
    return int(chosen(fitted.options, "speed", tuple(map(str, SPEEDS)), "9600"))


async def _run_cctalk_notes(fitted: Fitted) -> None:
    check = cast("Checksum", chosen(fitted.options, "check", ("crc", "sum"), "crc"))
    address = numbered(fitted.options, "address", range(2, 256), BILL_VALIDATOR)
    acceptor = CctalkAcceptor(fitted.port, check=check, address=address, attention=fitted.attention)
    async with acceptor:
        await NoteDriver(acceptor, fitted.connection, fitted.attention).run()


async def _run_escpos_printer(fitted: Fitted) -> None:
    options = fitted.options
    terms = TicketTerms(
        title=options.get("title", TicketTerms().title),
        zone=_zone(options.get("zone", "UTC")),
        currency=options.get("currency", ""),
    )
    printer = EscPosPrinter(read_port(fitted.port), fitted.folder / "last-printed", terms, speed=_speed(fitted))
    await printer.check_port()
    kept = PrintLog(fitted.folder / "print-log")
    await PrinterDriver(printer, fitted.connection, kept, fitted.attention).run()


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise Mistake(f"there is no time zone {name}") from None
    return name


async def _run_typing_shoe(fitted: Fitted) -> None:
    shoe = TypedShoe(fitted.folder / "readings")
    lines = typed_lines(fitted.port, _speed(fitted), fitted.attention)
    first = asyncio.ensure_future(anext(lines))
    await asyncio.sleep(0)
    if first.done():
        first.result()  # The port cannot be used.

    async def listen() -> None:
        shoe.typed(await first)
        async for line in lines:
            shoe.typed(line)

    async with asyncio.TaskGroup() as both:
        both.create_task(listen())
        both.create_task(ShoeDriver(shoe, fitted.connection, fitted.attention).run())


TYPING_SHOE = DriverKind(
    enrolled_as=DeviceKind.SHOE,
    summary="A scanning shoe that types a line for each card.",
    port="/dev/ttyACM0",
    run=_run_typing_shoe,
    options={"speed": SPEED_SAID},
)


async def _run_typing_cards(fitted: Fitted) -> None:
    swipes = chosen(fitted.options, "swipe", ("yes", "no"), "no") == "yes"
    lines = typed_lines(fitted.port, _speed(fitted), fitted.attention)
    await CardDriver(lines, fitted.connection, fitted.attention, swipes=swipes).run()


TYPING_CARDS = DriverKind(
    enrolled_as=DeviceKind.CARD_READER,
    summary="A reader of player cards that types the number.",
    port="/dev/ttyACM1",
    run=_run_typing_cards,
    options={
        "swipe": "yes where the same card again means that the patron leaves; no unless said",
        "speed": SPEED_SAID,
    },
)
ESCPOS_PRINTER = DriverKind(
    enrolled_as=DeviceKind.PRINTER,
    summary="A ticket printer by ESC/POS, with a barcode of 18 digits.",
    port="/dev/ttyUSB1 or printer:9100",
    run=_run_escpos_printer,
    options={
        "title": "what stands at the head of a ticket",
        "currency": "what stands before the amount, such as AUD",
        "zone": "the time zone of the times on it, such as Australia/Melbourne; UTC unless said",
        "speed": SPEED_SAID,
    },
)
CCTALK_NOTES = DriverKind(
    enrolled_as=DeviceKind.NOTE_ACCEPTOR,
    summary="A note acceptor by ccTalk, with escrow.",
    port="/dev/ttyUSB0",
    run=_run_cctalk_notes,
    options={
        "check": "crc or sum, as the acceptor is set; crc unless said",
        "address": "its address on the line; 40 unless said",
    },
)
