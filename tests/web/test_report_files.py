"""Reports over a floor as sheets, CSV and XLSX, in every language, from the same figures."""

import asyncio
import csv
import io
from datetime import datetime, timedelta

import msgspec
import pytest

from sabot.audit.gaming_days import shifts_between
from sabot.audit.kept_sums import ALWAYS_MS
from sabot.basics.mistake import Mistake
from sabot.house.liability import liability
from sabot.house.state import HouseState
from sabot.journal.memory import MemoryJournal
from sabot.views.report_sheets import COLUMNS, REPORTS, liability_report
from sabot.views.sheets import FloorReport, ReportHead
from sabot.web.reports.files import file_of, name_of
from sabot.web.reports.floor_reports import report_over, shifts_of
from sabot.web.reports.report_words import ReportWords
from tests.audit.sums import play_days
from tests.floor.nights import memory
from tests.web.workbook import charts, formats, read_workbook

ZONE = "Australia/Melbourne"
HEAD = ReportHead(
    casino="The Gold Room", program="ab" * 32, from_ms=0, to_ms=ALWAYS_MS // 1000, time_zone=ZONE, made_ms=7, by="CS1"
)
SPANS = tuple(shifts_between(-86_400_000, 66 * 86_400_000, ("06:00", "18:00"), ZONE, "06:00"))
LANGUAGES = ("en", "zh", "zh-Hant")


@pytest.fixture(scope="module")
def journal() -> MemoryJournal:
    found = memory()
    asyncio.run(play_days(found))
    return found


def made(journal: MemoryJournal, code: str) -> FloorReport:
    report, damaged = asyncio.run(report_over(journal, code, HEAD, ("T1",), SPANS if code == "shifts" else ()))
    assert damaged == ()
    return report


def column(report: FloorReport, key: str, sheet: int = 0) -> list[object]:
    one = report.sheets[sheet]
    place = [column.key for column in one.columns].index(key)
    return [row[place] for row in one.rows]


def total(report: FloorReport, key: str) -> object:
    one = report.sheets[0]
    assert one.totals is not None
    return one.totals[[column.key for column in one.columns].index(key)]


def test_dealers_bets_and_stations_come_to_the_same_and_commission_is_told_by_dealer(journal: MemoryJournal) -> None:
    dealers, bets, stations = made(journal, "dealers"), made(journal, "theory"), made(journal, "win")
    assert column(dealers, "dealer") == ["D1", "D2"]
    assert total(dealers, "turnover") == total(bets, "turnover")
    assert total(dealers, "win") == total(bets, "actual_win")
    assert total(dealers, "commission") == total(stations, "commission")
    assert column(dealers, "void_coups") == [0, 2]
    assert column(dealers, "table", 1) == ["T1", "T1"]
    assert total(dealers, "corrected_coups") == total(made(journal, "shift"), "corrected_coups")


def test_patrons_who_gave_a_reference_are_told_with_their_time_at_the_table(journal: MemoryJournal) -> None:
    patrons = made(journal, "patrons")
    assert column(patrons, "patron") == ["M1", "M2"]
    assert all(isinstance(one, int) and one > 86_400_000 for one in column(patrons, "hours"))
    assert total(patrons, "turnover") == total(made(journal, "theory"), "turnover"), "everybody here gave one"


def test_a_correction_shows_what_was_credited_and_what_was_taken_by_account(journal: MemoryJournal) -> None:
    report = made(journal, "put_right")
    sheet = report.sheets[0]
    of_one = [row for row in sheet.rows if row[2] == "CoupInvalidated" and row[3] == 3]
    assert len(of_one) == len({row[4] for row in of_one}) == 3
    credited, taken = total(report, "credited"), total(report, "taken")
    assert isinstance(credited, int)
    assert isinstance(taken, int)
    assert credited > 0 < taken, "money moved in both directions, and neither hides the other"


def test_a_report_by_shifts_has_a_row_for_each_and_they_come_to_the_report_of_the_whole_time(
    journal: MemoryJournal,
) -> None:
    shifts, whole = made(journal, "shifts"), made(journal, "shift")
    assert list(zip(column(shifts, "shift_begins"), column(shifts, "shift_ends"), strict=True)) == list(SPANS)
    assert sum(1 for coups in column(shifts, "coups") if coups) > 2, "coups were played in several shifts"
    for key in ("coups", "void_coups", "corrected_coups", "drop", "turnover", "win"):
        assert total(shifts, key) == total(whole, key)
    assert {*column(shifts, "verdict")} <= {"within_bounds", "below_bounds", "above_bounds", "no_odds"}


def test_shifts_of_a_long_time_are_refused_in_one_sentence_and_future_ones_have_no_row() -> None:
    long = msgspec.structs.replace(HEAD, made_ms=ALWAYS_MS)
    with pytest.raises(Mistake, match="at most 31 days"):
        shifts_of("shifts", long, ("06:00",), "06:00")
    assert shifts_of("dealers", long, ("06:00",), "06:00") == ()
    week = msgspec.structs.replace(HEAD, to_ms=7 * 86_400_000, made_ms=2 * 86_400_000)
    named, unnamed = (shifts_of("shifts", week, some, "06:00") for some in (("06:00", "18:00"), ()))
    assert (len(named), len(unnamed)) == (4, 2), "without shifts each gaming day is one"
    assert named[0][1] == named[1][0]


@pytest.mark.parametrize("code", ["shift", "shifts", "dealers", "theory"])
def test_a_workbook_draws_the_win_inside_its_bounds_from_its_own_cells(journal: MemoryJournal, code: str) -> None:
    """A chart whose ranges are those of the rows, and none where the page draws none."""
    report, words = made(journal, code), ReportWords("zh")
    sheet = report.sheets[0]
    rows = msgspec.structs.replace(report, sheets=(msgspec.structs.replace(sheet, rows=sheet.rows[:60]),))
    written = file_of(rows, "xlsx", words)
    (drawn,) = charts(written)
    (cells, *_) = read_workbook(written).values()
    first = cells.index([words.say(column.key) for column in sheet.columns]) + 2
    last = first + min(60, len(sheet.rows)) - 1
    for key in ("theoretical_win", "from_bound", "to_bound"):
        letter = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[[column.key for column in sheet.columns].index(key)]
        assert f"!${letter}${first}" + (f":${letter}${last}" if last > first else "") in drawn
        assert words.say(key) in drawn
    assert charts(file_of(made(journal, "put_right"), "xlsx", words)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_csv_file_says_whose_it_is_by_which_program_and_has_lines_to_sign(
    journal: MemoryJournal, language: str
) -> None:
    words = ReportWords(language)
    lines = list(csv.reader(io.StringIO(file_of(made(journal, "dealers"), "csv", words).decode("utf-8-sig"))))
    said = [line[0] for line in lines if line]
    assert said[:2] == ["The Gold Room", words.say("report_dealers")]
    assert ZONE in said[2]
    assert "AEST" in said[2]
    assert words.say("made_with", {"program": HEAD.program}) in said
    assert said[-2:] == [words.say("signed_made"), words.say("signed_checked")]
    assert words.say("dealer_remark") in said


@pytest.mark.parametrize("code", [*REPORTS, "liability"])
def test_a_workbook_holds_numbers_as_numbers_and_the_same_report_gives_the_same_bytes(
    journal: MemoryJournal, code: str
) -> None:
    report = liability_report(HEAD, liability(HouseState())) if code == "liability" else made(journal, code)
    written = file_of(report, "xlsx", ReportWords())
    assert written == file_of(report, "xlsx", ReportWords())
    book = read_workbook(written)
    assert len(book) == len(report.sheets)
    for rows, sheet in zip(book.values(), report.sheets, strict=True):
        assert rows[0][0] == "The Gold Room"
        assert "AEST" in str(rows[2])
        assert f"Program {HEAD.program}" in [row[0] for row in rows]
        first = rows.index([ReportWords().say(column.key) for column in sheet.columns]) + 1
        for shown, row in zip(rows[first:], sheet.rows, strict=False):
            for held, cell, one in zip(shown, row, sheet.columns, strict=True):
                if one.kind in ("money", "count", "hours", "rate", "percent", "time") and cell is not None:
                    assert isinstance(held, float)
                if one.kind == "money" and isinstance(cell, int):
                    assert held == pytest.approx(cell / 100)
    if code in ("win", "dealers"):
        assert any("[$AUD]" in one for one in formats(written))


def test_times_in_files_are_those_of_the_house_and_csv_has_no_formula(journal: MemoryJournal) -> None:
    report = made(journal, "put_right")
    sheet = report.sheets[0]
    reasons = [column.key for column in sheet.columns].index("reason")
    row = list(sheet.rows[0])
    row[reasons] = "=1+1"
    report = msgspec.structs.replace(report, sheets=(msgspec.structs.replace(sheet, rows=(tuple(row),)),))
    written = file_of(report, "csv", ReportWords()).decode("utf-8-sig")
    *_, head, first, last, _remark, _blank, _made, _checked = csv.reader(io.StringIO(written))
    assert (head[0], head[2], first[reasons], last[0]) == ("When", "What", "'=1+1", "Total")
    at = datetime.fromisoformat(first[0])
    assert at.utcoffset() == timedelta(hours=10), "summer time was unknown there in 1970"
    assert at.timestamp() == pytest.approx(float(str(row[0])) / 1000, abs=1)
    (rows,) = read_workbook(file_of(report, "xlsx", ReportWords())).values()
    days = next(one for one in rows if isinstance(one[0], float))[0]
    assert isinstance(days, float)
    assert datetime(1899, 12, 30) + timedelta(days=days) == pytest.approx(  # noqa: DTZ001  As a workbook counts.
        at.replace(tzinfo=None), abs=timedelta(seconds=1)
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_words_of_every_report(journal: MemoryJournal, language: str) -> None:
    words = ReportWords(language)
    for code in REPORTS:
        (rows, *_) = read_workbook(file_of(made(journal, code), "xlsx", words)).values()
        heads = [words.say(column.key) for column in COLUMNS[code]]
        assert heads in rows
        if language != "en":
            said = " ".join(str(head) for head in heads)
            assert not any(sign.isascii() and sign.isalpha() for sign in said), said


def test_a_file_is_named_by_its_report_and_its_first_day() -> None:
    assert name_of("dealers", HEAD, "xlsx") == "dealers-1970-01-01.xlsx"
