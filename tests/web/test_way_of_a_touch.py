"""A touch crosses the files that ARCHITECTURE.md tells, and no others, from its frame to its answer."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from sabot.journal.sqlite import open_sqlite
from sabot.rules.rule_set import Bet
from sabot.table import acts
from tests.ground.test_architecture import SOURCE, files_of_a_touch
from tests.runtime.floors import wall_ms
from tests.served.device import VIEWS
from tests.served.open_table import open_table, over_the_wire

FIRST, DURABLE, LAST = "_hear", "written", "write"
"""The functions with which a touch begins, with which it is durable, and with which its answer then leaves."""


class Way:
    """The files of this package whose functions run on the way of each touch, in all threads."""

    def __init__(self) -> None:
        self.touches: list[set[str]] = []
        self.asked: list[set[str]] = []
        """Where asyncio is asked which event loop runs, from the frame of one touch to that of the next."""
        self._on = self._is_durable = False

    def look(self, frame: FrameType, event: str, called: object) -> None:
        if event not in ("call", "c_call") or not frame.f_code.co_filename.startswith(str(SOURCE)):
            return
        file, name = str(Path(frame.f_code.co_filename).relative_to(SOURCE)), frame.f_code.co_name
        if event == "c_call":
            if called is asyncio.get_running_loop and self.asked and not file.startswith("client/"):
                self.asked[-1].add(f"{file}:{frame.f_lineno}")
            return
        if file == "web/socket/fast_websocket.py" and name == FIRST:
            self._on, self._is_durable = True, False
            self.touches.append(set())
            self.asked.append(set())
        if self._on and not file.startswith("client/"):
            self.touches[-1].add(file)
        self._is_durable |= name == DURABLE
        if file == "web/socket/fast_websocket.py" and name == LAST and self._is_durable:
            self._on = False


@contextmanager
def looking(way: Way) -> Iterator[None]:
    threading.setprofile(way.look)
    sys.setprofile(way.look)
    try:
        yield
    finally:
        threading.setprofile(None)
        sys.setprofile(None)


def way_of_touches(folder: Path) -> Way:
    """The way of seven touches. What runs at times beside a touch, such as renewing a lease, is not in all of them."""
    way = Way()

    @over_the_wire
    async def touches() -> None:
        journal = await open_sqlite(folder / "journal", now_ms=wall_ms)
        async with open_table(journal, console_settings=VIEWS) as table:
            station = await table.station("A1", VIEWS, cents=100_000)
            await table.open_wagering(station)
            way.touches.clear()
            way.asked.clear()
            for cents in range(2_500, 2_500 * 8, 2_500):
                await station.ask(acts.SetWager(bet=Bet("player"), cents=cents))
        await journal.close()

    with looking(way):
        touches()
    assert len(way.touches) >= 7
    return way


def test_a_touch_crosses_the_files_that_the_architecture_tells(tmp_path: Path) -> None:
    assert set.intersection(*way_of_touches(tmp_path).touches[:7]) == files_of_a_touch()


def test_a_touch_does_not_ask_for_the_event_loop(tmp_path: Path) -> None:
    """Before Python 3.12 that is a system call every time, and a touch needs the loop three times."""
    assert set.intersection(*way_of_touches(tmp_path).asked[:7]) == set()
