"""`sabot journal show`, `export` and `stats`: excerpts by table, coup, station and period."""

import csv
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import msgspec
from cyclopts import Parameter

from sabot.audit.excerpt import ExcerptFilter, ExcerptLine, check_there, excerpt, facts_of
from sabot.audit.record_story import PostingLine, RecordStory, moves, tell
from sabot.audit.stats import StreamStats
from sabot.audit.stats import stats as count
from sabot.basics.mistake import Mistake
from sabot.basics.money import write_amount, write_net
from sabot.cli.arguments import Flag, Number
from sabot.cli.journal.shared import FromMoment, any_table, ask, check_tournament, chosen_table, period
from sabot.cli.terminal import console, print_json
from sabot.cli.terminal import table as columns
from sabot.floor.records.record_codec import HOUSE, table_stream, tournament_stream
from sabot.journal.journal import ReadableJournal


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class JournalPeriod:
    """Which table, and when.

    Parameters
    ----------
    table
        The table, where the journal has more than one.
    day
        Only this gaming day, in the table's own time zone.
    since
        Only from this moment on: 2026-01-31T22:00, or milliseconds.
    to
        Only before this moment.
    """

    table: str | None = None
    day: str | None = None
    since: FromMoment = None
    to: str | None = None

    async def chosen(
        self, journal: ReadableJournal, coup: int | None = None, station: str | None = None
    ) -> tuple[str, ExcerptFilter]:
        """The stream and the filter; raises `Mistake` for a table, coup or station that is not there."""
        name = await chosen_table(journal, self.table)
        facts = await facts_of(journal, name)
        wanted = ExcerptFilter(coup, station, *period(facts, self.day, self.since, self.to))
        check_there(facts, name, wanted)
        return table_stream(name), wanted


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Selection(JournalPeriod):
    """Which records.

    Parameters
    ----------
    coup
        Only this coup: its wagers, cards, settlement and later corrections.
    station
        Only records that concern this station.
    house
        The house's records instead of a table's.
    tournament
        The records of this tournament instead.
    """

    coup: Number | None = None
    station: str | None = None
    house: Flag = False
    tournament: str | None = None

    async def each(self, journal: ReadableJournal, out: Callable[[ExcerptLine], None]) -> None:
        stream, wanted = await self._streamed(journal)
        async for line in excerpt(journal, stream, wanted):
            out(line)

    async def _streamed(self, journal: ReadableJournal) -> tuple[str, ExcerptFilter]:
        if self.tournament is None:
            stream, wanted = await self.chosen(journal, self.coup, self.station)
            return HOUSE if self.house else stream, wanted
        if self.house or self.coup is not None or self.station is not None:
            raise Mistake("a tournament's records have no coup or station of their own: give --tournament alone")
        await check_tournament(journal, self.tournament)
        facts = await facts_of(journal, await any_table(journal, self.table))
        wanted = ExcerptFilter(None, None, *period(facts, self.day, self.since, self.to))
        return tournament_stream(self.tournament), wanted


EVERYTHING = Selection()
ALWAYS = JournalPeriod()
YEAR_MS = 366 * 86_400_000
"""A clock that shows less began at zero, as a script's does."""


def show(place: str, /, *, selection: Selection = EVERYTHING, json: Flag = False) -> int:
    """Print records as sentences with clauses, and every posting where a coup or a station is chosen.

        sabot journal show night.journal --coup 3

        sabot journal show night.journal --station A1 --day 2026-01-31

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    json
        One JSON line for each record.
    """
    station = selection.station
    with_money = selection.coup is not None or station is not None

    def out(line: ExcerptLine) -> None:
        story = tell(line, station)
        if json:
            print_json(story)
        else:
            _tell(story, with_money=with_money)

    ask(place, lambda journal: selection.each(journal, out))
    return 0


def export(
    place: str,
    /,
    *,
    selection: Selection = EVERYTHING,
    form: Literal["jsonl", "csv"] = "jsonl",
    postings: Flag = False,
) -> int:
    """Print records for other programs, as JSON lines or CSV.

        sabot journal export night.journal > night.jsonl

        sabot journal export night.journal --postings --form csv > money.csv

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    form
        jsonl or csv.
    postings
        One line for each posting instead of each record.
    """
    write = _csv_writer(PostingLine if postings else ExcerptLine) if form == "csv" else _print_line

    def out(line: ExcerptLine) -> None:
        for row in moves(line) if postings else (line,):
            write(row)

    ask(place, lambda journal: selection.each(journal, out))
    return 0


def stats(place: str, /, *, when: JournalPeriod = ALWAYS, json: Flag = False) -> int:
    """Count what a table did: records, coups, turnover, win, commission, what came in and went out, refusals.

        sabot journal stats night.journal

        sabot journal stats night.journal --day 2026-01-31 --json

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    json
        Print the stable JSON form.
    """

    async def counted(journal: ReadableJournal) -> StreamStats:
        stream, wanted = await when.chosen(journal)
        return await count(journal, stream, wanted)

    found = ask(place, counted)
    if json:
        print_json(found)
    else:
        _print_stats(found)
    return 0


def _tell(story: RecordStory, *, with_money: bool) -> None:
    out = console()
    out.print(f"{story.version:>6}  {_clock(story.at_ms)}  {story.actor} {story.verb}", style="bold")
    for sentence in story.sentences:
        out.print(f"        {sentence}")
    for one in story.postings if with_money else ():
        out.print(f"          {one.debit} → {one.credit}  {write_amount(one.cents)}  {one.clause}", style="dim")


def _clock(at_ms: int) -> str:
    """A date where the table's clock has one; seconds where a script lets it begin at zero."""
    if at_ms < YEAR_MS:
        return f"{at_ms / 1000:,.3f} s"
    moment = datetime.fromtimestamp(at_ms // 1000, UTC)
    return f"{moment:%Y-%m-%d %H:%M:%S}.{at_ms % 1000:03} UTC"


def _print_line(row: ExcerptLine | PostingLine) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(row, enc_hook=str) + b"\n")


def _csv_writer(kind: type[msgspec.Struct]) -> Callable[[ExcerptLine | PostingLine], None]:
    out = csv.writer(sys.stdout)
    out.writerow(kind.__struct_fields__)
    return lambda row: out.writerow([_cell(value) for value in msgspec.structs.astuple(row)])


def _cell(value: object) -> object:
    """Plain values unchanged; events and refusals as JSON."""
    if value is None or value == ():
        return ""
    return value if isinstance(value, str | int) else msgspec.json.encode(value, enc_hook=str).decode()


def _print_stats(found: StreamStats) -> None:
    if not found.signed_to:
        console().print(f"nobody has signed the records of {found.stream}", style="yellow")
    shown = columns("figure", "value|")
    for name in ("records", "accepted", "refused", "owners", "checkpoints", "signed_to", "coups", "voided"):
        shown.add_row(name.replace("_", " "), f"{getattr(found, name):,}")
    for name in ("turnover", "win", "commission", "came_in", "paid_out"):
        shown.add_row(name.replace("_", " "), write_net(getattr(found, f"{name}_cents")))
    for kind, counted in (("", found.won), ("refused: ", found.refusals)):
        for name, number in counted.items():
            shown.add_row(f"{kind}{name}", f"{number:,}")
    console().print(shown)
