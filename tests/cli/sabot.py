"""Runs the real command in a process of its own."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SABOT = Path(sys.executable).with_name("sabot")


@dataclass
class Ran:
    code: int
    out: str
    error: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def sabot(*words: str, given: str = "", cwd: Path | None = None, within_s: float = 1_800) -> Ran:
    try:
        done = subprocess.run(  # noqa: S603  Our own command with our own words.
            [SABOT, *words], input=given, capture_output=True, text=True, check=False, timeout=within_s, cwd=cwd
        )
    except subprocess.TimeoutExpired as expired:
        raise AssertionError(f"it does not end: {expired}") from None
    return Ran(done.returncode, done.stdout, done.stderr)


def assert_one_clear_sentence(ran: Ran) -> None:
    """Wrong input: exit code 2, nothing on standard output, one line on standard error and no traceback."""
    assert (ran.code, ran.out) == (2, "")
    assert ran.error.startswith("sabot: ")
    assert ran.error.count("\n") == 1
    assert "Traceback" not in ran.error
