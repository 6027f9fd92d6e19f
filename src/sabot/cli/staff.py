"""`sabot staff`: sets the PINs that staff sign on with."""

import asyncio
import getpass
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from sabot.basics.mistake import Mistake
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console
from sabot.web.http.refusal import Refusal
from sabot.web.identity import vault_postgres, vault_sqlite
from sabot.web.identity.pin import PinHasher
from sabot.web.identity.sessions import set_pin as keep_pin
from sabot.web.identity.vault import Unavailable, Vault

staff = App(
    name="staff",
    help_epilogue="""Every member of staff has a reference on the house's staff list and a PIN in the vault. The vault
    is separate from the journal, so a PIN can be changed and deleted:

        sabot staff set-pin CS1 --store floor.vault

    The PIN is asked for twice at a terminal, and otherwise read from standard input. It is never an argument, which
    other users of the machine could see.""",
)
StoreArgument = Annotated[str, Parameter(name="--store")]


@staff.command
def set_pin(person: str, /, *, store: StoreArgument) -> int:
    """Give a person a PIN of six digits or more, which replaces the old one, and end the person's sessions.

        sabot staff set-pin CS1 --store floor.vault

    A person who is locked out stays locked out until a supervisor unlocks the account.

    Parameters
    ----------
    person
        The person's reference on the staff list.
    store
        The vault: a file, which is created if needed, or the address of a PostgreSQL database.
    """
    pin = _asked_for()
    try:
        asyncio.run(_set_pin(store, person, pin))
    except Refusal as no:
        raise Mistake(no.text) from None
    console().print(f"{person} has a new PIN")
    return 0


@staff.command
def forget_pin(person: str, /, *, store: StoreArgument) -> int:
    """Delete a person's PIN and end the person's sessions; signing on needs a new PIN.

        sabot staff forget-pin CS1 --store floor.vault

    Parameters
    ----------
    person
        The person's reference.
    store
        The vault: a file, or the address of a PostgreSQL database.
    """
    if not asyncio.run(_forget_pin(store, person)):
        raise Mistake(f"{person} has no PIN")
    console().print(f"the PIN of {person} is forgotten")
    return 0


@staff.command
def make_store(store: str, /) -> int:
    """Create the vault's tables in a PostgreSQL database, owned by the role in its address. A file needs no tables.

        sabot staff make-store postgresql://sabot_owner@db/floor

    Parameters
    ----------
    store
        The address of the database.
    """
    if not _is_address(store):
        raise Mistake(f"{store!r} is not the address of a PostgreSQL database; a file is made when it is first used")
    with in_one_sentence():
        asyncio.run(vault_postgres.make_tables(store))
    console().print("the vault's tables are there")
    return 0


async def _set_pin(store: str, person: str, pin: str) -> None:
    async with await _opened(store) as vault:
        await keep_pin(vault, PinHasher(), person, pin)
        await vault.end_sessions_of(person)


async def _forget_pin(store: str, person: str) -> bool:
    async with await _opened(store) as vault:
        await vault.end_sessions_of(person)
        return await vault.forget_pin(person)


async def _opened(store: str) -> Vault:
    try:
        with in_one_sentence():
            return (
                await vault_postgres.open_vault(store) if _is_address(store) else vault_sqlite.open_vault(Path(store))
            )
    except Unavailable as error:
        raise Mistake(error.why) from None


def _is_address(store: str) -> bool:
    return store.startswith(("postgresql://", "postgres://"))


def _asked_for() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip()
    pin = getpass.getpass("PIN: ")
    if getpass.getpass("once more: ") != pin:
        raise Mistake("the two are not the same; nothing was changed")
    return pin
