"""The curves of a soak: a table of all samples, and a drawing of each figure over time."""

import csv
from collections.abc import Sequence
from html import escape
from pathlib import Path

import msgspec

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 860, 240, 80, 30, 30


class SoakSample(msgspec.Struct, frozen=True):
    """The floor over one span of the soak."""

    at_s: float
    life: int
    """Counts the starts of the process."""
    rss_mb: float
    descriptors: int
    threads: int
    touches: int
    p50_ms: float
    p99_ms: float
    lag_ms: float
    """How much later than asked for this machine wakes a process that sleeps, p99: a yardstick beside the latencies."""
    coups: int
    """Of all tables since the soak began."""
    quiet: bool
    """Whether no fault was under way in this span."""


FIGURES = {
    "rss_mb": "resident memory (MB)",
    "descriptors": "open descriptors",
    "threads": "threads",
    "p50_ms": "touch to answer, p50 (ms)",
    "p99_ms": "touch to answer, p99 (ms)",
    "lag_ms": "waking of this machine, p99 (ms)",
}


def write_table(samples: Sequence[SoakSample], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(SoakSample.__struct_fields__)
        lines.writerows([msgspec.structs.astuple(one) for one in samples])


def write_drawing(samples: Sequence[SoakSample], figure: str, path: Path) -> None:
    """One line for each life of the process, so that a start is seen as a gap."""
    points = [(one.at_s / 60, float(getattr(one, figure)), one.life) for one in samples]
    most_x = max((x for x, _, _ in points), default=1.0) or 1.0
    most_y = max((y for _, y, _ in points), default=1.0) or 1.0
    across, down = WIDTH - LEFT - 20, HEIGHT - TOP - BOTTOM

    def place(x: float, y: float) -> str:
        return f"{LEFT + across * x / most_x:.1f},{TOP + down * (1 - y / most_y):.1f}"

    lives = dict.fromkeys(life for _, _, life in points)
    lines = [
        f'<polyline fill="none" stroke="#1f5fa8" stroke-width="1.5" points="'
        f'{" ".join(place(x, y) for x, y, one in points if one == life)}"/>'
        for life in lives
    ]
    marks = [
        _text(LEFT - 8, TOP + 4, f"{most_y:,.4g}", "end"),
        _text(LEFT - 8, TOP + down + 4, "0", "end"),
        _text(LEFT, HEIGHT - 8, "0 min", "start"),
        _text(WIDTH - 20, HEIGHT - 8, f"{most_x:,.4g} min", "end"),
        _text(LEFT, 18, FIGURES[figure], "start"),
    ]
    frame = f'<path d="M{LEFT},{TOP}V{TOP + down}H{WIDTH - 20}" fill="none" stroke="#888"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    path.write_text("\n".join((head, frame, *lines, *marks, "</svg>\n")), "utf-8")


def _text(x: float, y: float, said: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="12" text-anchor="{anchor}" fill="#333">{escape(said)}</text>'
