"""One table that is played night after night: shoes, dealers, patrons, and what its records tell of them."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from sabot.basics.money import Cents
from sabot.integrity.seen import ClaimSeen, CorrectionSeen, CoupSeen, LateWager, ShoeSeen, VoidSeen, WhatWasSeen
from sabot.integrity.sides import lead
from sabot.integrity.trial.patrons import DRAWS, Situation, patron
from sabot.odds.composition import Composition
from sabot.odds.exact import BANKER_DRAWS, PLAYER_DRAWS
from sabot.rules.cards import DECK
from sabot.rules.coup import read_coup
from sabot.rules.rule_set import Bet
from sabot.rules.table_of_play import NO_CARD
from sabot.rules.terms import Terms

COUPS_AN_HOUR: Final = 80
COUPS_A_DEALER: Final = 27
"""A dealer deals for some twenty minutes."""
DEALERS: Final = 4
SEATS: Final = (3, 8)
BEHIND_CUTTING_CARD: Final = 20
OPEN_MS: Final = 20_000
NOW_MS: Final = 45_000
"""From coup to coup."""
WRONG_ENTRIES: Final = 0.003
"""How often a coup is corrected, at a dealer of usual care."""
VOIDED: Final = 0.002
_POINTS: Final = tuple(card.points for card in DECK)


Stakes = dict[str, dict[str, int]]
"""Cents, by seat and bet."""


class Coming(NamedTuple):
    """What only a cheat knows before a coup."""

    cards: tuple[int, ...]
    unseen: Composition


class Cheat:
    """What a cheat changes about a night; this one changes nothing."""

    began = 0
    """The coups that were honest before it began."""

    def order(self, cards: list[int], _table: "TrialTable") -> list[int]:
        """The order in which the cards lie after the shuffle."""
        return cards

    def lay(self, _table: "TrialTable", _coming: Coming, _stakes: Stakes) -> dict[str, dict[str, LateWager]]:
        """Changes the stakes; gives the late wagers among the changes."""
        return {}

    def enter(self, cards: tuple[int, ...], _table: "TrialTable", _dealer: str, _stakes: Stakes) -> tuple[int, ...]:
        """The cards that go on record, of those dealt."""
        return cards


HONEST: Final = Cheat()


class TrialTable:
    """A table with its cards and dealers, over several nights."""

    def __init__(self, name: str, terms: Terms, chance: np.random.Generator, cheat: Cheat = HONEST) -> None:
        self.name, self.terms, self.chance, self.cheat = name, terms, chance, cheat
        self.dealers = [(f"D{number + 1}", 0.7 + 0.7 * float(chance.random())) for number in range(DEALERS)]
        """With how careless each is: the worst errs twice as often as the best."""
        self.coup = self.shoe = self.at_ms = 0
        self.played: list[list[tuple[int, ...]]] = []
        """The coups of the shoes so far, as they were dealt."""

    def night(self, coups: int) -> Iterator[WhatWasSeen]:
        """A night of whole shoes, with so many coups or a few more."""
        number = int(self.chance.integers(SEATS[0], SEATS[1] + 1))
        self.patrons = {f"S{seat + 1}": patron(self.chance) for seat in range(number)}
        until = self.coup + coups
        while self.coup < until:
            yield from self._shoe()

    def _shoe(self) -> Iterator[WhatWasSeen]:
        cards = np.repeat(np.arange(52), self.terms.decks)
        self.chance.shuffle(cards)
        order = self.cheat.order(cards.tolist(), self)
        self.shoe += 1
        self.played.append([])
        self._left = [self.terms.decks] * 52
        self._now = Situation([], [], len(order))
        self._draws = self.chance.random((100, len(self.patrons), DRAWS)).tolist()
        self._events = self.chance.random((100, 4)).tolist()
        seen = [-1]
        place, last = 1, False
        while not last and len(order) - place >= 6 and len(self.played[-1]) < 100:
            last = place > len(order) - BEHIND_CUTTING_CARD
            dealt = complete(order[place : place + 6])
            place += len(dealt)
            for told in self._coup(dealt):
                yield told
                seen += told.cards if isinstance(told, CoupSeen) else ()
        yield ShoeSeen(
            table=self.name,
            shoe=self.shoe,
            at_ms=self.at_ms,
            decks=self.terms.decks,
            virtual=False,
            whole=True,
            cards=tuple(seen),
        )

    def _coup(self, dealt: tuple[int, ...]) -> Iterator[WhatWasSeen]:
        number = len(self.played[-1])
        dealer, careless = self.dealers[self.coup // COUPS_A_DEALER % DEALERS]
        self.coup += 1
        self.at_ms += NOW_MS
        unseen = Composition(tuple(self._left))
        stakes, late = self._wagers(self._draws[number])
        late |= self.cheat.lay(self, Coming(dealt, unseen), stakes)
        cards = self.cheat.enter(dealt, self, dealer, stakes)
        chances = self._events[number]
        nets = self._settle(cards, stakes)
        self._remember(cards, nets)
        yield CoupSeen(
            table=self.name,
            coup=self.coup,
            shoe=self.shoe,
            at_ms=self.at_ms,
            dealer=dealer,
            confirmed_by=dealer,
            terms=self.terms,
            unseen=unseen,
            cards=cards,
            stakes=stakes,
            nets=nets,
            late=late,
            open_ms=OPEN_MS,
        )
        yield from self._after(dealer, careless, chances, stakes)

    def _wagers(self, draws: list[list[float]]) -> tuple[Stakes, dict[str, dict[str, LateWager]]]:
        stakes, late = {}, {}
        for (seat, one), mine in zip(self.patrons.items(), draws, strict=True):
            laid = one.wager(self._now, mine)
            if laid:
                stakes[seat] = laid
                if mine[5] < one.late:
                    before = int(2_000 * mine[6] ** one.how_late)
                    bet = next(iter(laid))
                    late[seat] = {bet: LateWager(before, laid[bet])}
        return stakes, late

    def _settle(self, cards: tuple[int, ...], stakes: Stakes) -> Stakes:
        rulings = self.terms.rulings(read_coup([DECK[card] for card in cards]))
        return {
            seat: {bet: rulings[Bet(bet)].settle(Bet(bet), Cents(stake)).net_cents for bet, stake in laid.items()}
            for seat, laid in stakes.items()
        }

    def _remember(self, cards: tuple[int, ...], nets: Stakes) -> None:
        won = lead(cards)
        self.played[-1].append(cards)
        self._now.results.append(won)
        if won:
            self._now.decided.append(won)
        for card in cards:
            self._left[card] -= 1
        self._now.left -= len(cards)
        for seat, one in self.patrons.items():
            net = sum(nets.get(seat, {}).values())
            one.won = (net > 0) - (net < 0)

    def _after(self, dealer: str, careless: float, chances: list[float], stakes: Stakes) -> Iterator[WhatWasSeen]:
        table, coup, at_ms = self.name, self.coup, self.at_ms
        if chances[0] < WRONG_ENTRIES * careless:
            yield CorrectionSeen(
                table=table, coup=coup, at_ms=at_ms, dealer=dealer, by="GS", moved={}, invalidated=False
            )
        claims = sum([self.patrons[seat].claims for seat in stakes])
        if chances[1] < claims:
            seat = self._claimant(list(stakes), chances[1])
            yield ClaimSeen(table=table, coup=coup, at_ms=at_ms, seat=seat, dealer=dealer)
        if chances[2] < VOIDED * careless:
            self.coup += 1
            at = self.coup
            yield VoidSeen(
                table=table, coup=at, shoe=self.shoe, at_ms=at_ms, dealer=dealer, by="GS", cards=0, stakes=stakes
            )

    def _claimant(self, seats: list[str], chance: float) -> str:
        """Each seat by its own rate: `chance` is below the sum of the rates."""
        for seat in seats:
            chance -= self.patrons[seat].claims
            if chance < 0:
                return seat
        return seats[-1]


def complete(cards: list[int]) -> tuple[int, ...]:
    """As many of these cards as a coup takes."""
    player, banker = (_POINTS[cards[0]] + _POINTS[cards[2]]) % 10, (_POINTS[cards[1]] + _POINTS[cards[3]]) % 10
    drawn = PLAYER_DRAWS[player][banker]
    column = _POINTS[cards[4]] + 1 if drawn else NO_CARD
    return tuple(cards[: 4 + drawn + BANKER_DRAWS[player][banker][column]])
