"""Exact house edges of many compositions at once: python examples/edges.py [RULE_SET]

The first composition is a fresh shoe of eight decks; each of the others has lost all cards of one rank.
"""

import sys

import numpy as np

from sabot.odds import arrays
from sabot.rules.cards import Rank


def main(name: str = "crown-traditional") -> None:
    compositions = np.full((1 + len(Rank), 52), 8)
    for number in range(len(Rank)):
        compositions[1 + number, number::13] = 0  # Suit by suit, from the ace up.
    many = arrays(name, compositions)
    player, tie = many.house_edge("player"), many.house_edge("tie")
    for number, gone in enumerate(("nothing", *Rank)):
        print(f"without {gone:7} player {player[number]:+.5%}  tie {tie[number]:+.5%}")
    print("player, fresh shoe:", many.exact_house_edge("player", 0))
    print("sequences of six cards:", many.total.tolist()[0], "of which ties:", many.counts("tie")[0, 0])


if __name__ == "__main__":
    main(*sys.argv[1:2])
