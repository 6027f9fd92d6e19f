"""Folds a table's events into what the watch sees. It needs no state of the table.

A coup that was opened before the first record, and a shoe that was shuffled before it, are not told as known.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from sabot.integrity.seen import (
    LATE_MS,
    ClaimSeen,
    CorrectionSeen,
    CoupSeen,
    LateWager,
    VoidSeen,
    WhatWasSeen,
)
from sabot.integrity.shoe_reading import OF_THE_SHOE, PLACE, ShoeRead
from sabot.odds.composition import Composition
from sabot.rules.rule_set import Bet
from sabot.rules.terms import Terms
from sabot.table import events as e
from sabot.table.shoe.commitment import split_order

REMEMBERED: Final = 512
"""Coups whose dealer is at hand for a correction or a claim."""

ReadTouch = Callable[[bytes], Iterable[e.Event]]
"""Reads the events of a record that changed wagers from its answer as it is written."""


class CoupRead(msgspec.Struct):
    """The coup under way, as far as it was read."""

    number: int = 0
    dealer: str = ""
    opened_ms: int = 0
    open_ms: int = 0
    unseen: Composition | None = None
    """Before its first card."""
    drawn: int = 0
    """How many cards it has so far."""
    cards: tuple[int, ...] = ()
    """As it was decided."""
    confirmed_by: str = ""
    burned_from: int = 0
    """Where the cards burned since the coup before begin in the shoe's order."""
    burned: tuple[int, ...] = ()
    late: dict[str, dict[str, LateWager]] = {}


class ReadingState(msgspec.Struct):
    shoe: ShoeRead = msgspec.field(default_factory=ShoeRead)
    ended: bool = True
    """Whether the shoe was told as ended, or none was read yet."""
    coup: CoupRead = msgspec.field(default_factory=CoupRead)
    dealers: dict[int, str] = {}
    touches: list[tuple[int, bytes]] = []
    """What changed wagers since wagering was opened: when, and the answer as it is written."""


class TableReading:
    def __init__(self, table: str, read_touch: ReadTouch, state: ReadingState | None = None) -> None:
        self.table, self._read_touch = table, read_touch
        self.state = ReadingState() if state is None else state
        self._at_ms, self._decks = 0, 0
        self._terms: Terms | None = None
        self._take: dict[type, Callable[[Any], WhatWasSeen | None]] = {
            **dict.fromkeys(OF_THE_SHOE, self._of_the_shoe),
            e.CardsShuffled: self._shuffled,
            e.ShoeEnded: self._ended,
            e.ShoeOpened: self._opened_shoe,
            e.TableClosed: self._table_closed,
            e.WageringOpened: self._opened,
            e.WageringClosed: self._closed,
            e.CardDealt: self._dealt,
            e.CoupDecided: self._decided,
            e.WagersSettled: self._settled,
            e.CoupVoided: self._voided,
            e.DummyCoupDeclared: self._dummy,
            e.CoupRecalculated: self._corrected,
            e.CoupInvalidated: self._corrected,
            e.ClaimMade: self._claimed,
        }

    def touch(self, at_ms: int, answer: bytes) -> None:
        """Wagers were changed. Most such records are never read: only those shortly before wagering closes matter."""
        self.state.touches.append((at_ms, answer))

    def forget_early_touches(self) -> None:
        """Keep only those that may still be late when wagering closes."""
        newest = max((at_ms for at_ms, _ in self.state.touches), default=0)
        self.state.touches = [one for one in self.state.touches if one[0] >= newest - LATE_MS]

    def take(self, events: Iterable[e.Event], at_ms: int, terms: Terms | None, decks: int) -> Iterator[WhatWasSeen]:
        """The events of a record; `terms` are those of coups for money, and none while a session is on."""
        self._at_ms, self._terms, self._decks = at_ms, terms, decks
        for event in events:
            take = self._take.get(type(event))
            seen = None if take is None else take(event)
            if seen is not None:
                yield seen

    def _shuffled(self, event: e.CardsShuffled) -> WhatWasSeen | None:
        before = self._shoe_over()
        self.state.shoe.shuffled(event, self._decks)
        self.state.ended, self.state.coup.burned_from = False, 0
        return before

    def _ended(self, _event: e.ShoeEnded) -> WhatWasSeen | None:
        """A virtual shoe is told when its order is opened, or when the next one is shuffled."""
        return None if self.state.shoe.virtual else self._shoe_over()

    def _opened_shoe(self, event: e.ShoeOpened) -> WhatWasSeen | None:
        return self._shoe_over(event.order) if event.shoe == self.state.shoe.number else None

    def _table_closed(self, _event: e.TableClosed) -> WhatWasSeen | None:
        """The cards are put away with the table."""
        over = self._shoe_over()
        self.state.shoe = ShoeRead()
        return over

    def _shoe_over(self, order: str = "") -> WhatWasSeen | None:
        if self.state.ended:
            return None
        self.state.ended = True
        return self.state.shoe.seen(self._at_ms, self.table, split_order(order) or ())

    def _opened(self, event: e.WageringOpened) -> None:
        state = self.state
        state.coup = CoupRead(event.coup, event.dealer, event.at_ms, burned_from=state.coup.burned_from)
        state.touches.clear()

    def _closed(self, event: e.WageringClosed) -> None:
        coup = self.state.coup
        coup.open_ms = max(0, event.at_ms - coup.opened_ms) if coup.opened_ms else 0
        coup.late = self._late_at(event.at_ms)
        self.state.touches.clear()

    def _late_at(self, closed_ms: int) -> dict[str, dict[str, LateWager]]:
        found: dict[str, dict[str, LateWager]] = {}
        for at_ms, written in self.state.touches:
            if at_ms < closed_ms - LATE_MS:
                continue
            for event in self._read_touch(written):
                if not isinstance(event, e.WagersChanged) or not event.at_ms:
                    continue
                of_seat = found.setdefault(event.station, {})
                for bet in sorted(event.before.keys() | event.after.keys()):
                    added = event.after.get(bet, 0) - event.before.get(bet, 0)
                    earlier = of_seat[bet].added_cents if bet in of_seat else 0
                    of_seat[bet] = LateWager(max(0, closed_ms - at_ms), earlier + added)
        return found

    def _dealt(self, event: e.CardDealt) -> None:
        coup, shoe = self.state.coup, self.state.shoe
        if not coup.drawn:
            coup.unseen, coup.burned = shoe.unseen, tuple(shoe.order[coup.burned_from :])
        if event.carried:
            coup.unseen = None
        coup.drawn += 1
        coup.dealer = event.dealer or coup.dealer
        shoe.take(event)
        coup.burned_from = len(shoe.order)

    def _decided(self, event: e.CoupDecided) -> None:
        coup = self.state.coup
        coup.cards, coup.confirmed_by = tuple(PLACE[card] for card in event.cards), event.by
        if event.dummy:
            self._over(event.coup)

    def _settled(self, event: e.WagersSettled) -> WhatWasSeen | None:
        coup, shoe, terms, settled = self.state.coup, self.state.shoe, self._terms, event.settlements
        self._over(event.coup)
        if coup.number != event.coup or terms is None:
            return None
        return CoupSeen(
            table=self.table,
            coup=event.coup,
            shoe=shoe.number,
            at_ms=event.at_ms,
            dealer=coup.dealer,
            confirmed_by=coup.confirmed_by,
            terms=terms,
            unseen=coup.unseen if shoe.known else None,
            cards=coup.cards,
            burned=coup.burned,
            stakes={seat: {one.bet: one.stake_cents for one in wagers} for seat, wagers in settled.items()},
            nets={seat: {one.bet: one.net_cents for one in wagers} for seat, wagers in settled.items()},
            late={seat: late for seat, late in coup.late.items() if seat in settled},
            open_ms=coup.open_ms,
        )

    def _over(self, number: int) -> None:
        state = self.state
        state.dealers[number] = state.coup.dealer
        if len(state.dealers) > REMEMBERED:
            del state.dealers[next(iter(state.dealers))]
        state.coup = CoupRead(burned_from=state.coup.burned_from)

    def _dummy(self, event: e.DummyCoupDeclared) -> WhatWasSeen | None:
        return self._given_back(event.coup, "", event.refunds)

    def _voided(self, event: e.CoupVoided) -> WhatWasSeen | None:
        seen = self._given_back(event.coup, event.by, event.refunds)
        self._over(event.coup)
        return seen

    def _given_back(self, number: int, by: str, refunds: Mapping[str, Mapping[Bet, int]]) -> WhatWasSeen | None:
        if self._terms is None:
            return None
        coup = self.state.coup
        return VoidSeen(
            table=self.table,
            coup=number,
            shoe=self.state.shoe.number,
            at_ms=self._at_ms,
            dealer=coup.dealer,
            by=by,
            cards=coup.drawn,
            stakes={seat: dict(wagers.items()) for seat, wagers in refunds.items()},
        )

    def _corrected(self, event: e.CoupRecalculated | e.CoupInvalidated) -> WhatWasSeen:
        return CorrectionSeen(
            table=self.table,
            coup=event.coup,
            at_ms=self._at_ms,
            dealer=self.state.dealers.get(event.coup, ""),
            by=event.by,
            moved={seat: one.change_cents for seat, one in event.adjustments.items() if one.change_cents},
            invalidated=isinstance(event, e.CoupInvalidated),
        )

    def _claimed(self, event: e.ClaimMade) -> WhatWasSeen:
        dealer = self.state.dealers.get(event.coup, "")
        return ClaimSeen(table=self.table, coup=event.coup, at_ms=self._at_ms, seat=event.station, dealer=dealer)

    def _of_the_shoe(self, event: e.Event) -> None:
        self.state.shoe.take(event)
