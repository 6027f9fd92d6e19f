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
from tests.cli.sabot import SABOT, Command, command
from tests.runtime.floors import PATIENCE_S
from tests.served import plain_http, turned_clock
from tests.served.floor_file import TOKEN, staffed_floor
from tests.served.staff import PINS


class Process:
    """A floor's process, its log and its address."""

    def __init__(
        self,
        config: Path,
        clock: Path | None = None,
        environment: Mapping[str, str] | None = None,
        most_descriptors: int = 0,
    ) -> None:
        """By the system's clock, or by one that the test turns; `environment` is added to the test's own, and the
        process has as many descriptors as the test, or fewer. One with nothing of its own is forked from a process
        that has the command loaded."""
        self._is_usual = clock is None and not environment and not most_descriptors
        self._environment = {**os.environ, **(environment or {})}
        turned = [sys.executable, "-m", turned_clock.__name__, str(config), str(clock)]
        self._command = [str(SABOT), "serve", "--config", str(config)] if clock is None else turned
        if most_descriptors:
            self._command = ["sh", "-c", f'ulimit -n {most_descriptors}; exec "$@"', "sh", *self._command]
        self._lines: list[str] = []
        self._process: Command | subprocess.Popen[bytes]
        self.url = ""

    def start(self) -> None:
        """Until its tables have owners, here or elsewhere."""
        self.begin()
        until_ready(self.url)

    def begin(self) -> None:
        """Until it listens."""
        self._listens = threading.Event()
        self.url = ""
        said, saying = os.pipe()
        with open(saying, "wb") as log, open(os.devnull, "r+b") as nothing:  # noqa: PTH123  One is no path.
            if self._is_usual:
                self._process = command(self._command[1:], nothing, nothing, log)
            else:
                self._process = subprocess.Popen(  # noqa: S603  Our own command.
                    self._command, stdin=nothing, stdout=nothing, stderr=log, env=self._environment
                )
        self._reading = threading.Thread(target=self._read, args=(said,), daemon=True)
        self._reading.start()
        assert self._listens.wait(PATIENCE_S)
        assert self.url, self.log

    def _read(self, said_on: int) -> None:
        with open(said_on, encoding="utf-8") as log:
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
        """Wait until it ends by itself; its exit code."""
        return self._end()

    def _end(self) -> int:
        try:
            code = self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the process does not end\n{self.log}") from None
        self._reading.join(PATIENCE_S)
        return code

    @property
    def memory_kb(self) -> int:
        """How much of the machine's memory it has."""
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0])

    @property
    def descriptors(self) -> int:
        """How many descriptors it has open."""
        return len(list(Path(f"/proc/{self._process.pid}/fd").iterdir()))

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def log(self) -> str:
        return "".join(self._lines)


@contextlib.contextmanager
def serving(
    config: Path,
    clock: Path | None = None,
    environment: Mapping[str, str] | None = None,
    most_descriptors: int = 0,
) -> Iterator[Process]:
    """A process that is ready, and is gone when the block is left."""
    process = Process(config, clock, environment, most_descriptors)
    try:
        process.start()
        yield process
    finally:
        process.kill()


def serving_live(
    folder: Path, *tables: Configuration, clock: Path | None = None, **top: Any
) -> contextlib.AbstractContextManager[Process]:
    """A process whose tables wait for their dealers and whose devices may speak as fast as anywhere.

    It keeps its port when it starts again, as pages keep their address. `top` are further parts of the floor's file.
    """
    port = {"port": free_port()}
    return serving(staffed_floor(folder, *tables, dealer="live", limits={}, listen=port, **top), clock)


def get(url: str, path: str, **query: Any) -> httpx.Response:
    return plain_http.get(
        f"{url}{path}", params=query, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE_S
    )


def until_ready(url: str) -> dict[str, Any]:
    """How the tables stand once every one has an owner."""
    patience = time.monotonic() + PATIENCE_S
    while (answer := get(url, "/readyz")).status_code != httpx.codes.OK:
        assert time.monotonic() < patience, answer.text
        time.sleep(0.05)
    tables: dict[str, Any] = answer.json()["tables"]
    return tables


def until_said(process: Process, words: str) -> None:
    patience = time.monotonic() + PATIENCE_S
    while words not in process.log:
        assert time.monotonic() < patience, process.log
        time.sleep(0.05)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def secrets_in(text: str) -> list[str]:
    """PINs and tokens of these tests that stand in a text."""
    return [secret for secret in (*PINS.values(), TOKEN) if re.search(rf"\b{re.escape(secret)}\b", text)]
