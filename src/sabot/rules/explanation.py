"""A coup explained and settled, in the stable form that `sabot coup --json` prints."""

from collections.abc import Mapping, Sequence

import msgspec

from sabot.rules.cards import Card, check_copies
from sabot.rules.coup import Coup, Winner, read_coup
from sabot.rules.hand import Hand, Pair, Side
from sabot.rules.part import Clause
from sabot.rules.rule_set import Bet
from sabot.rules.table_of_play import Decision
from sabot.rules.terms import Settlement, Terms


class HandExplained(msgspec.Struct, frozen=True, gc=False):
    cards: list[str]
    total: int
    natural: bool
    pair: Pair

    @staticmethod
    def of(hand: Hand) -> "HandExplained":
        return HandExplained([card.notation for card in hand.cards], hand.total, hand.natural, hand.pair)


class DrawExplained(msgspec.Struct, frozen=True, gc=False):
    hand: Side
    drawn: bool
    reason: str
    clause: Clause

    @staticmethod
    def of(decision: Decision, terms: Terms) -> "DrawExplained":
        return DrawExplained(decision.side, decision.drawn, decision.reason, terms.clause_of(decision))


class Explanation(msgspec.Struct, frozen=True, gc=False):
    rule_set: str
    decks: int
    player: HandExplained
    banker: HandExplained
    winner: Winner
    margin: int
    draws: list[DrawExplained]
    wagers: list[Settlement]

    @staticmethod
    def of(coup: Coup, wagers: Mapping[Bet, int], terms: Terms) -> "Explanation":
        return Explanation(
            terms.rule_set.id,
            terms.decks,
            HandExplained.of(coup.player),
            HandExplained.of(coup.banker),
            coup.winner,
            coup.margin,
            [DrawExplained.of(draw, terms) for draw in coup.draws],
            terms.settle(wagers, coup),
        )


def explain(cards: Sequence[Card], wagers: Mapping[Bet, int], terms: Terms) -> Explanation:
    """Read cards that must be one whole coup from a shoe of the terms' decks, and settle the wagers on it."""
    check_copies(cards, terms.decks)
    return Explanation.of(read_coup(cards), wagers, terms)
