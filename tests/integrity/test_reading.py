"""What the watch reads from records is what the table's own state has."""

import asyncio
import random
from pathlib import Path

import msgspec
import pytest

from sabot.audit.summing import Summing
from sabot.audit.watching import RecordWatch, read_watch
from sabot.basics.phrase import in_english
from sabot.cli.random_nights import read_authority
from sabot.floor.nights.night import Night
from sabot.floor.records.record_codec import read_answer, read_events, table_stream
from sabot.floor.simulator.chance import Chance
from sabot.integrity.phrases import SENTENCES
from sabot.integrity.reading import TableReading
from sabot.integrity.seen import CoupSeen, ShoeSeen, WhatWasSeen
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Record
from sabot.rules.cards import DECK
from sabot.table.state import TableState
from tests.audit.sums import play_days, records_of

STREAM = table_stream("T1")
MATRIX = Path(__file__).parents[1] / "data" / "role_matrix.tsv"


def _night(seed: int) -> Night:
    night = Night(Chance(random.Random(seed).random), read_authority(MATRIX))
    night.play()
    return night


@pytest.mark.parametrize(
    "seeds", [range(60), pytest.param(range(60, 500), marks=pytest.mark.whole)], ids=["some", "all"]
)
def test_in_random_nights_the_unseen_cards_are_those_that_the_table_has_not_seen(seeds: range) -> None:
    known, settled = 0, 0
    for seed in seeds:
        night = _night(seed)
        reading, seen = TableReading("T1", lambda _: ()), list[WhatWasSeen]()
        for record in night.table.records:
            state = record.state
            assert isinstance(state, TableState)
            seen += reading.take(record.events, record.stamp.at_ms, state.terms, state.configuration.decks)
            shoe = reading.state.shoe
            if shoe.known and record.events and not state.fact:
                decks = state.configuration.decks
                assert shoe.left == [decks - state.shoe.census.get(card.notation, 0) for card in DECK], (seed, record)
                if shoe.ordered:
                    assert len(shoe.order) == state.shoe.out, (seed, record)
                known += 1
        settled += sum(isinstance(one, CoupSeen) for one in seen)
    assert known > 30 * len(seeds)
    assert settled > len(seeds) / 2


def _days() -> list[Record]:
    journal = MemoryJournal(lambda: 0)
    asyncio.run(play_days(journal))
    return records_of(journal, STREAM)


def _watched(records: list[Record], *, kept_every: int = 0) -> RecordWatch:
    """The watch in the same pass that adds up sums; it may be written and read again on the way."""
    summing, watch = Summing(), RecordWatch("T1")
    for record in records:
        assert not summing.take(record)
        watch.take(record, summing.taken, summing.reading)
        if kept_every and record.version % kept_every == 0:
            kept = read_watch(watch.kept(STREAM).value)
            watch = RecordWatch("T1", kept, summing.reading)
    return watch


@pytest.mark.parametrize("every", [1, 13])
def test_a_watch_that_is_kept_on_the_way_ends_with_the_same_bytes(every: int) -> None:
    records = _days()
    assert _watched(records).kept(STREAM) == _watched(records, kept_every=every).kept(STREAM)


def test_a_kept_watch_of_another_form_is_not_used() -> None:
    assert read_watch(msgspec.msgpack.encode((0, "something else"))) is None
    assert read_watch(b"\xff damaged") is None


def test_coups_shoes_and_corrections_are_told_as_they_were_recorded() -> None:
    seen: list[WhatWasSeen] = []
    reading, summing = TableReading("T1", lambda _: ()), Summing()
    for record in _days():
        before = summing.reading.money_terms
        assert not summing.take(record)
        accepted = read_answer(record).accepted
        if accepted is not msgspec.UNSET and summing.taken is not None:
            terms = None if before is None else before.terms
            seen += reading.take(read_events(accepted), record.entry.at_ms, terms, 8)
    coups = [one for one in seen if isinstance(one, CoupSeen)]
    assert len(coups) == summing.coups
    assert sum(sum(wagers.values()) for coup in coups for wagers in coup.stakes.values()) == summing.sum().turnover
    assert all(coup.dealer and coup.confirmed_by and coup.cards for coup in coups)
    assert {type(one).__name__ for one in seen} >= {"CoupSeen", "ShoeSeen", "CorrectionSeen"}
    for shoe in (one for one in seen if isinstance(one, ShoeSeen)):
        of_shoe = [card for coup in coups if coup.shoe == shoe.shoe for card in coup.cards]
        assert len(shoe.cards) >= len(of_shoe)


def test_every_sentence_of_a_light_has_its_english_words() -> None:
    for light in _watched(_days()).table.lights():
        for told in (light.seen, light.advice):
            assert in_english(told, SENTENCES)
