"""Conditions on a coup, as a rule set file writes them: when a pay table line applies.

{ winner = "banker", total = 6 }                      Banker wins with six
{ winner = "tie", total = "6-9" }                     Tie at six to nine
{ winner = "player", natural = false, margin = 4 }    Player wins by four without a natural
{ coup_cards = "5-6" }                                At least one hand draws
{ banker_pair = "any" }                               Banker's first two cards pair
{ either_pair = "perfect" }                           At least one hand has a perfect pair
{ same_pair = true }                                  Both hands have a pair, and of one rank
{ player_third = "8S" }                               Player draws the eight of spades
{ banker_cards = 3, banker_total = 7 }                Banker has seven with three cards, winning or not
{ player_start = "9 JQK suited" }                     Player starts with a nine and a face card of one suit

`pattern` says how cards are written.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from sabot.rules.aspect import Aspect
from sabot.rules.coup import Coup, Winner
from sabot.rules.hand import Hand, Pair
from sabot.rules.pattern import counts, start, suit_in_common, third

Points = Annotated[int, msgspec.Meta(ge=0, le=9)]
Range = Annotated[str, msgspec.Meta(pattern="^[0-9]-[0-9]$")]
"""Both ends belong to it: `6-9`."""
CoupCards = Annotated[int, msgspec.Meta(ge=4, le=6)]
HandCards = Annotated[int, msgspec.Meta(ge=2, le=3)]
AnyPair = Literal["any", "mixed", "coloured", "perfect"]


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Holds when every part that is given holds; a part that is left out does not matter."""

    winner: Winner | None = None
    total: Points | Range | None = None
    """The winner's count; in a tie, both hands' count."""
    natural: bool | None = None
    """Whether the winner has a natural; in a tie, whether both have (one alone cannot tie)."""
    cards: HandCards | None = None
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
    player_third: str | None = None
    """Player's third card: `8`, `8S`, `JQK`, `HD` (a red card), `suited` (of the suit of the first two)."""
    banker_third: str | None = None
    """Banker's third card, written the same way."""
    player_total: Points | Range | None = None
    """Player's count, whether or not Player wins."""
    banker_total: Points | Range | None = None
    """Banker's count, whether or not Banker wins."""
    player_cards: HandCards | None = None
    """How many cards Player has, whether or not Player wins."""
    banker_cards: HandCards | None = None
    """How many cards Banker has, whether or not Banker wins."""
    player_start: str | None = None
    """Player's first two cards in either order: `9 JQK`, `9 JQK suited`, `suited`, `red`, `black`, `KS 9S`."""
    banker_start: str | None = None
    """Banker's first two cards, written the same way."""

    def __post_init__(self) -> None:
        if all(named is None for named in msgspec.structs.astuple(self)):
            raise ValueError("names nothing, so it would always hold")
        if self.winner is None and not (self.total is None and self.natural is None and self.cards is None):
            raise ValueError("names the winner's total, natural or cards without naming the winner")
        self._check_written()
        for why in self._impossible():
            raise ValueError(f"can never hold: {why}")

    def _check_written(self) -> None:
        """Refuse what the types let pass."""
        for name in ("total", "coup_cards", "player_total", "banker_total"):
            written = getattr(self, name)
            if isinstance(written, str) and written[0] > written[2]:
                raise ValueError(f"{name} {written!r} is a range that ends before it begins")
        if isinstance(self.coup_cards, str) and not "4" <= self.coup_cards[0] <= self.coup_cards[2] <= "6":
            raise ValueError(f"coup_cards {self.coup_cards!r} is not within 4 to 6, and a coup has so many")
        for name, read in (
            ("player_third", third),
            ("banker_third", third),
            ("player_start", start),
            ("banker_start", start),
        ):
            text = getattr(self, name)
            if text is not None:
                try:
                    read(text)
                except ValueError as error:
                    raise ValueError(f"{name}: {error}") from None

    def _impossible(self) -> Iterator[str]:
        drawn = (
            self.player_third is not None or self.player_cards == 3,
            self.banker_third is not None or self.banker_cards == 3,
        )
        total, natural = self.total, self.natural is True
        most = None if self.coup_cards is None else _last(self.coup_cards)
        player, banker = _ends(self.player_total), _ends(self.banker_total)
        for impossible, why in (
            (drawn[0] and _count_at_least(6, self.player_start), "Player stands with such first cards"),
            (drawn[1] and _count_at_least(7, self.banker_start), "Banker stands with such first cards"),
            (self.winner is Winner.TIE and bool(self.margin), "a tie has no margin"),
            (self.winner in (Winner.PLAYER, Winner.BANKER) and self.margin == 0, "a win has a margin"),
            (natural and self.cards == 3, "three cards are never a natural"),
            (natural and total is not None and _last(total) < 8, "a natural counts eight or nine"),
            (natural and any(drawn), "no third card follows a natural"),
            (self.cards == 2 and self._winner_drew(*drawn), "the hand that drew has three cards"),
            (self.player_cards == 2 and self.player_third is not None, "the hand that drew has three cards"),
            (self.banker_cards == 2 and self.banker_third is not None, "the hand that drew has three cards"),
            (most is not None and most < 4 + sum(drawn), f"{most} cards have fewer third cards"),
            (self.winner is Winner.PLAYER and player[1] <= banker[0], "Player wins with more than Banker"),
            (self.winner is Winner.BANKER and banker[1] <= player[0], "Banker wins with more than Player"),
            (
                self.winner is Winner.TIE and (player[1] < banker[0] or banker[1] < player[0]),
                "both have one count in a tie",
            ),
        ):
            if impossible:
                yield why

    def _winner_drew(self, player: bool, banker: bool) -> bool:  # noqa: FBT001  Whether each hand drew.
        drew = {Winner.PLAYER: player, Winner.BANKER: banker, Winner.TIE: player or banker}
        return self.winner is not None and drew[self.winner]

    @property
    def aspect(self) -> Aspect:
        """The parts of a coup that it asks for."""
        pairs = self.either_pair is not None
        of_ending = (self.winner, self.margin, self.coup_cards, self.player_third, self.banker_third)
        of_hands = (self.player_total, self.banker_total, self.player_cards, self.banker_cards)
        asked = Aspect(
            any(part is not None for part in (*of_ending, *of_hands)),
            pairs or self.player_pair is not None,
            pairs or self.banker_pair is not None,
            self.same_pair is not None,
            _given(self.player_third),
            _given(self.banker_third),
            _given(self.player_start),
            _given(self.banker_start),
        )
        return asked | asked

    @property
    def asks_for_suits(self) -> bool:
        """Whether it tells cards of one rank apart by their suits."""
        return not {self.player_pair, self.banker_pair, self.either_pair} <= {None, "any"} or self.aspect.asks_for_suits

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
            and _is_so(player, self.player_total, self.player_cards, self.player_start, self.player_third)
            and _is_so(banker, self.banker_total, self.banker_cards, self.banker_start, self.banker_third)
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


def _is_so(hand: Hand, total: int | str | None, cards: int | None, begun: str | None, drawn: str | None) -> bool:
    """Whether one hand has this count, so many cards, these first two and this third, whether or not it wins."""
    first, second = hand.cards[:2]
    return (
        (total is None or _within(hand.total, total))
        and (cards is None or len(hand.cards) == cards)
        and (begun is None or start(begun).holds(first, second))
        and (
            drawn is None or (hand.third is not None and third(drawn).holds(hand.third, suit_in_common(first, second)))
        )
    )


def _count_at_least(points: int, begun: str | None) -> bool:
    return begun is not None and min(counts(begun)) >= points


def _given(text: str | None) -> tuple[str, ...]:
    return () if text is None else (text,)


def _ends(wanted: int | str | None) -> tuple[int, int]:
    return (0, 9) if wanted is None else (int(str(wanted)[0]), _last(wanted))
