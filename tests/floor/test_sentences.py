"""Every event has one English sentence with named gaps, from which pages tell it in every language."""

from typing import get_args

import pytest

from sabot.basics.phrase import SHARED, gaps_of, in_english, listed, phrase
from sabot.floor.sentences import PHRASES
from sabot.house import phrases as house_phrases
from sabot.house.events import AnyHouseEvent
from sabot.table import phrases as table_phrases
from sabot.table.events import AnyEvent
from sabot.tournament import phrases as tournament_phrases
from sabot.tournament.events import AnyTournamentEvent

ROOMS = (SHARED, table_phrases.PHRASES, house_phrases.PHRASES, tournament_phrases.PHRASES)


@pytest.mark.parametrize("events", [AnyEvent, AnyHouseEvent, AnyTournamentEvent])
def test_every_event_has_its_sentence(events: object) -> None:
    assert {event.__name__ for event in get_args(events)} - set(PHRASES) == set()


def test_no_code_has_two_sentences() -> None:
    said = {(code, sentence) for room in ROOMS for code, sentence in room.items()}
    assert len(said) == len({code for code, _ in said})


def test_a_phrase_in_english_has_amounts_signs_lists_and_parts() -> None:
    sentences = {"paid": "{who} gets {cents}, {net_cents} in all{tail}", "tail": "; {names}"}
    assert gaps_of(sentences["paid"]) == ("who", "cents", "net_cents", "tail")
    tail = phrase("tail", names=listed(["A1", "A2", "A3"], "and"))
    told = phrase("paid", who="A1", cents=125_000, net_cents=9_500, tail=tail)
    assert in_english(told, sentences) == "A1 gets 1,250.00, +95.00 in all; A1, A2 and A3"
    assert in_english(listed([]), sentences) == "nothing"
