"""What the process that makes reports is asked, and how it answers, as bytes on a pipe."""

from typing import Annotated, Literal

import msgspec

from sabot.audit.excerpt import ExcerptFilter
from sabot.audit.outbox import OutboxEnd
from sabot.audit.patron_days import DayClock
from sabot.audit.record_story import RecordStory
from sabot.audit.watching import LightAlarm
from sabot.basics.figures import Figure
from sabot.integrity.light import Light
from sabot.journal.journal import Derived
from sabot.views.reports import PatronLine
from sabot.views.sheets import ReportHead

FileForm = Literal["csv", "xlsx"]
LENGTH_BYTES = 4
MOST_BYTES = 64 * 2**20
"""No answer is longer."""


class _Ask(msgspec.Struct, frozen=True, tag=True):
    table: str


class MakeReport(_Ask, frozen=True):
    from_ms: int
    to_ms: int
    program: str
    made_ms: int


class MakeFloorReport(msgspec.Struct, frozen=True, tag=True):
    """A report over some tables, as JSON or as a file."""

    report: str
    tables: tuple[str, ...]
    head: ReportHead
    form: Literal["json"] | FileForm = "json"
    language: str = ""
    shifts: tuple[tuple[int, int], ...] = ()
    """The starts and ends of those that a report by shifts has a row for."""
    table: str = ""
    """It is about all of them."""


class AddUpFigures(_Ask, frozen=True):
    wanted: ExcerptFilter


class LookUpRecords(_Ask, frozen=True):
    """Of a table, or of the house where no table is named."""

    wanted: ExcerptFilter
    limit: int


class AddUpSums(_Ask, frozen=True):
    """Add up the sums that are not kept yet, of at most so many records, and go on with the table's watch."""

    records: int
    kept: int | None = None
    """The version of the newest value that was kept of those that this process handed over; 0 where there was none yet.

    Nothing where it is to begin anew from what the journal keeps.
    """


class ShowTable(_Ask, frozen=True):
    """Show a table that another process serves, as its records give it; nothing where it is not configured yet."""

    show: Literal["line", "map", "console", "meters"]
    at_ms: int = 0


class ShowIntegrity(_Ask, frozen=True):
    """Show the lights of a table as its records stand."""

    raised: bool = False
    """Whether the quiet ones are left out."""
    elsewhere: bool = False
    """Whether another process serves the table, so that nothing of it is added up here any more."""


class DrawCurves(msgspec.Struct, frozen=True, tag=True):
    """The curves of a gaming day, of these tables together."""

    tables: tuple[str, ...]
    day: str
    """As 2026-01-31; empty is the day of `now_ms`."""
    time_zone: str
    starts: str
    now_ms: int
    table: str = ""
    """The only one, where it is one."""


class ShowPatrons(msgspec.Struct, frozen=True, tag=True):
    """How patrons have played in a period, a page of them by reference."""

    tables: tuple[str, ...]
    from_ms: int
    to_ms: int
    after: str
    limit: int
    table: str = ""
    """It is about all of them."""


class PatronsShown(msgspec.Struct, frozen=True, kw_only=True):
    """A page of patrons by reference, with the totals of the period."""

    from_ms: int
    to_ms: int
    patrons: tuple[PatronLine, ...]
    after: str
    """What to ask with for the next page."""
    more: bool


class TellOutbox(msgspec.Struct, frozen=True, tag=True):
    """The lines of the outbox behind a cursor."""

    cursor: str
    limit: int
    patrons: DayClock | None = None
    """Whether the play of patrons is told, and by which clock."""
    table: str = ""
    """It is about all of them."""


_Figures = MakeReport | MakeFloorReport | AddUpFigures | LookUpRecords | DrawCurves
ReportAsk = _Figures | AddUpSums | ShowTable | ShowIntegrity | ShowPatrons | TellOutbox


class OutboxTold(msgspec.Struct, frozen=True, tag=True):
    """Lines of JSON, each with its end, and the last line apart, which says where to go on."""

    lines: bytes
    reached: OutboxEnd


class Made(msgspec.Struct, frozen=True, tag=True):
    """The answer as JSON, or as the file that was asked for."""

    json: bytes
    damaged: tuple[str, ...] = ()
    """Tables with a kept sum that could not be read, so that the records were read instead."""


class AddedUp(msgspec.Struct, frozen=True, tag=True):
    """Sums to be kept."""

    values: tuple[Derived, ...]
    is_all: bool
    """Whether every record was read."""
    is_damaged: bool = False
    """Whether those that are kept cannot be read, and must be dropped first."""
    raised: tuple[Light, ...] = ()
    """The lights that are not quiet after these records."""
    alarms: tuple[LightAlarm, ...] = ()
    """Those of the table's gaming day, and those of earlier ones that these records ended."""


class Mistaken(msgspec.Struct, frozen=True, tag=True):
    """The ask was wrong, in one sentence; with code and figures where it names what is not there."""

    why: str
    missing: str = ""
    values: dict[str, Figure] = {}


class Failed(msgspec.Struct, frozen=True, tag=True):
    """The journal could not be read, or the program failed; in one sentence."""

    why: str


ReportAnswer = Made | AddedUp | OutboxTold | Mistaken | Failed


class RecordTold(msgspec.Struct, frozen=True):
    """A record in words, with the postings it made and the hash it carries."""

    version: int
    epoch: int
    coup: int
    hash: str
    told: RecordStory


class ReportHello(msgspec.Struct, frozen=True):
    """The first that the process is told: where the journal is. It may hold a password, so it is no argument."""

    address: str
    most_memory: Annotated[int, msgspec.Meta(ge=0)]


def framed(message: ReportAsk | ReportAnswer | ReportHello) -> bytes:
    body = _encode(message)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


_encode = msgspec.msgpack.Encoder().encode
read_ask = msgspec.msgpack.Decoder(ReportAsk).decode
read_reply = msgspec.msgpack.Decoder(ReportAnswer).decode
read_hello = msgspec.msgpack.Decoder(ReportHello).decode
