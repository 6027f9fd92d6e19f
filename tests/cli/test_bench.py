"""`sabot bench`: which rows are measured, and how two runs are compared."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.mistake import Mistake
from sabot.cli.bench import measured
from sabot.cli.bench_runs import BenchVerdict, compared, more_is_better, not_measured, read_run, too_bad, worse
from sabot.cli.stopwatch import Row, row
from tests.cli.sabot import assert_one_clear_sentence, sabot


def _short() -> Iterator[Row]:
    yield row("short", 2.0, "ms", 1.0)


def _long() -> Iterator[Row]:
    yield row("long", 3.0, "ms", 1.0, on_clock=True)


def test_a_long_form_is_measured_beside_the_short_one_and_only_where_it_is_asked_for() -> None:
    both, alone = ModuleType("both"), ModuleType("alone")
    both.__dict__.update(measure=_short, measure_long=_long)
    alone.__dict__.update(measure=_short)
    assert [one.name for one in measured(both, long=False)] == ["short"]
    assert [one.name for one in measured(both, long=True)] == ["short", "long"]
    assert [one.name for one in measured(alone, long=True)] == ["short"]


@pytest.mark.parametrize(
    ("unit", "more"),
    [
        *(("wagers/s", True), ("shoes/s, 6.1 µs each", True), ("times", True), ("events/s", True)),
        *(
            ("ms", False),
            ("us/s", False),
            ("MB", False),
            ("KB/station", False),
            ("% of a core", False),
            ("KB/s", False),
        ),
    ],
)
def test_the_unit_says_whether_more_is_better(unit: str, more: bool) -> None:
    assert more_is_better(unit) is more


def test_ratios_are_compared_and_not_figures() -> None:
    """The machine is twice as slow: figure and baseline are, and nothing has changed."""
    then, now = row("settle", 10, "ms", 5), row("settle", 20, "ms", 10)
    (change,) = compared([then], [now])
    assert (change.verdict, change.better_by) == (BenchVerdict.SAME, 0)


@pytest.mark.parametrize(
    ("unit", "ratios", "verdict"),
    [
        ("ms", (2.0, 2.1), "same"),
        ("ms", (2.0, 2.3), "worse"),
        ("ms", (2.0, 1.7), "better"),
        ("coups/s", (2.0, 2.3), "better"),
        ("coups/s", (2.0, 1.7), "worse"),
        ("coups/s", (2.0, 1.9), "same"),
    ],
)
def test_a_change_outside_the_noise_is_marked(unit: str, ratios: tuple[float, float], verdict: str) -> None:
    (change,) = compared([row("one", ratios[0], unit, 1)], [row("one", ratios[1], unit, 1)])
    assert change.verdict == verdict


def test_a_figure_by_the_clock_has_more_noise_and_is_judged_on_a_quiet_machine_alone() -> None:
    then, now = row("p99", 1.0, "ms", 1, on_clock=True), row("p99", 1.2, "ms", 1, on_clock=True)
    (change,) = compared([then], [now])
    assert change.verdict == BenchVerdict.SAME
    assert too_bad([change], 0.1, on_clock=False) == []
    assert too_bad([change], 0.1, on_clock=True) == [change]


def test_rows_that_are_new_or_gone_are_told() -> None:
    changes = compared(
        [row("old", 1, "ms", 1), row("both", 1, "ms", 1)], [row("both", 1, "ms", 1), row("new", 1, "s", 1)]
    )
    assert [(one.name, one.verdict) for one in changes] == [("both", "same"), ("new", "new"), ("old", "gone")]
    assert too_bad(changes, 0, on_clock=True) == []
    assert not_measured({"roads": [], "table": []}, {"roads": []}) == ["table"]


def test_a_figure_in_another_unit_is_not_compared() -> None:
    with pytest.raises(Mistake, match="is in s now and was in ms"):
        compared([row("one", 1, "ms", 1)], [row("one", 1, "s", 1)])
    assert compared([row("one", 1, "shoes/s, 3 µs each", 1)], [row("one", 1, "shoes/s, 4 µs each", 1)])


RATIOS = st.floats(0.001, 1_000)


@given(RATIOS, RATIOS, st.sampled_from(["ms", "coups/s"]))
def test_what_is_worse_one_way_is_better_the_other_way(one: float, other: float, unit: str) -> None:
    (there,) = compared([row("x", one, unit, 1)], [row("x", other, unit, 1)])
    (back,) = compared([row("x", other, unit, 1)], [row("x", one, unit, 1)])
    assert worse(there) == pytest.approx(back.better_by, rel=1e-9, abs=1e-9)
    opposite = {"better": "worse", "worse": "better", "same": "same"}
    if abs(abs(there.better_by) - 0.1) > 1e-6 and abs(abs(back.better_by) - 0.1) > 1e-6:
        assert back.verdict == opposite[there.verdict]


WRONG = {
    "no JSON": (b"name value", "is no run"),
    "not UTF-8": (b"\xff\xfe", "is no run"),
    "rows alone, as --json prints them": (b"[]", "is no run"),
    "another form": (b'{"sabot":"bench 2"}', "is no run"),
    "a key is missing": (b'{"sabot":"bench 1","date":"","commit":"","machine":""}', "python"),
    "a ratio of nothing": (
        b'{"sabot":"bench 1","date":"","commit":"","machine":"","python":"","benchmarks":{"roads":[{"name":"a",'
        b'"value":0,"unit":"ms","baseline":1,"ratio":0}]}}',
        "the ratio of a is 0",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_file_that_holds_no_run_is_refused_in_one_sentence(what: str) -> None:
    written, said = WRONG[what]
    with pytest.raises(Mistake, match=said):
        read_run(written, "before.json")


def test_a_run_is_kept_and_a_later_one_compared_with_it(tmp_path: Path) -> None:
    kept = tmp_path / "before.json"
    assert sabot("bench", "settle", "--keep", str(kept)).code == 0
    run = json.loads(kept.read_text(encoding="utf-8"))
    assert all(run[part] for part in ("date", "machine", "python"))
    for each in run["benchmarks"]["settle"]:
        each["ratio"] *= 100  # As if it had been a hundred times as quick.
    run["benchmarks"]["table"] = []
    kept.write_text(json.dumps(run), encoding="utf-8")
    told = sabot("bench", "settle", "--compare", str(kept))
    assert told.code == 0
    assert "worse" in told.out
    assert "not measured now: table" in told.out
    judged = sabot("bench", "settle", "--compare", str(kept), "--worse-by", "10", "--json")
    assert judged.code == 1
    assert {one["verdict"] for one in judged.json["changes"]} == {"worse"}
    assert "more than 10 %" in judged.error


def test_wrong_words_about_comparing_are_one_sentence(tmp_path: Path) -> None:
    assert_one_clear_sentence(sabot("bench", "settle", "--worse-by", "10"))
    assert_one_clear_sentence(sabot("bench", "settle", "--compare", str(tmp_path / "nothing.json")))
