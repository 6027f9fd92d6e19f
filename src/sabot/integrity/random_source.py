"""The health of the random source behind virtual shoes: every position, runs and serial correlation, repeated shoes.

Cards of a virtual shoe come from no dealer's hands, so whatever is not chance is a fault of the source. Three things
are bet on with equal shares of the capital. One is ranks that lie too often or too seldom in a part of the shoe. One is
equal ranks or suits at small distances. One is a shoe that begins as an earlier one of this table did.
"""

from collections.abc import Iterator
from math import exp, inf, log, log1p
from typing import Final

import msgspec
import numpy as np

from sabot.basics.phrase import Phrase, phrase
from sabot.integrity.budget import threshold
from sabot.integrity.evidence import Evidence
from sabot.integrity.light import Kind
from sabot.integrity.lit import OneKind, Shown
from sabot.integrity.seen import ShoeSeen
from sabot.integrity.shoe_bets import CardsInTurn, ShoeMixture, is_readable
from sabot.integrity.shoe_order import RANKS, SUITS
from sabot.integrity.tilts import log_mean_exp, log_products

PARTS: Final = 8
PART_TILTS: Final = (0.8, 1.25)
LAGS: Final = (1, 2, 3, 4, 5, 6, 8, 13, 26, 52)
LAG_TILTS: Final = (0.5, 0.8, 1.25, 2.0)
BEGINNING: Final = 11
"""So many first cards tell shoes apart; as a number they fit in 64 bits."""
REMEMBERED: Final = 2_000
"""The beginnings of so many shoes are remembered: some months of a table."""
STAKED_ON_A_REPEAT: Final = 0.001


class SourceState(msgspec.Struct):
    order: ShoeMixture = msgspec.field(default_factory=ShoeMixture)
    repeated: Evidence = msgspec.field(default_factory=Evidence)
    evidence: Evidence = msgspec.field(default_factory=Evidence)
    beginnings: list[int] = []
    again: int = 0
    """The last shoe that began as an earlier one did; 0 for none."""


class RandomSource(OneKind):
    name = "source/1"
    kind = Kind.SOURCE
    form = SourceState
    state: SourceState

    def take_shoe(self, shoe: ShoeSeen) -> None:
        if not shoe.virtual or not is_readable(shoe):
            return
        in_turn = CardsInTurn(shoe)
        if in_turn.foreign:
            return  # The census tells of it.
        state = self.state
        state.order.multiply([*positions(in_turn), *lags(in_turn)])
        self._see_beginning(shoe, in_turn)
        state.evidence.coups += 1
        state.evidence.stand_at(log_mean_exp((state.order.evidence.log, state.repeated.log)))

    def _see_beginning(self, shoe: ShoeSeen, in_turn: CardsInTurn) -> None:
        state = self.state
        if len(in_turn.cards) < BEGINNING:
            return
        begins = 0
        for card in in_turn.cards[:BEGINNING].tolist():
            begins = begins * 52 + card
        again = begins in state.beginnings
        state.repeated.multiply(repeat_log_factor(len(state.beginnings), shoe.decks, again=again))
        if again:
            state.again = shoe.shoe
        else:
            state.beginnings = [*state.beginnings, begins][-REMEMBERED:]

    def begin_day(self) -> None:
        state, alarm_at = self.state, threshold(self.kind)
        if state.evidence.highest >= log(alarm_at):
            state.order, state.repeated, state.again = ShoeMixture(), Evidence(), 0
            state.evidence.begin_day(alarm_at)
            return
        for one in (state.order, state.repeated, state.evidence):
            one.begin_day(inf)

    def shown(self) -> Iterator[Shown]:
        evidence = self.state.evidence
        yield Shown("", 0, evidence.highest, evidence.coups, self._told)

    def _told(self) -> Phrase:
        state = self.state
        if state.again:
            return phrase("integrity_source_again", shoe=state.again)
        return phrase("integrity_source", shoes=state.evidence.coups)


def positions(shoe: CardsInTurn) -> list[float]:
    """Each rank in each part of the shoe."""
    chances = shoe.left.reshape(-1, 4, 13).sum(axis=1) / shoe.unseen[:, None]
    came = RANKS[shoe.cards][:, None] == np.arange(13)
    part = shoe.places // 52 % PARTS
    found: list[float] = []
    for number in range(PARTS):
        here = part == number
        found += log_products(PART_TILTS, chances[here], came[here]).ravel().tolist()
    return found


def lags(shoe: CardsInTurn) -> list[float]:
    """Equal ranks and equal suits at each distance."""
    found: list[float] = []
    for group in (RANKS, SUITS):
        for lag in LAGS:
            found += log_products(LAG_TILTS, *shoe.alike(group, lag)).ravel().tolist()
    return found


def repeat_log_factor(remembered: int, decks: int, *, again: bool) -> float:
    """What a small stake on a repeated beginning multiplies the capital by.

    Any given beginning has a chance of at most (decks / N)^k with N cards left at its end, and one of those remembered
    at most as many times that.
    """
    if not remembered:
        return 0.0
    if not again:
        return log1p(-STAKED_ON_A_REPEAT)
    chance = exp(log(remembered) + BEGINNING * log(decks / (52 * decks - BEGINNING)))
    return log(1.0 - STAKED_ON_A_REPEAT + STAKED_ON_A_REPEAT / chance)
