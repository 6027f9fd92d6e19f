"""The live map of 40 tables with 50 seats each: what a refresh costs the floor, and what the page costs its desk.

A refresh after which every table is new, and one after which none is, beside the view of all tables that the desk's
other pages look at. `map_browser_40x50` is what all processes of a Chromium that draws in software take while every
table plays and patrons wager, as a share of a core; its baseline is what is aimed at. `curves_day_40x50` is what the
process of reports takes for the curves of a gaming day with 1,000 coups at each table, beside the reports of that day.
"""

import asyncio
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from sabot.cli.stopwatch import Row, row, seconds
from sabot.floor.lines.table import LineFloor
from sabot.house.state import HouseState
from sabot.table.configuration import StationPart
from sabot.table.fixtures import fixture
from sabot.table.state import TableState
from sabot.views.floor import floor_view
from sabot.views.floor_map import MapCount, map_table
from sabot.web.reports.asks import DrawCurves, Made, MakeReport
from sabot.web.reports.report_process import answered

if TYPE_CHECKING:
    from playwright.async_api import Browser

ROOT = Path(__file__).resolve().parent
TABLES, STATIONS = 40, 50
PERIOD_MS = 20_000
AIMED_CPU = 10.0
"""In hundredths of a core."""
DAY_COUPS = 1_000
CPU_S = 30.0
"""A whole coup of each table and more."""
_encode = msgspec.json.encode


def measure() -> Iterator[Row]:
    states = {f"T{number}": _state(number) for number in range(1, TABLES + 1)}
    house = HouseState()
    whole = seconds(lambda: _encode(floor_view(house, states))) * 1e3

    def refreshed() -> bytes:
        count = MapCount().then([map_table(name, 1, state) for name, state in states.items()])
        return _encode(count.frame("run", 0, 0))

    count = MapCount().then([map_table(name, 1, state) for name, state in states.items()])
    yield row("map_refresh_40x50_all_new", seconds(refreshed) * 1e3, "ms", whole)
    yield row("map_refresh_40x50_none_new", seconds(lambda: _encode(count.frame("run", 1, 0))) * 1e3, "ms", whole)
    yield row("map_frame_40x50", len(refreshed()) / 1e3, "kB", len(_encode(floor_view(house, states))) / 1e3)
    yield _curves()
    yield row("map_browser_40x50", 100 * _browser(), "% of a core", AIMED_CPU, on_clock=True)


def _state(number: int) -> TableState:
    chance = random.Random(number)
    stations = {f"A{place}": StationPart(approval="X-1") for place in range(1, STATIONS + 1)}
    talk = LineFloor().enter(msgspec.structs.replace(fixture("crown"), stations=stations))
    lines: list[dict[str, Any]] = [
        {"do": "sign_on", "by": "D1"},
        {"do": "open_table", "by": "D1"},
        {"do": "check_cards", "by": "GS1", "cards": 416},
        {"do": "new_shoe", "by": "D1"},
        {"do": "cut", "by": "GS1", "at": 208},
        {"do": "burn", "by": "D1"},
        *({"do": "buy_in", "by": "D1", "station": name, "cents": 1_000_000} for name in stations),
        {"do": "open", "by": "D1"},
        *(
            {"do": "set_wager", "by": name, "station": name, "bet": "banker", "cents": 2_500 * chance.randint(1, 9)}
            for name in stations
        ),
    ]
    for line in lines:
        answer = talk.answer(line)
        assert answer.ok, answer.refusal
    return talk.state


def _curves() -> Row:
    """One table is asked for as often as there are tables, since each is read by itself."""
    sys.path.insert(0, str(ROOT))
    import reports as days  # noqa: PLC0415  Only where it is.

    with tempfile.TemporaryDirectory() as folder:
        place = str(Path(folder) / "journal")
        days._write_stream(place, DAY_COUPS)  # noqa: SLF001  The day of that benchmark.
        asyncio.run(days._keep(place))  # noqa: SLF001  The same.
        end = days.FIRST_MS + DAY_COUPS * days.COUP_MS
        drawn = DrawCurves(("T1",), "2026-01-01", "UTC", "00:00", end, "T1")
        report = MakeReport("T1", days.FIRST_MS, end, "bench", 0)
        assert isinstance(answered(place, drawn), Made)
        taken = seconds(lambda: [answered(place, drawn) for _ in range(TABLES)], runs=1)
        beside = seconds(lambda: [answered(place, report) for _ in range(TABLES)], runs=1)
    return row("curves_day_40x50", taken, "s", beside)


def _browser() -> float:
    """The share of a core that the map takes while everything plays."""
    sys.path[:0] = [str(ROOT.parent), str(ROOT)]  # The benchmark stands on the same ground as the tests.
    import floor as floors  # noqa: PLC0415  Only where it is.

    from tests.screens import stage  # noqa: PLC0415

    taken: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        floors.process("_crowded_floor.py", folder, str(TABLES), str(PERIOD_MS), str(STATIONS)) as server,
        stage.set_up() as chromium,
    ):
        assert server.stdout is not None
        url = msgspec.json.decode(server.stdout.readline())["url"]
        chromium.play(lambda browser: _watch(browser, url, taken))
    return taken[0]


async def _watch(browser: "Browser", url: str, taken: list[float]) -> None:
    from _browser import cpu_share  # noqa: PLC0415
    from playwright.async_api import expect  # noqa: PLC0415

    from tests.screens.console_scene import show_who  # noqa: PLC0415
    from tests.screens.scene import TV  # noqa: PLC0415

    context = await browser.new_context(viewport=TV)
    page = await context.new_page()
    await page.goto(f"{url}/floor")
    await show_who(page, "CS1")
    await expect(page.locator("[data-table]")).to_have_count(TABLES)
    taken.append(await cpu_share(browser, asyncio.sleep(CPU_S)))
    await context.close()
