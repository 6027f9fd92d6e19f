"""The PostgreSQL adapter: an address is the URL of a database, which the processes of a floor share."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sabot.journal.adapter import OpenedJournal, Safeguards
from sabot.journal.anchor import Anchoring, AnchorKeeper, read_anchor
from sabot.journal.journal import Journal, ReadableJournal, Unusable, record_at
from sabot.journal.parts import PartSeal
from sabot.journal.volume import JournalVolume


class PostgresAdapter:
    is_shared = True

    def opens(self, address: str) -> bool:
        return address.startswith(("postgresql://", "postgres://"))

    def path_of(self, address: str) -> Path | None:  # noqa: ARG002
        return None

    async def open(self, address: str, safeguards: Safeguards) -> OpenedJournal:
        journal = await _open(address)
        if safeguards.anchor is None:
            return OpenedJournal(journal)
        from sabot.journal.anchor_raising import AnchorRaising  # noqa: PLC0415  A proof loads the adapter, too.

        try:
            await _compare_with_anchor(journal, safeguards.anchor)
            keeper = AnchorKeeper(Anchoring(safeguards.anchor), [])
        except BaseException:
            await journal.close()
            raise
        return OpenedJournal(journal, anchor=AnchorRaising(keeper))

    async def check_to_write(self, address: str, anchor: Path | None) -> None:
        journal = await _open(address)
        try:
            if anchor is not None:
                await _compare_with_anchor(journal, anchor)
        finally:
            await journal.close()

    async def open_to_read(self, address: str) -> ReadableJournal:
        return await _open(address)

    @asynccontextmanager
    async def create(self, address: str, like: str = "") -> AsyncIterator[Journal]:  # noqa: ARG002
        """Written in place: what is half copied is found in the database, and is not taken for empty again."""
        journal = await _open(address)
        try:
            yield journal
        finally:
            await journal.close()

    def volume(self, address: str) -> JournalVolume:  # noqa: ARG002
        raise Unusable("a database says itself how large its tables are; only a journal in a file is measured")

    async def unload(self, address: str, family: Path) -> tuple[PartSeal, Path]:
        from sabot.journal.postgres_unloading import unload  # noqa: PLC0415  As in `_open`.

        return await unload(address, family)

    async def drop_part(self, address: str, seal: PartSeal) -> None:
        from sabot.journal.postgres_unloading import drop  # noqa: PLC0415  As in `_open`.

        await drop(address, seal)

    async def prepare(self, address: str) -> list[str]:
        from sabot.journal.postgres_schema import migrate  # noqa: PLC0415  As in `_open`.

        return await migrate(address)


async def _open(address: str) -> Journal:
    """The driver is loaded when an address names a database: most journals are files."""
    from sabot.journal.postgres import PostgresJournal  # noqa: PLC0415

    return await PostgresJournal.open(address)


async def _compare_with_anchor(journal: ReadableJournal, path: Path) -> None:
    anchor = read_anchor(path)
    for head in anchor.heads.values() if anchor else ():
        now = await journal.head(head.stream)
        if now.version < head.version:
            raise Unusable(
                f"the journal ends at record {now.version} of {head.stream!r}, but the anchor {path} knows of record "
                f"{head.version}: acknowledged records are lost"
            )
        record = await record_at(journal, head.stream, head.version)
        if record is not None and record.hash != head.hash:
            raise Unusable(
                f"record {head.version} of {head.stream!r} is not the one that the anchor {path} knows: this is "
                "another history than the one that was anchored"
            )
