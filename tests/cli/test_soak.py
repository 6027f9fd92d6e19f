"""A soak finds what is lost and what grows, and says so; a floor as it should be passes."""

import asyncio
import csv
import random
import signal
import subprocess
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from sabot.cli.soak.curves import FIGURES, SoakSample, write_drawing
from sabot.cli.soak.faults import SoakFault, fault_plan
from sabot.cli.soak.patrons import Acknowledged, OwnLedger
from sabot.cli.soak.proof import prove
from sabot.cli.soak.report import MOST_BYTES_A_COUP, slopes_of
from sabot.cli.soak.trends import percentile, trend_of
from sabot.floor.records.record_codec import read_answer, read_events
from sabot.journal.memory import MemoryJournal
from sabot.table.events import BoughtIn, WageringOpened, WagersChanged
from tests.cli.sabot import SABOT, assert_one_clear_sentence, sabot
from tests.floor.nights import played
from tests.runtime.floors import PATIENCE_S

HOUR = 3_600


@pytest.mark.slow
def test_a_short_soak_with_faults_loses_nothing_and_leaves_its_curves(tmp_path: Path) -> None:
    folder = tmp_path / "report"
    words = ("--minutes", "0.3", "--faults-every", "3", "--tables", "1", "--stations", "4", "--pace", "20")
    ran = sabot("soak", *words, "--seed", "7", "--report", str(folder), "--json")
    assert ran.code == 0, ran.out + ran.error
    report = ran.json
    assert report["problems"] == []
    assert report["proved"]["lost"] == 0
    assert report["proved"]["acknowledged"] > 10
    assert report["recoveries"][0]["fault"] == "kill", "on a slow machine it may be the only one"
    with (folder / "samples.csv").open(encoding="utf-8") as file:
        samples = list(csv.DictReader(file))
    assert samples
    assert {int(one["life"]) for one in samples} <= {1, 2}, "killed once, and started again"
    assert all((folder / f"{figure}.svg").read_text("utf-8").startswith("<svg") for figure in FIGURES)
    assert "nothing is wrong" in (folder / "summary.txt").read_text("utf-8")


@pytest.mark.slow
def test_ctrl_c_ends_a_soak_in_order_with_the_report_so_far(tmp_path: Path) -> None:
    folder = tmp_path / "report"
    words = ("--minutes", "5", "--faults-every", "1000", "--tables", "1", "--stations", "2", "--pace", "50")
    process = subprocess.Popen(  # noqa: S603  Our own command.
        [SABOT, "soak", *words, "--report", folder], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        for _ in range(2):
            assert " coups " in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, out
    assert "nothing is wrong" in out
    assert (folder / "report.json").exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "give --hours or --minutes"),
        (("--minutes", "-1"), "give --hours or --minutes"),
        (("--minutes", "1", "--pace", "0"), "0.1 to 100 times"),
        (("--minutes", "1", "--tables", "0"), "1 to 20 tables"),
        (("--minutes", "1", "--faults-every", "0"), "more than nothing"),
    ],
)
def test_a_soak_that_cannot_be_run_is_refused(words: tuple[str, ...], why: str) -> None:
    ran = sabot("soak", *words)
    assert_one_clear_sentence(ran)
    assert why in ran.error


# Slopes


def _noisy(seed: int, slope: float, start_s: float = 0.0, samples: int = 60) -> list[tuple[float, float]]:
    draw = random.Random(seed)
    return [(start_s + 10.0 * n, 100 + slope * 10.0 * n + draw.gauss(0, 1)) for n in range(samples)]


def test_a_slope_is_found_within_its_bounds_and_none_where_there_is_none() -> None:
    growing, flat = trend_of([_noisy(1, 0.05)]), trend_of([_noisy(2, 0.0)])
    assert growing is not None
    assert flat is not None
    assert growing.low < 0.05 < growing.high
    assert growing.grows_beyond(0.03)
    assert not growing.grows_beyond(0.05)
    assert flat.low < 0 < flat.high
    assert not flat.grows_beyond(0.0)


def test_a_process_that_starts_anew_hides_no_growth_of_its_lives() -> None:
    """Over all samples memory seems to fall; within each life it grows."""
    lives = [_noisy(3, 0.05), [(at, value - 40) for at, value in _noisy(4, 0.05, 1_000)]]
    trend = trend_of(lives)
    assert trend is not None
    assert trend.low > 0.04


def test_single_peaks_move_no_slope() -> None:
    samples = [(at, value + (500 if n % 17 == 0 else 0)) for n, (at, value) in enumerate(_noisy(5, 0.0))]
    trend = trend_of([samples])
    assert trend is not None
    assert not trend.grows_beyond(0.0)


def test_too_few_samples_have_no_slope() -> None:
    assert trend_of([]) is None
    assert trend_of([_noisy(6, 1.0, samples=4)]) is None


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile([], 0.99) == 0
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([float(n) for n in range(100)], 0.99) == 99.0


def _samples(**slopes: float) -> list[SoakSample]:
    """Two hours, a coup a second; memory in bytes a coup, the others an hour."""
    draw = random.Random(8)
    return [
        SoakSample(
            at_s=30.0 * n,
            life=1,
            rss_mb=100 + slopes.get("bytes", 0.0) * 30 * n / 2**20 + draw.gauss(0, 0.2),
            descriptors=round(40 + slopes.get("descriptors", 0.0) * 30 * n / HOUR),
            threads=6,
            touches=50,
            p50_ms=5 + draw.gauss(0, 0.5),
            p99_ms=20 + slopes.get("p99", 0.0) * 30 * n / HOUR + draw.gauss(0, 2),
            lag_ms=1 + slopes.get("lag", 0.0) * 30 * n / HOUR + draw.gauss(0, 0.1),
            coups=30 * n,
            quiet=n % 5 > 0,
        )
        for n in range(240)
    ]


def test_what_stays_flat_passes_and_whatever_grows_is_found() -> None:
    slopes, _ = slopes_of(_samples(), 7_200)
    assert all(one.ok for one in slopes)
    for leak in ({"bytes": MOST_BYTES_A_COUP * 1.5}, {"descriptors": 20.0}, {"p99": 15.0}):
        slopes, _ = slopes_of(_samples(**leak), 7_200)
        assert [one.figure for one in slopes if not one.ok], leak


def test_a_machine_that_becomes_slower_itself_makes_no_latency_a_fault_of_the_floor() -> None:
    slopes, _ = slopes_of(_samples(p99=15.0, lag=5.0), 7_200)
    assert all(one.ok for one in slopes)
    assert {one.figure for one in slopes if not one.judged} == {"p50_ms", "p99_ms", "lag_ms"}


def test_a_drawing_has_a_line_for_each_life(tmp_path: Path) -> None:
    samples = [*_samples()[:5], *(replace(one, life=2) for one in _samples()[5:9])]
    write_drawing(samples, "rss_mb", tmp_path / "rss.svg")
    assert (tmp_path / "rss.svg").read_text("utf-8").count("<polyline") == 2


# Faults


def test_the_same_seed_gives_the_same_faults_every_kind_first_and_kills_early() -> None:
    plan = list(fault_plan(3, 0, 1_000, 10))
    assert plan == list(fault_plan(3, 0, 1_000, 10))
    assert plan != list(fault_plan(4, 0, 1_000, 10))
    kinds = [one.fault for one in plan]
    assert set(kinds[: len(SoakFault)]) == set(SoakFault)
    assert max(one.at_s for one in plan if one.fault is SoakFault.KILL) < 1_000 / 3
    assert all(one.at_s < 1_000 for one in plan)


# The proof


def _night() -> tuple[MemoryJournal, OwnLedger]:
    """A night at a table, and what its stations were told, from what is on record."""
    journal, _ = played(coups=3)
    assert isinstance(journal, MemoryJournal)
    ledger, coup = OwnLedger(), 0

    async def learn() -> None:
        nonlocal coup
        async for record in journal.read("table/T1"):
            accepted = read_answer(record).accepted
            for event in () if accepted is msgspec.UNSET else read_events(accepted):
                if isinstance(event, WageringOpened):
                    coup = event.coup
                elif isinstance(event, BoughtIn):
                    ledger.brought["T1", event.station] = 0
                elif isinstance(event, WagersChanged):
                    for bet, cents in event.after.items():
                        told = ("T1", event.station, coup, bet, cents, record.entry.key)
                        ledger.note(Acknowledged(*told), 0.01)

    asyncio.run(learn())
    return journal, ledger


def test_the_proof_bears_out_what_is_on_record_and_names_what_is_not() -> None:
    journal, ledger = _night()
    assert asyncio.run(prove(journal, ledger, ())).problems == []
    first = ledger.wagers[0]
    ledger.wagers.append(replace(first, key="ask/A1/1/999"))
    lost = asyncio.run(prove(journal, ledger, ()))
    assert lost.lost == 1
    assert "was acknowledged and is not on record" in lost.problems[0]
    ledger.wagers[-1] = replace(first, cents=first.cents + 1)
    assert "was told" in asyncio.run(prove(journal, ledger, ())).problems[0]
    ledger.wagers[-1] = replace(first, coup=77)
    assert "neither settled nor void" in asyncio.run(prove(journal, ledger, ())).problems[0]
