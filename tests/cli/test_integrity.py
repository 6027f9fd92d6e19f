"""`sabot integrity` as a user runs it, on records of an honest evening and of one that is not."""

from pathlib import Path

import pytest

from tests.cli.sabot import Ran, assert_one_clear_sentence, sabot

OPENING = """D1 sign_on
D1 open_table
GS1 check_cards 416
D1 new_shoe
GS1 cut 100
D1 burn
D1 buy_in A1 5000
D1 buy_in A2 5000
"""
HONEST = ("2S 4H 3D 3C 8S", "KS 9H 4D 5C 6S TS", "8H 2C TD KC", "3H 5D 4C AS")
SUITS = "SHDC"


def _coups(coups: list[str]) -> str:
    lines = []
    for cards in coups:
        lines += ["+5 D1 open", "+1 A1 set_wager player 100", "+1 A2 set_wager banker 40", "+5 D1 close"]
        lines += [*(f"D1 card {card}" for card in cards.split()), "D1 confirm"]
    return "".join(f"{line}\n" for line in lines)


def _recorded(folder: Path, coups: list[str]) -> str:
    place = str(folder / "night.journal")
    ran = sabot("table", "--journal", place, given=OPENING + _coups(coups))
    assert "✗" not in ran.out, ran.out
    return place


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> str:
    return _recorded(tmp_path_factory.mktemp("honest"), list(HONEST))


def stacked_evening(folder: Path) -> str:
    """Player has a natural nine in thirty coups."""
    coups = [f"9{SUITS[n % 4]} 2{SUITS[n // 8]} T{SUITS[n // 8]} K{SUITS[n // 8]}" for n in range(30)]
    return _recorded(folder, coups)


@pytest.fixture(scope="module")
def stacked(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return sabot("integrity", stacked_evening(tmp_path_factory.mktemp("stacked")))


def test_an_honest_evening_is_quiet(honest: str) -> None:
    ran = sabot("integrity", honest, "--all")
    assert ran.code == 0
    said = ran.out.splitlines()
    assert said[0] == "Table T1: all lights are quiet"
    assert said[-1] == "All lights of an honest floor of 40 tables raise 0.01 false alarms a day at most."
    assert sorted(" ".join(line.split()) for line in said if line.startswith("return of")) == RETURNS


RETURNS = [
    "return of bet banker quiet 4 97.50% 98.96% -70.2% to 265.9% 1.15 888,889",
    "return of bet player quiet 4 100.00% 98.75% -72.6% to 272.1% 1.15 888,889",
    "return of dealer D1 quiet 4 99.29% 98.81% -40.2% to 238.7% 1.04 444,444",
    "return of seat A1 quiet 4 100.00% 98.75% -72.6% to 272.1% 1.15 1,388,889",
    "return of seat A2 quiet 4 97.50% 98.96% -70.2% to 265.9% 1.15 1,388,889",
    "return of table quiet 4 99.29% 98.81% -40.2% to 238.7% 1.04 50,000",
]


def test_a_stacked_shoe_is_an_alarm_that_says_what_was_seen_and_what_to_do(stacked: Ran) -> None:
    assert stacked.code == 1
    assert "Table T1: a light is an alarm" in stacked.out
    assert "alarm: return of bet player" in stacked.out
    assert "30 coups: 200.00% came back to patrons, where 98." in stacked.out
    assert "At an honest table the evidence comes to this in one of" in stacked.out
    assert "Compare the recorded cards" in stacked.out


def test_json_has_every_light_with_its_sentence(honest: str) -> None:
    told = sabot("integrity", honest, "--json", "--table", "T1").json
    (table,) = told["tables"]
    assert (told["state"], table["state"], told["of_tables"]) == ("quiet", "quiet", 40)
    (seat,) = [one for one in table["lights"] if one["light"]["subject"] == "A1"]
    assert (seat["light"]["kind"], seat["light"]["coups"]) == ("return_of_seat", 4)
    assert seat["sentence"].startswith("4 coups: ")


def test_a_period_without_a_coup_shows_no_return(honest: str) -> None:
    shown = sabot("integrity", honest, "--json", "--from", "999999999").json["tables"][0]["lights"]
    assert [one for one in shown if one["light"]["kind"].startswith("return")] == []


@pytest.mark.parametrize("words", [("--table", "T9"), ("--day", "someday")])
def test_what_is_not_there_is_said_in_one_sentence(honest: str, words: tuple[str, ...]) -> None:
    assert_one_clear_sentence(sabot("integrity", honest, *words))
