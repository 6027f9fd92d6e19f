"""Sums of a table's records, as tests ask for them."""

import asyncio
from collections.abc import Iterable
from typing import TypeVar

import msgspec

from sabot.audit.period_sum import PeriodSum
from sabot.audit.summing import Summing
from sabot.audit.table_report import table_report
from sabot.floor.lines.table import LineTable
from sabot.floor.records.record_codec import table_stream
from sabot.journal.journal import Journal, ReadableJournal
from sabot.journal.record import Record
from sabot.views.reports import Heading, TableReport
from tests.audit.report_by_states import ReportByStates
from tests.floor.nights import begin, by


def records_of(journal: ReadableJournal, stream: str) -> list[Record]:
    async def collected() -> list[Record]:
        return [record async for record in journal.read(stream)]

    return asyncio.run(collected())


def summed(records: Iterable[Record], after: int = 0, until: int | None = None) -> PeriodSum:
    """The sum of the records above a version, with the figures of earlier coups that they correct."""
    whole, summing = Summing(), Summing()
    for record in records:
        if record.version == after + 1:
            summing = Summing(whole.place)
        if record.version > after and (until is None or record.version <= until):
            for coup in summing.take(record):
                figures = whole.figures(coup)
                assert figures is not None, coup
                summing.remember(coup, figures)
            if summing.version != record.version:
                assert not summing.take(record)
        assert not whole.take(record)
    return summing.sum() if summing.records else Summing(whole.place).sum()


def sum_of(table: LineTable, after: int = 0) -> PeriodSum:
    """The sum of a table's records above a version."""
    return summed(records_of(table.floor.backing.journal, table_stream(table.name)), after)


def version_of(table: LineTable) -> int:
    return len(records_of(table.floor.backing.journal, table_stream(table.name)))


DAY_MS = 86_400_000
L = TypeVar("L", bound=msgspec.Struct)


async def play_days(journal: Journal, days: int = 4, coups: int = 3) -> None:
    """Days of two months, with corrections of coups of the same day and of earlier ones, two dealers, known patrons."""
    night = await begin(journal)
    await night.open({"A1": "M1", "A2": "M2", "A3": "M1"})
    for day in range(days):
        for _ in range(coups):
            await night.coup()
        newest = night.table.state.coups
        await night.correction(newest - 1)
        for coup in {max(1, newest - coups - 1), newest}:
            line = by("CS1", "invalidate", coup=coup, cause="malfunction", reason="a reader failed")
            await night.try_(line)
        if day % 2:
            await night.correction(1)
            await night.say(by("D1", "move_patron", station="A2", target="A4"))
            await night.say(by("D2", "sign_on"), by("D1", "sign_off"), by("D2", "open"), by("D2", "close"))
            await night.say(by("CS1", "void"), by("D1", "sign_on"), by("D2", "sign_off"))
            await night.say(by("D1", "move_patron", station="A4", target="A2"))
        await night.another_shoe()
        later = night.table.now_ms + DAY_MS * (30 if day == 1 else 1)
        await night.say(by("D1", "buy_in", station="A1", cents=500_000, top_up=True, at_ms=later))
    await night.close()


def by_sum(one: PeriodSum, from_ms: int, to_ms: int) -> TableReport:
    return table_report(Heading("Table T1", "a program", from_ms, to_ms, 1), "T1", one, 0)


def by_states(records: Iterable[Record], from_ms: int, to_ms: int) -> TableReport:
    reader = ReportByStates("T1", from_ms, to_ms)
    for record in records:
        if not reader.take(record):
            break
    return reader.report("a program", 1, 0)


def comparable(report: TableReport) -> TableReport:
    """The bets in the order of their names, and expected wins to a hundredth of a cent."""
    bets = tuple(map(_rounded, sorted(report.bets, key=lambda line: line.bet)))
    dealers, patrons = tuple(map(_rounded, report.dealers)), tuple(map(_rounded, report.patrons))
    shift = msgspec.structs.replace(report.shift, win=_rounded(report.shift.win))
    return msgspec.structs.replace(report, bets=bets, dealers=dealers, patrons=patrons, shift=shift)


def _rounded(line: L) -> L:
    """An error of a double in a sum of products is no difference."""
    found = {name: getattr(line, name, None) for name in ("theoretical_win", "low", "high")}
    return msgspec.structs.replace(
        line, **{name: round(cents, 2) for name, cents in found.items() if cents is not None}
    )
