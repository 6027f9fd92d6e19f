"""The light for a slug: cards of an earlier shoe of this table, or of new decks, that are played again."""

from collections.abc import Iterator, Sequence
from math import exp, inf, log
from typing import Final

import msgspec

from sabot.basics.phrase import Phrase, phrase
from sabot.integrity.budget import threshold
from sabot.integrity.evidence import Evidence
from sabot.integrity.light import Kind
from sabot.integrity.lit import OneKind, Shown
from sabot.integrity.seen import CoupSeen
from sabot.integrity.slug import NEW_DECK, CardPlaces, EarlierOrders, Followers, orders

EARLIER_SHOES: Final = 3
"""Two sets of cards take turns at most tables, so a slug comes from the last shoe or the one before it."""
WORTH_TELLING: Final = log(100)
"""From this evidence on it is remembered which shoe is followed."""
WAYS: Final = (
    *("slug_as_dealt", "slug_as_dealt_backwards"),
    *("slug_player_first", "slug_player_first_backwards", "slug_banker_first", "slug_banker_first_backwards"),
)
"""The orders of `orders`, by the codes of their names."""
NOT_KNOWN: Final = -1.0


class ShoePlayed(msgspec.Struct, array_like=True, gc=False):
    shoe: int = 0
    coups: list[tuple[int, ...]] = []


class SlugState(msgspec.Struct):
    now: ShoePlayed = msgspec.field(default_factory=ShoePlayed)
    chances: list[float] = []
    """The chance of each card of this shoe before it came; `NOT_KNOWN` where the cards left were not known."""
    earlier: list[ShoePlayed] = []
    began_with: float = 0.0
    """The logarithm of the capital when this shoe began."""
    fresh: float = 0.0
    """The capital of gaming days that began during this shoe; it plays from the next shoe on."""
    evidence: Evidence = msgspec.field(default_factory=Evidence)
    place: tuple[int, int, int] | None = None
    """In which shoe what is followed: an earlier shoe, or 0 for new decks, and the number of its order."""


class Slugs(OneKind):
    name = "slugs/1"
    kind = Kind.SLUG
    form = SlugState
    state: SlugState

    def __init__(self, state: SlugState | None = None) -> None:
        super().__init__(state)
        self._sources = [EarlierOrders(NEW_DECK), *(_source(shoe) for shoe in self.state.earlier)]
        self._followers = self._played_again()

    def take_coup(self, coup: CoupSeen) -> None:
        state = self.state
        if coup.shoe != state.now.shoe:
            self._begin(coup.shoe)
        state.now.coups.append(coup.cards)
        chances = _chances(coup)
        state.chances += chances
        _follow(self._followers, coup.cards, chances)
        state.evidence.coups += 1
        state.evidence.stand_at(self._log_capital())
        if state.evidence.log == state.evidence.highest > WORTH_TELLING:
            state.place = self._place()

    def _begin(self, shoe: int) -> None:
        state = self.state
        state.began_with, state.fresh = self._log_capital(), 0.0
        if state.now.coups:
            state.earlier = [*state.earlier, state.now][-EARLIER_SHOES:]
            self._sources = [self._sources[0], *[*self._sources[1:], _source(state.now)][-EARLIER_SHOES:]]
        state.now, state.chances = ShoePlayed(shoe), []
        self._followers = self._played_again()

    def _played_again(self) -> Followers:
        """The followers of this shoe as they stand after its cards so far."""
        state = self.state
        followers = Followers(self._sources, state.began_with)
        place = 0
        for cards in state.now.coups:
            _follow(followers, cards, state.chances[place : place + len(cards)])
            place += len(cards)
        return followers

    def _log_capital(self) -> float:
        playing, fresh = self._followers.take_stock(), self.state.fresh
        if not fresh:
            return playing
        return log(fresh) if playing == -inf else playing + log(1.0 + fresh * exp(min(-playing, 600.0)))

    def _place(self) -> tuple[int, int, int] | None:
        found = self._followers.followed()
        if found is None:
            return None
        source, way = found
        return self.state.now.shoe, self.state.earlier[source - 1].shoe if source else 0, way

    def begin_day(self) -> None:
        state, alarm_at = self.state, threshold(self.kind)
        if state.evidence.highest >= log(alarm_at):
            state.began_with, state.fresh, state.place = -inf, 0.0, None
            self._followers = self._played_again()
        state.fresh += 1.0
        state.evidence.begin_day(alarm_at)

    def shown(self) -> Iterator[Shown]:
        evidence = self.state.evidence
        yield Shown("", 0, evidence.highest, evidence.coups, self._told)

    def _told(self) -> Phrase:
        state = self.state
        if state.place is None:
            return phrase("integrity_slug_none", coups=state.evidence.coups)
        now, earlier, way = state.place
        if not earlier:
            return phrase("integrity_slug_new_decks", shoe=now)
        return phrase("integrity_slug", shoe=now, earlier=earlier, way=phrase(WAYS[way]))


def _source(shoe: ShoePlayed) -> EarlierOrders:
    return EarlierOrders(orders(shoe.coups))


def _follow(followers: Followers, cards: CardPlaces, chances: Sequence[float]) -> None:
    for card, chance in zip(cards, chances, strict=True):
        if chance > 0.0:
            followers.see(card, chance)
        else:
            followers.skip()
    followers.take_stock()


def _chances(coup: CoupSeen) -> list[float]:
    """The chance of each card, given the cards that nobody had seen before it."""
    if coup.unseen is None:
        return [NOT_KNOWN] * len(coup.cards)
    left, number = list(coup.unseen.cards), coup.unseen.size
    found = []
    for card in coup.cards:
        found.append(left[card] / number if left[card] > 0 else NOT_KNOWN)
        left[card] -= 1
        number -= 1
    return found
