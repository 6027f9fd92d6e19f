"""A seat that wins too often while one dealer deals: results confirmed in its favour, or cards that it is shown.

The result on record follows from the cards on record, so a dealer who confirms a wrong one enters wrong cards. No
single record shows that. But the seat then wins more often with this dealer than the cards left allow.
"""

from collections.abc import Iterator
from math import log
from typing import Final

import msgspec
import numpy as np

from sabot.basics.phrase import Phrase, phrase
from sabot.integrity.budget import threshold
from sabot.integrity.chances import chance_of_winning
from sabot.integrity.light import Kind
from sabot.integrity.lit import OneKind, Shown
from sabot.integrity.payoffs import Floats
from sabot.integrity.seen import CoupSeen
from sabot.integrity.sides import BANKER, PLAYER, side_of
from sabot.integrity.tilts import log_factors

TILTS: Final = (1.1, 1.25, 1.6, 3.0)
_MANY: Final = len(TILTS)
_HIGHEST, _WAGERS, _WON, _EXPECTED = range(_MANY, _MANY + 4)
_FIGURES: Final = _EXPECTED + 1
"""Of each pair: the logarithm of the capital of each tilt, and these."""


class FavoursState(msgspec.Struct):
    pairs: list[str] = []
    """Dealers and seats with a blank between them, in the order in which they appeared."""
    figures: bytes = b""
    """A row of doubles for each pair, little-endian."""


class Favours(OneKind):
    name = "favours/1"
    kind = Kind.FAVOURS
    form = FavoursState
    state: FavoursState

    def __init__(self, state: FavoursState | None = None) -> None:
        super().__init__(state)
        self._rows = {pair: row for row, pair in enumerate(self.state.pairs)}
        self._figures: Floats = np.frombuffer(self.state.figures, dtype="<f8").reshape(-1, _FIGURES).copy()

    def before_keeping(self) -> None:
        self.state = FavoursState(list(self._rows), self._figures.astype("<f8").tobytes())

    def take_coup(self, coup: CoupSeen) -> None:
        won, lost = list[str](), list[str]()
        on: dict[str, str] = {}
        for seat, stakes in coup.stakes.items():
            side = side_of(stakes)
            net = coup.nets[seat].get(side, 0) if side else 0
            if net:
                on[seat] = side
                (won if net > 0 else lost).append(seat)
        if not on:
            return
        chances = {side: chance_of_winning(coup, side) for side in (PLAYER, BANKER)}
        if None in chances.values():
            return
        more = {
            (side, happened): [*log_factors(TILTS, chance, happened=happened), 0.0, 1.0, float(happened), chance]
            for side, chance in chances.items()
            if chance is not None
            for happened in (True, False)
        }
        rows = self._rows_of([f"{coup.dealer} {seat}" for seat in (*won, *lost)])
        figures = self._figures[rows]
        figures += [*(more[on[seat], True] for seat in won), *(more[on[seat], False] for seat in lost)]
        figures[:, _HIGHEST] = np.maximum(figures[:, _HIGHEST], _log_means(figures))
        self._figures[rows] = figures

    def _rows_of(self, pairs: list[str]) -> list[int]:
        known = self._rows
        new = [pair for pair in pairs if pair not in known]
        if new:
            known |= {pair: len(known) + number for number, pair in enumerate(new)}
            self._figures = np.vstack([self._figures, np.zeros((len(new), _FIGURES))])
        return [known[pair] for pair in pairs]

    def begin_day(self) -> None:
        figures = self._figures
        alarm_at = [log(threshold(self.kind, number)) for number in range(len(figures))]
        figures[figures[:, _HIGHEST] >= alarm_at, :_MANY] = -np.inf
        figures[:, :_MANY] = np.logaddexp(figures[:, :_MANY], 0.0)
        figures[:, _HIGHEST] = _log_means(figures)

    def shown(self) -> Iterator[Shown]:
        for row, pair in enumerate(self._rows):
            highest, wagers = float(self._figures[row, _HIGHEST]), int(self._figures[row, _WAGERS])
            yield Shown(pair, row, highest, wagers, lambda row=row, pair=pair: self._told(row, pair))  # type: ignore[misc]

    def _told(self, row: int, pair: str) -> Phrase:
        dealer, _, seat = pair.rpartition(" ")
        wagers, won, expected = self._figures[row, _WAGERS:].tolist()
        return phrase(
            "integrity_favours",
            dealer=dealer,
            seat=seat,
            wagers=int(wagers),
            won=int(won),
            expected=f"{expected:.1f}",
        )


def _log_means(figures: Floats) -> Floats:
    means: Floats = np.logaddexp.reduce(figures[:, :_MANY], axis=1) - log(_MANY)
    return means
