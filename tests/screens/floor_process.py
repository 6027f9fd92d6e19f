"""A floor as it runs in a casino: `sabot serve` in a process of its own, asked over HTTP and shown in a browser.

Devices are invited as a demo's are, by two persons with their PINs; a test then works as they do, at the pages.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from argon2 import PasswordHasher

from sabot.table.configuration import Configuration
from sabot.table.fixtures import fixture
from sabot.web.pin import PinHasher
from sabot.web.sessions import set_pin
from sabot.web.vault_sqlite import open_vault

PINS = {
    "D1": "713905",
    "D2": "482716",
    "GS1": "260418",
    "CS1": "905137",
    "TE1": "640281",
    "CA1": "371846",
    "S7": "519302",
    "IN1": "827364",
}
START_WITHIN_S = 90
_CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def crown(**changes: Any) -> Configuration:
    """The rulebook's CROWN table, with a wagering period that a test does not have to wait for."""
    return msgspec.structs.replace(fixture("crown"), wagering_period_ms=600_000, **changes)


class FloorProcess:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""

    def start(self) -> None:
        """Start it, or start it again after it was stopped or killed; a floor keeps its port."""
        log = self._folder / "log"
        with log.open("ab") as out:
            self._process = subprocess.Popen(  # noqa: S603  Our own program.
                [Path(sys.executable).parent / "sabot", "serve", "--config", str(self._folder / "sabot.toml")],
                stdout=out,
                stderr=out,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        deadline = time.monotonic() + START_WITHIN_S
        while not self._answers():
            assert self._process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)

    def kill(self) -> None:
        """As a power cut does."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(30)

    def invitation(self, kind: str, station: str | None = None, table: str = "T1") -> str:
        """The address of a page with an invitation in it, which a technician and a supervisor wrote."""
        token = self.ask("POST", "/api/sign-on", {"person": "TE1", "pin": PINS["TE1"]})["token"]
        approving = {"person": "CS1", "pin": PINS["CS1"], "act": "enrol"}
        second = self.ask("POST", "/api/approvals", approving, token=token)["token"]
        granted = {"kind": kind, "device": f"{kind}-{station or table}", "table": table, "approval": "a test"}
        granted |= {"station": station} if station else {}
        code = self.ask("POST", "/api/invitations", granted, token=token, second=second)["code"]
        return f"{self.url}/{kind}#invitation={code}"

    def ask(self, method: str, path: str, body: object = None, *, token: str = "", second: str = "") -> Any:
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Sabot-Second": second} if second else {}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)  # noqa: S310  Our own address.
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            return json.loads(answer.read() or b"null")

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=5) as answer:  # noqa: S310
                return bool(answer.status == 200)
        except OSError:
            return False


@contextmanager
def floor_process(folder: Path, port: int, *tables: Configuration) -> Iterator[FloorProcess]:
    """A floor with these tables and a PIN for everybody, in an empty folder."""
    written = {
        "floor": "a floor for tests",
        "listen": {"port": port},
        "log": {"level": "warning", "form": "json"},
        "tables": [{"configuration": msgspec.to_builtins(one)} for one in tables],
    }
    (folder / "sabot.toml").write_text("".join(f"{name} = {_toml(value)}\n" for name, value in written.items()))
    asyncio.run(_set_pins(folder))
    floor = FloorProcess(folder)
    floor.url = f"http://127.0.0.1:{port}"
    floor.start()
    try:
        yield floor
    finally:
        floor.stop()


async def _set_pins(folder: Path) -> None:
    async with open_vault(folder / "floor.vault") as vault:
        for person, pin in PINS.items():
            await set_pin(vault, PinHasher(_CHEAP), person, pin)


def _toml(value: object) -> str:
    """A value in one line; what is nothing is left out, for which TOML has no word."""
    if isinstance(value, dict):
        lines = (f"{json.dumps(name)} = {_toml(one)}" for name, one in value.items() if one is not None)
        return f"{{ {', '.join(lines)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)
