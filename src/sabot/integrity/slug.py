"""A slug: cards of an earlier shoe, or of a new deck, that are played again in their order, backwards or riffled.

Before every card the chance of each of the 52 is known: the copies not yet seen among all cards not yet seen. A
*follower* stands at a place of an earlier shoe and stakes the part `rate` of its capital on the card there. If that
card comes, this part is paid at one over its chance and moves on to the next place; otherwise the rest waits there, for
the cards of a riffle's other packet. Capital is never added, and too small a rest is dropped. So all of it together is
a nonnegative supermartingale in a shuffled shoe, whatever was dealt before (Ville 1939: it reaches 1/a with a
probability of at most a).

Where two cards came that lay side by side in an earlier shoe, now side by side or with one card between them, a small
part of the idle capital founds followers behind them. With eight decks a card that was foretold multiplies capital by
about fifty, so a slug shows within some nine cards, or some thirty if it was riffled once.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from math import log
from typing import Final

from sabot.integrity.sides import hands

CardPlaces = Sequence[int]
"""Cards as places in `DECK`."""

RATES: Final = (0.95, 0.5, 0.25)
"""In order, riffled once, riffled twice."""
_STAYING: Final = tuple(1.0 - rate for rate in RATES)
_MANY: Final = len(RATES)
FOUNDING: Final = 2.0**-13
"""The part of the idle capital that founds followers after a card: about one over the cards of a table's day."""
_TOO_SMALL: Final = FOUNDING / 150
"""A follower with a smaller part of the idle capital is dropped."""
_LARGE: Final = 1e60
"""Capital beyond this is told as a logarithm, long before a double overflows."""


class EarlierOrders:
    """The orders of one earlier shoe, with the places behind every two cards that lie side by side in one of them."""

    def __init__(self, sequences: Iterable[CardPlaces]) -> None:
        self.cards: list[int] = []
        self.ends: list[int] = []
        self.behind: dict[tuple[int, int], list[int]] = {}
        for sequence in sequences:
            start = len(self.cards)
            for place, pair in enumerate(pairwise(sequence), start + 2):
                self.behind.setdefault(pair, []).append(place)
            self.cards += [*sequence, -1]
            self.ends.append(len(self.cards))


def orders(coups: Iterable[CardPlaces]) -> list[CardPlaces]:
    """The orders in which the cards of a shoe may lie after play: as dealt, or as the hands were gathered, each way up.

    A coup is its cards in shoe order: Player, Banker, Player, Banker, and third cards.
    """
    dealt, player_first, banker_first = list[int](), list[int](), list[int]()
    for coup in coups:
        player, banker = hands(coup)
        dealt += coup
        player_first += [*player, *banker]
        banker_first += [*banker, *player]
    return [order[::way] for order in (dealt, player_first, banker_first) for way in (1, -1)]


NEW_DECK: Final[tuple[CardPlaces, ...]] = tuple(range(52)[::way] for way in (1, -1))
"""The order in which decks are made: suit by suit, up or down. The order of the suits matters to one card in 13."""


class Followers:
    """The capital of all followers in one shoe."""

    def __init__(self, sources: Sequence[EarlierOrders], log_capital: float = 0.0) -> None:
        self._sources = sources
        self._starts = [0, *accumulate(len(source.cards) for source in sources)]
        self._cards = [card for source in sources for card in source.cards]
        self._log_scale = log_capital
        self._idle = 1.0
        self._capital: dict[int, float] = {}
        """By place and number of the rate."""
        self._last = self._before = -1

    def see(self, card: int, chance: float) -> None:
        """A card came, which chance had with this probability."""
        cards, least = self._cards, self._idle * _TOO_SMALL
        paid = [rate / chance for rate in RATES]
        left: dict[int, float] = {}
        for key, capital in self._capital.items():
            if cards[key // _MANY] == card:
                left[key + _MANY] = left.get(key + _MANY, 0.0) + capital * paid[key % _MANY]
            elif (rest := capital * _STAYING[key % _MANY]) > least:
                left[key] = left.get(key, 0.0) + rest
        self._capital = left
        self._found(card)
        self._before, self._last = self._last, card

    def _found(self, card: int) -> None:
        """Behind this card and the last one; with one card between them there was a riffle."""
        keys: list[int] = []
        for start, source in zip(self._starts, self._sources, strict=False):
            for place in source.behind.get((self._last, card), ()):
                key = (start + place) * _MANY
                keys += range(key, key + _MANY)
            for place in source.behind.get((self._before, card), ()):
                key = (start + place) * _MANY
                keys += range(key + 1, key + _MANY)
        if keys:
            founded = self._idle * FOUNDING
            self._idle -= founded
            each = founded / len(keys)
            for key in keys:
                self._capital[key] = self._capital.get(key, 0.0) + each

    def skip(self) -> None:
        """A card came whose chance is not known: nothing is staked on it."""
        self._last = self._before = -1

    def take_stock(self) -> float:
        """The logarithm of all capital. It is to be called once a coup, since it keeps all figures in range."""
        total = self._idle + sum(self._capital.values())
        if total <= _LARGE:
            return self._log_scale + log(total)
        self._capital = {key: capital / total for key, capital in self._capital.items()}
        self._idle /= total
        self._log_scale += log(total)
        return self._log_scale

    def followed(self) -> tuple[int, int] | None:
        """The number of the source whose followers have the most capital, and that of its order."""
        if not self._capital:
            return None
        place = max(self._capital, key=lambda key: self._capital[key]) // _MANY
        number = max(number for number, start in enumerate(self._starts[:-1]) if start <= place)
        inside = place - self._starts[number]
        return number, next(order for order, end in enumerate(self._sources[number].ends) if inside < end)
