"""Reports over a floor as sheets, CSV and XLSX, in every language, from the same figures."""

import asyncio
import csv
import io
from datetime import datetime, timedelta

import msgspec
import pytest

from sabot.audit.kept_sums import ALWAYS_MS
from sabot.house.liability import liability
from sabot.house.state import HouseState
from sabot.journal.memory import MemoryJournal
from sabot.views.report_sheets import COLUMNS, REPORTS, liability_report
from sabot.views.sheets import FloorReport, ReportHead
from sabot.web.reports.files import file_of, name_of
from sabot.web.reports.floor_reports import report_over
from sabot.web.reports.report_words import ReportWords
from tests.audit.sums import play_days
from tests.floor.nights import memory
from tests.web.workbook import formats, read_workbook

ZONE = "Australia/Melbourne"
HEAD = ReportHead(
    casino="The Gold Room", program="ab" * 32, from_ms=0, to_ms=ALWAYS_MS // 1000, time_zone=ZONE, made_ms=7, by="CS1"
)
LANGUAGES = ("en", "zh", "zh-Hant")


@pytest.fixture(scope="module")
def journal() -> MemoryJournal:
    found = memory()
    asyncio.run(play_days(found))
    return found


def made(journal: MemoryJournal, code: str) -> FloorReport:
    report, damaged = asyncio.run(report_over(journal, code, HEAD, ("T1",)))
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
    head, first, last = csv.reader(io.StringIO(written))
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
