"""A ticket as ESC/POS commands: what is printed, in which size, and its barcode.

The barcode is Interleaved 2 of 5, as validation numbers of tickets have it in the trade: eighteen digits, the last of
which is a check digit.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from sabot.basics.money import write_amount
from sabot.devices.ticket_printer import TicketToPrint

ESC, GS, DLE, EOT = b"\x1b", b"\x1d", b"\x10", b"\x04"
INITIALISE = ESC + b"@"
CENTRE = ESC + b"a\x01"
PLAIN, LARGE = GS + b"!\x00", GS + b"!\x11"
CUT = GS + b"VB\x00"
"""Feed to the knife, and cut."""
ITF = 70
PAPER_REPLY = GS + b"r\x01"
"""Asks for the paper's status. Unlike DLE EOT it waits its turn: its answer says that all before it is printed."""
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = ((10**9, "billion"), (10**6, "million"), (1_000, "thousand"), (100, "hundred"))


class TicketTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What a house prints on all its tickets."""

    title: str = "CASH OUT TICKET"
    zone: str = "UTC"
    currency: str = ""


def ticket_bytes(ticket: TicketToPrint, terms: TicketTerms) -> bytes:
    amount = f"{terms.currency} {write_amount(ticket.cents)}".strip()
    zone = ZoneInfo(terms.zone)
    issued = datetime.fromtimestamp(ticket.issued_ms / 1000, UTC)
    lines = [f"{ticket.table} station {ticket.station}", f"issued {_time(issued, zone)}"]
    if ticket.valid_days:
        lines.append(f"void after {_time(issued + timedelta(days=ticket.valid_days), zone)}")
    lines.append("present for redemption at the cage")
    return b"".join(
        (
            *(INITIALISE, CENTRE, LARGE, _line(terms.title), _line(amount), PLAIN, _line(in_words(ticket.cents))),
            *(_barcode(ticket.number), _line(grouped(ticket.number)), *map(_line, lines)),
            *(_line(""), CUT),
        )
    )


def in_words(cents: int) -> str:
    """The amount as it is written on a cheque: two hundred fifteen and 50/100."""
    whole, rest = divmod(cents, 100)
    return f"{_number(whole)} and {rest:02}/100"


def grouped(number: str) -> str:
    """Three groups of six digits are easier to type."""
    return " ".join(number[at : at + 6] for at in range(0, len(number), 6))


def _number(value: int) -> str:
    for scale, name in _SCALES:
        if value >= scale:
            many, rest = divmod(value, scale)
            return f"{_number(many)} {name}" + (f" {_number(rest)}" if rest else "")
    if value < len(_ONES):
        return _ONES[value]
    tens, ones = divmod(value, 10)
    return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")


def _time(at: datetime, zone: ZoneInfo) -> str:
    return at.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S %Z")


def _line(text: str) -> bytes:
    return text.encode("ascii", "replace") + b"\n"


def _barcode(number: str) -> bytes:
    """Eighty dots high, two dots for a narrow bar, and no line of digits: it is printed in groups below."""
    return GS + b"h\x50" + GS + b"w\x02" + GS + b"H\x00" + GS + b"k" + bytes((ITF, len(number))) + number.encode()
