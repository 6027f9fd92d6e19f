"""`sabot journal rebuild`: adds up the sums of a journal's tables again."""

import asyncio

import msgspec

from sabot.audit.kept_sums import SumReader
from sabot.audit.part_cutter import WATCH
from sabot.cli.arguments import Json
from sabot.cli.journal.shared import ProgressPrinter, chosen_table
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, print_json
from sabot.cli.terminal import table as columns
from sabot.floor.records.record_codec import table_of, table_stream
from sabot.journal.journal import Derived, Journal
from sabot.journal.opening import open_journal

AT_ONCE = 50
"""Sums that are kept together."""


class Rebuilt(msgspec.Struct, frozen=True):
    table: str
    records: int
    sums: int
    """How many sums of parts and gaming days are kept now."""


def rebuild(place: str, /, *, table: str | None = None, json: Json = False) -> int:
    """Add up the sums of parts and gaming days again, from which reports are made, and keep them beside the records.

        sabot journal rebuild floor.journal

        sabot journal rebuild postgresql://floor@db/sabot --table T1

    A floor keeps these sums as it plays, and makes up for missing ones by itself. This command is for a journal whose
    sums `sabot journal verify` found wrong, or that was copied without them. No record is changed. The file of a floor
    that is being served is refused; a PostgreSQL journal may be in use meanwhile.

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    table
        Only this table; all tables of the journal unless given.
    """
    with in_one_sentence():
        rebuilt = asyncio.run(_rebuild(place, table))
    if json:
        print_json(rebuilt)
        return 0
    shown = columns("table", "records|", "sums|")
    for one in rebuilt:
        shown.add_row(one.table, f"{one.records:,}", f"{one.sums:,}")
    console().print(shown)
    return 0


async def _rebuild(place: str, table: str | None) -> list[Rebuilt]:
    journal, progress = await open_journal(place), ProgressPrinter()
    try:
        if table is not None:
            return [await _table_rebuilt(journal, await chosen_table(journal, table), progress)]
        names = [name for stream in await journal.streams() if (name := table_of(stream))]
        return [await _table_rebuilt(journal, name, progress) for name in names]
    finally:
        await journal.close()


async def _table_rebuilt(journal: Journal, name: str, progress: ProgressPrinter) -> Rebuilt:
    stream = table_stream(name)
    await journal.drop_derived(stream)
    waiting: list[Derived] = []
    sums = 0
    from sabot.audit.under_way import under_way

    reader = SumReader(journal, stream)
    async for one in reader.missing(progress=progress, going_on=await under_way(reader, name)):
        waiting.append(one)
        sums += one.name != WATCH
        if len(waiting) >= AT_ONCE:
            await journal.keep(waiting)
            waiting.clear()
    await journal.keep(waiting)
    return Rebuilt(name, (await journal.head(stream)).version, sums)
