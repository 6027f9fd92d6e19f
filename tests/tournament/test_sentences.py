"""Every event of a tournament is told in one plain sentence with its clause."""

from typing import get_args

import msgspec
import pytest

from sabot.tournament import events as e
from sabot.tournament.sentences import sentence
from tests.tables import rows
from tests.tournament.desk import Desk

ROWS = rows("tournament_sentences.tsv")


def _event(written: str) -> e.TournamentEvent:
    event = msgspec.json.decode(written, type=e.AnyTournamentEvent)
    assert isinstance(event, e.TournamentEvent)
    return event


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["told"][:60])
def test_sentence(row: dict[str, str]) -> None:
    assert sentence(_event(row["event"])) == row["told"]


def test_every_event_has_its_row_but_the_one_that_holds_whole_conditions() -> None:
    told = {type(_event(row["event"])) for row in ROWS}
    assert set(get_args(e.AnyTournamentEvent)) - told == {e.ConditionsSaved}


def test_saved_conditions_are_told_by_version_and_digest() -> None:
    saved = Desk().created().saved().history[-1]
    assert isinstance(saved, e.ConditionsSaved)
    start = saved.digest[:12]
    assert sentence(saved) == f"OP1 saves version 1 of the conditions, digest {start}… (CROWN 12.2)"
