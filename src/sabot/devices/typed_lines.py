"""Devices that type: each reading is a line of text on a serial port, ended by CR, LF or both."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from sabot.devices.serial_port import PortUnusable, SerialPort

LONGEST = 64
"""A line that is longer is noise."""
OPEN_AGAIN_S = 1.0


class LineReader:
    """Bytes in, lines out. What cannot be text is left out; an empty line is none."""

    def __init__(self) -> None:
        self._unread = bytearray()

    def feed(self, data: bytes) -> list[str]:
        lines: list[str] = []
        for byte in data:
            if byte in b"\r\n":
                line = self._unread.decode("ascii", "replace").strip("\x02\x03 \t")
                if line and len(line) <= LONGEST:
                    lines.append(line)
                self._unread.clear()
            elif len(self._unread) <= LONGEST:
                self._unread.append(byte)
        return lines


async def typed_lines(
    path: str, speed: int, attention: Callable[[str], None], *, open_again_s: float = OPEN_AGAIN_S
) -> AsyncIterator[str]:
    """The lines that a device types, also over a port that goes away and comes back."""
    port: SerialPort | None = SerialPort(path, speed)
    while True:
        reader = LineReader()
        if port is not None:
            with port, contextlib.suppress(OSError):
                while True:
                    for line in reader.feed(await port.read()):
                        yield line
            attention(f"{path} is gone: see to its cable")
        await asyncio.sleep(open_again_s)
        port = None
        with contextlib.suppress(PortUnusable):
            port = SerialPort(path, speed)
