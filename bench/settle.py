"""Coups a second read from cards and settled with four wagers.

The baseline settles the same wagers from the same rule set by walking the pay table's lines anew for each wager.
"""

import random
from collections.abc import Iterator

from sabot.cli.stopwatch import Row, row, seconds
from sabot.rules.cards import DECK
from sabot.rules.coup import read_in_shoe_order
from sabot.rules.rule_set import Bet
from sabot.rules.shipped import rule_set
from sabot.rules.terms import Terms

COUPS = 20_000
WAGERS = {Bet("banker"): 10_000, Bet("tie"): 500, Bet("banker_dragon_bonus"): 500, Bet("player_pair"): 500}


def measure() -> Iterator[Row]:
    chance = random.Random(3)
    deals = [tuple(chance.choices(DECK, k=6)) for _ in range(COUPS)]
    terms = Terms(rule_set("crown-traditional"))

    def settle_all() -> None:
        for cards in deals:
            coup, _ = read_in_shoe_order(cards)
            terms.settle(WAGERS, coup)

    def walk_the_lines() -> None:
        for cards in deals:
            coup, _ = read_in_shoe_order(cards)
            for bet, stake in WAGERS.items():
                for line in terms.bets[bet].lines:
                    if line.when.holds(coup):
                        if line.pays:
                            _ = stake * line.pays[0]
                        break

    yield row("settle_four_wagers", COUPS / seconds(settle_all), "coups/s", COUPS / seconds(walk_the_lines))
