"""What the bytes of ccTalk mean between a host and a note acceptor, as the generic specification lists them."""

from enum import IntEnum
from typing import Final


class Header(IntEnum):
    RESET_DEVICE = 1
    READ_BARCODE_DATA = 129
    REQUEST_BILL_OPERATING_MODE = 152
    MODIFY_BILL_OPERATING_MODE = 153
    ROUTE_BILL = 154
    REQUEST_COUNTRY_SCALING_FACTOR = 156
    REQUEST_BILL_ID = 157
    READ_BUFFERED_BILL_EVENTS = 159
    MODIFY_MASTER_INHIBIT_STATUS = 228
    MODIFY_INHIBIT_STATUS = 231
    SIMPLE_POLL = 254


NOT_TAKEN: Final = 5
"""The header of an answer that says no."""
EVENTS_KEPT: Final = 5
ROUTE_RETURN, ROUTE_STACK, HOLD = 0, 1, 255
ESCROW_EMPTY, ROUTE_FAILED = 254, 255
"""Answers to a question that moves a note; an answer without data is an acknowledgement."""
ESCROW_AND_STACKER: Final = 0b11
ALL_BILLS: Final = b"\xff\xff"

RETURNED, STACKER_OK, STACKER_REMOVED, STACKER_INSERTED, STACKER_FULL = 1, 10, 11, 12, 14
STACKER_JAM, PULLED_BACK, BARCODE, UNKNOWN_STACKED = 15, 8, 20, 21
REJECTED: Final = frozenset({2, 3, 4, 5})
"""It was no note that the acceptor knows, could not be moved, or is of a kind that is switched off."""
FAULTS: Final = {
    6: "a note is jammed where the patron can reach it",
    7: "a note is jammed on its way to the stacker",
    STACKER_REMOVED: "the stacker is out",
    13: "the stacker is broken",
    STACKER_FULL: "the stacker is full",
    STACKER_JAM: "the stacker is jammed",
    16: "a note is jammed",
    19: "the guard against strings is broken",
}
FRAUDS: Final = {
    PULLED_BACK: "a note was pulled back",
    9: "a note was tampered with",
    17: "the sensors were tampered with",
    18: "there was a string on a note",
}
MENDED: Final = frozenset({STACKER_OK, STACKER_INSERTED})


def cents_of(identifier: str, scale: int, decimals: int) -> int:
    """The value of a kind of note: two letters for the country, four digits, and a letter for the issue; 0 for none."""
    value = identifier[2:6]
    return int(value) * scale * 100 // 10**decimals if value.isdigit() and value.isascii() else 0
