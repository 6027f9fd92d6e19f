"""Conditions on a coup, as a rule set file writes them: when a pay table line applies.

{ winner = "banker", total = 6 }                      Banker wins with six
{ winner = "player", natural = false, margin = 4 }    Player wins by four without a natural
{ banker_pair = "any" }                               Banker's first two cards pair
"""

from typing import Annotated, Literal

import msgspec

from sabot.rules.coup import Coup, Winner
from sabot.rules.hand import Pair

Points = Annotated[int, msgspec.Meta(ge=0, le=9)]
AnyPair = Literal["any", "mixed", "coloured", "perfect"]


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Holds when every part that is given holds; a part that is left out does not matter."""

    winner: Winner | None = None
    total: Points | None = None
    """The winner's count; in a tie, both hands' count."""
    natural: bool | None = None
    """Whether the winner has a natural; in a tie, whether both have (one alone cannot tie)."""
    cards: Annotated[int, msgspec.Meta(ge=2, le=3)] | None = None
    """How many cards the winner has; in a tie, how many each hand has."""
    margin: Points | None = None
    player_pair: AnyPair | None = None
    banker_pair: AnyPair | None = None

    def __post_init__(self) -> None:
        if all(named is None for named in msgspec.structs.astuple(self)):
            raise ValueError("names nothing, so it would always hold")
        if self.winner is None and not (self.total is None and self.natural is None and self.cards is None):
            raise ValueError("names the winner's total, natural or cards without naming the winner")
        for impossible, why in (
            ((self.winner is Winner.TIE) and bool(self.margin), "a tie has no margin"),
            (self.winner in (Winner.PLAYER, Winner.BANKER) and self.margin == 0, "a win has a margin"),
            (self.natural is True and self.cards == 3, "three cards are never a natural"),
            (self.natural is True and (self.total or 8) < 8, "a natural counts eight or nine"),
        ):
            if impossible:
                raise ValueError(f"can never hold: {why}")

    def holds(self, coup: Coup) -> bool:
        return (
            (self.winner is None or self._is_won_so(coup))
            and (self.margin is None or self.margin == coup.margin)
            and (self.player_pair is None or _matches(self.player_pair, coup.player.pair))
            and (self.banker_pair is None or _matches(self.banker_pair, coup.banker.pair))
        )

    def _is_won_so(self, coup: Coup) -> bool:
        if coup.winner is not self.winner:
            return False
        hands = {
            Winner.PLAYER: (coup.player,),
            Winner.BANKER: (coup.banker,),
            Winner.TIE: (coup.player, coup.banker),
        }[coup.winner]
        return all(
            (self.total is None or hand.total == self.total)
            and (self.natural is None or hand.natural is self.natural)
            and (self.cards is None or len(hand.cards) == self.cards)
            for hand in hands
        )


def _matches(wanted: AnyPair, pair: Pair) -> bool:
    return pair is not Pair.NONE and wanted in ("any", pair)
