"""The staff of a served floor: their PINs, the vault that knows them, and what they do at its desk."""

import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from sabot.client.connection import Identity
from sabot.client.console import Console
from sabot.client.desk import Desk
from sabot.client.key import DeviceKey
from sabot.client.outcome import CommandRefused
from sabot.floor.stamper import Giver
from sabot.web.identity.pin import PinHasher
from sabot.web.identity.sessions import set_pin
from sabot.web.identity.vault import Vault
from sabot.web.identity.vault_sqlite import open_vault
from tests.cli.loaded import CHEAP
from tests.runtime.floors import PATIENCE_S
from tests.served.device import VIEWS
from tests.served.plain_http import NO_TLS

PINS = {
    "D1": "713905",
    "D2": "482716",
    "GS1": "260418",
    "CS1": "905137",
    "TE1": "640281",
    "CA1": "371846",
    "OP1": "519302",
    "IN1": "827364",
    "SV1": "195827",
    "TD1": "463918",
}
DESKS = ("127.0.0.1",)
"""Where the tests' staff sign on without an enrolled desk."""
CREW = ("D1", "GS1", "CS1")
"""Whom every table has, so that most tests need nobody else."""
SUPERVISORS = Giver("CS1", "GS1")
"""The two persons who enrol a device."""


async def give_pins(vault: Vault, people: Iterable[str] = PINS) -> None:
    hasher = PinHasher(CHEAP)
    for person in people:
        await set_pin(vault, hasher, person, PINS[person])


@asynccontextmanager
async def vault_in(folder: Path, people: Iterable[str] = PINS) -> AsyncIterator[Vault]:
    """A vault that knows the PINs of these people."""
    async with open_vault(folder / "vault") as vault:
        await give_pins(vault, people)
        yield vault


@asynccontextmanager
async def passing_vault() -> AsyncIterator[Vault]:
    """One that knows the crew alone, in a folder that goes when it is closed."""
    with tempfile.TemporaryDirectory() as folder:
        async with vault_in(Path(folder), CREW) as vault:
            yield vault


class Staff:
    """People of the house at a desk, over HTTP."""

    def __init__(self, url: str) -> None:
        self.url, self.desk = url, Desk(url)
        self._token = ""

    async def enrol(self, device: str, kind: str, table: str = "T1", station: str | None = None) -> Identity:
        """Two persons write an invitation, and the device accepts it."""
        key = DeviceKey.make()
        code = await self.invite(device, kind, table, station)
        await self.desk.accept(code, key)
        return Identity(device, key)

    async def token(self) -> str:
        """Of the Casino Supervisor, who signs on once."""
        if not self._token:
            self._token = (await self.desk.sign_on("CS1", PINS["CS1"])).token
        return self._token

    async def invite(self, device: str, kind: str, table: str = "T1", station: str | None = None) -> str:
        try:
            second = await self.desk.approve(await self.token(), "GS1", PINS["GS1"], "enrol")
        except CommandRefused:  # The session is over: the floor was away, or the supervisor has signed on elsewhere.
            self._token = ""
            second = await self.desk.approve(await self.token(), "GS1", PINS["GS1"], "enrol")
        token = self._token
        body = {"kind": kind, "device": device, "table": table, "approval": "tests", "station": station}
        headers = {"Authorization": f"Bearer {token}", "Sabot-Second": second.token}
        async with httpx.AsyncClient(timeout=PATIENCE_S, verify=NO_TLS) as web:
            answer = await web.post(f"{self.url}/api/invitations", json=body, headers=headers)
        assert answer.status_code == 201, answer.text
        code: str = answer.json()["code"]
        return code

    @asynccontextmanager
    async def console(self, identity: Identity) -> AsyncIterator[Console]:
        """A console with the dealer signed on there."""
        token = (await self.desk.sign_on("D1", PINS["D1"], identity.device)).token
        async with Console(self.url, identity, VIEWS, token=token) as console:
            yield console
