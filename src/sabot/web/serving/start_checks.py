"""What a start would find in the files that it opens, for `serve --check`. Nothing is made or changed."""

from pathlib import Path

from sabot.journal.opening import check_to_write, open_to_read, path_of
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
    address, path = address_of(part), path_of(part.place)
    await check_to_write(address, Path(part.anchor) if part.anchor else None)
    if path is not None and not path.exists():
        return None
    journal = await open_to_read(address)
    try:
        return await check_clock(journal, [one.configuration.table for one in wanted.tables], now_ms)
    finally:
        await journal.close()
