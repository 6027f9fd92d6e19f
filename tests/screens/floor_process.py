"""A floor as it runs in a casino: `sabot serve` in a process of its own, asked over HTTP and shown in a browser.

Devices are invited as a demo's are, by two persons with their PINs; a test then works as they do, at the pages.
"""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from argon2 import PasswordHasher

from sabot.table.configuration import Configuration
from sabot.table.fixtures import fixture
from sabot.web.pin import PinHasher
from sabot.web.sessions import set_pin
from sabot.web.vault_sqlite import open_vault
from tests.running.floors import PATIENCE_S
from tests.served.floor_file import written
from tests.served.process import Process

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
_CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def crown(**changes: Any) -> Configuration:
    """The rulebook's CROWN table, with a wagering period that a test does not have to wait for."""
    table = fixture("crown")
    staff: Any = {**table.staff, "OP1": ("operator",)}
    return msgspec.structs.replace(table, wagering_period_ms=600_000, staff=staff, **changes)


def singapore(**changes: Any) -> Configuration:
    """A table where a patron at the table leaves with a ticket."""
    table = fixture("singapore")
    staff: Any = {**table.staff, "TE1": ("technician",)}
    return msgspec.structs.replace(table, **{"wagering_period_ms": 600_000, "staff": staff, **changes})


class FloorProcess:
    def __init__(self, folder: Path, *tables: Configuration) -> None:
        self._config = folder / "sabot.toml"
        self.url = ""
        port = _free_port()  # A floor keeps its port when it starts again, as pages keep their address.
        self._config.write_text(
            written(
                {
                    "floor": "a floor for tests",
                    "listen": {"port": port},
                    "tables": [{"configuration": _given(one)} for one in tables],
                }
            )
        )
        asyncio.run(_set_pins(folder))
        self._process = self._started()

    def start(self) -> None:
        self._process = self._started()

    def stop(self) -> None:
        """It is asked to leave, and does so in order."""
        assert self._process.stop() == 0

    def close(self) -> None:
        """It is killed, as by a power cut."""
        self._process.kill()

    def invitation(self, kind: str, station: str | None = None, table: str = "T1") -> str:
        """The address of a page with an invitation in it, which a technician and a supervisor wrote."""
        token = self.token("TE1")
        second = self.ask("POST", "/api/approvals", {"person": "CS1", "pin": PINS["CS1"], "act": "enrol"}, token=token)
        granted = {"kind": kind, "device": f"{kind}-{station or table}", "table": table, "approval": "a test"}
        granted |= {"station": station} if station else {}
        code = self.ask("POST", "/api/invitations", granted, token=token, second=second["token"])["code"]
        return f"{self.url}/{kind}#invitation={code}"

    def token(self, person: str) -> str:
        return str(self.ask("POST", "/api/sign-on", {"person": person, "pin": PINS[person]})["token"])

    def ask(self, method: str, path: str, body: object = None, *, token: str = "", second: str = "") -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Sabot-Second": second} if second else {}
        answer = httpx.request(method, self.url + path, json=body, headers=headers, timeout=PATIENCE_S)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def _started(self) -> Process:
        process = Process(self._config)
        process.start()
        self.url = process.url
        return process


@contextmanager
def floor_process(folder: Path, *tables: Configuration) -> Iterator[FloorProcess]:
    """A floor with these tables and a PIN for everybody, in an empty folder."""
    floor = FloorProcess(folder, *tables)
    try:
        yield floor
    finally:
        floor.close()


def _given(configuration: Configuration) -> dict[str, Any]:
    """What is not given is left out, since TOML has no word for nothing."""
    built: dict[str, Any] = msgspec.to_builtins(configuration, enc_hook=str)
    return {name: value for name, value in built.items() if value is not None}


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


async def _set_pins(folder: Path) -> None:
    async with open_vault(folder / "floor.vault") as vault:
        for person, pin in PINS.items():
            await set_pin(vault, PinHasher(_CHEAP), person, pin)
