"""`sabot journal backup`, `restore`, `migrate` and `prepare`."""

import asyncio
from pathlib import Path

from sabot.audit.copying import Copied, copy
from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag
from sabot.cli.journal.asking import Progress, ask
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, print_json, table
from sabot.journal.journal import ReadableJournal
from sabot.journal.opening import is_server, open_journal
from sabot.journal.postgres_schema import migrate as make_tables


def backup(place: str, file: str, /, *, json: Flag = False) -> int:
    """Copy a journal into a new file, while its table plays on, and prove the copy.

        sabot journal backup night.journal /backup/night.journal

        sabot journal backup postgresql://floor@db/sabot /backup/floor.journal

    Records and checkpoints are copied byte for byte; the copy is a journal like any other.

    Parameters
    ----------
    place
        The journal: a path, or a postgresql:// URL.
    file
        The new file; nothing may be there yet.
    json
        Print the stable JSON form.
    """
    if is_server(file):
        raise Mistake("a backup is a file; `sabot journal migrate` copies a journal to a server")
    return _copied(place, file, json=json)


def restore(file: str, place: str, /, *, json: Flag = False) -> int:
    """Copy a backup to where a journal is to be, which must be empty, and prove it.

        sabot journal restore /backup/night.journal night.journal

    Parameters
    ----------
    file
        The backup.
    place
        Where the journal is to be: a path, or the postgresql:// URL of a prepared database.
    json
        Print the stable JSON form.
    """
    return _copied(file, place, json=json)


def migrate(source: str, target: str, /, *, json: Flag = False) -> int:
    """Move a journal from a file to a server, or back: copy it, and prove the copy.

        sabot journal prepare postgresql://owner@db/sabot

        sabot journal migrate night.journal postgresql://floor@db/sabot

    Stop the tables first, or what they record meanwhile stays behind. The source is left as it is.

    Parameters
    ----------
    source
        The journal: a path, or a postgresql:// URL.
    target
        Where it is to be; it must be empty.
    json
        Print the stable JSON form.
    """
    return _copied(source, target, json=json)


def prepare(place: str, /) -> int:
    """Make the tables of a journal in a PostgreSQL database, or bring them up to this program's form.

        sabot journal prepare postgresql://owner@db/sabot

    Parameters
    ----------
    place
        The database's URL, with the role that is to own the tables.
    """
    if not is_server(place):
        raise Mistake("only a database is prepared; a journal in a file is made when it is first written to")
    with in_one_sentence():
        steps = asyncio.run(make_tables(place))
    console().print(f"taken: {', '.join(steps)}" if steps else "nothing is to be done")
    return 0


def _copied(source: str, target: str, *, json: bool) -> int:
    copied = ask(source, lambda journal: _copy_into(journal, target))
    if json:
        print_json(copied)
        return 0
    shown = table("stream", "records|", "checkpoints|", "hash")
    for one in copied:
        shown.add_row(one.stream, f"{one.records:,}", f"{one.checkpoints:,}", one.hash[:16])
    console().print(shown)
    return 0


async def _copy_into(source: ReadableJournal, target: str) -> list[Copied]:
    """A file takes its name only when the copy in it is whole and proved."""
    if not is_server(target) and Path(target).exists():
        raise Mistake(f"{target} is there already; a copy never replaces anything")
    place = target if is_server(target) else f"{target}.part"
    Path(place).unlink(missing_ok=True)
    journal = await open_journal(place)
    try:
        copied = await copy(source, journal, Progress())
    finally:
        await journal.close()
    if place != target:
        Path(place).rename(target)
    return copied
