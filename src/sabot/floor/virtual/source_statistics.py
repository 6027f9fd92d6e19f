"""Statistics of the random source of virtual shoes: words of the stream, numbers drawn below a bound, cards in order.

Each test compares counts with what chance gives exactly. Shoes come from a seed in place of the operating system's
bytes, so that the same seed and number of cards give the same figures everywhere.
"""

import hashlib
from collections.abc import Callable, Iterator
from math import erfc, sqrt
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from sabot.floor.virtual.many_shoes import ManyShoes, many_shoes
from sabot.floor.virtual.shoe import ORDER_BYTES
from sabot.odds.chi_square import FEWEST_EXPECTED, chance_of_more
from sabot.rules.cards import DECK
from sabot.rules.chance import WORDS

_Counts = NDArray[np.int64]

AT_ONCE: Final = 2_048
LAGS: Final = (1, 2, 3, 8, 16)
DISTANCES: Final = (1, 2, 3, 13, 52)
LONGEST_GAP: Final = 60
BEGINNING: Final = 11
LEAST_CHANCE: Final = 0.01
"""Of the whole table: the least chance of its tests, times their number."""
_GROUPS: Final = {"rank": 13, "suit": 4}


class SourceTest(msgspec.Struct, frozen=True):
    name: str
    about: str
    counted: int
    statistic: float
    degrees_of_freedom: int | None
    """Of a chi-square; a normal deviate has none."""
    p: float
    """How often chance alone deviates at least as far."""


class SourceStatistics(msgspec.Struct, frozen=True):
    seed: int
    decks: int
    shoes: int
    cards: int
    orders_sha256: str
    """Over all orders, a byte for each card: its place in a fresh deck."""
    tests: tuple[SourceTest, ...]

    @property
    def fits(self) -> bool:
        return min(test.p for test in self.tests) * len(self.tests) >= LEAST_CHANCE


def entropy_of(seed: int, shoe: int) -> bytes:
    """The bytes that a shoe of the statistics follows from."""
    return hashlib.shake_256(f"sabot dossier {seed} shoe {shoe}".encode()).digest(ORDER_BYTES)


def source_statistics(cards: int, seed: int, decks: int, tell: Callable[[int], None]) -> SourceStatistics:
    """Shuffle shoes until there are so many cards, and test them; `tell` hears how many cards are done."""
    shoes = -(-cards // (len(DECK) * decks))
    tally = SourceTally(len(DECK) * decks)
    for first in range(0, shoes, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, shoes))
        tally.add(many_shoes(decks, [entropy_of(seed, number) for number in numbers]))
        tell(numbers.stop * tally.cards)
    return SourceStatistics(
        seed, decks, shoes, shoes * tally.cards, tally.orders.hexdigest(), tuple(tally.tests(decks))
    )


class SourceTally:
    def __init__(self, cards: int) -> None:
        self.cards, self.shoes, self.orders = cards, 0, hashlib.sha256()
        self._words = np.zeros(WORDS, dtype=np.int64)
        self._pairs = np.zeros(WORDS, dtype=np.int64)
        self._poker = np.zeros(6, dtype=np.int64)
        self._permutations = np.zeros(64, dtype=np.int64)
        self._gaps = np.zeros(LONGEST_GAP + 1, dtype=np.int64)
        self._changes = np.zeros(2, dtype=np.int64)
        self._products = dict.fromkeys(LAGS, (0, 0))
        self._places = np.zeros((cards, len(DECK)), dtype=np.int64)
        self._draws = [np.zeros(left, dtype=np.int64) for left in range(cards, 1, -1)]
        self._alike = {(name, distance): (0, 0) for name in _GROUPS for distance in DISTANCES}
        self._beginnings: list[NDArray[np.uint64]] = []

    def add(self, made: ManyShoes) -> None:
        self.shoes += len(made.orders)
        self.orders.update(made.orders.tobytes())
        self._add_words(made.words)
        self._add_cards(made)

    def _add_words(self, words: NDArray[np.uint16]) -> None:
        row = words.ravel()
        self._words += np.bincount(row, minlength=WORDS)
        high = (words >> 8).astype(np.int32)
        self._pairs += np.bincount((high[:, 0::2] * 256 + high[:, 1::2]).ravel(), minlength=WORDS)
        fives = (row >> 13)[: len(row) // 5 * 5].reshape(-1, 5)
        self._poker += np.bincount(
            np.bitwise_count(np.bitwise_or.reduce(np.uint8(1) << fives.astype(np.uint8), 1)), minlength=6
        )
        fours = row[: len(row) // 4 * 4].reshape(-1, 4)
        self._permutations += np.bincount(_orderings(fours), minlength=64)
        gaps = np.diff(np.flatnonzero(row < WORDS // 8)) - 1
        self._gaps += np.bincount(np.minimum(gaps, LONGEST_GAP), minlength=LONGEST_GAP + 1)
        bits = row >> 15
        changes = int(np.count_nonzero(bits[1:] != bits[:-1]))
        self._changes += (len(bits) - 1 - changes, changes)
        deviations = words.astype(np.int64) * 2 - (WORDS - 1)  # Twice, so that sums are whole and the same everywhere.
        for lag in LAGS:
            count, total = self._products[lag]
            product = deviations[:, lag:] * deviations[:, :-lag]
            self._products[lag] = count + product.size, total + int(product.sum())

    def _add_cards(self, made: ManyShoes) -> None:
        orders = made.orders.astype(np.int32)
        kinds = len(DECK)
        at = orders + np.arange(self.cards, dtype=np.int32) * kinds
        self._places += np.bincount(at.ravel(), minlength=self.cards * kinds).reshape(self.cards, kinds)
        for bound, drawn in enumerate(made.draws):
            self._draws[bound] += np.bincount(drawn, minlength=self.cards - bound)
        for name in _GROUPS:
            group = _GROUP_OF[name][made.orders]
            for distance in DISTANCES:
                alike = np.count_nonzero(group[:, distance:] == group[:, :-distance], axis=1)
                total, squares = self._alike[name, distance]
                self._alike[name, distance] = total + int(alike.sum()), squares + int((alike**2).sum())
        weights = np.array([kinds**place for place in range(BEGINNING)], dtype=np.uint64)
        self._beginnings.append((made.orders[:, :BEGINNING].astype(np.uint64) * weights).sum(axis=1))

    def tests(self, decks: int) -> Iterator[SourceTest]:
        yield _chi("words", "each of the 65,536 words of the stream", self._words, np.full(WORDS, 1.0))
        yield _chi("serial pairs", "the high bytes of two words in turn", self._pairs, np.full(WORDS, 1.0))
        yield _chi("poker", "how many of eight values five words show", self._poker[1:], _POKER)
        orderings = np.bincount(_ORDERINGS, minlength=64) > 0
        yield _chi("permutations", "the order of four words by size", self._permutations[orderings], np.full(24, 1.0))
        gaps = [(1 / 8) * (7 / 8) ** gap for gap in range(LONGEST_GAP)]
        yield _chi(
            "gaps", "words between two of the least eighth", self._gaps, np.array([*gaps, (7 / 8) ** LONGEST_GAP])
        )
        yield _chi("runs", "whether the highest bit changes", self._changes, np.full(2, 1.0))
        for lag, (count, total) in self._products.items():
            deviate = total / (sqrt(count) * (WORDS**2 - 1) / 3)
            yield _normal(f"correlation {lag}", f"words at distance {lag}", count, deviate)
        yield self._drawn()
        yield self._placed()
        for (name, distance), sums in self._alike.items():
            likely = (self.cards // _GROUPS[name] - 1) / (self.cards - 1)
            mean = (self.cards - distance) * likely
            yield _mean(
                f"equal {name} {distance}", f"cards of equal {name} at distance {distance}", self.shoes, mean, sums
            )
        yield self._repeated(decks)

    def _drawn(self) -> SourceTest:
        """Only bounds whose numbers are each expected often enough."""
        used = [counts for counts in self._draws if self.shoes / len(counts) >= FEWEST_EXPECTED]
        statistic = sum(float(((counts - (mean := self.shoes / len(counts))) ** 2 / mean).sum()) for counts in used)
        degrees = sum(len(counts) - 1 for counts in used)
        counted = self.shoes * len(used)
        about = "the numbers drawn below each bound of the shuffle"
        return SourceTest("draws", about, counted, statistic, degrees, chance_of_more(statistic, max(1, degrees)))

    def _placed(self) -> SourceTest:
        """Every shoe has every card as often as every other, so that the plain statistic is a little too large."""
        expected = self.shoes / len(DECK)
        statistic = float(((self._places - expected) ** 2).sum() / expected) * (self.cards - 1) / self.cards
        degrees = (self.cards - 1) * (len(DECK) - 1)
        about = "each card in each place of the shoe"
        return SourceTest(
            "places", about, self.shoes * self.cards, statistic, degrees, chance_of_more(statistic, degrees)
        )

    def _repeated(self, decks: int) -> SourceTest:
        """The chance that any two shoes begin alike is at most the number of pairs times that of one pair."""
        again = self.shoes - len(np.unique(np.concatenate(self._beginnings)))
        alike = 1.0
        for place in range(BEGINNING):
            alike *= decks / (self.cards - place)
        p = min(1.0, self.shoes * (self.shoes - 1) / 2 * alike) if again else 1.0
        return SourceTest(
            "repeats", f"shoes that begin with the {BEGINNING} cards of another", self.shoes, again, None, p
        )


def _orderings(fours: NDArray[np.uint16]) -> NDArray[np.uint8]:
    """Which of two words is greater, for each two of four; groups with equal words are left out."""
    a, b, c, d = (fours[:, column] for column in range(4))
    both = ((a, b), (a, c), (a, d), (b, c), (b, d), (c, d))
    distinct = np.logical_and.reduce([one != other for one, other in both])
    code = np.zeros(len(fours), dtype=np.uint8)
    for place, (one, other) in enumerate(both):
        code |= (one > other).astype(np.uint8) << place
    return code[distinct]


def _every_order() -> NDArray[np.uint8]:
    numbers = np.indices((4, 4, 4, 4)).reshape(4, -1).T.astype(np.uint16)
    return _orderings(numbers)


_ORDERINGS: Final = _every_order()
_POKER: Final = np.array([8.0, 8 * 7 * 15, 8 * 7 * 6 * 25, 8 * 7 * 6 * 5 * 10, 8 * 7 * 6 * 5 * 4])
"""Ways in which five words show one to five of eight values: arrangements times Stirling's numbers."""
_RANKS: Final = {rank: place for place, rank in enumerate(dict.fromkeys(card.rank for card in DECK))}
_SUITS: Final = {suit: place for place, suit in enumerate(dict.fromkeys(card.suit for card in DECK))}
_GROUP_OF: Final = {
    "rank": np.array([_RANKS[card.rank] for card in DECK], dtype=np.uint8),
    "suit": np.array([_SUITS[card.suit] for card in DECK], dtype=np.uint8),
}


def _chi(name: str, about: str, counts: _Counts, weights: NDArray[np.float64]) -> SourceTest:
    """Cells that are expected too seldom are one cell with their neighbour."""
    counted = int(counts.sum())
    if not counted:
        return SourceTest(name, about, 0, 0.0, 1, 1.0)
    expected = weights / weights.sum() * counted
    starts, held = [0], 0.0
    for place, mean in enumerate(expected.tolist()):
        if held >= FEWEST_EXPECTED:
            starts.append(place)
            held = 0.0
        held += mean
    if held < FEWEST_EXPECTED and len(starts) > 1:
        starts.pop()
    means = np.add.reduceat(expected, starts)
    statistic = float(((np.add.reduceat(counts, starts) - means) ** 2 / means).sum())
    degrees = max(1, len(starts) - 1)
    return SourceTest(name, about, counted, statistic, degrees, chance_of_more(statistic, degrees))


def _normal(name: str, about: str, counted: int, deviate: float) -> SourceTest:
    return SourceTest(name, about, counted, deviate, None, erfc(abs(deviate) / sqrt(2)))


def _mean(name: str, about: str, shoes: int, mean: float, sums: tuple[int, int]) -> SourceTest:
    """A sum over independent shoes against its mean, by the variance that the shoes have among themselves."""
    total, squares = sums
    variance = (squares - total**2 / shoes) / max(1, shoes - 1)
    return _normal(name, about, shoes, (total - shoes * mean) / sqrt(shoes * variance) if variance else 0.0)
