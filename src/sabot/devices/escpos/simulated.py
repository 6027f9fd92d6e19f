"""A simulated ESC/POS printer with the faults of a real one: it prints lines, and draws the bars of barcodes."""

from typing import Final

from sabot.devices.escpos.layout import DLE, EOT, ESC, GS, ITF
from sabot.devices.escpos.status import COVER_OPEN, JAM, NO_PAPER, OFFLINE

NARROW, WIDE = 2, 5
_PATTERNS: Final = ["00110", "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010"]
"""The five elements of each digit, with 1 for a wide one."""


class PrintedTicket:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.bars: list[int] = []
        """The widths of bars and spaces in turn, in dots."""
        self.is_cut = False


class SimulatedEscPos:
    """Bytes in, answers out. `fault` is what is wrong with it now; `fails_at_line` breaks the next ticket half way."""

    def __init__(self) -> None:
        self.tickets: list[PrintedTicket] = []
        self.fault = ""
        self.fails_at_line: int | None = None
        self._unread = b""
        self._line = b""
        self._now = PrintedTicket()

    def hear(self, data: bytes) -> bytes:
        self._unread += data
        answers = b""
        while self._unread:
            taken, answer = self._command()
            if taken == 0:
                break
            self._unread = self._unread[taken:]
            answers += answer
        return answers

    def _command(self) -> tuple[int, bytes]:
        """How many bytes the next command has, 0 where it is not whole, and what is answered."""
        said = self._unread
        if said.startswith(DLE) and len(said) >= 3 and said[1:2] == EOT:
            return 3, b"" if self.fault == OFFLINE else bytes((self._status(said[2]),))
        if said[:1] in (DLE, ESC, GS) and len(said) < 3:
            return (2, b"") if said == ESC + b"@" else (0, b"")
        if said.startswith(ESC):
            return (2, b"") if said[1:2] == b"@" else (3, b"")
        if said.startswith(GS):
            return self._of_gs(said)
        self._take(said[:1])
        return 1, b""

    def _of_gs(self, said: bytes) -> tuple[int, bytes]:
        match said[1:2]:
            case b"k":
                if len(said) < 4 or len(said) < 4 + said[3]:
                    return 0, b""
                assert said[2] == ITF, "tickets have no other barcode"
                self._draw(said[4 : 4 + said[3]].decode())
                return 4 + said[3], b""
            case b"V":
                if len(said) < 4:
                    return 0, b""
                self._cut()
                return 4, b""
            case b"r":
                return 3, self._paper()
            case _:
                return 3, b""

    def _paper(self) -> bytes:
        """It comes to this command only when everything before is printed; a printer that stopped never does."""
        if self.fault == NO_PAPER:
            return b"\x0c"
        return b"" if self.fault else b"\x00"

    def _take(self, byte: bytes) -> None:
        if byte != b"\n":
            self._line += byte
            return
        if self.fails_at_line == len(self._now.lines):
            self.fault, self.fails_at_line = JAM, None
        if not self.fault:
            self._now.lines.append(self._line.decode())
        self._line = b""

    def _draw(self, digits: str) -> None:
        assert len(digits) % 2 == 0, "the digits are interleaved in pairs"
        bars = [NARROW] * 4
        for at in range(0, len(digits), 2):
            for bar, space in zip(_PATTERNS[int(digits[at])], _PATTERNS[int(digits[at + 1])], strict=True):
                bars += [WIDE if bar == "1" else NARROW, WIDE if space == "1" else NARROW]
        if not self.fault:
            self._now.bars = [*bars, WIDE, NARROW, NARROW]

    def _cut(self) -> None:
        if not self.fault:
            self._now.is_cut = True
            self.tickets.append(self._now)
        self._now = PrintedTicket()

    def _status(self, number: int) -> int:
        fixed = 0x12
        match number:
            case 1:
                return fixed | (0x08 if self.fault else 0)
            case 2:
                return fixed | {COVER_OPEN: 0x04, NO_PAPER: 0x20, JAM: 0x40}.get(self.fault, 0)
            case 3:
                return fixed | (0x08 if self.fault == JAM else 0)
            case _:
                return fixed | (0x60 if self.fault == NO_PAPER else 0)
