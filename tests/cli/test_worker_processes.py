"""Several processes prove a journal with the same verdict as one, even where one of them dies."""

import asyncio
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import msgspec
import pytest

from sabot.audit.problem import ProblemKind
from sabot.audit.verify import Verdict
from sabot.cli.exit_codes import INTERRUPTED
from sabot.cli.journal.verify import StoppedProof
from sabot.journal.opening import open_journal
from tests.cli.proving_process import proved
from tests.cli.sabot import assert_one_clear_sentence, sabot
from tests.floor.nights import play

TABLE = "table/T1"


@pytest.fixture
def place(tmp_path: Path) -> str:
    async def played() -> None:
        journal = await open_journal(str(tmp_path / "night.journal"))
        await play(journal, coups=2)
        await journal.close()

    asyncio.run(played())
    return str(tmp_path / "night.journal")


def in_a_process(place: str, *words: str, before: Callable[[], None] | None = None) -> Verdict:
    command = [sys.executable, "-m", "tests.cli.proving_process", place, *words]
    done = subprocess.run(command, capture_output=True, check=True, timeout=600, preexec_fn=before)  # noqa: S603
    return msgspec.json.decode(done.stdout, type=Verdict)


def change_a_record(place: str, version: int) -> None:
    """Change a byte of a record directly in the database, past the journal's guards."""
    with apsw.Connection(place) as db:
        db.execute("DROP TRIGGER record_no_update")
        body = db.execute("SELECT body FROM record WHERE stream = ? AND version = ?", (TABLE, version)).get
        db.execute("UPDATE record SET body = ? WHERE stream = ? AND version = ?", (body + b" ", TABLE, version))


def test_processes_that_are_forked_and_processes_that_begin_anew_prove_what_one_does(place: str) -> None:
    alone = proved(place, 1)
    assert alone.ok
    assert in_a_process(place, "2") == in_a_process(place, "3") == alone
    assert in_a_process(place, "2", "threads") == alone


def test_one_process_proves_it_all_where_processes_can_share_no_memory(place: str) -> None:
    """Shared memory is a file, and here none may have a byte."""
    alone = in_a_process(place, "2", before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
    assert alone == proved(place, 1)


@pytest.mark.parametrize("part", [0.1, 0.6, 0.95])
def test_a_damaged_record_is_named_whichever_process_finds_it(place: str, part: float) -> None:
    records = next(one.records for one in proved(place, 1).streams if one.stream == TABLE)
    at = round(part * records)
    change_a_record(place, at)
    alone = proved(place, 1)
    [problem] = alone.problems
    assert (problem.stream, problem.version, problem.kind) == (TABLE, at, ProblemKind.DAMAGED)
    assert in_a_process(place, "2") == alone


def test_a_record_that_is_gone_is_named_and_ends_the_proof(place: str) -> None:
    with apsw.Connection(place) as db:
        db.execute("DROP TRIGGER record_no_delete")
        db.execute("DELETE FROM record WHERE stream = ? AND version = 20", (TABLE,))
    alone = proved(place, 1)
    [problem] = [one for one in alone.problems if one.stream == TABLE]
    assert (problem.version, problem.kind) == (20, ProblemKind.GAP)
    assert in_a_process(place, "2") == alone


def test_a_killed_process_does_not_change_the_verdict(place: str) -> None:
    assert in_a_process(place, "2", "kill") == proved(place, 1)


def test_the_command_takes_the_number_of_processes(place: str) -> None:
    reports = [sabot("journal", "verify", place, "--processes", number, "--json") for number in ("1", "2")]
    assert reports[0] == reports[1]
    assert_one_clear_sentence(sabot("journal", "verify", place, "--processes", "0"))


STOPPED = """
import os, signal, sys
from sabot.cli import run
from sabot.cli.journal.shared import ProgressPrinter
told = ProgressPrinter.__call__
def stop(printer, *words):
    told(printer, *words)
    os.kill(os.getpid(), signal.SIGINT)
ProgressPrinter.__call__ = stop
sys.exit(run(["journal", "verify", *sys.argv[1:]]))
"""
"""The command, interrupted as soon as it tells of its progress."""


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_proof_that_is_stopped_says_what_was_checked_and_proves_nothing(place: str, processes: str) -> None:
    command = [sys.executable, "-c", STOPPED, place, "--processes", processes]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)  # noqa: S603
    assert done.returncode == INTERRUPTED, done.stderr
    assert done.stdout.startswith("? stopped, so nothing is proved: ")
    assert "Traceback" not in done.stderr
    told = subprocess.run([*command, "--json"], capture_output=True, timeout=600, check=False)  # noqa: S603
    stopped = msgspec.json.decode(told.stdout, type=StoppedProof)
    assert 0 < stopped.checked <= stopped.records
    assert not stopped.problems
