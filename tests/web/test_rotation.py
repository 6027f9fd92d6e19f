"""A served floor rotates its journal while notes are stacked and wagers are laid: nothing is lost."""

import asyncio
import shutil
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from sabot.audit.gaming_days import day_of
from sabot.audit.verify import Against, Standing, verify
from sabot.floor.records.program_digest import program_digest
from sabot.journal.keys import read_ring
from sabot.journal.opening import open_to_read
from sabot.journal.sqlite import open_read_only
from tests.cli.sabot import assert_one_clear_sentence, sabot
from tests.journal.parted import part
from tests.runtime.floors import PATIENCE_S, until
from tests.served.floor_file import staffed_floor
from tests.served.process import Process, serving, until_said
from tests.served.turned_clock import TurnedClock
from tests.web.outages import TABLE, Outage, assert_to_the_cent, play_through, within

DAY_MS = 86_400_000


def _quiet(*_: object) -> None:
    """Reports no progress."""


async def _nothing() -> None:
    """Nothing has to be put right."""


def test_a_floor_plays_on_while_its_journal_is_rotated(tmp_path: Path) -> None:
    config = staffed_floor(tmp_path / "floor", TABLE)
    path = config.with_name("floor.journal")

    def rotate() -> None:
        done = sabot("journal", "rotate", str(config), "--json")
        assert (done.code, done.json["part"]) == (0, 1), done.error
        held = sabot("journal", "rotate", str(path), "--key", str(config.with_name("signing.key")))
        assert_one_clear_sentence(held)
        assert "is in use by process" in held.error

    rotation = Outage(lambda: asyncio.to_thread(rotate), _nothing, lambda _process, _devices: True)
    process = Process(config)
    tallies = asyncio.run(within(PATIENCE_S * 2, play_through(process, lambda: rotation)))
    assert [tally.lost for tally in tallies] == [0, 0]
    assert "lets go of the table" not in process.log.partition("stops")[0]
    asyncio.run(assert_to_the_cent(open_read_only(path), tallies))
    _assert_proved(path, parts=2)
    away = tmp_path / "away"
    away.mkdir()
    shutil.move(part(path, 1), away)
    _assert_proved(away / part(path, 1).name, parts=1)
    with serving(config) as again:
        until_said(again, "serves the table")
    asyncio.run(assert_to_the_cent(open_read_only(path), tallies))


def _assert_proved(path: Path, parts: int) -> None:
    async def ask() -> None:
        journal = await open_to_read(str(path))
        ring = read_ring(next(path.parents[1].rglob("signing.key.ring")))
        verdict = await verify(journal, Against(program_digest(), ring), _quiet)
        assert (verdict.standing, verdict.problems, verdict.unsigned) == (Standing.PROVED, [], [])
        assert len(verdict.parts) == parts

    asyncio.run(ask())


def test_a_floor_rotates_its_journal_at_the_roll_of_the_gaming_day(tmp_path: Path) -> None:
    clock = TurnedClock(tmp_path / "clock")
    config = staffed_floor(tmp_path / "floor", TABLE, journal={"rotate": "day"})
    process = Process(config, clock.path)
    sealed = part(config.with_name("floor.journal"), 1)

    try:
        process.start()
        clock.turn_on(DAY_MS)
        asyncio.run(asyncio.wait_for(until(sealed.exists), PATIENCE_S))
        assert process.stop() == 0
    finally:
        process.kill()
    assert "the journal goes on in a new part" in process.log
    assert not part(config.with_name("floor.journal"), 2).exists()


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-03-01T05:59", "2026-02-28"),
        ("2026-03-01T06:00", "2026-03-01"),
        ("2026-04-05T05:59", "2026-04-04"),
    ],
)
def test_a_moment_belongs_to_the_gaming_day_that_began_last(at: str, day: str) -> None:
    zone = "Australia/Melbourne"
    at_ms = round(datetime.fromisoformat(at).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)
    assert day_of(at_ms, zone, "06:00") == day
