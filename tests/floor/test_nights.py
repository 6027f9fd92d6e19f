"""Random nights: the laws hold after every act, a lawful end is open from every state, and planted holes are found."""

import msgspec
import pytest

from sabot.cli.random_nights import NightsReport
from tests.cli.sabot import sabot

NIGHTS, NIGHTS_FOR_HOLES = 2_000, 600
HARDLY_EVER = frozenset({"Vacate", "CloseIdle", "Waive", "BookDifference", "PayByHand", "no_wagers_but_cards_out"})
"""For idle seats, debts, locked tables and coups that nobody wagers on, which nights hardly ever have; scenarios do."""


def test_two_thousand_nights_break_no_law_and_come_to_a_lawful_end() -> None:
    ran = sabot("drill", "--nights", str(NIGHTS), "--json")
    report = msgspec.json.decode(ran.out, type=NightsReport)
    assert report.failing == []
    assert ran.code == 0
    assert (report.nights, report.coups > NIGHTS) == (NIGHTS, True)
    assert {kind for kind, count in report.done.items() if not count} <= HARDLY_EVER


def test_nights_find_each_planted_hole() -> None:
    ran = sabot("drill", "--nights", str(NIGHTS_FOR_HOLES), "--holes", "--json")
    holes = msgspec.json.decode(ran.out)
    assert [hole for hole in holes if not hole["noticed"]] == []
    assert len(holes) >= 4


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--nights", "-1"), "--nights is how many nights are played"),
        (("--holes",), "--nights is how many nights are played"),
        (("--nights", "many"), "is not a whole number"),
    ],
)
def test_a_number_of_nights_that_is_none_is_refused_in_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    ran = sabot("drill", *words)
    assert (ran.code, sentence in ran.error) == (2, True)
