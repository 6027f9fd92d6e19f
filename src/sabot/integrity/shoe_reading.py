"""Follows the cards of a shoe through a table's events: what left it in which order, and what nobody has seen."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from sabot.integrity.seen import UNSEEN, ShoeSeen
from sabot.odds.composition import Composition
from sabot.rules.cards import DECK
from sabot.table import events as e

PLACE: Final = {card.notation: place for place, card in enumerate(DECK)}
"""The place of a card in `DECK`, by its notation."""

_UNCLEAR: Final = (e.CoupReconstructed, e.ResolutionTakenBack, e.ShoeRecounted, e.CardsReplaced)
"""What was done by hand about the shoe. Which cards are left in which order is not followed through it."""
OF_THE_SHOE: Final = (
    *(e.CardsBurned, e.BurnShown, e.CardsCarried, e.CardAmended, e.CardTakenBack, e.OutcomeCorrected),
    *_UNCLEAR,
)
"""What a shoe takes beside the cards that are dealt from it."""


class ShoeRead(msgspec.Struct):
    """A shoe as far as it was read."""

    number: int = 0
    decks: int = 0
    virtual: bool = False
    shuffled_by: str = ""
    known: bool = False
    """Whether `left` has the cards that nobody has seen: it was read from its shuffle on, and nothing was unclear."""
    ordered: bool = False
    """Whether `order` has every card that left it in its place."""
    left: list[int] = []
    """By place in `DECK`, how many copies nobody has seen."""
    order: list[int] = []
    waiting: list[int] = []
    """Cards that left it and wait for the next coup."""
    starts: dict[int, int] = {}
    """By coup of this shoe, where its first card stands in `order`."""

    def shuffled(self, event: e.CardsShuffled, decks: int) -> None:
        self.number, self.decks, self.virtual = event.shoe, decks, event.method == "virtual"
        self.shuffled_by, self.known, self.ordered = event.by, decks > 0, decks > 0
        self.left, self.order, self.waiting, self.starts = [decks] * len(DECK), [], [], {}

    @property
    def unseen(self) -> Composition | None:
        return Composition(tuple(self.left)) if self.known else None

    def seen(self, at_ms: int, table: str, order: Sequence[str] = ()) -> ShoeSeen:
        """As it ended; a virtual shoe that was opened has told the order of all its cards, as they were shuffled."""
        cards = [PLACE[one] for one in order] or self.order
        return ShoeSeen(
            table=table,
            shoe=self.number,
            at_ms=at_ms,
            decks=self.decks,
            virtual=self.virtual,
            whole=bool(order) or (self.ordered and self.known),
            cards=tuple(cards),
            shuffled_by=self.shuffled_by,
        )

    def take(self, event: e.Event) -> None:
        match event:
            case e.CardDealt():
                self._dealt(event)
            case e.CardsBurned():
                self._burned(event)
            case e.BurnShown():
                self._burn_shown(event.card)
            case e.CardsCarried():
                self._carried(event)
            case e.CardAmended():
                self._amended(event)
            case e.CardTakenBack():
                self._taken_back(event)
            case e.OutcomeCorrected():
                self._corrected(event)
            case _ if isinstance(event, _UNCLEAR):
                self._lose_track()

    def _leaves(self, card: str | None) -> None:
        if card is None:
            self.order.append(UNSEEN)
        else:
            self.order.append(PLACE[card])
            self._count([card], -1)

    def _count(self, cards: Iterable[str], change: int) -> None:
        """A copy too many is the matter of the census; which cards are left is not known after it."""
        if self.known:
            for card in cards:
                self.left[PLACE[card]] += change
                self.known = self.known and 0 <= self.left[PLACE[card]] <= self.decks

    def _carried(self, event: e.CardsCarried) -> None:
        cards = [UNSEEN if card is None else PLACE[card] for card in event.cards]
        self.waiting = [*cards, *self.waiting] if event.first else [*self.waiting, *cards]
        self.ordered = self.ordered and not event.first
        for card in event.cards:
            self._leaves(card)

    def _waited(self, card: str) -> None:
        """The first card that waited is used; one that nobody had seen is known from now on."""
        if not self.waiting:
            self._lose_track()
        elif self.waiting.pop(0) == UNSEEN:
            self.ordered = False
            self._count([card], -1)

    def _lose_track(self) -> None:
        self.known = self.ordered = False

    def _dealt(self, event: e.CardDealt) -> None:
        if event.carried:
            self._waited(event.card)
        else:
            self.starts.setdefault(event.coup, len(self.order))
            self._leaves(event.card)

    def _burned(self, event: e.CardsBurned) -> None:
        if event.carried:
            assert event.shown is not None, "a card that waited is burned face up"
            self._waited(event.shown)
            return
        if event.shown is not None:
            self._leaves(event.shown)
        self.order += [UNSEEN] * event.hidden

    def _burn_shown(self, card: str) -> None:
        """The first card, which was burned unseen, is shown on request."""
        if self.order and self.order[0] == UNSEEN:
            self.order[0] = PLACE[card]
            self._count([card], -1)
        else:
            self._lose_track()

    def _amended(self, event: e.CardAmended) -> None:
        if event.left_over:
            self._lose_track()
        self._count([event.was], 1)
        self._count([event.card], -1)
        self._replace(event.position - 1, [event.was], [event.card])

    def _taken_back(self, event: e.CardTakenBack) -> None:
        if event.left_over or not self.order or self.order[-1] != PLACE[event.card]:
            self._lose_track()
            return
        self.order.pop()
        self._count([event.card], 1)

    def _corrected(self, event: e.OutcomeCorrected) -> None:
        """An earlier coup had other cards than were entered; those of another shoe change nothing here."""
        start = self.starts.get(event.coup)
        if start is None:
            return
        cards = (*event.cards, *event.left_over)
        self._count(event.was, 1)
        self._count(cards, -1)
        self._replace(start, event.was, cards)

    def _replace(self, start: int, was: Sequence[str], cards: Sequence[str]) -> None:
        there = slice(start, start + len(was))
        if start < 0 or len(was) != len(cards) or self.order[there] != [PLACE[one] for one in was]:
            self.ordered = False
        else:
            self.order[there] = [PLACE[one] for one in cards]
