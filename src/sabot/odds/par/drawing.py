"""Draws charts as SVG and PNG. The same chart always gives the same bytes."""

import io
from typing import Any, Final

from sabot.basics.missing_extra import MissingExtra
from sabot.odds.par.chart import Bars, Chart, Panel, Panels

try:
    import matplotlib as mpl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
except ModuleNotFoundError as missing:
    raise MissingExtra("charts", "paper", missing) from None

_WIDTH: Final = 10.0
_ACROSS: Final = 5
"""The most panels side by side that are readable on paper."""

_STYLE: Final[dict[Any, Any]] = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "svg.hashsalt": "sabot",  # Without it the ids inside an SVG are random.
    "svg.fonttype": "path",  # The reader's machine may lack the font.
}


def svg(chart: Chart) -> str:
    text = _draw(chart, "svg", {"Date": None, "Creator": None}).decode()
    return text[text.index("<svg") :]


def png(chart: Chart) -> bytes:
    return _draw(chart, "png", {"Software": None})


def figure(chart: Chart) -> Figure:
    """The chart as a figure of matplotlib, for a notebook."""
    with mpl.rc_context(_STYLE):
        return _bars(chart) if isinstance(chart, Bars) else _panels(chart)


def _draw(chart: Chart, form: str, metadata: dict[str, None]) -> bytes:
    with mpl.rc_context(_STYLE):
        drawn = io.BytesIO()
        figure(chart).savefig(drawn, format=form, dpi=200, metadata=metadata)
    return drawn.getvalue()


def _bars(chart: Bars) -> Figure:
    figure = Figure(figsize=(_WIDTH, 2.0), layout="constrained")
    axes = figure.add_subplot()
    places = range(len(chart.bars))
    axes.bar(places, [bar.value for bar in chart.bars], color=[bar.colour for bar in chart.bars])
    axes.set_xticks(places, [bar.label for bar in chart.bars])
    axes.grid(visible=False, axis="x")
    axes.set_xlabel(chart.across)
    axes.set_ylabel(chart.up)
    return figure


def _panels(chart: Panels) -> Figure:
    across = min(_ACROSS, len(chart.panels))
    rows = -(-len(chart.panels) // across)
    figure = Figure(figsize=(_WIDTH, 1.45 * rows + 0.3), layout="constrained")
    for number, panel in enumerate(chart.panels, 1):
        axes = figure.add_subplot(rows, across, number)
        _panel(axes, panel)
        if chart.powers_of_ten:
            axes.set_xscale("log")
        else:
            axes.set_xticks(sorted({x for curve in panel.curves for x in curve.xs}))
    figure.supxlabel(chart.across, fontsize=8)
    figure.supylabel(chart.up, fontsize=8)
    return figure


def _panel(axes: Axes, panel: Panel) -> None:
    axes.set_title(panel.title, fontsize=8)
    for curve in panel.curves:
        (line,) = axes.plot(curve.xs, curve.ys, marker="" if curve.low else "o", markersize=3)
        if curve.low:
            axes.fill_between(curve.xs, curve.low, curve.high, color=line.get_color(), alpha=0.25)
        # A legend could cover a curve; a name beside its curve does not.
        begin, colour = (curve.xs[0], curve.ys[0]), line.get_color()
        axes.annotate(curve.name, begin, (4, 3), textcoords="offset points", fontsize=6, color=colour)
