"""Cheats that are planted in simulated nights, to see how long the lights take to find each."""

from collections.abc import Callable, Sequence
from typing import Final

from sabot.integrity.payoffs import payoffs_of
from sabot.integrity.seen import LateWager
from sabot.integrity.sides import BANKER, PLAYER, hands, lead, side_of
from sabot.integrity.trial.night import Cheat, Coming, Stakes, TrialTable, complete
from sabot.integrity.trial.patrons import UNIT
from sabot.odds.dealing import CARDS_EACH

SEAT: Final = "S1"
OTHER_SEAT: Final = "S2"
DEALER: Final = "D1"
BEFORE_SLUG: Final = 40
"""Cards of a shoe that come before what was stacked."""
_NO_MORE: Final = (0, 0)
"""Stands for cards that were not dealt."""


class Slug(Cheat):
    """A dealer keeps sixty cards of the shoe before last together, as the hands were gathered.

    Every riffle interleaves them with as many cards that are shuffled.
    """

    def __init__(self, riffles: int = 0, length: int = 60) -> None:
        self._riffles, self._length = riffles, length

    def order(self, cards: list[int], table: TrialTable) -> list[int]:
        if len(table.played) < 3:
            return cards
        gathered = [card for coup in table.played[-2] for hand in hands(coup) for card in hand]
        self.began = self.began or table.coup + _coups_of(BEFORE_SLUG)
        slug = gathered[100 : 100 + self._length]
        rest = list(cards)
        for card in slug:
            rest.remove(card)
        packet = slug
        for _ in range(self._riffles):
            packet, rest = _riffled(packet, rest[: len(packet)], table), rest[len(packet) :]
        return [*rest[:BEFORE_SLUG], *packet, *rest[BEFORE_SLUG:]]


def _coups_of(cards: int) -> int:
    return int(cards / CARDS_EACH)


def _riffled(one: Sequence[int], other: Sequence[int], table: TrialTable) -> list[int]:
    first, second, found = list(one), list(other), list[int]()
    while first or second:
        of_first = table.chance.random() * (len(first) + len(second)) < len(first)
        found.append((first if of_first else second).pop(0))
    return found


class NewDecks(Cheat):
    """The shoe is two new decks that were not shuffled, among shuffled ones."""

    def order(self, cards: list[int], _table: TrialTable) -> list[int]:
        self.began = _coups_of(BEFORE_SLUG)
        rest = list(cards)
        for card in (*range(52), *range(52)):
            rest.remove(card)
        return [*rest[:BEFORE_SLUG], *range(52), *range(52), *rest[BEFORE_SLUG:]]


class BadShuffle(Cheat):
    """The cards lie in clumps: each next one is taken from the next few that are like the last in size where it can."""

    def __init__(self, among: int = 3) -> None:
        self._among = among

    def order(self, cards: list[int], _table: TrialTable) -> list[int]:
        rest, found = list(cards), [cards[0]]
        rest.pop(0)
        while rest:
            few = rest[: self._among]
            like = [place for place, card in enumerate(few) if (card % 13 > 8) == (found[-1] % 13 > 8)]
            found.append(rest.pop(like[0] if like else 0))
        return found


class PastPoster(Cheat):
    """One wager in so many is laid when the result is known, a moment before wagering closes; the others are honest."""

    def __init__(self, one_in: int = 40) -> None:
        self._one_in = one_in

    def lay(self, table: TrialTable, coming: Coming, stakes: Stakes) -> dict[str, dict[str, LateWager]]:
        won = lead(coming.cards)
        if not won or SEAT not in stakes or table.chance.random() * self._one_in >= 1:
            return {}
        side = PLAYER if won > 0 else BANKER
        stakes[SEAT] = {side: 4 * UNIT}
        return {SEAT: {side: LateWager(int(150 * table.chance.random()), 4 * UNIT)}}


class WrongResults(Cheat):
    """One dealer enters the hands the wrong way round in one of so many coups that a seat would lose.

    Only coups are taken in which that makes the seat win with the very cards that were dealt, so that no count of the
    shoe's cards shows it.
    """

    def __init__(self, one_in: int = 5) -> None:
        self._one_in = one_in

    def enter(self, cards: tuple[int, ...], table: TrialTable, dealer: str, stakes: Stakes) -> tuple[int, ...]:
        side = side_of(stakes.get(SEAT, {}))
        wanted = 1 if side == PLAYER else -1
        if dealer != DEALER or not side or lead(cards) != -wanted or table.chance.random() * self._one_in >= 1:
            return cards
        p1, b1, p2, b2, *thirds = cards
        entered = complete([b1, p1, b2, p2, *thirds, *_NO_MORE])
        return entered if len(entered) == len(cards) and lead(entered) == wanted else cards


class Knower(Cheat):
    """A seat that knows all cards left, by marks or by counting, and lays a bet only where the edge favours it."""

    def __init__(self, bets: Sequence[str] = ()) -> None:
        self._bets = bets
        """Only these, or all where none are named."""

    def lay(self, table: TrialTable, coming: Coming, stakes: Stakes) -> dict[str, dict[str, LateWager]]:
        payoffs = payoffs_of(table.terms)
        gains = payoffs.nets @ payoffs.chances(coming.unseen)
        stakes.pop(SEAT, None)
        good = {
            bet: 4 * UNIT
            for bet, place in payoffs.place.items()
            if gains[place] > 0 and (not self._bets or bet in self._bets)
        }
        if good:
            stakes[SEAT] = good
        return {}


class Passers(Cheat):
    """Two seats that lay the same changing amounts on opposite hands."""

    def lay(self, table: TrialTable, _coming: Coming, stakes: Stakes) -> dict[str, dict[str, LateWager]]:
        amount = UNIT * (1 << int(table.chance.integers(0, 5)))
        sides = [PLAYER, BANKER] if table.chance.random() < 0.5 else [BANKER, PLAYER]
        for seat, side in zip((SEAT, OTHER_SEAT), sides, strict=True):
            stakes[seat] = {side: amount}
        return {}


PLANTED: Final[dict[str, Callable[[], Cheat]]] = {
    "slug in order": Slug,
    "slug riffled once": lambda: Slug(1),
    "slug riffled twice": lambda: Slug(2),
    "new decks, not shuffled": NewDecks,
    "clumps of tens": BadShuffle,
    "past-posting 1 wager in 40": PastPoster,
    "past-posting 1 wager in 10": lambda: PastPoster(10),
    "wrong results, 1 lost coup in 5": WrongResults,
    "wrong results, 1 lost coup in 2": lambda: WrongResults(2),
    "knows the cards left, all bets": Knower,
    "knows the cards left, Player and Banker": lambda: Knower((PLAYER, BANKER)),
    "chips passed between two seats": Passers,
}
