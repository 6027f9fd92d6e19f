"""The PINs that staff sign on with, and the ways in from the machine itself."""

import asyncio
import getpass
import os
import sys
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from sabot.basics.act import Reference
from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Json
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, print_json
from sabot.house.state import DeviceKind
from sabot.web.http.refusal import Refusal
from sabot.web.identity.enrolments import INVITED_MS, Invitation, keep_invitation
from sabot.web.identity.pin import PinHasher
from sabot.web.identity.sessions import set_pin as keep_pin
from sabot.web.identity.vault import Unavailable, Vault
from sabot.web.identity.vault_opening import is_database, open_vault_at
from sabot.web.serving.floor_file import address_of, read_floor_file, read_places
from sabot.web.serving.process import system_ms

StoreArgument = Annotated[
    str,
    Parameter(
        name="--store",
        help="The vault: a file, the address of a PostgreSQL database, or the floor's file, which names it.",
    ),
]


def set_pin(person: str, /, *, store: StoreArgument, json: Json = False) -> int:
    """Give a person a PIN of six digits or more, which replaces the old one, and end the person's sessions.

        sabot staff set-pin CS1 --store floor.vault

    A person who is locked out may try again at once; the floor puts it on record.

    Parameters
    ----------
    person
        The person's reference on the staff list.
    """
    _check_reference(person)
    pin, is_new = _asked_for(), _is_new(place_of(store))
    try:
        asyncio.run(_set_pin(store, person, pin))
    except Refusal as no:
        raise Mistake(no.text) from None
    sentence = f"{person} has a new PIN" + (f" in the new vault {place_of(store)}" if is_new else "")
    return _tell(sentence + _unlisted(store, person), {"person": person, "pin": "set"}, json=json)


def forget_pin(person: str, /, *, store: StoreArgument, json: Json = False) -> int:
    """Delete a person's PIN and end the person's sessions; signing on needs a new PIN.

        sabot staff forget-pin CS1 --store floor.vault

    Parameters
    ----------
    person
        The person's reference.
    """
    if not asyncio.run(_forget_pin(store, person)):
        raise Mistake(f"{person} has no PIN")
    return _tell(f"the PIN of {person} is forgotten", {"person": person, "pin": "forgotten"}, json=json)


def unlock(person: str, /, *, store: StoreArgument, reason: str, json: Json = False) -> int:
    """Let a person try again who is locked out after wrong PINs, at once and everywhere.

        sabot staff unlock CS1 --store floor.vault --reason "a digit was wrong"

    The floor records it in the house's stream with the reason and the user who ran the command: a floor that runs does
    so within seconds, any other when it starts.

    Parameters
    ----------
    person
        The person's reference.
    reason
        Why, for the record.
    """
    if not reason.strip():
        raise Mistake("say why: --reason")
    asyncio.run(_unlock(store, person, f"{reason} (at the machine by {_who_runs_this()})"))
    return _tell(f"{person} may try again; the floor puts it on record", {"person": person, "may_try": True}, json=json)


def invite(
    device: str,
    /,
    *,
    store: StoreArgument,
    by: str,
    second: str,
    kind: DeviceKind = DeviceKind.DESK,
    table: str = "",
    station: str = "",
    approval: str,
    json: Json = False,
) -> int:
    """Invite one device from the machine itself, such as the first desk, at which everybody else then signs on.

        sabot staff invite desk --store a.vault --by TE1 --second CS1 --approval 7

    Two persons type their PINs. The code that is printed enrols one device within an hour: open
    https://FLOOR/floor#invitation=CODE there. Whether the two may enrol is checked when it is used.

    Parameters
    ----------
    device
        The name that the device is to have.
    by
        The Technician or Casino Supervisor who enrols it.
    second
        The supervisor who approves it.
    kind
        What it is.
    table
        Its table; a desk has none.
    station
        The station that it is, or serves.
    approval
        The reference of its approval.
    """
    if by == second:
        raise Mistake(f"{by} cannot approve what {by} does")
    _check_reference(device, "the name of a device")
    words = Invitation(
        kind=kind, device=device, table=table, station=station or None, approval=approval, by=by, second=second
    )
    pins = {person: read_pin(f"PIN of {person}: ") for person in (by, second)}
    code = asyncio.run(_invite(store, words, pins))
    return _tell(code, {"device": device, "kind": kind, "code": code}, json=json)


def make_store(store: str, /, *, json: Json = False) -> int:
    """Create the vault's tables in a PostgreSQL database, owned by the role in its address. A file needs no tables.

        sabot staff make-store postgresql://sabot_owner@db/floor

    Parameters
    ----------
    store
        The address of the database.
    """
    if not is_database(store):
        raise Mistake(f"{store!r} is not the address of a PostgreSQL database; a file is made when it is first used")
    from sabot.web.identity import vault_postgres

    with in_one_sentence():
        asyncio.run(vault_postgres.make_tables(store))
    return _tell("the vault's tables are there", {"made": True}, json=json)


def _tell(sentence: str, form: dict[str, object], *, json: bool) -> int:
    if json:
        print_json(form)
    else:
        console().print(sentence)
    return 0


def _check_reference(written: str, what: str = "a person's reference") -> None:
    try:
        msgspec.convert(written, Reference)
    except msgspec.ValidationError:
        raise Mistake(
            f"{written!r} is not {what}: 1 to 40 letters, digits, hyphens, dots and underscores, such as CS1"
        ) from None


async def _set_pin(store: str, person: str, pin: str) -> None:
    async with await opened_vault(store) as vault:
        await keep_pin(vault, PinHasher(), person, pin)
        await vault.end_sessions_of(person)
        await vault.ask_to_unlock(person, f"a new PIN, set at the machine by {_who_runs_this()}")


async def _forget_pin(store: str, person: str) -> bool:
    async with await opened_vault(store, must_exist=True) as vault:
        await vault.end_sessions_of(person)
        return await vault.forget_pin(person)


async def _unlock(store: str, person: str, reason: str) -> None:
    async with await opened_vault(store, must_exist=True) as vault:
        await vault.ask_to_unlock(person, reason)


async def _invite(store: str, words: Invitation, pins: dict[str, str]) -> str:
    async with await opened_vault(store, must_exist=True) as vault:
        await check_pins(vault, pins)
        return await keep_invitation(vault, words, system_ms() + INVITED_MS)


async def check_pins(vault: Vault, pins: dict[str, str]) -> None:
    hasher = PinHasher()
    right = [await hasher.agrees(await vault.pin_of(person), pin) for person, pin in pins.items()]
    if not all(right):
        raise Mistake("a person or a PIN is not right; nothing was changed")


async def opened_vault(store: str, *, must_exist: bool = False) -> Vault:
    """Only a first PIN makes a vault; for all else a path without one is a slip of the keyboard."""
    place = place_of(store)
    if must_exist and _is_new(place):
        raise Mistake(f"there is no vault at {place}")
    try:
        with in_one_sentence():
            return await open_vault_at(place)
    except Unavailable as error:
        raise Mistake(error.why) from None


def _is_new(place: str) -> bool:
    return not is_database(place) and not Path(place).exists()


def _unlisted(store: str, person: str) -> str:
    """What to say of a person whom no table's file names; often a slip of the keyboard."""
    if not store.endswith(".toml"):
        return ""
    try:
        tables = read_floor_file(Path(store)).tables
    except Mistake:  # A table's file is not good; the PIN is set all the same.
        return ""
    if any(person in one.configuration.staff for one in tables):
        return ""
    return f"; no table's file names {person}, who has a role only when appointed at the desk"


def place_of(store: str) -> str:
    """The vault's place, which the floor's file says where that was named."""
    return address_of(read_places(Path(store)).secrets) if store.endswith(".toml") else store


def _who_runs_this() -> str:
    """The user of the machine, by whose rights the vault was opened, and who became that user."""
    user, before = getpass.getuser(), os.environ.get("SUDO_USER", "")
    return f"{before} as {user}" if before and before != user else user


def read_pin(asking: str) -> str:
    return getpass.getpass(asking) if sys.stdin.isatty() else sys.stdin.readline().strip()


def _asked_for() -> str:
    pin = read_pin("PIN: ")
    if sys.stdin.isatty() and getpass.getpass("once more: ") != pin:
        raise Mistake("the two are not the same; nothing was changed")
    return pin
