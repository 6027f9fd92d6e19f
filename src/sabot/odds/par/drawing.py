"""Drawing pictures, the same bytes for the same picture every time."""

import io
from typing import Any, Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sabot.odds.par.picture import Bars, Panel, Panels, Picture

_WIDTH: Final = 10.0
_ACROSS: Final = 5
"""As many panels side by side as stay readable on paper."""

_STYLE: Final[dict[Any, Any]] = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "svg.hashsalt": "sabot",  # Otherwise the names inside an SVG are drawn by lot.
    "svg.fonttype": "path",  # A laboratory's machine need not have our font.
}


def svg(picture: Picture) -> str:
    text = _draw(picture, "svg", {"Date": None, "Creator": None}).decode()
    return text[text.index("<svg") :]


def png(picture: Picture) -> bytes:
    return _draw(picture, "png", {"Software": None})


def _draw(picture: Picture, form: str, metadata: dict[str, None]) -> bytes:
    with mpl.rc_context(_STYLE):
        figure = _bars(picture) if isinstance(picture, Bars) else _panels(picture)
        drawn = io.BytesIO()
        figure.savefig(drawn, format=form, dpi=200, metadata=metadata)
    return drawn.getvalue()


def _bars(picture: Bars) -> Figure:
    figure = Figure(figsize=(_WIDTH, 2.0), layout="constrained")
    axes = figure.add_subplot()
    places = range(len(picture.bars))
    axes.bar(places, [bar.value for bar in picture.bars], color=[bar.colour for bar in picture.bars])
    axes.set_xticks(places, [bar.label for bar in picture.bars])
    axes.grid(visible=False, axis="x")
    axes.set_xlabel(picture.across)
    axes.set_ylabel(picture.up)
    return figure


def _panels(picture: Panels) -> Figure:
    across = min(_ACROSS, len(picture.panels))
    rows = -(-len(picture.panels) // across)
    figure = Figure(figsize=(_WIDTH, 1.45 * rows + 0.3), layout="constrained")
    for number, panel in enumerate(picture.panels, 1):
        axes = figure.add_subplot(rows, across, number)
        _panel(axes, panel)
        if picture.powers_of_ten:
            axes.set_xscale("log")
        else:
            axes.set_xticks(sorted({x for curve in panel.curves for x in curve.xs}))
    figure.supxlabel(picture.across, fontsize=8)
    figure.supylabel(picture.up, fontsize=8)
    return figure


def _panel(axes: Axes, panel: Panel) -> None:
    axes.set_title(panel.title, fontsize=8)
    for curve in panel.curves:
        (line,) = axes.plot(curve.xs, curve.ys, marker="" if curve.low else "o", markersize=3)
        if curve.low:
            axes.fill_between(curve.xs, curve.low, curve.high, color=line.get_color(), alpha=0.25)
        # A name beside its curve cannot cover another curve, as a legend may.
        begin, colour = (curve.xs[0], curve.ys[0]), line.get_color()
        axes.annotate(curve.name, begin, (4, 3), textcoords="offset points", fontsize=6, color=colour)
