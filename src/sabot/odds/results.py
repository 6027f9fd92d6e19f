"""What the public API returns: mappings with exact figures that become frames (`.frame()`) and charts (`.plot()`)."""

from collections.abc import Iterator, Mapping, Sequence, Sized
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Generic, TypeVar

from sabot.basics.missing_extra import MissingExtra
from sabot.odds.bet_odds import BetOdds
from sabot.odds.edges import BetEdges, EdgesAnswer
from sabot.odds.next_coup import NextCoup
from sabot.odds.par.chart import Bar, Bars, Chart, Curve, Panel, Panels
from sabot.odds.par.sheet import Sheet
from sabot.odds.par.spreadsheet import csv_file
from sabot.odds.removal import effects_of_removal
from sabot.odds.study import Study
from sabot.odds.tally import BetTally, SimulationTally

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

_HOUSE, _PATRON = "#1f5fbf", "#c0392b"
_Value = TypeVar("_Value")


class _Table(Mapping[str, _Value], Generic[_Value]):
    """By bet. A subclass says what its rows and its chart are."""

    def __init__(self, by_bet: Mapping[str, _Value]) -> None:
        self._by_bet = by_bet

    def __getitem__(self, bet: str) -> _Value:
        try:
            return self._by_bet[bet]
        except KeyError:
            raise KeyError(f"there is no bet {bet!r}; there are {', '.join(self)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_bet)

    def __len__(self) -> int:
        return len(self._by_bet)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {', '.join(self)}>"


class OddsTable(_Table[BetOdds]):
    """The exact odds of every bet on one coup: `odds("crown-baccarat")["tie"].house_edge` is a fraction."""

    def __init__(self, study: Study, coming: NextCoup) -> None:
        super().__init__(study.odds(coming))
        self._study, self._coming = study, coming

    @cached_property
    def covariances(self) -> "Covariances":
        """Of the nets of a unit on each of two bets on the same coup."""
        pairs = combinations_with_replacement(self, 2)
        found = {(one, other): self._study.covariance(one, other, self._coming) for one, other in pairs}
        return Covariances(tuple(self), found)

    @cached_property
    def removals(self) -> "Removals":
        """The change in the expected net of a unit on each bet when one card is removed."""
        return Removals(effects_of_removal(self._study, self._coming.composition))

    def frame(self) -> "DataFrame":
        """A row for each bet; probabilities and edges as floats."""
        rows = {
            name: {
                "win": float(bet.win),
                "push": float(bet.push),
                "lose": float(bet.lose),
                "house_edge": float(bet.house_edge),
                "house_edge_exactly": str(bet.house_edge),
                "sd": bet.sd,
            }
            for name, bet in self.items()
        }
        return _frame(rows)

    def plot(self) -> "Figure":
        """House edges in per cent; red ones favour the patron."""
        return _plot(_edge_bars({name: float(bet.house_edge) for name, bet in self.items()}))


class Covariances(Mapping[tuple[str, str], Fraction]):
    """By two bets, in either order."""

    def __init__(self, bets: tuple[str, ...], found: Mapping[tuple[str, str], Fraction]) -> None:
        self.bets = bets
        self._found = found

    def __getitem__(self, pair: tuple[str, str]) -> Fraction:
        one, other = pair
        try:
            return self._found[pair if pair in self._found else (other, one)]
        except KeyError:
            raise KeyError(f"there are no two bets {one!r} and {other!r}; there are {', '.join(self.bets)}") from None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def frame(self) -> "DataFrame":
        """A row and a column for each bet."""
        return _frame({one: {other: float(self[one, other]) for other in self.bets} for one in self.bets})

    def plot(self) -> "Figure":
        """For each bet, its correlation with every other."""
        places = _places(self.bets)
        panels = tuple(_panel(one, places, [self._correlation(one, other) for other in self.bets]) for one in self.bets)
        return _plot(Panels(panels, "the other bet, in the order of the rule set", "correlation"))

    def _correlation(self, one: str, other: str) -> float:
        product = float(self[one, one]) * float(self[other, other])
        return float(self[one, other]) / product**0.5 if product else 0.0


class Removals(_Table[Mapping[str, Fraction]]):
    """By bet and card, the change in the expected net of a unit staked when one such card is removed."""

    def frame(self) -> "DataFrame":
        """A row for each card, a column for each bet."""
        cards = next(iter(self.values()), {})
        return _frame({card: {bet: float(by_card[card]) for bet, by_card in self.items()} for card in cards})

    def plot(self) -> "Figure":
        """For each bet, the change by card in millionths of the stake."""
        panels = tuple(
            _panel(bet, _places(by_card), [float(effect) * 1e6 for effect in by_card.values()])
            for bet, by_card in self.items()
        )
        return _plot(Panels(panels, "the card removed, in the order of the deck", "millionths of the stake"))


class Simulated(_Table[BetTally]):
    """The results of every bet over simulated shoes beside its exact odds. `tally` has all of it."""

    def __init__(self, tally: SimulationTally) -> None:
        super().__init__(tally.bets)
        self.tally = tally

    def frame(self) -> "DataFrame":
        rows = {
            name: {
                "win": bet.win,
                "push": bet.push,
                "lose": bet.lose,
                "house_edge": bet.house_edge,
                "standard_error": bet.standard_error,
                "exact": bet.exact,
                "z": bet.z,
            }
            for name, bet in self.items()
        }
        return _frame(rows)

    def plot(self) -> "Figure":
        """By how many standard errors each simulated edge is off the exact one."""
        bars = tuple(Bar(name, bet.z or 0.0, _HOUSE) for name, bet in self.items())
        return _plot(Bars(bars, "bet", "standard errors off"))


class EdgesOverShoes(_Table[BetEdges]):
    """How the exact edges vary over simulated shoes. `answer` has all of it."""

    def __init__(self, answer: EdgesAnswer) -> None:
        super().__init__(answer.bets)
        self.answer = answer

    def frame(self) -> "DataFrame":
        rows = {
            name: {
                "mean": bet.mean,
                "sd": bet.sd,
                "least": bet.least,
                "greatest": bet.greatest,
                "favourable": bet.favourable / self.answer.coups,
                "gain_a_shoe": bet.gain_a_shoe,
            }
            for name, bet in self.items()
        }
        return _frame(rows)

    def plot(self) -> "Figure":
        """For each bet, how many coups favoured the patron, by the part of the shoe that was seen."""
        panels = tuple(
            _panel(
                name,
                [tenth.shown for tenth in bet.by_tenth],
                [100 * tenth.favourable / tenth.coups for tenth in bet.by_tenth],
            )
            for name, bet in self.items()
        )
        return _plot(Panels(panels, "part of the shoe that was seen", "favourable coups, %"))


class ParSheet:
    """A PAR sheet: its tables as data, and as files."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    @property
    def titles(self) -> list[str]:
        return [section.title for section in self.sheet.sections]

    def html(self) -> bytes:
        from sabot.odds.par.page import html_page  # noqa: PLC0415  It needs an extra.

        return html_page(self.sheet)

    def pdf(self) -> bytes:
        from sabot.odds.par.document import pdf_document  # noqa: PLC0415  It needs an extra.

        return pdf_document(self.sheet)

    def csv(self) -> bytes:
        return csv_file(self.sheet)

    def frame(self, title: str = "All bets") -> "DataFrame":
        """The table under this title, as it is printed."""
        section = next(one for one in self.sheet.sections if one.title == title)
        headings = [heading.removesuffix("|") for heading in section.headings[1:]]
        return _frame({row[0]: dict(zip(headings, row[1:], strict=True)) for row in section.rows})

    def plot(self, title: str = "House edge by number of decks") -> "Figure":
        """The chart under this title."""
        chart = next(one.chart for one in self.sheet.sections if one.title == title and one.chart is not None)
        return _plot(chart)


def _frame(rows: Mapping[str, Mapping[str, object]]) -> "DataFrame":
    try:
        from pandas import DataFrame  # noqa: PLC0415  An optional dependency.
    except ModuleNotFoundError as missing:
        raise MissingExtra("frames", "frames", missing) from None
    return DataFrame.from_dict({name: dict(row) for name, row in rows.items()}, orient="index")


def _plot(chart: Chart) -> "Figure":
    from sabot.odds.par.drawing import figure  # noqa: PLC0415  It needs an extra.

    return figure(chart)


def _edge_bars(edges: Mapping[str, float]) -> Bars:
    bars = tuple(Bar(name, 100 * edge, _HOUSE if edge >= 0 else _PATRON) for name, edge in edges.items())
    return Bars(bars, "bet", "house edge, %")


def _panel(bet: str, xs: Sequence[float], ys: Sequence[float]) -> Panel:
    return Panel(bet.replace("_", " "), (Curve("", tuple(xs), tuple(ys)),))


def _places(of: Sized) -> tuple[float, ...]:
    return tuple(map(float, range(len(of))))
