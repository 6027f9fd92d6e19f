"""`sabot odds` and `sabot par`, run as a user runs them."""

import csv
import json
from fractions import Fraction
from math import perm
from pathlib import Path

import pytest

from sabot.rules.cards import DECK
from sabot.rules.shipped import IDS
from tests.cli.sabot import Ran, assert_one_clear_sentence, sabot

_OUTCOMES = [
    *("player", "banker", "tie", "banker_with_6", "player_natural_win", "banker_natural_win", "natural_tie"),
    *("four_cards", "five_cards", "six_cards"),
]
_OF_A_BET = ["win", "push", "lose", "house_edge", "house_edge_decimal", "house_edge_resolved", "sd"]


def test_the_stable_form_of_a_fresh_shoe() -> None:
    answer = sabot("odds", "crown-traditional", "--json").json
    assert list(answer) == ["rule_set", "decks", "cards", "total", "outcomes", "bets"]
    assert (answer["rule_set"], answer["decks"], answer["cards"]) == ("crown-traditional", 8, 416)
    assert answer["total"] == "4998398275503360"
    assert list(answer["outcomes"]) == _OUTCOMES
    assert answer["outcomes"]["banker"] == "2292252566437888"
    assert list(answer["bets"]["banker"]) == _OF_A_BET
    assert answer["bets"]["banker"]["house_edge"] == "114753351728/10847218479825"
    assert answer["bets"]["banker"]["house_edge_decimal"] == pytest.approx(0.0105790583)
    assert answer["bets"]["banker"]["sd"] == pytest.approx(0.927372, abs=1e-6)
    assert answer["bets"]["tie"]["push"] == "0/1"


@pytest.mark.parametrize("identity", IDS)
def test_the_parts_of_every_bet_fit_together(identity: str) -> None:
    answer = sabot("odds", identity, "--all-options", "--json").json
    for bet in answer["bets"].values():
        win, push, lose, edge = (Fraction(bet[name]) for name in ("win", "push", "lose", "house_edge"))
        assert win + push + lose == 1
        assert all("/" in bet[name] for name in ("win", "push", "lose", "house_edge"))
        assert bet["house_edge_decimal"] == float(edge)
        assert Fraction(bet["house_edge_resolved"]) == edge / (1 - push)


def test_options_are_chosen_or_all_shown() -> None:
    every = sabot("odds", "crown-baccarat", "--all-options", "--json").json["bets"]
    assert [name for name in every if "dragon" in name] == [
        f"{side}_dragon_bonus.{choice}" for side in ("player", "banker") for choice in (1, 2, 3)
    ]
    chosen = sabot("odds", "crown-baccarat", "--dragon-bonus", "2", "--perfect-pairs", "2", "--json").json["bets"]
    assert chosen["player_dragon_bonus"] == every["player_dragon_bonus.2"]
    assert chosen["banker_perfect_pairs"] == every["banker_perfect_pairs.2"]


def test_a_bet_not_permitted_with_so_many_decks_is_absent() -> None:
    bets = sabot("odds", "crown-baccarat", "--decks", "6", "--json").json["bets"]
    assert "player_perfect_pairs" not in bets
    assert "player_dragon_bonus" in bets


def test_cards_gone_and_cards_left_say_the_same(tmp_path: Path) -> None:
    without = sabot("odds", "mbs-baccarat", "--without", "AS", "9h", "TD TD", "--json").json
    counts = {card.notation: 8 for card in DECK} | {"AS": 7, "9H": 7, "TD": 6}
    by_count, by_card = tmp_path / "counts.json", tmp_path / "cards.txt"
    by_count.write_text(json.dumps(counts))
    by_card.write_text("# what is left\n" + "\n".join(" ".join([name] * count) for name, count in counts.items()))
    assert without["cards"] == 412
    assert without["total"] == str(perm(412, 6))
    for file in (by_count, by_card):
        assert sabot("odds", "mbs-baccarat", "--shoe", str(file), "--json").json == without


def test_covariance_and_effects_of_removal_are_added_when_asked_for() -> None:
    answer = sabot("odds", "mbs-baccarat", "--covariance", "--removal", "--json").json
    assert list(answer["covariance"]) == list(answer["bets"])
    assert list(answer["covariance"]["tie"]) == ["tie", "player_pair", "banker_pair"]
    assert len(answer["removal"]["player"]) == 52
    assert answer["removal"]["tie"]["6S"].startswith("-")
    shown = sabot("odds", "mbs-baccarat", "--covariance", "--removal").out
    assert "covariance of" in shown
    assert "one fewer" in shown


def test_people_see_every_outcome_and_bet() -> None:
    shown = sabot("odds", "crown-baccarat").out
    assert "Banker with 6" in shown
    assert "269,232,304,455,680" in shown
    assert "284694798368/19524993263685" in shown


def test_a_batch_answers_each_composition_and_names_bad_lines() -> None:
    by_card = json.dumps({card.notation: 8 for card in DECK})
    by_rank = json.dumps(dict.fromkeys("A23456789TJQK", 32))
    lines = [by_card, by_rank, '{"A":2,"K":3}', '{"A":-1,"K":9}', "", '{"AS":1,"K":9}', '{"AS":9}', '{"A":8,"A":9}']
    ran = sabot("odds", "crown-baccarat", "--batch", given="\n".join(lines) + "\n")
    assert ran.code == 1
    first, second, *bad = ran.lines
    assert first == sabot("odds", "crown-baccarat", "--json").json
    assert {name: bet for name, bet in first["bets"].items() if "perfect" not in name} == second["bets"]
    assert [line["line"] for line in bad] == [3, 4, 5, 6, 7, 8]
    assert bad[0]["error"] == "only 5 cards are left, and a coup may need 6"
    assert bad[1]["error"] == "-1 of A cannot be left: 8 decks hold 0 to 32 of it"
    assert bad[5]["error"] == "A is said twice"


@pytest.mark.parametrize(
    "words",
    [
        ["odds"],
        ["odds", "crown"],
        ["odds", "crown-baccarat", "--decks", "11"],
        ["odds", "mbs-baccarat", "--decks", "11"],
        ["odds", "mbs-baccarat", "--decks", "0"],
        ["odds", "mbs-baccarat", "--without", "1S"],
        ["odds", "mbs-baccarat", "--decks", "4", "--without", *["AS"] * 5],
        ["odds", "mbs-baccarat", "--dragon-bonus", "1"],
        ["odds", "crown-baccarat", "--dragon-bonus", "4"],
        ["odds", "crown-baccarat", "--decks", "6", "--perfect-pairs", "1"],
        ["odds", "crown-baccarat", "--all-options", "--dragon-bonus", "1"],
        ["odds", "crown-baccarat", "--shoe", "no-such-file"],
        ["odds", "crown-baccarat", "--shoe", "x", "--without", "AS"],
        ["odds", "crown-baccarat", "--batch", "--without", "AS"],
        ["par", "crown-baccarat"],
        ["par", "crown-baccarat", "-o", "sheet.doc"],
        ["par", "crown-baccarat", "-o", "/no/such/folder/sheet.csv"],
        ["par", "crown-baccarat", "--decks", "11", "-o", "sheet.csv"],
    ],
    ids=" ".join,
)
def test_wrong_input_is_one_clear_sentence(words: list[str]) -> None:
    assert_one_clear_sentence(sabot(*words))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\x89PNG\r\n\x1a\n\xff",
        b"AS 2S 3S 4S 5S",
        b'{"AS":1,"2S":4}',
        b'{"AS":-1,"2S":8}',
        b'{"AS":1.5,"2S":8}',
        b'{"AS":true,"2S":8}',
        b'["AS"]',
        b"{",
        b"AS " * 9,
        b"not a shoe at all",
    ],
)
def test_a_file_that_is_not_a_shoe_is_one_clear_sentence(text: bytes, tmp_path: Path) -> None:
    file = tmp_path / "shoe"
    file.write_bytes(text)
    assert_one_clear_sentence(sabot("odds", "crown-baccarat", "--shoe", str(file)))


def _par(tmp_path: Path, name: str, *words: str, of: str = "crown-baccarat", anew: bool = False) -> bytes:
    file = tmp_path / name
    ran = sabot("par", of, "-o", str(file), *words, anew=anew)
    assert ran == Ran(0, "", "")
    return file.read_bytes()


def test_a_par_sheet_as_values_has_the_exact_figures(tmp_path: Path) -> None:
    read = list(csv.reader(_par(tmp_path, "sheet.csv").decode().splitlines()))
    rows = {row[0]: row for row in read if row}
    assert rows["Player wins by 9"][1:4] == ["30 to 1", "CROWN 10.1 Dragon Player by 9", "18,409,431,764,992"]
    assert "103841353768/723147898655" in [row[-1] for row in read if row and row[0] == "tie"]
    by_decks = next(number for number, row in enumerate(read) if row == ["House edge by number of decks"])
    assert read[by_decks + 2] == ["Bet", *(f"{decks} decks" for decks in range(4, 9))]
    assert read[by_decks + 3] == ["player", "1.24211%", "1.23929%", "1.23741%", "1.23608%", "1.23508%"]


def test_a_par_sheet_as_json_has_the_same_figures() -> None:
    told = sabot("par", "crown-baccarat", "--json", "--decks", "6").json
    assert told["facts"]["Decks"].startswith("6 in detail")
    sections = {one["title"]: one for one in told["sections"]}
    assert sections["House edge by number of decks"]["headings"] == [
        "Bet",
        *(f"{decks} decks" for decks in range(4, 9)),
    ]
    assert sections["House edge by number of decks"]["rows"][0][0] == "player"
    assert sections["Outcomes"]["headings"][1] == "Sequences"


def test_a_par_sheet_as_a_page_has_tables_and_pictures_and_needs_nothing_beside_it(tmp_path: Path) -> None:
    page = _par(tmp_path, "sheet.html").decode()
    assert page.count("<svg") == 3
    assert "CROWN 10.1 Dragon Player by 9" in page
    assert "18,409,431,764,992" in page
    assert "<script" not in page
    assert 'src="http' not in page


def test_a_par_sheet_is_the_same_document_byte_for_byte_until_it_is_dated(tmp_path: Path) -> None:
    first = _par(tmp_path, "sheet.pdf", of="rws-non-commission")
    assert first.startswith(b"%PDF-")
    assert _par(tmp_path, "again.pdf", of="rws-non-commission", anew=True) == first
    assert _par(tmp_path, "dated.pdf", "--dated", "2026-08-01", of="rws-non-commission") != first
