"""The demo serves a real floor, continues where it stopped, and shuts down in order."""

import asyncio
import re
import signal
import socket
import subprocess
from pathlib import Path

import msgspec
import pytest

from sabot.basics.money import write_amount
from sabot.cli import run
from sabot.floor.records.recovery import after_record
from sabot.journal.sqlite import open_read_only
from sabot.table.state import UNCONFIGURED, AnyTable
from tests.cli.sabot import SABOT, assert_one_clear_sentence, sabot
from tests.runtime.floors import PATIENCE_S
from tests.served import plain_http

QUICK = ("--port", "0", "--pace", "0")


def _balances(out: str) -> dict[str, str]:
    """Each station's balance at the end."""
    rows = re.findall(r"^(A\d)\s.*?([\d,]+\.\d\d)\s+([\d,]+\.\d\d)\s+([\d,]+\.\d\d)\s+\S+$", out, re.MULTILINE)
    return {station: balance for station, _, _, balance in rows}


def test_a_demo_of_two_coups_tells_links_pins_balances_and_fairness_and_the_next_goes_on(tmp_path: Path) -> None:
    first = sabot("demo", *QUICK, "--coups", "2", "--folder", str(tmp_path))
    assert (first.code, first.error) == (0, "")
    assert len(re.findall(r"http://127\.0\.0\.1:\d+/(?:station|console|display)#invitation=\w{16}", first.out)) == 3
    assert len(re.findall(r"http://127\.0\.0\.1:\d+/(?:floor|board|)$", first.out, re.MULTILINE)) == 3
    assert len(re.findall(r"PIN \d{6}  \w", first.out)) == 3
    assert re.search(r"all \d+ cards that were seen are proved", first.out)
    balances = _balances(first.out)
    assert set(balances) == {"A1", "A2", "A3", "A4"}

    again = subprocess.Popen(  # noqa: S603  Our own command.
        [SABOT, "demo", "--json", "--port", "0", "--pace", "1", "--folder", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert again.stdout is not None
        line = again.stdout.readline()
        assert line, "it ended before it told its links"
        told = msgspec.json.decode(line)
        assert [link["page"] for link in told["links"]] == ["station", "console", "display", "floor", "board"]
        assert plain_http.get(f"{told['url']}/readyz", timeout=PATIENCE_S).status_code == 200
        shown = plain_http.get(f"{told['url']}/api/start", timeout=PATIENCE_S).json()["demo"]
        assert (shown["links"], shown["people"]) == (told["links"], told["people"])
        assert_one_clear_sentence(sabot("demo", *QUICK, "--folder", str(tmp_path)))
        again.send_signal(signal.SIGINT)
        rest, error = again.communicate(timeout=PATIENCE_S)
    finally:
        again.kill()
    assert (again.returncode, error) == (0, "")
    assert _recorded(tmp_path, epoch=1) == balances, "the second start found what the first one left"
    ended = msgspec.json.decode(rest)
    assert _recorded(tmp_path, epoch=2) == {name: write_amount(cents) for name, cents in ended["balances"].items()}
    assert ended["fair"]


def _recorded(folder: Path, epoch: int) -> dict[str, str]:
    """Each account's balance after its owner left, including wagers on its layout."""

    async def read() -> AnyTable:
        journal = open_read_only(folder / "floor.journal")
        state: AnyTable = UNCONFIGURED
        async for record in journal.read("table/DEMO"):
            if record.epoch <= epoch:
                state = after_record(state, record)
        await journal.close()
        return state

    purses = asyncio.run(read()).ledger.purses
    return {name: write_amount(one.balance + one.wagered + one.held) for name, one in purses.items()}


def test_a_taken_port_is_one_clear_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ran = sabot("demo", "--port", str(taken.getsockname()[1]), "--folder", str(tmp_path))
    assert_one_clear_sentence(ran)
    assert "is taken" in ran.error


_SENSELESS = [
    ["--seed", "7"],
    ["--coups", "0"],
    ["--port", "70000"],
    ["--save", "x.json"],
    ["--terminal", "--deal"],
    ["--deal", "--pace", "1"],
]


@pytest.mark.parametrize("words", _SENSELESS)
def test_what_makes_no_sense_for_a_floor_is_refused(words: list[str], tmp_path: Path) -> None:
    assert run(["demo", *words, "--folder", str(tmp_path / "none")]) == 2
    assert not (tmp_path / "none").exists()
