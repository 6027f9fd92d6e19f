"""A printed report as data: sheets of columns and cells, from which page, print, CSV and XLSX are all made.

Columns and remarks are named by keys of the pages' catalogues, so that every language can say them.
"""

from typing import Literal

import msgspec

from sabot.basics.figures import Figure

SheetCell = str | int | float | None
CellKind = Literal["text", "word", "bet", "money", "count", "time", "hours", "rate", "percent"]
"""Money in cents, times and hours in milliseconds; a word is a key of the catalogues, behind the column's prefix."""


class SheetColumn(msgspec.Struct, frozen=True):
    key: str
    kind: CellKind = "text"
    prefix: str = ""
    """Of a word: `put_right` and the cell `CoupVoided` are the key `put_right_CoupVoided`."""


class Remark(msgspec.Struct, frozen=True):
    key: str
    values: dict[str, Figure] = {}


class ReportSheet(msgspec.Struct, frozen=True):
    """A section of a report."""

    code: str
    columns: tuple[SheetColumn, ...]
    rows: tuple[tuple[SheetCell, ...], ...]
    totals: tuple[SheetCell, ...] | None = None
    """Under the rows; nothing where a sum of the column says nothing."""
    remarks: tuple[Remark, ...] = ()


class SheetSource(msgspec.Struct, frozen=True):
    """The records of a table that a report was made from."""

    table: str
    first: int
    last: int
    signed_to: int
    """With 0 nobody vouches for any of them."""


class ReportHead(msgspec.Struct, frozen=True, kw_only=True):
    casino: str
    program: str
    """The digest of the program."""
    from_ms: int
    to_ms: int
    time_zone: str
    made_ms: int
    by: str
    """Who asked for it."""


class FloorReport(msgspec.Struct, frozen=True):
    """A report over the tables of a floor."""

    code: str
    head: ReportHead
    currency: str
    sheets: tuple[ReportSheet, ...]
    sources: tuple[SheetSource, ...]
