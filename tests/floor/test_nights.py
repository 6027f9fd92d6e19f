"""Random nights: the laws hold after every act, a lawful end is open from every state, and planted holes are found."""

import msgspec
import pytest

from sabot.cli.random_nights import NightsReport
from tests.cli.sabot import sabot

NIGHTS, ALL_NIGHTS, NIGHTS_FOR_HOLES = 120, 4_000, 900
HARDLY_EVER = frozenset(
    {
        *("Vacate", "CloseIdle", "Waive", "BookDifference", "PayByHand", "HandBack", "no_wagers_but_cards_out"),
        *("AcknowledgeCheck", "Seize", "Release"),
    }
)
"""For idle seats, debts, locked tables, releases that no payment followed, coups that nobody wagers on, checks after an
hour of play and winnings seized. Four thousand nights may have none of these; scenarios do."""
SELDOM = frozenset(
    {
        *(
            "EndDetention",
            "WithdrawNotice",
            "Unresolve",
            "ManualPay",
            "CannotConfirm",
            "ReplaceCards",
            "RemedyDone",
        ),
        *("excess_card_unseen", "wrong_third_card", "face_up_first_card", "face_up_later_card"),
    }
)
"""What a hundred nights have a few times at most; all nights together have each."""


@pytest.mark.parametrize(
    ("nights", "missed"),
    [(NIGHTS, HARDLY_EVER | SELDOM), pytest.param(ALL_NIGHTS, HARDLY_EVER, marks=pytest.mark.whole)],
    ids=["some", "all"],
)
def test_nights_break_no_law_and_come_to_a_lawful_end(nights: int, missed: frozenset[str]) -> None:
    ran = sabot("drill", "--nights", str(nights), "--json")
    report = msgspec.json.decode(ran.out, type=NightsReport)
    assert report.failing == []
    assert ran.code == 0
    assert (report.nights, report.coups > nights) == (nights, True)
    assert {kind for kind, count in report.done.items() if not count} <= missed


def test_nights_find_each_planted_hole() -> None:
    ran = sabot("drill", "--nights", str(NIGHTS_FOR_HOLES), "--holes", "--json")
    holes = msgspec.json.decode(ran.out)
    assert [hole for hole in holes if not hole["noticed"]] == []
    assert len(holes) >= 4
    assert all(int(hole["by"].split(":")[0].removeprefix("night ")) < NIGHTS_FOR_HOLES for hole in holes)


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
