"""The return of each bet, table, dealer and seat, held against exact theory after every coup.

Given the unseen cards before a coup, the whole distribution of its result X for any stakes is known, so that the factor
exp(c X) / E exp(c X) has the honest expectation one for every c that was chosen before the cards: the exponential tilt
of a martingale (Howard, Ramdas, McAuliffe and Sekhon 2020, "Time-uniform Chernoff bounds via nonnegative
supermartingales"; 2021, "Time-uniform, nonparametric, nonasymptotic confidence sequences"). The evidence is the mean of
the products over a grid of c, positive ones against a subject that wins too much and negative ones against one that
loses too much. Stakes are predictable, so c is a part of the grid over the subject's largest stakes of late. Where
stakes lie on the ending and on pairs, E exp(c X) is bounded by Hölder's inequality from the exact values of each.

The same products, with a shift of the mean return taken out, give a confidence sequence: the shifts whose evidence has
never been too large.
"""

from collections.abc import Iterator, Sequence
from math import log
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from sabot.basics.phrase import Phrase, phrase
from sabot.integrity.budget import INTERVAL_MISSES, WATCHES_FOR_AN_ALARM, threshold
from sabot.integrity.detector import Detector
from sabot.integrity.evidence import state_of, value
from sabot.integrity.light import Kind, Light, ReturnShown
from sabot.integrity.payoffs import Floats, Payoffs, are_chances_known, payoffs_of
from sabot.integrity.seen import CoupSeen

_HALVINGS: Final = 7
TILTS: Final[Floats] = np.array([sign * 2.0**-number for sign in (1, -1) for number in range(_HALVINGS)])
"""The grid: c times the standard deviation of the largest stakes of late. The first half is for winning too much."""
_MANY: Final = len(TILTS)
KEEPS_SCALE: Final = 0.99
"""How much of the scale of stakes is left a coup later, where no larger stakes came."""

_BISECTIONS: Final = 30

_EVIDENCE: Final = slice(0, _MANY)
_PLAIN: Final = slice(_MANY, 2 * _MANY)
"""The logarithms of the products since the beginning, without new days."""
_LEVER: Final = slice(2 * _MANY, 3 * _MANY)
"""How much a shift of the return changes each of those."""
_SCALE, _HIGHEST, _COUPS, _TURNOVER, _NET, _EXPECTED, _SKIPPED = range(3 * _MANY, 3 * _MANY + 7)
_FIGURES: Final = _SKIPPED + 1

Subject = tuple[Kind, str]


class ReturnsState(msgspec.Struct, array_like=True):
    subjects: list[Subject] = []
    """In the order in which they appeared."""
    figures: bytes = b""
    """A column of doubles for each subject, little-endian."""


class Returns(Detector):
    name = "returns/1"
    form = ReturnsState

    def __init__(self, state: ReturnsState | None = None) -> None:
        super().__init__(state)
        kept: ReturnsState = self.state
        self._columns = {subject: column for column, subject in enumerate(kept.subjects)}
        figures = np.frombuffer(kept.figures, dtype="<f8").reshape(_FIGURES, -1)
        self._figures: Floats = figures.astype(np.float64)

    def before_keeping(self) -> None:
        self.state = ReturnsState(list(self._columns), self._figures.astype("<f8").tobytes())

    def take_coup(self, coup: CoupSeen) -> None:
        if not coup.stakes:
            return
        if not are_chances_known(coup.unseen):
            self._skip(coup)
            return
        assert coup.unseen is not None
        payoffs = payoffs_of(coup.terms)
        subjects, stakes, nets = _wagered(coup, payoffs)
        if subjects:
            self._add(self._columns_of(subjects), stakes, nets, payoffs, payoffs.chances(coup.unseen))

    def _skip(self, coup: CoupSeen) -> None:
        """The odds of a fresh shoe would only be near, so a coup whose unseen cards are not known shows nothing."""
        bets = {bet for wagers in coup.stakes.values() for bet in wagers}
        subjects = [*((Kind.RETURN_OF_SEAT, seat) for seat in coup.stakes), *_shared(coup, bets)]
        columns = self._columns_of(subjects)
        self._figures[_SKIPPED, columns] += 1

    def _add(self, columns: NDArray[np.intp], stakes: Floats, nets: Floats, payoffs: Payoffs, chances: Floats) -> None:
        figures, staked = self._figures, stakes.sum(axis=1)
        spreads = (stakes * payoffs.spread) @ payoffs.part_of_bet
        spread = spreads.sum(axis=1)
        scale = np.maximum(spread, KEEPS_SCALE * figures[_SCALE, columns])
        won = nets.sum(axis=1)
        logs = TILTS[:, None] * (won / scale) - log_means(stakes @ payoffs.nets, spreads, scale, payoffs, chances)
        expected = stakes @ (payoffs.nets @ chances)
        figures[_EVIDENCE, columns] += logs
        figures[_PLAIN, columns] += logs
        figures[_LEVER, columns] += TILTS[:, None] * (staked / scale)
        figures[_SCALE, columns] = scale
        figures[_HIGHEST, columns] = np.maximum(figures[_HIGHEST, columns], _log_mean(figures[_EVIDENCE, columns]))
        figures[_COUPS, columns] += 1
        figures[_TURNOVER, columns] += staked
        figures[_NET, columns] += won
        figures[_EXPECTED, columns] += expected

    def _columns_of(self, subjects: Sequence[Subject]) -> NDArray[np.intp]:
        known = self._columns
        new = [subject for subject in subjects if subject not in known]
        if new:
            known |= {subject: len(known) + number for number, subject in enumerate(new)}
            self._figures = np.hstack([self._figures, np.zeros((_FIGURES, len(new)))])
        return np.array([known[subject] for subject in subjects], dtype=np.intp)

    def begin_day(self) -> None:
        figures = self._figures
        alarmed = figures[_HIGHEST] >= np.log(self._thresholds())
        figures[_EVIDENCE, alarmed] = -np.inf
        figures[_EVIDENCE] = np.logaddexp(figures[_EVIDENCE], 0.0)
        figures[_HIGHEST] = _log_mean(figures[_EVIDENCE])

    def _thresholds(self) -> list[float]:
        appeared: dict[Kind, int] = {}
        found = []
        for kind, _ in self._columns:
            number = appeared[kind] = appeared.get(kind, -1) + 1
            found.append(threshold(kind, number))
        return found

    def lights(self, table: str) -> Iterator[Light]:
        return self._lights(table, range(len(self._columns)))

    def raised(self, table: str) -> Iterator[Light]:
        watched = np.log(self._thresholds()) - log(WATCHES_FOR_AN_ALARM)
        return self._lights(table, np.flatnonzero(self._figures[_HIGHEST] >= watched).tolist())

    def _lights(self, table: str, columns: Sequence[int]) -> Iterator[Light]:
        subjects, thresholds, figures = list(self._columns), self._thresholds(), self._figures[:, columns]
        for column, one, shown in zip(columns, figures.T, _shown(figures), strict=True):
            (kind, subject), most, highest = subjects[column], thresholds[column], float(one[_HIGHEST])
            yield Light(
                *(kind, table, subject, state_of(highest, most), value(highest), most, int(one[_COUPS])),
                _sentence(shown, int(one[_COUPS]), int(one[_SKIPPED])),
                phrase(f"advise_{kind}"),
                shown,
            )


def log_means(results: Floats, spreads: Floats, scale: Floats, payoffs: Payoffs, chances: Floats) -> Floats:
    """The logarithm of E exp(c X), or a bound of it, for every tilt and row.

    `results` is what each row wins in each outcome of each part. For weights w that add up to one, Hölder's inequality
    has E exp(c (X + Y)) at most (E exp(c X / w))**w times the same of Y; a row on one part alone is exact.
    """
    weights = spreads / spreads.sum(axis=1, keepdims=True)
    shares = np.where(weights > 0, weights, 1.0)[:, payoffs.part_of_outcome]
    powers = np.empty((_MANY, *results.shape))
    np.exp(results * (TILTS[_HALVINGS - 1] / scale)[:, None] / shares, out=powers[_HALVINGS - 1])
    for number in range(_HALVINGS - 1, 0, -1):  # A square is cheaper than the exponential of the double.
        np.square(powers[number], out=powers[number - 1])
    np.reciprocal(powers[:_HALVINGS], out=powers[_HALVINGS:])
    total = np.zeros((_MANY, len(results)))
    for number, part in enumerate(payoffs.parts):
        if weights[:, number].any():
            total += weights[:, number] * np.log(powers[:, :, part] @ chances[part])
    return total


def _wagered(coup: CoupSeen, payoffs: Payoffs) -> tuple[list[Subject], Floats, Floats]:
    """The subjects with the stakes and nets of each by bet: every seat, every bet, then the table and its dealer."""
    place, seats = payoffs.place, list(coup.stakes)
    rows, columns, staked, won = [], [], [], []
    for row, (seat, wagers) in enumerate(coup.stakes.items()):
        nets = coup.nets[seat]
        for bet, cents in wagers.items():
            column = place.get(bet)
            if column is not None:
                rows.append(row)
                columns.append(column)
                staked.append(cents)
                won.append(nets[bet])
    both = np.zeros((2, len(seats), len(place)))
    both[:, rows, columns] = staked, won
    together = both.sum(axis=1)
    bets = np.flatnonzero(together[0])
    if not bets.size:
        return [], both[0], both[1]
    alone = np.zeros((2, len(bets), len(place)))
    alone[:, np.arange(len(bets)), bets] = together[:, bets]
    names = list(place)
    with_stake = np.flatnonzero(both[0].any(axis=1))
    subjects: list[Subject] = [(Kind.RETURN_OF_SEAT, seats[row]) for row in with_stake]
    subjects += _shared(coup, [names[bet] for bet in bets])
    shared = [together[:, None, :]] * (len(subjects) - len(with_stake) - len(bets))
    stacked = np.concatenate([both[:, with_stake], alone, *shared], axis=1)
    return subjects, stacked[0], stacked[1]


def _shared(coup: CoupSeen, bets: Sequence[str] | set[str]) -> list[Subject]:
    of_dealer = [(Kind.RETURN_OF_DEALER, coup.dealer)] if coup.dealer else []
    return [*((Kind.RETURN_OF_BET, bet) for bet in bets), (Kind.RETURN_OF_TABLE, ""), *of_dealer]


def _log_mean(logs: Floats) -> Floats:
    """Of each column, the logarithm of the mean of what has these logarithms."""
    largest = np.maximum(logs.max(axis=0), -1e300)
    mean: Floats = largest + np.log(np.exp(logs - largest).mean(axis=0))
    return mean


def _shown(figures: Floats) -> list[ReturnShown | None]:
    """The returns of columns, with their intervals; nothing where nothing was wagered."""
    turnover = figures[_TURNOVER]
    at_all = np.where(turnover > 0, turnover, 1.0)
    theoretical, actual = 1 + figures[_EXPECTED] / at_all, 1 + figures[_NET] / at_all
    plain, lever = figures[_PLAIN], figures[_LEVER]
    lower = theoretical + _shifts(plain[:_HALVINGS], lever[:_HALVINGS])
    upper = theoretical - _shifts(plain[_HALVINGS:], -lever[_HALVINGS:])
    return [
        ReturnShown(int(cents), *map(float, one)) if cents else None
        for cents, *one in zip(turnover, actual, theoretical, lower, upper, strict=True)
    ]


def _shifts(plain: Floats, lever: Floats) -> Floats:
    """Of each column, the shift of the return at which the evidence for a larger one comes to what an interval may
    miss.

    The evidence falls with the shift. It is enough where one tilt alone has so much that its part of the mean is, and
    not enough where all tilts have less.
    """
    enough, levers = log(2 / INTERVAL_MISSES), np.where(lever > 0, lever, 1.0)
    low, high = ((plain - more) / levers for more in (enough + log(_HALVINGS), enough))
    lowest, highest = low.max(axis=0), high.max(axis=0)
    for _ in range(_BISECTIONS):
        middle = (lowest + highest) / 2
        is_enough = _log_mean(plain - middle * lever) >= enough
        lowest, highest = np.where(is_enough, middle, lowest), np.where(is_enough, highest, middle)
    between: Floats = (lowest + highest) / 2
    return between


def _sentence(shown: ReturnShown | None, coups: int, skipped: int) -> Phrase:
    told = phrase("integrity_nothing_yet")
    if shown is not None:
        figures = {name: f"{getattr(shown, name):.2%}" for name in ("actual", "theoretical", "lower", "upper")}
        told = phrase("integrity_return", coups=coups, **figures)
    return phrase("integrity_return_skipped", told=told, skipped=skipped) if skipped else told
