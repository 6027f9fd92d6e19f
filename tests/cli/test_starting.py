"""A command loads what it works with and nothing else, so that it is there at once.

`tests/data/start_modules.tsv` has a line for each command: how many modules of this package it may load at most, and
which packages and rooms it never loads. CPU time is measured by `sabot bench start`.
"""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.sabot import sabot
from tests.cli.test_commands import NIGHT

_LOADED = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, sep="\\n", file=open(sys.argv[1], "w")))
from sabot.cli import run
sys.exit(run(sys.argv[2:]))
"""
_TABLE = Path(__file__).parents[1] / "data" / "start_modules.tsv"
with _TABLE.open(encoding="utf-8", newline="") as _file:
    ROWS = list(csv.DictReader(_file, delimiter="\t"))


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("night") / "night.journal"
    assert sabot("table", "--journal", str(place), given=NIGHT).code == 0
    return place


@pytest.mark.parametrize("row", ROWS, ids=[row["command"] for row in ROWS])
def test_a_command_loads_only_what_it_works_with(row: dict[str, str], journal: Path, tmp_path: Path) -> None:
    words = row["command"].replace("FILE", str(journal)).split()
    listing = tmp_path / "modules"
    done = subprocess.run(  # noqa: S603  Our own command.
        [sys.executable, "-c", _LOADED, listing, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    loaded = listing.read_text(encoding="utf-8").split()
    never = [name for name in row["never"].split() if name in loaded]
    ours = [name for name in loaded if name.split(".")[0] == "sabot"]
    assert not never, f"{row['command']} loads {never}"
    assert len(ours) <= int(row["at_most"]), f"{row['command']} loads {len(ours)} modules of this package"
