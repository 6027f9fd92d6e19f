"""`sabot bench`: which rows are measured, and how two runs are compared."""

from collections.abc import Iterator
from types import ModuleType

from sabot.cli.bench import measured
from sabot.cli.stopwatch import Row, row


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
