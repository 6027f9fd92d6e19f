"""A floor served as in a casino: `sabot serve` in a process of its own, killed, stopped and started again."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx

from sabot.table.configuration import Configuration
from tests.cli.sabot import SABOT
from tests.runtime.floors import PATIENCE_S
from tests.served import turned_clock
from tests.served.floor_file import TOKEN, staffed_floor
from tests.served.staff import PINS


class Process:
    """A floor's process, its log and its address."""

    def __init__(self, config: Path, clock: Path | None = None, env: Mapping[str, str] | None = None) -> None:
        """By the system's clock, or by one that the test turns; `env` is added to the environment."""
        self._env = {**os.environ, **(env or {})}
        turned = [sys.executable, "-m", turned_clock.__name__, str(config), str(clock)]
        self._command = [str(SABOT), "serve", "--config", str(config)] if clock is None else turned
        self._lines: list[str] = []
        self.url = ""

    def start(self) -> None:
        """Until its tables have owners, here or elsewhere."""
        self._listens = threading.Event()
        self.url = ""
        self._process = subprocess.Popen(  # noqa: S603  Our own command.
            self._command,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            env=self._env,
        )
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()
        assert self._listens.wait(PATIENCE_S)
        assert self.url, self.log
        until_ready(self.url)

    def _read(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as log:
            for line in log:
                self._lines.append(line)
                with contextlib.suppress(ValueError):
                    said = json.loads(line)
                    if said.get("event") == "listens":
                        self.url = said["url"]
                        self._listens.set()
        self._listens.set()

    def kill(self) -> None:
        """As by a power cut; one that has ended already is left alone."""
        self._process.kill()
        self._end()

    def stop(self) -> int:
        """Ask it to leave; its exit code."""
        self._process.send_signal(signal.SIGTERM)
        return self._end()

    def ended(self) -> int:
        """Wait for it to end by itself; its exit code."""
        return self._end()

    def _end(self) -> int:
        code = self._process.wait(PATIENCE_S)
        self._reading.join(PATIENCE_S)
        return code

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def log(self) -> str:
        return "".join(self._lines)


@contextlib.contextmanager
def serving(config: Path, clock: Path | None = None) -> Iterator[Process]:
    """A process that is ready, and is gone when the block is left."""
    process = Process(config, clock)
    try:
        process.start()
        yield process
    finally:
        process.kill()


def serving_live(folder: Path, *tables: Configuration) -> contextlib.AbstractContextManager[Process]:
    """A process whose tables wait for their dealers and whose devices may speak as fast as anywhere.

    It keeps its port when it starts again, as pages keep their address.
    """
    return serving(staffed_floor(folder, *tables, dealer="live", limits={}, listen={"port": free_port()}))


def get(url: str, path: str, **query: Any) -> httpx.Response:
    return httpx.get(f"{url}{path}", params=query, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE_S)


def until_ready(url: str) -> dict[str, Any]:
    """How the tables stand once every one has an owner."""
    patience = time.monotonic() + PATIENCE_S
    while (answer := get(url, "/readyz")).status_code != httpx.codes.OK:
        assert time.monotonic() < patience, answer.text
        time.sleep(0.05)
    tables: dict[str, Any] = answer.json()["tables"]
    return tables


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def secrets_in(text: str) -> list[str]:
    """PINs and tokens of these tests that stand in a text."""
    return [secret for secret in (*PINS.values(), TOKEN) if re.search(rf"\b{re.escape(secret)}\b", text)]
