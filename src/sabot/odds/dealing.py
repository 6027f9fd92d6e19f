"""How the shoes of a simulation are dealt under a rule set, and the table of play as thresholds.

A simulation may also deal the same number of coups from every shoe. The cutting card ends a shoe earlier when its coups
took more cards, so the coups before it are a slightly biased sample; a fixed number of coups is unbiased.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from sabot.basics.mistake import Mistake
from sabot.rules.aspect import Aspect
from sabot.rules.cards import Rank
from sabot.rules.rule_set import RuleSet
from sabot.rules.table_of_play import TABLE_1, TABLE_2

CARDS_OF_A_COUP: Final = 6
"""A coup may need this many, so a shoe with fewer left is over (G-20)."""

CARDS_EACH: Final = 4.9388
"""The mean number of cards in a coup, for estimating how many coups a shoe has."""
CARDS_BEYOND: Final = 3.04
"""The mean number of cards dealt past the cutting card when its coup is over, for the same estimate."""


class Dealing(msgspec.Struct, frozen=True, kw_only=True):
    decks: int
    burns_by_face_value: bool
    behind_cutting_card: int
    coups_after_cutting_card: int
    coups_a_shoe: int | None = None
    """Where given, each shoe has this many coups and the cutting card is ignored."""
    told_apart: Aspect = Aspect.ALL
    """What the count of the coups tells apart; all that the approved rule sets need, or more. It changes no card."""

    @staticmethod
    def of(
        rule_set: RuleSet,
        decks: int,
        *,
        burns_by_face_value: bool = False,
        behind_cutting_card: int | None = None,
        coups_a_shoe: int | None = None,
        told_apart: Aspect = Aspect.ALL,
    ) -> "Dealing":
        """Check the wishes against the rule set; its first procedures are the defaults."""
        rule_set.check_decks(decks)
        rules = rule_set.shoe
        wanted = "face value" if burns_by_face_value else rules.burns[0].procedure
        if wanted not in [burn.procedure for burn in rules.burns]:
            raise Mistake(f"{rule_set.id} does not burn cards by face value")
        dealing = Dealing(
            decks=decks,
            burns_by_face_value=wanted == "face value",
            behind_cutting_card=_place(rule_set, behind_cutting_card),
            coups_after_cutting_card=rules.coups_after_cutting_card,
            coups_a_shoe=coups_a_shoe,
            told_apart=told_apart | Aspect.ALL,
        )
        dealing.check_coups_a_shoe()
        return dealing

    @property
    def cards(self) -> int:
        return 52 * self.decks

    @property
    def expected_coups(self) -> float:
        """About how many coups a shoe has."""
        if self.coups_a_shoe is not None:
            return self.coups_a_shoe
        burned = 1 + self.burns_by_face_value * sum(rank.burn_value for rank in Rank) / len(Rank)
        to_cutting_card = self.cards - self.behind_cutting_card - burned
        return (to_cutting_card + CARDS_BEYOND) / CARDS_EACH + self.coups_after_cutting_card

    def check_coups_a_shoe(self) -> None:
        """Refuse a fixed number of coups for which some shoes would run out of cards."""
        most = (self.cards - (11 if self.burns_by_face_value else 1)) // CARDS_OF_A_COUP
        if self.coups_a_shoe is not None and not 1 <= self.coups_a_shoe <= most:
            raise Mistake(f"every shoe of {self.decks} decks has cards for 1 to {most} coups, not {self.coups_a_shoe}")


def _place(rule_set: RuleSet, behind: int | None) -> int:
    placings = rule_set.shoe.cutting_card
    if behind is None:
        return placings[0].from_back
    if not any(placing.at_least <= behind <= placing.at_most for placing in placings):
        permitted = " or ".join(
            f"{one.at_least}" if one.at_least == one.at_most else f"{one.at_least} to {one.at_most}" for one in placings
        )
        raise Mistake(
            f"{rule_set.id} has {permitted} cards behind the cutting card, not {behind} ({placings[0].clause})"
        )
    return behind


def _threshold(decisions: Sequence[str]) -> int:
    """The highest count that draws. In both tables every count that draws is below every count that stands."""
    drawing = sum(decision == "D" for decision in decisions)
    assert all(decision == "D" for decision in decisions[:drawing])
    return drawing - 1


PLAYER_DRAWS_UP_TO: Final = _threshold(TABLE_1)
BANKER_DRAWS_UP_TO: Final = tuple(_threshold([row[column] for row in TABLE_2]) for column in range(11))
"""By Player's third card: none, then its points from zero to nine."""
