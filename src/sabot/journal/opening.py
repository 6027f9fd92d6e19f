"""Opening a journal by its place: the path of a SQLite file, or the URL of a PostgreSQL database.

This is the one place that knows the adapters; everybody else knows the journal's interface.
"""

from collections.abc import Callable
from pathlib import Path

from sabot.journal.anchor import Anchoring, AnchorKeeper, read_anchor
from sabot.journal.checkpoint import is_signed_by
from sabot.journal.journal import Journal, ReadableJournal, SignedCheckpoint, Unusable
from sabot.journal.keys import PublicKey
from sabot.journal.postgres import PostgresJournal
from sabot.journal.record import Head
from sabot.journal.sqlite import open_read_only, open_sqlite

Trust = Callable[[SignedCheckpoint], bool]


def is_server(place: str) -> bool:
    return place.startswith(("postgresql://", "postgres://"))


async def open_journal(place: str, *, anchor: Path | None = None, keys: tuple[PublicKey, ...] = ()) -> Journal:
    """Open a journal for writing, after it was found whole as far as its anchor and its signed checkpoints reach."""
    if is_server(place):
        journal = await PostgresJournal.open(place)
        if anchor is not None:
            await _hold_to_anchor(journal, anchor)
        return journal
    trusted = {key.id: key for key in keys}
    return await open_sqlite(
        Path(place),
        trusts=lambda one: one.key_id in trusted and is_signed_by(one, trusted[one.key_id]),
        anchoring=None if anchor is None else Anchoring(anchor),
    )


async def open_to_read(place: str) -> ReadableJournal:
    """Open a journal for looking only; it must be there, and not a byte of it is changed."""
    if is_server(place):
        return await PostgresJournal.open(place)
    return open_read_only(Path(place))


def anchor_of(place: str, anchor: Path | None, heads: list[Head]) -> AnchorKeeper | None:
    """Who raises the anchor of a journal on a server; a journal in a file raises its own."""
    return AnchorKeeper(Anchoring(anchor), heads) if anchor is not None and is_server(place) else None


async def _hold_to_anchor(journal: ReadableJournal, path: Path) -> None:
    anchor = read_anchor(path)
    for head in anchor.heads.values() if anchor else ():
        now = await journal.head(head.stream)
        if now.version < head.version:
            raise Unusable(
                f"the journal ends at record {now.version} of {head.stream!r}, but the anchor {path} knows of record "
                f"{head.version}: acknowledged records are lost"
            )
