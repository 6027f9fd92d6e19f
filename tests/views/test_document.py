"""docs/views.md names every section of every view, and no other."""

import re
from pathlib import Path

from sabot.views.console import ConsoleView
from sabot.views.display import DisplayView
from sabot.views.floor import FloorView
from sabot.views.station import StationView

PAGE = Path(__file__).parents[2] / "docs" / "views.md"


def test_the_page_names_the_sections_of_every_view() -> None:
    rows = re.findall(r"^\| ([a-z ]+) \| ((?:`\w+` ?)+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    told = {who: set(re.findall(r"`(\w+)`", names)) for who, names in rows}
    station, console, display = (set(one.__struct_fields__) for one in (StationView, ConsoleView, DisplayView))
    assert told == {
        "all of a table": display,
        "station and console": (station & console) - display,
        "station": station - console,
        "console": console - station,
        "floor": set(FloorView.__struct_fields__),
    }
