"""`sabot journal report`: reports of tables over a period, on the terminal and as files."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from cyclopts import Parameter

from sabot.audit.excerpt import TableFacts, facts_of
from sabot.audit.gaming_days import shift_of
from sabot.audit.kept_sums import ALWAYS_MS, SumReader
from sabot.basics.mistake import Mistake
from sabot.basics.money import write_net
from sabot.cli.arguments import Flag
from sabot.cli.journal.excerpts import ALWAYS, JournalPeriod
from sabot.cli.journal.shared import any_table, ask, period
from sabot.cli.terminal import console, print_json
from sabot.cli.terminal import table as columns
from sabot.floor.records.program_digest import program_digest
from sabot.floor.records.record_codec import table_of
from sabot.journal.journal import ReadableJournal
from sabot.journal.steady_clock import wall_ms
from sabot.views.meter_names import GAMES, meter_names
from sabot.views.reports import Heading, TableReport
from sabot.views.sheets import FloorReport, ReportHead

if TYPE_CHECKING:
    from sabot.web.reports.report_words import ReportWords

_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
ReportName = Literal["shift", "shifts", "win", "dealers", "theory", "patrons", "put_right", "float", "meters"]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ReportFiles:
    """A printed report, and its form.

    Parameters
    ----------
    report
        One report over all tables, or over that of --table: the shift by table, a row for each shift, the win by
        station, dealers with commission, bets against theory, patrons by reference, corrections, the float, or the
        meters by the names of standards.
    shift
        Only the shift of --day that begins at this time.
    shifts
        When the house's shifts begin: 06:00,14:00,22:00. Without it a report by shifts has a row for each gaming day.
    csv
        Print it as CSV: plain figures, times with their distance from UTC.
    xlsx
        Write it as a workbook to this file; the same records and moment give the same bytes.
    casino
        The casino's name at its head.
    by
        Who asked for it.
    language
        Of its words: en, zh or zh-Hant.
    """

    report: ReportName | None = None
    shift: str | None = None
    shifts: str = ""
    csv: Flag = False
    xlsx: Path | None = None
    casino: str = ""
    by: str = ""
    language: str = "en"

    @property
    def times(self) -> list[str]:
        """When the shifts begin."""
        return [one.strip() for one in self.shifts.split(",") if one.strip()]

    def period_of(self, when: JournalPeriod, facts: TableFacts) -> tuple[int | None, int | None]:
        for one in self.times:
            if not _TIME.fullmatch(one):
                raise Mistake(f"{one!r} is not a time: write the shifts as 06:00,14:00,22:00")
        if self.shift is None:
            return period(facts, when.day, when.since, when.to)
        if when.day is None or when.since is not None or when.to is not None:
            raise Mistake("a shift belongs to a gaming day: give it with --day, such as --day 2026-01-31")
        if not self.times:
            raise Mistake("say when the house's shifts begin, such as --shifts 06:00,14:00,22:00")
        return shift_of(when.day, self.shift, self.times, facts.time_zone, facts.day_starts)


NO_FILE = ReportFiles()


def report(place: str, /, *, when: JournalPeriod = ALWAYS, form: ReportFiles = NO_FILE, json: Flag = False) -> int:
    """Report the figures of a table over a period: win by station and bet, its expected value, and what was put right.

        sabot journal report floor.journal --day 2026-01-31

        sabot journal report floor.journal --report dealers --day 2026-01-31

        sabot journal report floor.journal --report dealers --xlsx all.xlsx

        sabot journal report floor.journal --day 2026-01-31 --shift 14:00 \\
            --shifts 06:00,14:00,22:00

        sabot journal report floor.journal --report shifts --day 2026-01-31 \\
            --shifts 06:00,14:00,22:00

    It is the report that a floor serves, made from the sums that are kept beside the records. With --report it is one
    of the printed ones, over all tables.

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    json
        Print the stable JSON form.
    """
    if form.report is None:
        if form.csv or form.xlsx is not None:
            raise Mistake("name the report that the file shall have, such as --report dealers")
        found = ask(place, lambda journal: _report(journal, when, form))
        if json:
            print_json(found)
        else:
            _print(found)
        return 0
    _put_out(ask(place, lambda journal: _floor_report(journal, when, form)), form, json=json)
    return 0


def _put_out(made: FloorReport, form: ReportFiles, *, json: bool) -> None:
    from sabot.web.reports.files import file_of
    from sabot.web.reports.report_words import ReportWords

    words = ReportWords(form.language)
    if form.xlsx is not None:
        try:
            form.xlsx.write_bytes(file_of(made, "xlsx", words))
        except OSError as error:
            raise Mistake(f"{form.xlsx} cannot be written: {error.strerror}") from None
    if form.csv:
        sys.stdout.write(file_of(made, "csv", words).decode("utf-8-sig").replace("\r\n", "\n"))
    elif json:
        print_json(made)
    elif form.xlsx is None:
        _print_sheets(made, words)


async def _floor_report(journal: ReadableJournal, when: JournalPeriod, form: ReportFiles) -> FloorReport:
    from sabot.web.reports.floor_reports import report_over, shifts_of

    assert form.report is not None
    facts = await facts_of(journal, await any_table(journal, when.table))
    since, to = form.period_of(when, facts)
    head = ReportHead(
        casino=form.casino,
        program=program_digest(),
        from_ms=since or 0,
        to_ms=wall_ms() if to is None else to,
        time_zone=facts.time_zone,
        made_ms=wall_ms(),
        by=form.by,
    )
    tables = [name for stream in await journal.streams() if (name := table_of(stream))]
    chosen = [when.table] if when.table else sorted(tables)
    made, _ = await report_over(
        journal, form.report, head, chosen, shifts_of(form.report, head, form.times, facts.day_starts)
    )
    return made


def _print_sheets(made: FloorReport, words: "ReportWords") -> None:
    from sabot.web.reports.files import heading, shown_lines

    out = console()
    for line in heading(made, words):
        out.print(line, style="dim")
    for sheet in made.sheets:
        marks = ["" if column.kind in ("text", "word", "bet", "time") else "|" for column in sheet.columns]
        shown = columns(*(words.say(one.key) + mark for one, mark in zip(sheet.columns, marks, strict=True)))
        for line_of_cells in shown_lines(sheet, words, made.head.time_zone):
            shown.add_row(*line_of_cells)
        out.print(shown)


async def _report(journal: ReadableJournal, when: JournalPeriod, form: ReportFiles) -> TableReport:
    from sabot.audit.table_report import table_report

    stream, _ = await when.chosen(journal)
    name = table_of(stream) or ""
    since, to = form.period_of(when, await facts_of(journal, name))
    from_ms, to_ms = since or 0, ALWAYS_MS if to is None else to
    _, signed_to = await journal.vouched(stream)
    heading = Heading(f"Table {name}", program_digest(), from_ms, to_ms, wall_ms())
    return table_report(heading, name, await SumReader(journal, stream).between(from_ms, to_ms), signed_to)


def _print(found: TableReport) -> None:
    out, shift = console(), found.shift
    if not found.signed_to:
        out.print(f"nobody has signed the records of table {found.table}", style="yellow")
    shown = columns("figure", "value|")
    for name in ("coups", "void", "dummy", "corrected", "tickets"):
        shown.add_row(name, f"{getattr(shift, name):,}")
    for name in ("drop", "turnover", "metered_win", "booked_win", "variance", "theoretical_win"):
        cents = getattr(shift.win, name)
        shown.add_row(name.replace("_", " "), "" if cents is None else write_net(cents))
    out.print(shown)
    lines = columns("station", "coups|", "drop|", "turnover|", "win|", "commission|", "paid|")
    for one in shift.win.stations:
        money = (one.drop, one.turnover, one.win, one.commission, one.paid)
        lines.add_row(one.station, f"{one.coups:,}", *map(write_net, money))
    out.print(lines)
    meters = columns("meter", "value|")
    for meter in meter_names():
        total = sum(each.meters[meter.name] for each in found.meters)
        meters.add_row(meter.title, f"{total:,}" if meter.name == GAMES else write_net(total))
    out.print(meters)
    bets = columns("bet", "wagers|", "turnover|", "win|", "expected|")
    for bet in found.bets:
        expected = "" if bet.theoretical_win is None else write_net(round(bet.theoretical_win))
        bets.add_row(bet.bet, f"{bet.wagers:,}", write_net(bet.turnover), write_net(bet.win), expected)
    out.print(bets)
