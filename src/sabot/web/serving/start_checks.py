"""What a start would find in the files that it opens, for `serve --check`. Nothing is made or changed."""

from pathlib import Path

from sabot.journal.anchor import Anchor, check_not_lost, read_anchor
from sabot.journal.disk_room import DEFAULT_ROOM
from sabot.journal.journal import Damaged
from sabot.journal.opening import open_to_read, path_of
from sabot.journal.sqlite_start_checks import check_commits, check_disk
from sabot.web.identity.vault_opening import is_database, open_vault_at
from sabot.web.identity.vault_sqlite import check_vault
from sabot.web.serving.floor_file import Floor, JournalPart, address_of
from sabot.web.serving.self_checks import check_clock, check_keys


async def check_openable(wanted: Floor, now_ms: int) -> str | None:
    """Open what is there as a start does. What keeps a floor from starting is raised; a clock that is behind the
    records does not, and is returned as a sentence."""
    file = wanted.file
    check_keys(wanted)
    if is_database(file.secrets.place):
        async with await open_vault_at(address_of(file.secrets)):
            pass
    elif (vault := Path(file.secrets.place)).exists():
        check_vault(vault)
    return await _check_journal(wanted, file.journal, now_ms)


async def _check_journal(wanted: Floor, part: JournalPart, now_ms: int) -> str | None:
    anchor = (read_anchor(Path(part.anchor)) if part.anchor else None) or Anchor()
    path = path_of(part.place)
    if path is not None:
        check_not_lost(path, anchor)
        check_disk(path, DEFAULT_ROOM)
        if not path.exists():
            return None
    journal = await open_to_read(address_of(part))
    try:
        for head in anchor.heads.values():
            if (found := (await journal.head(head.stream)).version) < head.version:
                raise Damaged(
                    f"the journal ends at record {found} of {head.stream!r}, but the anchor knows of record"
                    f" {head.version}: acknowledged records are lost"
                )
        if path is not None:
            check_commits(path, anchor)
        return await check_clock(journal, [one.configuration.table for one in wanted.tables], now_ms)
    finally:
        await journal.close()
