"""`sabot journal backup`, `restore`, `migrate` and `prepare`."""

import asyncio

from sabot.audit.journal_copy import Copied, copy
from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Json
from sabot.cli.journal.shared import ProgressPrinter, ask
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, print_json, table
from sabot.journal.journal import ReadableJournal
from sabot.journal.opening import create, path_of
from sabot.journal.opening import prepare as make_tables


def backup(place: str, file: str, /, *, json: Json = False) -> int:
    """Copy a journal into a new file, also while its table plays, and prove the copy.

        sabot journal backup night.journal /backup/night.journal

        sabot journal backup postgresql://floor@db/sabot /backup/floor.journal

    Records and checkpoints are copied byte for byte; the copy is a journal like any other. Of a journal that was
    rotated, the sealed parts that lie beside it are copied, too, but those that the backup has already.

    Parameters
    ----------
    place
        The journal: a path, or a postgresql:// URL.
    file
        The new file, which must not exist yet.
    """
    if path_of(file) is None:
        raise Mistake("a backup is a file; `sabot journal migrate` copies a journal to a server")
    return _copied(place, file, json=json)


def restore(file: str, place: str, /, *, json: Json = False) -> int:
    """Copy a backup into a new journal and prove the copy.

        sabot journal restore /backup/night.journal night.journal

    Parameters
    ----------
    file
        The backup.
    place
        The new journal: a path that does not exist yet, or the postgresql:// URL of a prepared, empty database.
    """
    return _copied(file, place, json=json)


def migrate(source: str, target: str, /, *, json: Json = False) -> int:
    """Copy a journal from a file to a server, or back, and prove the copy.

        sabot journal prepare postgresql://owner@db/sabot

        sabot journal migrate night.journal postgresql://floor@db/sabot

    Stop the tables first: records written during the copy are not copied. The source is not changed.

    Parameters
    ----------
    source
        The journal: a path, or a postgresql:// URL.
    target
        The new journal: a path that does not exist yet, or the postgresql:// URL of a prepared, empty database.
    """
    return _copied(source, target, json=json)


def prepare(place: str, /) -> int:
    """Create the tables of a journal in a PostgreSQL database, or upgrade them to this program's schema.

        sabot journal prepare postgresql://owner@db/sabot

    Parameters
    ----------
    place
        The database's URL, with the role that will own the tables.
    """
    with in_one_sentence():
        steps = asyncio.run(make_tables(place))
    console().print(f"applied: {', '.join(steps)}" if steps else "the tables are up to date")
    return 0


def _copied(source: str, target: str, *, json: bool) -> int:
    copied = ask(source, lambda journal: _copy_into(journal, target, source))
    if json:
        print_json(copied)
        return 0
    shown = table("stream", "records|", "checkpoints|", "hash")
    for one in copied:
        shown.add_row(one.stream, f"{one.records:,}", f"{one.checkpoints:,}", one.hash[:16])
    console().print(shown)
    return 0


async def _copy_into(source: ReadableJournal, target: str, like: str) -> list[Copied]:
    async with create(target, like) as journal:
        return await copy(source, journal, ProgressPrinter())
