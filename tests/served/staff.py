"""The staff of a served floor and their PINs."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from argon2 import PasswordHasher

from sabot.floor.authority import Signed
from sabot.web.pin import PinHasher
from sabot.web.sessions import set_pin
from sabot.web.vault import Vault
from sabot.web.vault_sqlite import open_vault

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""The same algorithm with next to no work, since a test signs on many times."""
PINS = {
    "D1": "713905",
    "D2": "482716",
    "GS1": "260418",
    "CS1": "905137",
    "TE1": "640281",
    "CA1": "371846",
    "OP1": "519302",
    "IN1": "827364",
}
SUPERVISORS = Signed("CS1", "GS1")
"""The two persons who enrol a device."""


async def give_pins(vault: Vault) -> None:
    hasher = PinHasher(CHEAP)
    for person, pin in PINS.items():
        await set_pin(vault, hasher, person, pin)


@asynccontextmanager
async def vault_in(folder: Path) -> AsyncIterator[Vault]:
    """A vault that knows everybody's PIN."""
    async with open_vault(folder / "vault") as vault:
        await give_pins(vault)
        yield vault


@asynccontextmanager
async def passing_vault() -> AsyncIterator[Vault]:
    """The same in a folder that goes when it is closed."""
    with tempfile.TemporaryDirectory() as folder:
        async with vault_in(Path(folder)) as vault:
            yield vault
