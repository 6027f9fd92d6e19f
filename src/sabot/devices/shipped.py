"""The kinds of devices that come with the program."""

from typing import cast

from sabot.devices.cctalk.acceptor import CctalkAcceptor
from sabot.devices.cctalk.message import BILL_VALIDATOR, Checksum
from sabot.devices.kinds import DriverKind, Fitted, chosen, numbered
from sabot.devices.note_driver import NoteDriver
from sabot.house.state import DeviceKind


async def _run_cctalk_notes(fitted: Fitted) -> None:
    check = cast("Checksum", chosen(fitted.options, "check", ("crc", "sum"), "crc"))
    address = numbered(fitted.options, "address", range(2, 256), BILL_VALIDATOR)
    acceptor = CctalkAcceptor(fitted.port, check=check, address=address, attention=fitted.attention)
    async with acceptor:
        await NoteDriver(acceptor, fitted.connection, fitted.attention).run()


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
