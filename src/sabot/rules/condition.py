"""Conditions on a coup, as a rule set file writes them: when a pay table line applies.

{ winner = "banker", total = 6 }                      Banker wins with six
{ winner = "tie", total = "6-9" }                     Tie at six to nine
{ winner = "player", natural = false, margin = 4 }    Player wins by four without a natural
{ coup_cards = "5-6" }                                At least one hand draws
{ banker_pair = "any" }                               Banker's first two cards pair
{ either_pair = "perfect" }                           At least one hand has a perfect pair
{ same_pair = true }                                  Both hands have a pair, and of one rank
{ player_third = "8" }                                Player draws an eight
"""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from sabot.rules.aspect import Aspect
from sabot.rules.cards import Rank
from sabot.rules.coup import Coup, Winner
from sabot.rules.hand import Hand, Pair

Points = Annotated[int, msgspec.Meta(ge=0, le=9)]
Range = Annotated[str, msgspec.Meta(pattern="^[0-9]-[0-9]$")]
"""Both ends belong to it: `6-9`."""
CoupCards = Annotated[int, msgspec.Meta(ge=4, le=6)]
AnyPair = Literal["any", "mixed", "coloured", "perfect"]


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Holds when every part that is given holds; a part that is left out does not matter."""

    winner: Winner | None = None
    total: Points | Range | None = None
    """The winner's count; in a tie, both hands' count."""
    natural: bool | None = None
    """Whether the winner has a natural; in a tie, whether both have (one alone cannot tie)."""
    cards: Annotated[int, msgspec.Meta(ge=2, le=3)] | None = None
    """How many cards the winner has; in a tie, how many each hand has."""
    margin: Points | None = None
    player_pair: AnyPair | None = None
    banker_pair: AnyPair | None = None
    coup_cards: CoupCards | Range | None = None
    """How many cards both hands have together."""
    either_pair: AnyPair | None = None
    """At least one hand has such a pair."""
    same_pair: bool | None = None
    """Whether both hands have a pair of one rank."""
    player_third: Rank | None = None
    """The rank of Player's third card."""
    banker_third: Rank | None = None
    """The rank of Banker's third card."""

    def __post_init__(self) -> None:
        if all(named is None for named in msgspec.structs.astuple(self)):
            raise ValueError("names nothing, so it would always hold")
        if self.winner is None and not (self.total is None and self.natural is None and self.cards is None):
            raise ValueError("names the winner's total, natural or cards without naming the winner")
        for name, written in (("total", self.total), ("coup_cards", self.coup_cards)):
            if isinstance(written, str) and written[0] > written[2]:
                raise ValueError(f"{name} {written!r} is a range that ends before it begins")
        if isinstance(self.coup_cards, str) and not "4" <= self.coup_cards[0] <= self.coup_cards[2] <= "6":
            raise ValueError(f"coup_cards {self.coup_cards!r} is not within 4 to 6, and a coup has so many")
        for why in self._impossible():
            raise ValueError(f"can never hold: {why}")

    def _impossible(self) -> Iterator[str]:
        thirds = (self.player_third is not None) + (self.banker_third is not None)
        total = self.total
        most = None if self.coup_cards is None else _last(self.coup_cards)
        for impossible, why in (
            (self.winner is Winner.TIE and bool(self.margin), "a tie has no margin"),
            (self.winner in (Winner.PLAYER, Winner.BANKER) and self.margin == 0, "a win has a margin"),
            (self.natural is True and self.cards == 3, "three cards are never a natural"),
            (self.natural is True and total is not None and _last(total) < 8, "a natural counts eight or nine"),
            (self.natural is True and thirds, "no third card follows a natural"),
            (self.cards == 2 and self._winner_drew, "the hand that drew has three cards"),
            (most is not None and most < 4 + thirds, f"{most} cards have fewer third cards"),
        ):
            if impossible:
                yield why

    @property
    def _winner_drew(self) -> bool:
        drew = {Winner.PLAYER: self.player_third, Winner.BANKER: self.banker_third}
        if self.winner is Winner.TIE:
            return any(third is not None for third in drew.values())
        return self.winner is not None and drew[self.winner] is not None

    @property
    def aspect(self) -> Aspect:
        """The parts of a coup that it asks for."""
        pairs = self.either_pair is not None
        thirds = self.player_third is not None or self.banker_third is not None
        at_end = thirds or not (self.winner is None and self.margin is None and self.coup_cards is None)
        asked = Aspect(
            at_end,
            pairs or self.player_pair is not None,
            pairs or self.banker_pair is not None,
            self.same_pair is not None,
            () if self.player_third is None else (self.player_third,),
            () if self.banker_third is None else (self.banker_third,),
        )
        return asked | asked

    @property
    def asks_for_suits(self) -> bool:
        """Whether it tells mixed, coloured and perfect pairs apart."""
        return not {self.player_pair, self.banker_pair, self.either_pair} <= {None, "any"}

    def holds(self, coup: Coup) -> bool:
        player, banker = coup.player, coup.banker
        return (
            (self.winner is None or self._is_won_so(coup))
            and (self.margin is None or self.margin == coup.margin)
            and (self.coup_cards is None or _within(len(player.cards) + len(banker.cards), self.coup_cards))
            and (self.player_pair is None or _matches(self.player_pair, player.pair))
            and (self.banker_pair is None or _matches(self.banker_pair, banker.pair))
            and (self.either_pair is None or any(_matches(self.either_pair, hand.pair) for hand in (player, banker)))
            and (self.same_pair is None or coup.same_pair is self.same_pair)
            and (self.player_third is None or _drew(player, self.player_third))
            and (self.banker_third is None or _drew(banker, self.banker_third))
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
            (self.total is None or _within(hand.total, self.total))
            and (self.natural is None or hand.natural is self.natural)
            and (self.cards is None or len(hand.cards) == self.cards)
            for hand in hands
        )


def _within(number: int, wanted: int | str) -> bool:
    return number == wanted if isinstance(wanted, int) else int(wanted[0]) <= number <= _last(wanted)


def _last(wanted: int | str) -> int:
    return int(str(wanted)[-1])


def _matches(wanted: AnyPair, pair: Pair) -> bool:
    return pair is not Pair.NONE and wanted in ("any", pair)


def _drew(hand: Hand, rank: Rank) -> bool:
    return hand.third is not None and hand.third.rank is rank
