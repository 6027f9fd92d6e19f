"""What a printer says of itself by ESC/POS: one byte for each of four questions."""

from typing import Final

from sabot.devices.escpos.layout import DLE, EOT

OFFLINE, COVER_OPEN, NO_PAPER, JAM, BROKEN = "offline", "the cover is open", "out of paper", "jam", "it is broken"
QUESTIONS: Final = (1, 2, 3, 4)
_FAULTS: Final = {
    4: ((0x60, NO_PAPER),),
    3: ((0x08, JAM), (0x20, BROKEN), (0x40, BROKEN)),
    2: ((0x04, COVER_OPEN), (0x20, NO_PAPER), (0x40, BROKEN)),
    1: ((0x08, OFFLINE),),
}
"""The bits of each answer that mean a fault, the most telling first."""


def question(number: int) -> bytes:
    """DLE EOT, which a printer answers at once, also where it is offline."""
    return DLE + EOT + bytes((number,))


def is_status(byte: int) -> bool:
    """Four bits of every answer are fixed, so that it can be told from noise."""
    return byte & 0x93 == 0x12


def fault_of(answers: dict[int, int]) -> str:
    """The fault that the answers tell of, or nothing. That it is offline is said last: another answer says why."""
    for number, bits in _FAULTS.items():
        for bit, fault in bits:
            if answers.get(number, 0) & bit:
                return fault
    return ""


def is_paper_reply(byte: int) -> bool:
    """An answer to GS r: its bits 4 and 7 are zero, by which it differs from those to DLE EOT."""
    return byte & 0x90 == 0


def has_paper(byte: int) -> bool:
    return not byte & 0x0C
