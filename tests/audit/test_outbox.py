"""The outbox tells every significant record once, whatever the size of the answers, and nothing of the play."""

import asyncio
from pathlib import Path
from typing import Any, get_args

import pytest

from sabot.audit.outbox import OutboxEnd, OutboxKeyEntered, OutboxLine, outbox, read_cursor, write_cursor
from sabot.audit.significant_events import HEADING_OF, NOT_TOLD, MonitorHeading
from sabot.basics.mistake import Mistake
from sabot.house.events import AnyHouseEvent
from sabot.journal.journal import ReadableJournal
from sabot.journal.key_ring import KEYS
from sabot.table.events import AnyEvent, WagersChanged
from sabot.tournament.events import AnyTournamentEvent
from tests.floor.nights import key_in, memory, played


async def _all(journal: ReadableJournal, limit: int) -> tuple[list[OutboxLine], str]:
    told: list[OutboxLine] = []
    cursor, more = "", True
    while more:
        lines: list[Any] = [line async for line in outbox(journal, cursor, limit)]
        assert isinstance(lines[-1], OutboxEnd)
        assert len(lines) - 1 <= limit
        told += lines[:-1]
        cursor, more = lines[-1].cursor, lines[-1].more
    return told, cursor


def test_every_event_there_is_has_a_heading_or_is_left_out_on_purpose() -> None:
    known = {*get_args(AnyEvent), *get_args(AnyHouseEvent), *get_args(AnyTournamentEvent)}
    assert set(HEADING_OF) | set(NOT_TOLD) == known
    assert not set(HEADING_OF) & set(NOT_TOLD)


def test_answers_of_any_size_tell_the_same_records_once_and_in_order() -> None:
    journal, _ = played(coups=3)
    whole, end = asyncio.run(_all(journal, 10_000))
    assert {line.stream for line in whole} == {"house", "table/T1"}
    for limit in (1, 2, 7):
        told, reached = asyncio.run(_all(journal, limit))
        assert reached == end
        assert len(told) == len(whole)
        assert {(one.stream, one.sequence) for one in told} == {(one.stream, one.sequence) for one in whole}
        known: dict[str, int] = {}
        for line in told:
            assert known.get(line.stream, 0) <= line.after < line.sequence
            known[line.stream] = line.sequence


def test_a_correction_a_ticket_and_a_new_owner_are_told_and_wagers_are_not() -> None:
    journal, _ = played(coups=3)
    lines, _ = asyncio.run(_all(journal, 500))
    headings = {heading for line in lines for heading in line.headings}
    assert {"configuration", "staff", "money", "ticket", "correction", "table", "fault", "shoe"} <= headings
    assert not any(isinstance(event, WagersChanged) for line in lines for event in line.events)


def test_a_cursor_beyond_the_end_means_that_records_are_lost() -> None:
    async def ask() -> list[object]:
        return [line async for line in outbox(memory(), "", 1)]

    assert asyncio.run(ask()) == [OutboxEnd("", more=False)]
    journal, _ = played(coups=1)
    with pytest.raises(Mistake, match="records are lost"):
        asyncio.run(_beyond(journal))


async def _beyond(journal: ReadableJournal) -> None:
    head = await journal.head("table/T1")
    async for _ in outbox(journal, f"table/T1:{head.version + 1}", 10):
        pass


@pytest.mark.parametrize("wrong", ["house", "house:", ":1", "house:x", "house:1,house:2", "house:-1", "house:²"])
def test_a_cursor_that_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(Mistake):
        read_cursor(wrong)


def test_a_cursor_is_written_as_it_is_read() -> None:
    stands = {"table/T1": 4431, "house": 120}
    assert write_cursor(stands) == "house:120,table/T1:4431"
    assert read_cursor(write_cursor(stands)) == stands


def test_a_key_that_may_sign_from_now_on_is_told(tmp_path: Path) -> None:
    key = key_in(tmp_path)
    journal, _ = played(key, coups=1)
    told, cursor = asyncio.run(_all(journal, 10_000))
    [line] = [one for one in told if one.stream == KEYS]
    assert (line.headings, line.events) == ((MonitorHeading.CONFIGURATION,), (OutboxKeyEntered(key.public.id),))
    assert read_cursor(cursor)[KEYS] == 1
