"""The stable JSON form of the odds of the next coup."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations_with_replacement
from math import gcd

import msgspec

from sabot.odds.answer_form import BetOddsAnswer, OddsAnswer
from sabot.odds.bet_odds import BetOdds
from sabot.odds.next_coup import NextCoup, Outcomes
from sabot.odds.removal import effects_of_removal
from sabot.odds.study import Study, StudyOdds
from sabot.rules.terms import Outcome


class _Probabilities(dict[int, str]):
    """Numbers of sequences written as parts of all; many bets share them."""

    def __init__(self, total: int) -> None:
        self._total = total

    def __missing__(self, sequences: int) -> str:
        written = self[sequences] = write_ratio(sequences, self._total)
        return written


def _bet_answer(odds: BetOdds, probabilities: _Probabilities) -> BetOddsAnswer:
    total, push, unit = odds.total, odds.sequences(Outcome.PUSH), odds.ruled.unit
    win, edge = odds.sequences(Outcome.WIN), -odds.net_parts
    house_edge = write_ratio(edge, unit * total)
    resolved = house_edge if push == 0 else None
    if 0 < push < total:
        resolved = write_ratio(edge, unit * (total - push))
    return BetOddsAnswer(
        probabilities[win],
        probabilities[push],
        probabilities[total - win - push],
        house_edge,
        edge / (unit * total),  # Python rounds the quotient of two integers correctly.
        resolved,
        odds.sd,
    )


def answer(study: Study, coming: NextCoup, *, covariance: bool = False, removal: bool = False) -> OddsAnswer:
    odds = study.odds(coming)
    return OddsAnswer(
        rule_set=study.terms.rule_set.id,
        decks=study.terms.decks,
        cards=coming.composition.size,
        total=str(odds.total),
        outcomes=dict(zip(Outcomes.__struct_fields__, map(str, msgspec.structs.astuple(coming.outcomes)), strict=True)),
        bets=_bets(study, odds),
        covariance=_covariances(study, coming) if covariance else None,
        removal=_written(effects_of_removal(study, coming.composition)) if removal else None,
    )


def _bets(study: Study, odds: StudyOdds) -> dict[str, BetOddsAnswer]:
    """Bets that always have the same odds, such as both hands' pairs, are written once."""
    probabilities, written = _Probabilities(odds.total), dict[str, BetOddsAnswer]()
    for name in odds:
        like = written.get(study.alike.get(name, name))
        written[name] = _bet_answer(odds[name], probabilities) if like is None else like
    return written


def write_ratio(numerator: int, denominator: int) -> str:
    """`num/den` in lowest terms, also where the denominator is one. A `Fraction` would take twice as long."""
    if not numerator:
        return "0/1"
    common = gcd(numerator, denominator)
    return f"{numerator // common}/{denominator // common}"


def write_fraction(fraction: Fraction) -> str:
    return f"{fraction.numerator}/{fraction.denominator}"


def _covariances(study: Study, coming: NextCoup) -> dict[str, dict[str, str]]:
    answered = list(study.odds(coming))
    found: dict[str, dict[str, str]] = {name: {} for name in answered}
    for one, other in combinations_with_replacement(answered, 2):
        found[one][other] = write_fraction(study.covariance(one, other, coming))
    return found


def _written(table: Mapping[str, Mapping[str, Fraction]]) -> dict[str, dict[str, str]]:
    return {name: {key: write_fraction(value) for key, value in row.items()} for name, row in table.items()}
