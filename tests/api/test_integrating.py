"""The handbook of the integrator, word by word: its commands and its program at a served floor."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.sabot import sabot
from tests.served.process import free_port, serving

ROOT = Path(__file__).resolve().parents[2]
HANDBOOK = ROOT / "docs" / "handbook" / "integrator.md"
BLOCK = re.compile(r"<!-- not run: [^>]*test_integrating.py runs it -->\n```console\n(.*?)```", re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a reader has."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / "sabot").symlink_to(ROOT / ".venv" / "bin" / "sabot")
    (tmp_path / "python3").symlink_to(sys.executable)
    return tmp_path


def test_the_handbook_is_followed_word_by_word(folder: Path) -> None:
    """Afterwards the program has every line once and in order, and its account is revoked."""
    assert sabot("serve", "--init", "floor", "--port", str(free_port()), cwd=folder).code == 0
    written = [block.replace("\\\n", " ").splitlines() for block in BLOCK.findall(HANDBOOK.read_text(encoding="utf-8"))]
    commands = [command for block in written for command in block]
    assert len(commands) == 8
    with serving(folder / "floor" / "sabot.toml") as process:
        printed = {command: _run(command.replace("http://127.0.0.1:8080", process.url), folder) for command in commands}
        refused = subprocess.run(  # noqa: S603  Our own program.
            [sys.executable, "examples/integrate.py", process.url, "loyalty.json", "meters"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    assert "loyalty" in next(out for command, out in printed.items() if "service list" in command)
    assert "0 coups" in next(out for command, out in printed.items() if command.endswith("meters"))
    assert (refused.returncode, refused.stderr[:19]) == (1, "401 service_refused")
    _check_kept(folder / "loyalty.db")
    token = json.loads((folder / "loyalty.json").read_text())["token"]
    assert token not in process.log


def _run(command: str, folder: Path) -> str:
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(  # noqa: S602  The handbook's own commands.
        command, shell=True, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def _check_kept(database: Path) -> None:
    kept = sqlite3.connect(database)
    by_stream: dict[str, int] = {}
    lines = [json.loads(line) for (line,) in kept.execute("SELECT line FROM event ORDER BY stream, sequence")]
    for line in lines:
        assert line["after"] == by_stream.get(line["stream"], 0), "no line is missing"
        by_stream[line["stream"]] = line["sequence"]
    assert any(event["event"] == "ServiceMade" for line in lines for event in line["events"])
    assert kept.execute("SELECT count(*) FROM meters").fetchone()[0] >= 1
    kept.close()
