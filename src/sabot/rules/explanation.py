"""A coup explained and settled, in the stable form that `sabot coup --json` prints."""

from collections.abc import Mapping, Sequence

import msgspec

from sabot.rules.cards import Card, check_copies
from sabot.rules.coup import Coup, Winner, read_coup
from sabot.rules.hand import Hand, Pair, Side
from sabot.rules.rule_set import Bet, Clause
from sabot.rules.table_of_play import Decision
from sabot.rules.terms import Settlement, Terms


class HandShown(msgspec.Struct, frozen=True, gc=False):
    cards: list[str]
    total: int
    natural: bool
    pair: Pair

    @staticmethod
    def of(hand: Hand) -> "HandShown":
        return HandShown([card.notation for card in hand.cards], hand.total, hand.natural, hand.pair)


class DrawShown(msgspec.Struct, frozen=True, gc=False):
    hand: Side
    drawn: bool
    reason: str
    clause: Clause

    @staticmethod
    def of(decision: Decision, terms: Terms) -> "DrawShown":
        return DrawShown(decision.side, decision.drawn, decision.reason, terms.clause_of(decision))


class Explanation(msgspec.Struct, frozen=True, gc=False):
    rule_set: str
    decks: int
    player: HandShown
    banker: HandShown
    winner: Winner
    margin: int
    draws: list[DrawShown]
    wagers: list[Settlement]

    @staticmethod
    def of(coup: Coup, wagers: Mapping[Bet, int], terms: Terms) -> "Explanation":
        return Explanation(
            terms.rule_set.id,
            terms.decks,
            HandShown.of(coup.player),
            HandShown.of(coup.banker),
            coup.winner,
            coup.margin,
            [DrawShown.of(draw, terms) for draw in coup.draws],
            terms.settle(wagers, coup),
        )


def explain(cards: Sequence[Card], wagers: Mapping[Bet, int], terms: Terms) -> Explanation:
    """Read cards that must be one whole coup from a shoe of the terms' decks, and settle the wagers on it."""
    check_copies(cards, terms.decks)
    return Explanation.of(read_coup(cards), wagers, terms)
