"""The stable JSON form of the odds of the next coup."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations_with_replacement

import msgspec

from sabot.odds.bet_odds import BetOdds
from sabot.odds.next_coup import NextCoup
from sabot.odds.removal import effects_of_removal
from sabot.odds.study import Study


class BetOddsAnswer(msgspec.Struct, frozen=True):
    """Fractions are written `num/den` in lowest terms; a positive edge favours the house."""

    win: str
    push: str
    lose: str
    house_edge: str
    house_edge_decimal: float
    house_edge_resolved: str | None
    """Null where the bet always pushes."""
    sd: float

    @staticmethod
    def of(odds: BetOdds) -> "BetOddsAnswer":
        edge, resolved = odds.house_edge, odds.house_edge_resolved
        return BetOddsAnswer(
            win=write_fraction(odds.win),
            push=write_fraction(odds.push),
            lose=write_fraction(odds.lose),
            house_edge=write_fraction(edge),
            house_edge_decimal=float(edge),
            house_edge_resolved=None if resolved is None else write_fraction(resolved),
            sd=odds.sd,
        )


class OddsAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Counts are ordered sequences of six cards, as text, because many JSON readers keep numbers as doubles."""

    rule_set: str
    decks: int
    cards: int
    total: str
    outcomes: dict[str, str]
    bets: dict[str, BetOddsAnswer]
    covariance: dict[str, dict[str, str]] | None = None
    """By two bets, of the nets of a unit on each; every pair of bets once, and each bet with itself."""
    removal: dict[str, dict[str, str]] | None = None
    """By bet and card, the change in the expected net of a unit staked when one such card is removed."""


def answer(study: Study, coming: NextCoup, *, covariance: bool = False, removal: bool = False) -> OddsAnswer:
    return OddsAnswer(
        rule_set=study.terms.rule_set.id,
        decks=study.terms.decks,
        cards=coming.composition.size,
        total=str(coming.total),
        outcomes={name: str(count) for name, count in msgspec.structs.asdict(coming.outcomes).items()},
        bets={name: BetOddsAnswer.of(odds) for name, odds in study.odds(coming).items()},
        covariance=_covariances(study, coming) if covariance else None,
        removal=_written(effects_of_removal(study, coming.composition)) if removal else None,
    )


def write_fraction(fraction: Fraction) -> str:
    """`num/den`, also where the denominator is one, which `str` leaves out."""
    return f"{fraction.numerator}/{fraction.denominator}"


def _covariances(study: Study, coming: NextCoup) -> dict[str, dict[str, str]]:
    answered = list(study.odds(coming))
    found: dict[str, dict[str, str]] = {name: {} for name in answered}
    for one, other in combinations_with_replacement(answered, 2):
        found[one][other] = write_fraction(study.covariance(one, other, coming))
    return found


def _written(table: Mapping[str, Mapping[str, Fraction]]) -> dict[str, dict[str, str]]:
    return {name: {key: write_fraction(value) for key, value in row.items()} for name, row in table.items()}
