"""`sabot staff backup`: a copy of the vault, also while the floor is served."""

import os
from contextlib import closing
from pathlib import Path

import apsw

from sabot.basics.mistake import Mistake
from sabot.cli.staff.pins import StoreArgument, place_of
from sabot.cli.terminal import console
from sabot.web.identity.vault_opening import is_database


def backup(copy: Path, /, *, store: StoreArgument) -> int:
    """Copy the vault to a new file that only you can read: hashes of PINs, and the public keys of the devices.

        sabot staff backup vault-2026-11-18 --store floor/sabot.toml

    The floor may be served meanwhile. To go back, stop the floor and put the copy in the vault's place. Without a copy
    every person needs a new PIN, and every device is enrolled anew. A vault in PostgreSQL is copied with pg_dump.

    Parameters
    ----------
    copy
        The new file.
    """
    place = place_of(store)
    if is_database(place):
        raise Mistake("this vault is in a database: copy it with pg_dump")
    if not Path(place).exists():
        raise Mistake(f"{place} is not there")
    if copy.exists():
        raise Mistake(f"{copy} is there already; name a new file")
    before = os.umask(0o077)
    try:
        with closing(apsw.Connection(place, flags=apsw.SQLITE_OPEN_READWRITE)) as vault:  # Else it leaves a -shm.
            vault.execute("VACUUM INTO ?", (str(copy),))
    except apsw.Error as error:
        copy.unlink(missing_ok=True)
        raise Mistake(f"the vault cannot be copied to {copy}: {error}") from None
    finally:
        os.umask(before)
    console().print(f"the vault is copied to {copy}", soft_wrap=True)
    return 0
