"""`sabot pin`: a PIN for a member of staff, given by whoever runs the floor."""

import asyncio
import getpass
import sys
from pathlib import Path

from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console
from sabot.rules.mistake import Mistake
from sabot.web.floor_file import Floor, read_floor_file
from sabot.web.pin import PinHasher
from sabot.web.premises import open_vault
from sabot.web.refusal import Refusal
from sabot.web.sessions import set_pin


def pin(person: str, /, *, config: Path) -> int:
    """Give a person a PIN, in place of any before. It is asked for, or read from standard input, and never shown.

        sabot pin D1 --config sabot.toml

    The person must be on the staff list of a table, or be appointed, before the PIN is of any use.

    Parameters
    ----------
    person
        The reference by which the staff list knows the person.
    config
        The floor's file.
    """
    wanted = read_floor_file(config)
    with in_one_sentence():
        asyncio.run(_set(wanted, person, _asked(person)))
    console().print(f"{person} has a new PIN")
    return 0


def _asked(person: str) -> str:
    if sys.stdin is not None and sys.stdin.isatty():
        return getpass.getpass(f"PIN for {person}: ")
    return "" if sys.stdin is None else sys.stdin.readline().strip()


async def _set(wanted: Floor, person: str, given: str) -> None:
    async with await open_vault(wanted) as vault:
        try:
            await set_pin(vault, PinHasher(), person, given)
        except Refusal as no:
            raise Mistake(no.text) from None
