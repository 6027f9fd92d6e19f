"""The examples run, each as a process of its own against a floor that serves."""

import asyncio
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from sabot.table import acts
from tests.runtime.floors import sit_down, table_for, until
from tests.served.open_table import OpenTable, open_table

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DOCUMENT = EXAMPLES.parent / "docs" / "client.md"
TABLE = table_for(period_ms=2_000)


async def _run(name: str, *arguments: object) -> asyncio.subprocess.Process:
    command = (sys.executable, EXAMPLES / f"{name}.py", *arguments)
    return await asyncio.create_subprocess_exec(*map(str, command), stdout=asyncio.subprocess.PIPE)


async def _printed(process: asyncio.subprocess.Process) -> list[str]:
    output, _ = await process.communicate()
    assert process.returncode == 0
    return output.decode().splitlines()


async def _key_file(floor: OpenTable, folder: Path, device: str, kind: str, station: str = "") -> Path:
    identity = await floor.enrol(device, kind, station)
    identity.key.write(folder / device)
    return folder / device


def test_a_station_enrols_wagers_and_is_settled_while_a_display_prints_the_result(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table(None, TABLE, shoe=False) as floor:
            await floor.console.ask(acts.BuyIn(station="A1", cents=100_000))
            invited = await floor.invite("A1", "station")
            key_file = await _key_file(floor, tmp_path, "display", "display")
            display = await _run("results", floor.url, "display", key_file, 1)
            station = await _run("wager", floor.url, invited, tmp_path / "new-key", 1)
            await until(lambda: {"A1", "display"} <= set(floor.table.links))
            sit_down(floor.floor, tmp_path)
            wagered, balance = await _printed(station)
            assert "on Banker is record" in wagered
            assert "the balance is" in balance
            (result,) = await _printed(display)
            assert result.split(": ")[1] in ("player", "banker", "tie")

    asyncio.run(play())


def test_the_station_in_the_documents_wagers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (written,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    named: dict[str, Any] = {}
    exec("async def example(url, path):\n" + textwrap.indent(written, "    "), named)  # noqa: S102  Our own document.

    async def play() -> None:
        async with open_table() as floor:
            await floor.console.ask(acts.BuyIn(station="A1", cents=100_000))
            key_file = await _key_file(floor, tmp_path, "A1", "station")
            await floor.open_wagering()
            await named["example"](floor.url, key_file)
            assert floor.state.purse("A1").layout == {"banker": 2_500}

    asyncio.run(play())
    assert any(line.isdigit() for line in capsys.readouterr().out.splitlines()), "it prints the record's number"


def test_notes_are_taken_in_or_given_back(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table() as floor:
            key_file = await _key_file(floor, tmp_path, "A1-notes", "note_acceptor", "A1")
            notes = await _run("notes", floor.url, "A1-notes", key_file, tmp_path, 5_000, 7_777, 2_000)
            assert (await _printed(notes))[-2:] == ["taken in: [5000, 2000]", "given back: [7777]"]
            assert floor.balance("A1") == 7_000

    asyncio.run(play())
