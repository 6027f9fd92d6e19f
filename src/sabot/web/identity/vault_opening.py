"""Opening the vault by its address: the path of a SQLite file, or the URL of a PostgreSQL database."""

import asyncio
from pathlib import Path

from sabot.web.identity import vault_sqlite
from sabot.web.identity.vault import Vault


def is_database(address: str) -> bool:
    return address.startswith(("postgresql://", "postgres://"))


async def open_vault_at(address: str, *, alone: bool = False) -> Vault:
    """With `alone` a vault in a file is held, so that no other floor is served from it."""
    if is_database(address):
        from sabot.web.identity import vault_postgres  # noqa: PLC0415  The driver is loaded for a database alone.

        return await vault_postgres.open_vault(address)
    return await asyncio.to_thread(vault_sqlite.open_vault, Path(address), alone=alone)
