"""Rounds under way and ways to play their remaining coups, for the proof that a determined sitting is one.

Seats play lawfully and as if they knew the cards: they lay what wins, what loses, anything at all, or nothing.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

from sabot.basics.money import Cents
from sabot.rules.cards import DECK, read_cards
from sabot.rules.coup import Coup, read_coup, read_in_shoe_order
from sabot.rules.limits import Limits
from sabot.rules.reach import reach_of
from sabot.rules.rule_set import Bet
from sabot.rules.shipped import rule_set
from sabot.rules.terms import Terms
from sabot.tournament.conditions.parts import From, TieBreak, WildCardsBy
from sabot.tournament.places.advancing import WayOn, advance
from sabot.tournament.places.ranking import Contestant, Parted
from sabot.tournament.sittings.determined import Certainty, Contender, cuts_of, judge

MINIMUM = 500
TERMS = Terms(rule_set("crown-traditional"))
LIMITS = {
    Bet(bet): Limits(Cents(MINIMUM), Cents(MINIMUM), Cents(maximum))
    for bet, maximum in (("player", 50_000), ("banker", 50_000), ("tie", 10_000))
}
REACH = reach_of(TERMS, LIMITS)
PLAYER_WINS, BANKER_WINS, TIE = (
    read_coup(read_cards(cards.split())) for cards in ("5S KH 4D QC", "KS 5H QD 4C", "5S 6H 3D 2C")
)
TIE_BREAKS = (TieBreak.COUNT_BACK, TieBreak.LOTS)


class Round(NamedTuple):
    contenders: tuple[Contender, ...]
    ways: tuple[WayOn, ...]
    compulsory: int
    before: dict[int, list[int]]
    """Balances after the two counted coups before the last, by entrant."""

    def judged(self, sitting: str) -> Certainty:
        return judge(sitting, self.contenders, cuts_of(self.ways), REACH, self.compulsory, count_back=True)


def any_round(chance: random.Random) -> Round:
    """A round of one to three sittings, its scores far enough apart that some are determined."""
    rule = chance.choice(["balance"] * 4 + ["total", "best"])
    misses = chance.choice([None] * 5 + [1, 2, 3])
    contenders: list[Contender] = []
    for sitting in range(chance.randint(1, 3)):
        left = chance.randint(1, 3) if sitting == 0 else chance.randint(0, 3)
        for _ in range(chance.randint(2, 5)):
            contenders.append(_contender(chance, len(contenders) + 1, f"S{sitting}", left, rule, misses))
    ways = tuple(_way(chance, to) for to in ("final", "plate", "cup")[: chance.randint(1, 3)])
    before = {one.entrant: chance.choices([0, 300, 60_000], k=2) for one in contenders}
    return Round(tuple(contenders), ways, chance.choice([0, 5_000, 70_000]), before)


def _contender(
    chance: random.Random, entrant: int, sitting: str, left: int, rule: str, misses: int | None
) -> Contender:
    score = chance.choice([0, 0, 300, 500, 60_000, 120_000, 300_000, 600_000, 1_200_000]) + 500 * chance.randint(0, 9)
    score = chance.choice([0, 0, score, score, score])
    owed = chance.choice([0] * 9 + [15_500])
    one = Contender(entrant, sitting, score - owed, left, owed, bust=score < MINIMUM, misses=misses)
    one = one._replace(closed=chance.random() < 0.05, noted=chance.random() < 0.9)
    if chance.random() < 0.05 and not one.closed:
        one = one._replace(awaited=True, noted=False, score=100_000, owed=0, bust=False)
    earlier = chance.choice([0, 100_000, 500_000])
    return one._replace(
        earlier=earlier if rule == "total" else 0,
        best=earlier if rule == "best" else None,
        noted=one.noted or one.bust,
    )


def _way(chance: random.Random, to: str) -> WayOn:
    places = chance.randint(1, 2)
    return WayOn(
        to,
        chance.choice([
            From(round="heats", top_per_table=places),
            From(round="heats", top_per_table=places),
            From(round="heats", top_overall=places),
            From(round="heats", wild_cards=places, by=WildCardsBy.SCORE),
            From(round="heats", wild_cards=places, by=WildCardsBy.DRAW),
        ]),
    )  # fmt: skip


def played_on(one: Round, chance: random.Random) -> dict[str, list[Contestant]]:
    """The contestants of each sitting after the remaining coups."""
    return {sitting: _play(one, sitting, chance) for sitting in sorted({who.sitting for who in one.contenders})}


def concluded(one: Round, sitting: str) -> list[Contestant]:
    """The contestants of a sitting that ends now."""
    return [
        _contestant(one, who, who.score, [], played=not who.awaited) for who in one.contenders if who.sitting == sitting
    ]


def through(one: Round, sittings: dict[str, list[Contestant]], drawn: Sequence[int]) -> dict[str, frozenset[int]]:
    """Who goes where, if lots and wild cards fall in this order."""
    found = advance(one.ways, list(sittings.values()), TIE_BREAKS, Parted(lots=[drawn]), drawn)
    assert found.tie is None
    return {to: frozenset(group) for to, group in found.through.items()}


class _Seat:
    def __init__(self, who: Contender, chance: random.Random) -> None:
        self.who = who
        self.purse = who.score + who.owed
        self.manner = chance.choice(["win", "lose", "any", "idle"])
        self.comes = not who.awaited or chance.random() < 0.5
        self.misses = 0
        self.history: list[int] = []

    @property
    def plays(self) -> bool:
        return self.comes and not self.who.closed and self.purse >= MINIMUM

    @property
    def is_out(self) -> bool:
        return self.who.misses is not None and self.misses >= self.who.misses

    def coup(self, coup: Coup, compulsory: int, chance: random.Random) -> None:
        if self.plays and not self.is_out:
            due = min(compulsory, sum(_laid(self.purse, list(LIMITS)).values()))
            wagers = self._wagers(coup, chance)
            self.purse += sum(one.net_cents for one in TERMS.settle(wagers, coup))
            missing = due - sum(wagers.values())
            if missing > 0:
                self.misses += 1
                self.purse -= 0 if self.who.misses else min(missing, self.purse)
        if not self.who.closed:
            self.history.append(self.purse - self.who.owed)

    def _wagers(self, coup: Coup, chance: random.Random) -> dict[Bet, int]:
        manner = self.manner if chance.random() < 0.9 else "any"
        if manner == "idle":
            return {}
        nets = {one.bet: one.net_cents for one in TERMS.settle(dict.fromkeys(LIMITS, 2_000), coup)}
        bets = sorted(LIMITS, key=lambda bet: -abs(nets[bet]))
        if manner == "any":
            chance.shuffle(bets)
            return _laid(chance.randint(0, self.purse), bets[: chance.randint(0, 3)])
        return _laid(self.purse, [bet for bet in bets if (nets[bet] > 0 if manner == "win" else nets[bet] < 0)])


def _laid(purse: int, bets: Sequence[Bet]) -> dict[Bet, int]:
    """As much on each of the bets, in turn, as the limits and the purse allow."""
    wagers: dict[Bet, int] = {}
    for bet in bets:
        stake = LIMITS[bet].permitted(purse)
        if stake:
            wagers[bet] = int(stake)
            purse -= stake
    return wagers


def _play(one: Round, sitting: str, chance: random.Random) -> list[Contestant]:
    seats = [_Seat(who, chance) for who in one.contenders if who.sitting == sitting]
    left = seats[0].who.left
    assert left is not None
    for _ in range(left):
        coup = chance.choice([PLAYER_WINS, BANKER_WINS, TIE, read_in_shoe_order(chance.sample(DECK, 6))[0]])
        for seat in seats:
            seat.coup(coup, one.compulsory, chance)
    return [
        _contestant(one, seat.who, seat.purse - seat.who.owed, seat.history, played=seat.comes)
        for seat in seats
        if not seat.is_out
    ]


def _contestant(one: Round, who: Contender, score: int, history: list[int], *, played: bool) -> Contestant:
    ranked = score + who.earlier if who.best is None else max(score, who.best)
    if who.noted:
        history = [*one.before[who.entrant], who.score, *history]
    return Contestant(who.entrant, ranked, history, played=played)
