"""The odds of many compositions at once: the same integers, fractions and rounded edges as one by one."""

import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot.basics.mistake import Mistake
from sabot.odds import exact
from sabot.odds.composition import Composition
from sabot.odds.next_coup import NextCoup
from sabot.odds.odds_arrays import OddsArrays
from sabot.odds.study import Study
from sabot.rules.odds import Odds
from sabot.rules.rule_set import Bet, RuleSet
from sabot.rules.shipped import rule_set
from sabot.rules.terms import Outcome, Terms
from tests.odds.compositions import SMALL, compositions, too_few
from tests.odds.test_study import with_a_bet_on_everything

STUDY = Study.of(Terms(rule_set("crown-baccarat")))


@given(many=st.lists(st.one_of(compositions, too_few), min_size=1, max_size=5))
@settings(max_examples=60)
def test_each_row_is_what_the_reference_counts(many: list[Composition]) -> None:
    arrays = OddsArrays(STUDY, [one.cards for one in many])
    assert arrays.bets == tuple(STUDY.bets)
    for number, composition in enumerate(many):
        if composition.size < 6:
            assert arrays.total[number] == 0
            continue
        reference = NextCoup(composition, exact.count)
        for bet in arrays.bets:
            odds = STUDY.bets[bet].odds(reference)
            assert arrays.counts(bet)[:, number].tolist() == odds.counts
            assert arrays.exact_house_edge(bet, number) == odds.house_edge
            assert arrays.house_edge(bet)[number] == float(odds.house_edge)
            assert arrays.odds(number)[bet].variance == odds.variance
            for outcome in Outcome:
                assert arrays.sequences(bet, outcome)[number] == odds.sequences(outcome)


def test_no_coup_has_no_edge() -> None:
    arrays = OddsArrays(STUDY, np.zeros((2, 52), dtype=np.int8))
    assert np.isnan(arrays.house_edge("tie")).all()
    assert not arrays.counts("tie").any()
    with pytest.raises(Mistake, match="only 0 cards are left"):
        arrays.exact_house_edge("tie", 1)
    with pytest.raises(Mistake, match="only 0 cards are left"):
        arrays.odds(0)
    assert len(OddsArrays(STUDY, np.zeros((0, 52), dtype=np.int64)).house_edge("player")) == 0


def test_ranks_alone_answer_all_but_the_bets_on_suits() -> None:
    arrays = OddsArrays(STUDY, np.full((1, 13), 32))
    assert set(STUDY.bets) - set(arrays.bets) == {"player_perfect_pairs", "banker_perfect_pairs"}
    assert arrays.exact_house_edge("player_pair", 0) == Fraction(43, 415)
    assert set(arrays.odds(0)) == set(arrays.bets)
    with pytest.raises(Mistake, match="player_perfect_pairs is not a bet that these compositions answer"):
        arrays.counts("player_perfect_pairs")


def _paying(pays: str) -> RuleSet:
    crown = rule_set("crown-baccarat")
    tie = crown.bets[Bet("tie")]
    lines = tuple(msgspec.structs.replace(line, pays=(Odds(pays),)) for line in tie.lines)
    return msgspec.structs.replace(crown, bets={**crown.bets, Bet("tie"): msgspec.structs.replace(tie, lines=lines)})


@pytest.mark.parametrize("pays", ["1001/1000", "8000000001/1000000007", "123456789/5"])
@pytest.mark.parametrize("decks", [1, 8])
def test_figures_beyond_64_bits_are_exact_too(pays: str, decks: int) -> None:
    study = Study.of(Terms(_paying(pays)))
    fresh = Composition.fresh(decks)
    arrays = OddsArrays(study, [fresh.cards])
    expected = study.bets["tie"].odds(NextCoup(fresh, exact.count)).house_edge
    assert arrays.exact_house_edge("tie", 0) == expected
    assert arrays.house_edge("tie")[0] == float(expected)


@pytest.mark.parametrize("composition", SMALL[:3])
def test_a_bet_on_ending_and_pairs_is_answered_too(composition: Composition) -> None:
    study = Study.of(Terms(with_a_bet_on_everything()))
    arrays = OddsArrays(study, [composition.cards, [0] * 52])
    assert arrays.exact_house_edge("own", 0) == study.odds(NextCoup(composition))["own"].house_edge
    assert arrays.counts("own")[:, 1].tolist() == [0] * len(arrays.rulings("own"))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (np.zeros(52, dtype=np.int64), r"not of the shape \(52,\)"),
        (np.zeros((3, 51), dtype=np.int64), r"not of the shape \(3, 51\)"),
        (np.full((1, 52), 0.5), "whole numbers, not in float64"),
        (np.array([[8] * 52, [-1] + [8] * 51]), "composition 1 .* is no shoe"),
        (np.full((1, 52), 13), "at most 624 cards, not 676"),
        (np.array([[256] + [0] * 51]), "0 to 255 of each card"),
    ],
)
def test_what_is_no_shoe_is_refused(wrong: np.ndarray, sentence: str) -> None:
    with pytest.raises(Mistake, match=sentence):
        OddsArrays(STUDY, wrong)


def test_the_example_runs() -> None:
    example = Path(__file__).resolve().parents[2] / "examples" / "edges.py"
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, check=True)  # noqa: S603  Our own.
    assert "player, fresh shoe: 241149546272/19524993263685" in done.stdout


def test_the_programs_in_the_documents_run(capsys: pytest.CaptureFixture[str]) -> None:
    document = Path(__file__).resolve().parents[2] / "docs" / "odds.md"
    one, many = re.findall(r"```python\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL)
    named: dict[str, Any] = {}
    exec(one + many, named)  # noqa: S102  Our own document.
    assert Fraction(capsys.readouterr().out.split()[0]) == named["table"]["tie"].house_edge
    assert len(named["many"].house_edge("banker")) == 1000
