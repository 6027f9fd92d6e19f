"""`sabot coup` and `sabot compare`, run as a user runs them."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.sabot import SABOT, assert_one_clear_sentence, sabot

BANKER_ON_SIX = ["2S", "3H", "3D", "3C", "TH"]


@pytest.mark.clause("CROWN 10.1 Crown Banker", "CROWN 10.1 Super 6")
def test_the_json_form_is_the_stable_one() -> None:
    ran = sabot("coup", "crown-baccarat", *BANKER_ON_SIX, "--wager", "banker=100", "--wager", "super_6=12.50", "--json")
    assert (ran.code, ran.error) == (0, "")
    assert ran.json == {
        "rule_set": "crown-baccarat",
        "decks": 8,
        "player": {"cards": ["2S", "3D", "TH"], "total": 5, "natural": False, "pair": "none"},
        "banker": {"cards": ["3H", "3C"], "total": 6, "natural": False, "pair": "mixed"},
        "winner": "banker",
        "margin": 1,
        "draws": [
            {
                "hand": "player",
                "drawn": True,
                "reason": "Player has 5 and draws",
                "clause": "CROWN 9 Table 1 row 0–5",
            },
            {
                "hand": "banker",
                "drawn": False,
                "reason": "Banker has 6 and Player's third card counts 0: Banker stands",
                "clause": "CROWN 9 Table 2 row 6",
            },
        ],
        "wagers": [
            {
                "bet": "banker",
                "stake_cents": 10000,
                "outcome": "win",
                "gross_cents": 10000,
                "commission_cents": 5000,
                "net_cents": 5000,
                "clause": "CROWN 10.1 Crown Banker",
            },
            {
                "bet": "super_6",
                "stake_cents": 1250,
                "outcome": "win",
                "gross_cents": 15000,
                "commission_cents": 0,
                "net_cents": 15000,
                "clause": "CROWN 10.1 Super 6",
            },
        ],
    }


def test_people_read_cards_reasons_clauses_and_money() -> None:
    ran = sabot("coup", "crown-traditional", "2s 4h 3d 3c 8s", "--wager", "banker=100", "tie=5")
    assert ran.code == 0
    for shown in ("8♠", "Player has 5 and draws", "CROWN 9 Table 2 row 7", "Banker wins 7 to 3", "+95.00", "+90.00"):
        assert shown in ran.out
    assert "\x1b" not in ran.out


@pytest.mark.parametrize(("option", "gross"), [((), 1000), (("--dragon-bonus", "3"), 2000)])
def test_options_choose_the_odds(option: tuple[str, ...], gross: int) -> None:
    by_four = ("coup", "crown-traditional", "2S", "4H", "3D", "3C", "8S", "--wager", "banker_dragon_bonus=10", "--json")
    assert sabot(*by_four, *option).json["wagers"][0]["gross_cents"] == gross


WRONG = {
    "a wrong rule set": ["coup", "crown-royale", *BANKER_ON_SIX],
    "no rule set": ["coup"],
    "no cards": ["coup", "crown-traditional"],
    "a joker": ["coup", "crown-traditional", "2S", "JK", "3D", "3C", "TH"],
    "a missing card": ["coup", "crown-traditional", "2S", "3H", "3D", "3C"],
    "a seventh card": ["coup", "crown-traditional", "KS", "TH", "5D", "QC", "8D", "9S", "AS"],
    "a card too many": ["coup", "crown-traditional", "5S", "KH", "4D", "QC", "2S"],
    "a ninth copy in 8 decks": ["coup", "crown-traditional", *["AS"] * 9],
    "a fifth copy in 4 decks": ["coup", "crown-traditional", *["2S"] * 6, "--decks", "4"],
    "a negative amount": ["coup", "crown-traditional", *BANKER_ON_SIX, "--wager", "banker=-5"],
    "a fraction of a cent": ["coup", "crown-traditional", *BANKER_ON_SIX, "--wager", "banker=1.005"],
    "a payout that is a fraction": ["coup", "crown-traditional", *BANKER_ON_SIX, "--wager", "banker=0.01"],
    "nothing staked": ["coup", "crown-traditional", *BANKER_ON_SIX, "--wager", "banker=0"],
    "no amount": ["coup", "crown-traditional", *BANKER_ON_SIX, "--wager", "banker"],
    "two wagers on a bet": ["coup", "crown-traditional", *BANKER_ON_SIX, "--wager", "tie=1", "tie=2"],
    "an unknown bet": ["coup", "crown-traditional", *BANKER_ON_SIX, "--wager", "dragon_tails=5"],
    "a bet of another set": ["coup", "mbs-baccarat", *BANKER_ON_SIX, "--wager", "super_6=5"],
    "an option the set does not have": ["coup", "mbs-baccarat", *BANKER_ON_SIX, "--dragon-bonus", "1"],
    "an option that does not exist": ["coup", "crown-traditional", *BANKER_ON_SIX, "--perfect-pairs", "3"],
    "decks that are no whole number": ["coup", "crown-traditional", *BANKER_ON_SIX, "--decks", "8.5"],
    "decks in another notation": ["compare", *BANKER_ON_SIX, "--decks", "0x8"],
    "an option that is no whole number": ["coup", "crown-traditional", *BANKER_ON_SIX, "--dragon-bonus", "1.9"],
    "an option without a choice": ["coup", "crown-traditional", *BANKER_ON_SIX, "--option", "dragon_bonus"],
    "an amount of 5,000 digits": ["coup", "crown-traditional", *BANKER_ON_SIX, "--wager", f"tie={'9' * 5000}"],
    "batch with decks": ["coup", "--batch", "--decks", "6"],
    "a demo with half a seed": ["demo", "--terminal", "--seed", "1.5"],
    "an option that is no number": ["coup", "crown-traditional", *BANKER_ON_SIX, "--dragon-bonus", "two"],
    "perfect pairs with 6 decks": [
        *("coup", "crown-traditional", *BANKER_ON_SIX, "--decks", "6", "--wager", "player_perfect_pairs=5"),
    ],
    "perfect pairs chosen with 6 decks": [
        "coup",
        "crown-traditional",
        *BANKER_ON_SIX,
        "--decks",
        "6",
        "--perfect-pairs",
        "2",
    ],
    "too many decks": ["coup", "crown-traditional", *BANKER_ON_SIX, "--decks", "9"],
    "an unknown option": ["coup", "crown-traditional", *BANKER_ON_SIX, "--surprise"],
    "an unknown command": ["deal"],
    "a missing file": ["coup", "my-casino.toml", *BANKER_ON_SIX],
    "batch with cards": ["coup", "crown-traditional", "--batch"],
    "compare with an unknown bet": ["compare", *BANKER_ON_SIX, "--wager", "dragon_tails=5"],
    "compare with a joker": ["compare", "XX"],
    "compare with decks nobody allows": ["compare", *BANKER_ON_SIX, "--decks", "20"],
    "compare with an option nobody has": ["compare", *BANKER_ON_SIX, "--dragon-bonus", "4"],
    "roads of nothing": ["roads"],
    "roads of a wrong letter": ["roads", "B", "Q"],
    "an unknown clause": ["trace", "CROWN", "99"],
    "an unknown benchmark": ["bench", "nothing"],
    "a demo of a wrong set": ["demo", "nowhere"],
    "a demo with three decks": ["demo", "--decks", "3"],
    "a demo at a negative pace": ["demo", "--pace=-1"],
    "rules of a wrong set": ["rules", "nowhere"],
}


@pytest.mark.parametrize("words", WRONG.values(), ids=WRONG)
def test_wrong_input_gets_one_clear_sentence(words: list[str]) -> None:
    assert_one_clear_sentence(sabot(*words))


def test_a_batch_answers_line_by_line_in_order_and_survives_bad_lines() -> None:
    questions = [
        {"rule_set": "mbs-baccarat", "cards": ["5S", "KH", "4D", "QC"], "wagers": {"player": 10000}},
        {"rule_set": "mbs-baccarat", "cards": ["5S", "KH", "4D"]},
        {
            "rule_set": "crown-traditional",
            "cards": ["2s", "4h", "3d", "3c", "8s"],
            "decks": 6,
            "options": {"dragon_bonus": 3, "perfect_pairs": 1},
            "wagers": {"banker_dragon_bonus": 500},
        },
        {"rule_set": "rws-non-commission", "cards": BANKER_ON_SIX, "options": {"dragon_bonus": 1, "perfect_pairs": 1}},
        {"rule_set": "rws-non-commission", "cards": BANKER_ON_SIX, "options": {"dragon_bonus": 2}},
        {"rule_set": "rws-non-commission", "cards": BANKER_ON_SIX, "wagers": {"tie": 10.5}},
        {"rule_set": "rws-non-commission", "cards": BANKER_ON_SIX, "wagers": {"tie": -100}},
        {"rule_set": "rws-non-commission", "cards": BANKER_ON_SIX, "colour": "red"},
    ]
    twice = '{"rule_set":"mbs-baccarat","cards":["5S","KH","4D","QC"],"wagers":{"tie":100,"tie":200}}'
    given = "\n".join([*map(json.dumps, questions), "", "not json", "[1, 2]", twice, "[" * 100_000]) + "\n"
    ran = sabot("coup", "--batch", given=given)
    assert (ran.code, ran.error) == (1, "")
    first, second, third, fourth, *bad = ran.lines
    assert first["wagers"][0]["net_cents"] == 10000
    assert second == {"line": 2, "error": "a coup starts with four cards, and there are only 3"}
    assert (third["decks"], third["wagers"][0]["net_cents"]) == (6, 1000)
    assert fourth["winner"] == "banker"
    assert [line["line"] for line in bad] == [5, 6, 7, 8, 9, 10, 11, 12, 13]
    assert bad[7]["error"] == "tie is said twice"
    assert "has no option 'dragon_bonus'" in bad[0]["error"]
    assert "a whole number is wanted" in bad[1]["error"]
    assert bad[4]["error"] == "the line is empty"


def test_a_batch_without_bad_lines_exits_0_and_needs_no_last_newline() -> None:
    line = json.dumps({"rule_set": "mbs-baccarat", "cards": ["5S", "KH", "4D", "QC"]})
    ran = sabot("coup", "--batch", given=f"{line}\n{line}")
    assert (ran.code, len(ran.lines)) == (0, 2)
    assert sabot("coup", "--batch", given="").out == ""


def test_a_batch_answers_each_line_before_the_next_is_asked() -> None:
    line = json.dumps({"rule_set": "mbs-baccarat", "cards": ["5S", "KH", "4D", "QC"]}) + "\n"
    with subprocess.Popen([SABOT, "coup", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as talk:  # noqa: S603
        assert talk.stdin is not None
        assert talk.stdout is not None
        for _ in range(3):
            talk.stdin.write(line)
            talk.stdin.flush()
            assert json.loads(talk.stdout.readline())["winner"] == "player"
        talk.stdin.close()
        assert talk.wait(30) == 0


def test_a_reader_that_leaves_early_causes_no_traceback() -> None:
    line = json.dumps({"rule_set": "mbs-baccarat", "cards": ["5S", "KH", "4D", "QC"]}) + "\n"
    command = f"'{SABOT}' coup --batch | head -n 1"
    done = subprocess.run(  # noqa: S602  A pipe is what is being tested.
        command, shell=True, input=line * 20_000, capture_output=True, text=True, check=False, timeout=60
    )
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


def test_compare_marks_where_the_rule_sets_differ() -> None:
    ran = sabot("compare", *BANKER_ON_SIX, "--wager", "banker=100", "player=50", "super_6=5", "--json")
    assert ran.code == 0
    nets = {one["rule_set"]: one["wagers"]["banker"]["net_cents"] for one in ran.json["rule_sets"]}
    assert nets == {
        "crown-traditional": 9500,
        "crown-baccarat": 5000,
        "mbs-baccarat": 9500,
        "mbs-no-commission": 5000,
        "mbs-rapid-no-commission": 5000,
        "rws-non-commission": 5000,
    }
    assert ran.json["differing"] == ["banker", "super_6"]
    assert ran.json["rule_sets"][2]["wagers"]["super_6"] is None
    shown = sabot("compare", *BANKER_ON_SIX).out
    assert "≠" in shown
    assert "Super 6" in shown


def test_compare_says_which_sets_a_number_of_decks_rules_out() -> None:
    ran = sabot("compare", *BANKER_ON_SIX, "--decks", "10", "--wager", "banker=100", "--json")
    refusals = {one["rule_set"]: one["refusal"] for one in ran.json["rule_sets"]}
    assert refusals["mbs-baccarat"] is None
    assert refusals["crown-traditional"] == "crown-traditional is played with 4 to 8 decks, not 10 (CROWN 3.1)"


def test_a_casinos_own_rule_set_is_a_file(tmp_path: Path) -> None:
    own = sabot("rules", "mbs-baccarat", "--json").out.replace('"id":"mbs-baccarat"', '"id":"my-casino"')
    file = tmp_path / "my-casino.json"
    file.write_text(own.replace('"pays":["8"]', '"pays":["9"]'))
    tie = ["3S", "2H", "3D", "4C"]
    assert sabot("coup", str(file), *tie, "--wager", "tie=100", "--json").json["wagers"][0]["net_cents"] == 90000
    assert "my-casino" in sabot("rules", str(file)).out
    file.write_text(own.replace('"pays":["8"]', '"pays":["-9"]'))
    refused = sabot("rules", str(file))
    assert_one_clear_sentence(refused)
    assert f"{file}: bets.tie.lines[0].pays[0]: '-9' are not odds" in refused.error
