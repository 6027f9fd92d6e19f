"""The journal gives back the table as it was after any of its records, to the last bit, whatever was done at it."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot.audit.replay import TableReplay
from sabot.audit.state_at_record import StateAtRecord, state_at_record, valid_coups
from sabot.audit.verify import Against, verify
from sabot.basics.mistake import Mistake
from sabot.floor.lines.table import LineFloor
from sabot.floor.records.record_codec import read_act, read_answer, read_events, written
from sabot.floor.records.recovery import last_events
from sabot.ledger.ledger import Ledger
from sabot.table.events import Event
from sabot.table.evolve import evolve
from sabot.table.fixtures import fixture
from sabot.table.money import postings
from sabot.table.snapshot import digest_of, read_state, write_state
from sabot.table.state import UNCONFIGURED, AnyTable
from tests.audit.forgery import TABLE
from tests.floor.nights import BUILD, begin, by, memory, play, played, records_of
from tests.table.any_commands import any_line

OPENING = [
    *(by("D1", "sign_on"), by("D1", "open_table"), by("GS1", "check_cards", cards=416), by("D1", "new_shoe")),
    *(by("GS1", "cut", at=208), by("D1", "burn"), by("D1", "buy_in", station="A1", cents=100_000)),
    *(by("D1", "buy_in", station="A2", cents=50_000), by("R1", "note", cents=10_000), by("D1", "open")),
    *(by("A1", "set_wager", bet="banker", cents=5_000), by("A2", "set_wager", bet="player", cents=2_500)),
]


@given(st.lists(any_line, max_size=40))
@settings(max_examples=settings().max_examples // 3)
def test_whatever_is_done_at_a_table_is_decided_again_to_the_same_bytes(lines: list[dict[str, Any]]) -> None:
    """Each record is written, read, and decided again; the state is written and read back without a difference."""
    table = LineFloor().enter(fixture("crown"))
    for line in [*OPENING, *lines]:
        table.answer(dict(line))
    again = TableReplay(TABLE, "")
    for record in asyncio.run(records_of(table.floor.backing.journal)):
        assert again.take(record) is None
    assert again.state == table.state
    bits = write_state(table.state)
    assert read_state(bits) == table.state
    assert write_state(read_state(bits)) == bits
    assert digest_of(again.state) == digest_of(table.state)


@given(st.integers(min_value=0, max_value=2**32))
@settings(max_examples=max(3, settings().max_examples // 50))
def test_the_table_after_any_record_is_the_table_as_it_was_then(seed: int) -> None:
    journal, night = played(seed=seed)
    chance = random.Random(seed)
    for version in chance.sample(sorted(night.states), 6):
        found = asyncio.run(state_at_record(journal, "T1", version))
        assert found.digest == digest_of(night.states[version])
        assert found.version == version
        assert found.balances == {name: purse.balance for name, purse in _purses(night.states[version])}


def _purses(state: Any) -> list[tuple[str, Any]]:
    return [(name, state.purse(name)) for name in state.stations]


def _as_bytes(ledger: Ledger) -> bytes:
    """The ledger with the order of everything in it."""
    return msgspec.msgpack.encode((list(ledger.purses.items()), list(ledger.books.items())))


@given(st.lists(any_line, max_size=40))
@settings(max_examples=settings().max_examples // 3)
def test_whatever_is_done_at_a_table_moves_the_money_that_its_postings_say(lines: list[dict[str, Any]]) -> None:
    """Wagers and settlements are booked by shorter ways than the others, and come to the same bytes."""
    table = LineFloor().enter(fixture("crown"))
    for line in [*OPENING, *lines]:
        table.answer(dict(line))
    _hold_to_postings([event for record in table.records for event in record.events])


@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_in_a_night_moves_the_money_that_its_postings_say(seed: int) -> None:
    async def scene() -> list[Event]:
        journal = memory()
        await play(journal, seed=seed)
        head = await journal.head(TABLE)
        return await last_events(journal, head, head.version)

    _hold_to_postings(asyncio.run(scene()))


def _hold_to_postings(events: Sequence[Event]) -> None:
    state: AnyTable = UNCONFIGURED
    for event in events:
        after = evolve(state, event)
        assert _as_bytes(after.ledger) == _as_bytes(state.ledger.book(postings(event))), event
        state = after


def test_the_same_journal_stands_the_same_every_time() -> None:
    async def twice() -> list[StateAtRecord]:
        first, second = memory(), memory()
        await play(first, seed=5)
        await play(second, seed=5)
        return [await state_at_record(one, "T1") for one in (first, first, second)]

    one, two, other = asyncio.run(twice())
    assert one == two == other
    assert one.results.split()[0][0] in "BPT"
    assert len(one.roads.bead_plate) == len(one.results.split()) == 3
    assert sum(one.tickets[number].cents for number in one.tickets) == 10_000
    assert one.meters["A1"].coups == 3


def test_snapshots_make_no_difference_to_a_proof_or_a_replay() -> None:
    async def scene() -> None:
        journal = memory()
        await play(journal)
        before = await state_at_record(journal, "T1"), await verify(journal, Against(BUILD), lambda *_: None)
        await journal.drop_snapshots(TABLE)
        assert (await state_at_record(journal, "T1"), await verify(journal, Against(BUILD), lambda *_: None)) == before

    asyncio.run(scene())


def test_a_record_beyond_the_end_is_refused() -> None:
    journal, _ = played(coups=1)
    with pytest.raises(Mistake, match="there is no record 10000"):
        asyncio.run(state_at_record(journal, "T1", 10_000))


def test_a_corrected_coup_stands_as_it_was_corrected() -> None:
    _, night = played(coups=2)
    state = night.state
    (corrected,) = [one for one in state.played if one.coup == 1]
    assert [one.coup for one in valid_coups(state)] == [1, 2]
    assert next(iter(valid_coups(state))) == corrected


def test_acts_stamps_and_events_are_read_back_as_they_were_written() -> None:
    async def scene() -> None:
        journal = memory()
        night = await begin(journal)
        await night.open()
        await night.coup()
        async for record in journal.read(TABLE):
            answer = read_answer(record.entry)
            if answer.act and answer.stamp and answer.accepted:
                act, stamp = read_act(answer)
                assert (written(act), written(stamp)) == (bytes(answer.act), bytes(answer.stamp))
                assert written(read_events(answer.accepted)) == bytes(answer.accepted)

    asyncio.run(scene())
