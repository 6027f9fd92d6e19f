"""What a soak found: the proof of its records, and whether anything grows that should stay flat."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import msgspec
from msgspec.structs import replace

from sabot.cli.soak.curves import FIGURES, SoakSample, write_drawing, write_table
from sabot.cli.soak.proof import Proved
from sabot.cli.soak.trends import Trend, percentile, trend_of

WARM_UP_S = 480.0
"""After each start of the process, when caches and the kept coups of each table fill; at most a fifth of the soak."""
JUDGED_FROM_S = 2_400.0
"""In a shorter soak slopes are stated, and none is judged."""
MOST_BYTES_A_COUP = 1_024
"""What memory may grow with each coup by chance of allocation: nothing of a coup stays in memory for good."""
_HOUR_S = 3_600.0
_FLAT = {"descriptors": 2.0, "threads": 0.5}
"""How much a figure may rise in an hour."""
_LATENCY_SHARE = 0.25
"""How much of its median a latency may rise in an hour."""
LATENCIES = ("p50_ms", "p99_ms")


class Slope(msgspec.Struct, frozen=True):
    """How one figure moves, in its unit per hour, between the bounds of confidence."""

    figure: str
    an_hour: float
    low: float
    high: float
    allowed: float
    ok: bool
    judged: bool = True


class Recovery(msgspec.Struct, frozen=True):
    """A fault, and how long after its end the next wager was acknowledged."""

    at_s: float
    fault: str
    seconds: float


class SoakReport(msgspec.Struct, frozen=True, kw_only=True):
    ok: bool
    seconds: float
    seed: int
    coups_an_hour: float
    proved: dict[str, int]
    problems: list[str]
    recoveries: list[Recovery]
    slopes: list[Slope]
    judged: bool
    """Whether the soak was long enough to judge slopes."""
    bytes_a_coup: float
    """How fast memory grows, by the coups that were played."""


def slopes_of(samples: Sequence[SoakSample], seconds: float) -> tuple[list[Slope], float]:
    """Every figure's slope beside what is allowed, and the bytes that memory grows with each coup."""
    kept = _after_warm_up(samples, min(WARM_UP_S, seconds / 5))
    span = samples[-1].at_s - samples[0].at_s if len(samples) > 1 else 0.0
    coups_s = (samples[-1].coups - samples[0].coups) / span if span else 0.0
    found, grown = [], 0.0
    for figure in FIGURES:
        used = [one for one in kept if one.quiet and one.touches] if figure in LATENCIES else kept
        trend = trend_of([[(one.at_s, float(getattr(one, figure))) for one in life] for life in _lives(used)])
        if trend is None:
            continue
        if figure == "rss_mb" and coups_s:
            grown = trend.slope * 2**20 / coups_s
        found.append(_slope(figure, trend, _allowed(figure, used, coups_s)))
    return _beside_the_machine(found), grown


def _beside_the_machine(slopes: list[Slope]) -> list[Slope]:
    """The machine's own waking is never judged; where it grows late, other work slows the floor, and no latency is."""
    slows = any(one.figure == "lag_ms" and not one.ok for one in slopes)
    unjudged = {"lag_ms", *(LATENCIES if slows else ())}
    return [replace(one, ok=True, judged=False) if one.figure in unjudged else one for one in slopes]


def _allowed(figure: str, samples: Sequence[SoakSample], coups_s: float) -> float:
    """An hour."""
    if figure == "rss_mb":
        return MOST_BYTES_A_COUP * coups_s * _HOUR_S / 2**20
    if figure in _FLAT:
        return _FLAT[figure]
    return _LATENCY_SHARE * percentile([float(getattr(one, figure)) for one in samples], 0.5)


def _slope(figure: str, trend: Trend, allowed: float) -> Slope:
    ok = not trend.grows_beyond(allowed / _HOUR_S)
    return Slope(figure, trend.slope * _HOUR_S, trend.low * _HOUR_S, trend.high * _HOUR_S, allowed, ok)


def _lives(samples: Sequence[SoakSample]) -> list[list[SoakSample]]:
    return [list(life) for _, life in groupby(samples, key=lambda one: one.life)]


def _after_warm_up(samples: Sequence[SoakSample], warm_up_s: float) -> list[SoakSample]:
    return [one for life in _lives(samples) for one in life if one.at_s - life[0].at_s >= warm_up_s]


def conclude(
    samples: Sequence[SoakSample],
    seed: int,
    proved: Proved,
    problems: Sequence[str],
    recoveries: Sequence[Recovery],
) -> SoakReport:
    seconds = samples[-1].at_s if samples else 0.0
    slopes, grown = slopes_of(samples, seconds)
    judged = seconds >= JUDGED_FROM_S
    wrong = [*proved.problems, *problems]
    coups = (samples[-1].coups - samples[0].coups) if samples else 0
    return SoakReport(
        ok=not wrong and (not judged or all(one.ok for one in slopes)),
        seconds=seconds,
        seed=seed,
        coups_an_hour=coups / seconds * _HOUR_S if seconds else 0.0,
        proved={
            "acknowledged": proved.acknowledged,
            "lost": proved.lost,
            "settled": proved.settled,
            "void": proved.void,
        },
        problems=wrong,
        recoveries=list(recoveries),
        slopes=slopes,
        judged=judged,
        bytes_a_coup=grown,
    )


def summary(report: SoakReport) -> str:
    """The report in words."""
    proved = report.proved
    lines = [
        f"soak of {report.seconds / 60:,.1f} minutes, seed {report.seed}, {report.coups_an_hour:,.0f} coups an hour",
        f"{proved['acknowledged']:,} acknowledged wagers, {proved['lost']} lost",
        f"{proved['settled']:,} coups settled, {proved['void']} void",
        f"{len(report.recoveries)} faults",
    ]
    for fault in dict.fromkeys(one.fault for one in report.recoveries):
        took = [one.seconds for one in report.recoveries if one.fault == fault]
        middle, worst = percentile(took, 0.5), max(took)
        lines.append(f"  {fault:6} {len(took):4}, next wager acknowledged after {middle:.1f} s, at worst {worst:.1f} s")
    for one in report.slopes:
        verdict = "" if not report.judged or not one.judged else "  flat" if one.ok else "  GROWS"
        lines.append(
            f"{FIGURES[one.figure]:28} {one.an_hour:+10.3f} an hour [{one.low:+.3f}, {one.high:+.3f}], "
            f"allowed {one.allowed:+.3f}{verdict}"
        )
    lines.append(f"memory grows by {report.bytes_a_coup:,.0f} bytes a coup; {MOST_BYTES_A_COUP:,} are allowed")
    if any(one.figure in LATENCIES and not one.judged for one in report.slopes):
        lines.append("this machine itself became slower, so that no latency is judged: soak on a quiet one")
    if not report.judged:
        lines.append(f"slopes are judged from {JUDGED_FROM_S / 60:.0f} minutes on")
    lines += [f"✗ {problem}" for problem in report.problems]
    lines.append("✓ nothing is wrong" if report.ok else "✗ the soak found something")
    return "\n".join(lines) + "\n"


def write_report(report: SoakReport, samples: Sequence[SoakSample], folder: Path) -> None:
    write_table(samples, folder / "samples.csv")
    for figure in FIGURES:
        write_drawing(samples, figure, folder / f"{figure}.svg")
    (folder / "report.json").write_bytes(msgspec.json.format(msgspec.json.encode(report)) + b"\n")
    (folder / "summary.txt").write_text(summary(report), "utf-8")
