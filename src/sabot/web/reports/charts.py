"""The chart of a report in a workbook: the win of each row inside its bounds, as on the printed page."""

from typing import Any

from xlsxwriter.chart_column import ChartColumn
from xlsxwriter.chart_line import ChartLine
from xlsxwriter.workbook import Workbook

from sabot.views.sheets import ReportSheet
from sabot.web.reports.report_words import ReportWords

MOST_BARS = 60
"""As on the page: more cannot be told apart."""
CHART_ROWS = 20
_WIDTH, _HEIGHT = 960, 380
_WINS = ("win", "actual_win")
_BLUE, _INK, _GREY = "#2f6fb0", "#1b1b1b", "#8a8a8a"


def win_chart(book: Workbook, page: str, sheet: ReportSheet, words: ReportWords, first: int) -> ChartColumn | None:
    """The chart of a sheet whose rows begin in a row of the page; nothing where it has no bounds, or too many rows."""
    keys = [column.key for column in sheet.columns]
    win = next((key for key in keys if key in _WINS), None)
    if win is None or "from_bound" not in keys or not 0 < len(sheet.rows) <= MOST_BARS:
        return None
    last = first + len(sheet.rows) - 1
    named = 1 if len(sheet.columns) > 1 and sheet.columns[1].kind == "bet" else 0

    def series(key: str, **shape: Any) -> dict[str, Any]:
        at = keys.index(key)
        cells = [page, first, at, last, at]
        return {
            "name": words.say(key),
            "categories": [page, first, 0, last, named],
            "values": cells,
            **shape,
        }

    bars, lines = book.add_chart({"type": "column"}), book.add_chart({"type": "line"})
    assert isinstance(bars, ChartColumn)
    assert isinstance(lines, ChartLine)
    bars.add_series(series(win, fill={"color": _BLUE}, gap=60))
    none = {"none": True}
    expected = {"type": "diamond", "size": 7, "fill": {"color": _INK}, "border": {"color": _INK}}
    bound = {"type": "long_dash", "size": 9, "fill": {"color": _GREY}, "border": {"color": _GREY}}
    for key, marker in (("theoretical_win", expected), ("from_bound", bound), ("to_bound", bound)):
        lines.add_series(series(key, line=none, marker=marker))
    lines.set_high_low_lines({"line": {"color": _GREY}})
    bars.combine(lines)
    bars.set_title({"name": words.say("actual_win"), "name_font": {"size": 12}})
    bars.set_x_axis({"label_position": "low", "num_font": {"rotation": -45} if len(sheet.rows) > 8 else {}})
    bars.set_y_axis({"num_format": "#,##0", "major_gridlines": {"visible": True, "line": {"color": "#dddddd"}}})
    bars.set_legend({"position": "bottom"})
    bars.set_size({"width": _WIDTH, "height": _HEIGHT})
    return bars
