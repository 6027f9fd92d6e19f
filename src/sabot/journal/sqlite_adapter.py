"""The SQLite adapter: an address is the path of a file, which one process at a time serves."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from sabot.journal.adapter import OpenedJournal, OpeningReport, Safeguards
from sabot.journal.anchor import Anchor, Anchoring, read_anchor
from sabot.journal.checkpoint import is_signed_by
from sabot.journal.disk_room import DEFAULT_ROOM
from sabot.journal.journal import Journal, ReadableJournal, Unusable
from sabot.journal.parts import PartSeal
from sabot.journal.sqlite import open_read_only, open_sqlite
from sabot.journal.sqlite_part_copy import begin_like
from sabot.journal.sqlite_start_checks import check_anchor, check_disk, trust_nobody
from sabot.journal.sqlite_volume import volume_of
from sabot.journal.steady_clock import steady
from sabot.journal.volume import JournalVolume

_PARTS_ARE_FILES = "a sealed part of a journal in a file is a file of its own: move that file"


class SqliteAdapter:
    is_shared = False

    def opens(self, address: str) -> bool:  # noqa: ARG002
        """Any path will do, so this adapter stands last among those that are asked."""
        return True

    def path_of(self, address: str) -> Path | None:
        return Path(address)

    async def open(self, address: str, safeguards: Safeguards) -> OpenedJournal:
        trusted = {key.id: key for key in safeguards.keys}
        journal = await open_sqlite(
            Path(address),
            trusts=(lambda one: one.key_id in trusted and is_signed_by(one, trusted[one.key_id]))
            if trusted
            else trust_nobody,
            anchoring=None if safeguards.anchor is None else Anchoring(safeguards.anchor),
            now_ms=steady(safeguards.wall_ms),
        )
        assert journal.report is not None
        found = msgspec.structs.asdict(journal.report)
        warnings = found.pop("warnings")
        report = OpeningReport(has_proved_records=True, figures=found, warnings=warnings)
        return OpenedJournal(journal, report)

    async def check_to_write(self, address: str, anchor: Path | None) -> None:
        check_disk(Path(address), DEFAULT_ROOM)
        check_anchor(Path(address), (read_anchor(anchor) if anchor else None) or Anchor())

    async def open_to_read(self, address: str) -> ReadableJournal:
        return open_read_only(Path(address))

    @asynccontextmanager
    async def create(self, address: str, like: str = "") -> AsyncIterator[Journal]:
        path, unfinished = Path(address), Path(f"{address}.part")
        if path.exists():
            raise Unusable(f"{path} is there already; a copy never replaces anything")
        unfinished.unlink(missing_ok=True)
        if Path(like).is_file():
            await asyncio.to_thread(begin_like, Path(like), unfinished, path)
        journal = await open_sqlite(unfinished)
        try:
            yield journal
        finally:
            await journal.close()
        unfinished.rename(path)

    def volume(self, address: str) -> JournalVolume:
        return volume_of(Path(address))

    async def unload(self, address: str, family: Path) -> tuple[PartSeal, Path]:  # noqa: ARG002
        raise Unusable(_PARTS_ARE_FILES)

    async def drop_part(self, address: str, seal: PartSeal) -> None:  # noqa: ARG002
        raise Unusable(_PARTS_ARE_FILES)

    async def prepare(self, address: str) -> list[str]:  # noqa: ARG002
        raise Unusable("only a database is prepared; a journal in a file is made when it is first written to")
