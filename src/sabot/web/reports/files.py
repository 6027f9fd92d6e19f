"""A report as a file: CSV and XLSX. The same report gives the same bytes.

Numbers are numbers, money with the currency's format, and times are those of the house's zone. A workbook has the
charts of the printed page as charts of its own, drawn from its cells. A CSV file has plain figures, times with their
distance from UTC, and nothing that a spreadsheet would take for a formula.
"""

import csv
import io
from collections.abc import Iterator
from datetime import datetime, tzinfo

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from sabot.views.sheets import CellKind, FloorReport, ReportHead, ReportSheet, SheetCell, SheetColumn
from sabot.web.reports.asks import FileForm
from sabot.web.reports.charts import CHART_ROWS, win_chart
from sabot.web.reports.report_words import ReportWords, local, zone_of

MEDIA: dict[FileForm, str] = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
Value = str | float | datetime | None
"""What a cell says: a text, a number or a moment."""
_HOUR_MS = 3_600_000
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MADE = datetime(2000, 1, 1)  # noqa: DTZ001  A file's own date; the heading says when the report was made.
_LONGEST_NAME, _WIDEST = 31, 40
_SIGNED = ("signed_made", "signed_checked")
"""The lines for signatures."""


def file_of(report: FloorReport, form: FileForm, words: ReportWords) -> bytes:
    return csv_of(report, words) if form == "csv" else xlsx_of(report, words)


def name_of(code: str, head: ReportHead, form: FileForm) -> str:
    return f"{code}-{local(head.from_ms, zone_of(head.time_zone)):%Y-%m-%d}.{form}"


def heading(report: FloorReport, words: ReportWords) -> Iterator[str]:
    """The lines above a report: whose it is, which period, who asked for it, by which program."""
    head, zone = report.head, zone_of(report.head.time_zone)

    def moment(at_ms: int) -> str:
        return f"{local(at_ms, zone):%Y-%m-%d %H:%M} {local(at_ms, zone):%Z}"

    yield head.casino or words.say("casino_not_named")
    yield words.say(f"report_{report.code}")
    period = words.say("period", {"from": moment(head.from_ms), "to": moment(head.to_ms)})
    yield " · ".join(part for part in (period, head.time_zone, report.currency) if part)
    yield words.say("made_at", {"time": moment(head.made_ms), "by": head.by})
    yield words.say("made_with", {"program": head.program})
    for one in report.sources:
        yield words.say("read_from", {"table": one.table, "first": one.first, "last": one.last})
        if not one.signed_to:
            yield words.say("unsigned_records", {"table": one.table})


def shown_lines(sheet: ReportSheet, words: ReportWords, time_zone: str) -> Iterator[list[str]]:
    """The rows of a sheet as a CSV file has them."""
    for line in _lines(sheet, words, zone_of(time_zone)):
        yield [_plain(value, column.kind) for value, column in zip(line, sheet.columns, strict=True)]


def csv_of(report: FloorReport, words: ReportWords) -> bytes:
    """The heading, a line each; the sheets with their remarks; the lines to sign. Blank lines part them."""
    written = io.StringIO()
    out = csv.writer(written, lineterminator="\r\n")
    out.writerows([_plain(line, "text")] for line in heading(report, words))
    for sheet in report.sheets:
        out.writerow([])
        out.writerow([words.say(column.key) for column in sheet.columns])
        out.writerows(shown_lines(sheet, words, report.head.time_zone))
        out.writerows([words.say(one.key, one.values)] for one in sheet.remarks)
    out.writerow([])
    out.writerows([words.say(key), ""] for key in _SIGNED)
    return ("\ufeff" + written.getvalue()).encode()


def _plain(value: Value, kind: CellKind) -> str:
    match value:
        case None:
            return ""
        case datetime():
            return value.isoformat(timespec="seconds")
        case str():
            return f"'{value}" if value.startswith(_FORMULA) else value
        case float() if kind in ("money", "percent", "hours"):
            return f"{value:.2f}"
    return str(value)


def value_of(cell: SheetCell, column: SheetColumn, words: ReportWords, zone: tzinfo) -> Value:
    if cell is None or cell == "":
        return None
    match column.kind:
        case "money":
            return round(float(cell)) / 100
        case "hours":
            return float(cell) / _HOUR_MS
        case "time":
            return local(int(cell), zone)
        case "word" | "bet":
            return words.word(column.prefix, str(cell))
    return cell


def _lines(sheet: ReportSheet, words: ReportWords, zone: tzinfo) -> Iterator[list[Value]]:
    """What the rows of a sheet say, and last its totals where it has them."""
    for row in sheet.rows:
        yield [value_of(cell, column, words, zone) for cell, column in zip(row, sheet.columns, strict=True)]
    if sheet.totals is not None:
        cells = zip(sheet.totals[1:], sheet.columns[1:], strict=True)
        yield [words.say("total"), *(value_of(cell, column, words, zone) for cell, column in cells)]


class _Workbook:
    """The formats of a workbook, each made once."""

    def __init__(self, written: io.BytesIO, currency: str) -> None:
        self.book = xlsxwriter.Workbook(written, {"in_memory": True, "strings_to_formulas": False})
        self.book.set_properties({"created": _MADE})
        unit = f" [${currency}]" if currency and "/" not in currency else ""
        money = f"#,##0.00{unit};[Red]-#,##0.00{unit}"
        shown = {"money": money, "count": "#,##0", "time": "yyyy-mm-dd hh:mm:ss", "hours": "#,##0.00", "rate": "0.0"}
        shown["percent"] = '0.00" %"'
        self.plain = {kind: self.book.add_format({"num_format": shape}) for kind, shape in shown.items()}
        total = {"bold": True, "top": 1, "bottom": 6}
        self.total = {kind: self.book.add_format({"num_format": shape, **total}) for kind, shape in shown.items()}
        self.total_text = self.book.add_format(total)
        self.title = self.book.add_format({"bold": True, "font_size": 14})
        self.head = self.book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        self.line = self.book.add_format({"bottom": 1})


def xlsx_of(report: FloorReport, words: ReportWords) -> bytes:
    written = io.BytesIO()
    made = _Workbook(written, report.currency)
    names: set[str] = set()
    for number, sheet in enumerate(report.sheets):
        name = _sheet_name(words.say(f"report_{sheet.code}"), names)
        _write_sheet(made, name, report, sheet, words, signed=number == 0)
    made.book.close()
    return written.getvalue()


def _sheet_name(said: str, taken: set[str]) -> str:
    """As a workbook allows it: short, without some signs, and once."""
    plain = "".join("-" if sign in "[]:*?/\\" else sign for sign in said)[:_LONGEST_NAME]
    name = plain if plain not in taken else f"{plain[: _LONGEST_NAME - 2]} {len(taken) + 1}"
    taken.add(name)
    return name


def _write_sheet(
    made: _Workbook, name: str, report: FloorReport, sheet: ReportSheet, words: ReportWords, *, signed: bool
) -> None:
    page, zone, row = made.book.add_worksheet(name), zone_of(report.head.time_zone), 0
    for number, line in enumerate(heading(report, words)):
        page.write_string(row, 0, line, made.title if number < 2 else None)
        row += 1
    row += 1
    for place, column in enumerate(sheet.columns):
        page.write_string(row, place, words.say(column.key), made.head)
    page.freeze_panes(row + 1, 0)
    page.repeat_rows(row)
    first = row
    for values in _lines(sheet, words, zone):
        row += 1
        is_total = row - first > len(sheet.rows)
        formats, text = (made.total, made.total_text) if is_total else (made.plain, None)
        for place, (value, column) in enumerate(zip(values, sheet.columns, strict=True)):
            _write_cell(page, row, place, value, formats.get(column.kind, text))
    for place, column in enumerate(sheet.columns):
        page.set_column(place, place, _width(column))
    row = _write_foot(page, row + 2, sheet, words)
    if (chart := win_chart(made.book, name, sheet, words, first + 1)) is not None:
        page.insert_chart(row + 1, 0, chart, {"object_position": 3})
        row += CHART_ROWS
    if signed:
        for number, key in enumerate(_SIGNED):
            page.write_string(row + 2 + 2 * number, 0, words.say(key))
            page.write_blank(row + 2 + 2 * number, 2, None, made.line)
    page.set_landscape()
    page.set_paper(9)
    page.fit_to_pages(1, 0)
    page.set_footer("&L&A&R&P / &N")


def _write_foot(page: Worksheet, row: int, sheet: ReportSheet, words: ReportWords) -> int:
    for remark in sheet.remarks:
        page.write_string(row, 0, words.say(remark.key, remark.values))
        row += 1
    return row


def _write_cell(page: Worksheet, row: int, place: int, value: Value, shape: Format | None) -> None:
    match value:
        case None:
            page.write_blank(row, place, None, shape)
        case datetime():
            page.write_datetime(row, place, value.replace(tzinfo=None), shape)
        case str():
            page.write_string(row, place, value, shape)
        case _:
            page.write_number(row, place, value, shape)


def _width(column: SheetColumn) -> int:
    wide = {"time": 20, "money": 16, "text": 14, "word": 18, "bet": 18}
    return _WIDEST if column.key == "reason" else wide.get(column.kind, 11)
