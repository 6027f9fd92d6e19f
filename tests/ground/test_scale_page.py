"""The computed table of docs/scale.md is the one that its script prints."""

import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = runpy.run_path(str(ROOT / "bench" / "_scale_table.py"))


def test_the_page_has_the_table_that_its_inputs_give() -> None:
    assert SCRIPT["in_the_page"]() == SCRIPT["table"](SCRIPT["Inputs"]())


def test_twice_the_cpu_of_a_station_needs_twice_the_cores() -> None:
    inputs, figures = SCRIPT["Inputs"], SCRIPT["figures"]
    once, twice = (figures(100_000, inputs(cpu_a_station_us=each)) for each in (100.0, 200.0))
    assert (once["cores for all of it"], twice["cores for all of it"]) == ("10.00", "20.00")
    assert once["journal a day"] == twice["journal a day"]
