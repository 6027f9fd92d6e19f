"""Checks the replay vectors of a dossier with nothing but Python: python3 check_vectors.py vectors/RULESET.json …"""

import hashlib
import hmac
import json
import sys
from fractions import Fraction
from pathlib import Path

DECK = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
DRAGON = {1: (0, 0, 0, 0, 1, 2, 4, 6, 10, 30), 2: (0, 0, 0, 0, 1, 3, 4, 7, 8, 20), 3: (0, 0, 0, 0, 2, 2, 4, 4, 10, 30)}
PERFECT = {1: (25, 12, 6), 2: (30, 10, 5)}
FIVE_PER_CENT = ("crown-traditional", "mbs-baccarat")
OTHERS = ("crown-baccarat", "mbs-no-commission", "mbs-rapid-no-commission", "rws-non-commission")


class Wrong(Exception):
    pass


def must(holds, otherwise):
    if not holds:
        raise Wrong(otherwise)


def shuffled(entropy, decks):
    words, count, order = [], 0, DECK * decks
    for left in range(len(order), 1, -1):
        while True:
            if not words:
                block = hashlib.sha256(count.to_bytes(8, "big") + entropy).digest()
                words, count = [int.from_bytes(block[at : at + 2], "big") for at in range(0, 32, 2)], count + 1
            word = words.pop(0)
            if word < 65536 - 65536 % left:
                break
        order[left - 1], order[word % left] = order[word % left], order[left - 1]
    return order


def commitment(order, salt):
    level = []
    for place, card in enumerate(order):
        of_place = hmac.digest(salt, str(place).encode(), "sha256")
        level.append(hashlib.sha256(b"\0" + of_place + f"{place}/{len(order)}:{card}".encode()).digest())
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [hashlib.sha256(b"\1" + b"".join(pair)).digest() if len(pair) == 2 else pair[0] for pair in pairs]
    return level[0].hex()


def points(cards):
    return sum("A23456789".find(card[0]) + 1 for card in cards) % 10


def winner_of(player, banker):
    return "tie" if player == banker else "player" if player > banker else "banker"


def dealt(cards):
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    if max(points(player), points(banker)) >= 8:
        return player, banker, 4
    used, third = 4, None
    if points(player) <= 5:
        third, used = points([cards[4]]), 5
        player.append(cards[4])
    most = 5 if third is None else {0: 3, 1: 3, 2: 4, 3: 4, 4: 5, 5: 5, 6: 6, 7: 6, 8: 2, 9: 3}[third]
    if points(banker) <= most:
        banker, used = [*banker, cards[used]], used + 1
    return player, banker, used


def pays(night, bet, hands):
    totals = {side: points(hand) for side, hand in hands.items()}
    winner = winner_of(totals["player"], totals["banker"])
    natural = any(len(hand) == 2 and points(hand) >= 8 for hand in hands.values())
    side, _, kind = bet.partition("_")
    if bet in ("player", "banker"):
        if winner != bet:
            return (0, 0) if winner == "tie" else (-1, 0)
        if bet == "player" or night["rule_set"] in FIVE_PER_CENT:
            return 1, Fraction(bet == "banker", 20)
        half = Fraction(1, 2) if totals["banker"] == 6 else 0
        return (1, half) if night["rule_set"] == "crown-baccarat" else (1 - half, 0)
    if bet in ("tie", "super_6"):
        won = winner == "tie" if bet == "tie" else (winner, totals["banker"]) == ("banker", 6)
        return ({"tie": 8, "super_6": 12}[bet] if won else -1), 0
    must(side in hands and kind in ("pair", "perfect_pairs", "dragon_bonus"), f"this checker knows no bet {bet}")
    (rank, suit), (other, other_suit) = hands[side][:2]
    if kind == "pair":
        return (11 if rank == other else -1), 0
    if kind == "perfect_pairs":
        alike = 0 if suit == other_suit else 1 if (suit in "HD") == (other_suit in "HD") else 2
        return (PERFECT[night["options"]["perfect_pairs"]][alike] if rank == other else -1), 0
    if winner == "tie":
        return (0 if natural else -1), 0
    margin = abs(totals["player"] - totals["banker"])
    won = (1 if natural else DRAGON[night["options"]["dragon_bonus"]][margin]) if winner == side else 0
    return (won or -1), 0


def check(night):
    must(night["rule_set"] in FIVE_PER_CENT + OTHERS, f"this checker knows no rule set {night['rule_set']}")
    balances, left, coups = dict(night["opening_balances"]), [], list(night["coups"])
    for number, coup in enumerate(coups, 1):
        must(coup["number"] == number, f"coup {number}: it is called {coup['number']}")
    for number, shoe in enumerate(night["shoes"], 1):
        must(shoe["number"] == number, f"shoe {number}: it is called {shoe['number']}")
        entropy, is_over = bytes.fromhex(shoe["entropy"]), False
        order = shuffled(entropy[:512], night["decks"])
        must("".join(order) == shoe["order"], f"shoe {number}: another order")
        must(commitment(order, entropy[512:]) == shoe["commitment"], f"shoe {number}: another commitment")
        left = (order[shoe["cut_at"] :] + order[: shoe["cut_at"]])[shoe["burned"] :]
        while coups and coups[0]["shoe"] == number:
            must(not is_over, f"coup {coups[0]['number']}: shoe {number} is over")
            is_over = len(left) < shoe["behind_cutting_card"]  # The cutting card is out, so this coup is the last.
            left = left[check_coup(night, coups.pop(0), left, balances) :]
        must(is_over, f"shoe {number}: its last coups are missing")
    must(not coups, f"coup {coups and coups[0]['number']} is of no shoe")


def check_coup(night, coup, left, balances):
    where, (player, banker, used) = f"coup {coup['number']}", dealt(left)
    must(left[:used] == coup["cards"], f"{where}: the cards are {left[:used]}")
    totals = points(player), points(banker)
    must(totals == (coup["player_total"], coup["banker_total"]), f"{where}: the totals are {totals}")
    must(winner_of(*totals) == coup["winner"], f"{where}: the winner is {winner_of(*totals)}")
    for wager in coup["wagers"]:
        to_one = pays(night, wager["bet"], {"player": player, "banker": banker})
        gross, commission = (part * wager["stake"] for part in to_one)
        found = ("lose", "push", "win")[(gross > 0) - (gross < 0) + 1], gross, commission, gross - commission
        said = tuple(wager[name] for name in ("outcome", "gross", "commission", "net"))
        must(found == said, f"{where}, {wager['station']} on {wager['bet']}: {written(found)}, not {written(said)}")
        balances[wager["station"]] += gross - commission
    must(balances == coup["balances"], f"{where}: the balances are {written(balances.values())}")
    return used


def written(figures):
    return " ".join(map(str, figures))


if not sys.argv[1:]:
    sys.exit(__doc__)
for name in sys.argv[1:]:
    try:
        vectors = json.loads(Path(name).read_text(encoding="utf-8"))
        check(vectors)
    except Wrong as wrong:
        sys.exit(f"{name}: {wrong}")
    except (OSError, ValueError, LookupError, TypeError) as wrong:
        sys.exit(f"{name} is not a whole file of vectors: {wrong!r}")
    print(f"{name}: {len(vectors['coups'])} coups of {len(vectors['shoes'])} shoes agree")
