"""`sabot serve` by a clock that a test turns on: minutes of a tournament's conditions pass at once.

    python -m tests.served.turned_clock FLOOR.toml CLOCK

CLOCK is a file of eight bytes, by how many milliseconds the time of day is ahead of the system's.
"""

import mmap
import struct
import sys
import time
from pathlib import Path

from sabot.floor.records.program_digest import program_digest
from sabot.web.serving.floor_file import read_floor_file
from sabot.web.serving.logs import set_up_logs
from sabot.web.serving.server import run, serve

_AHEAD = struct.Struct("<q")


class TurnedClock:
    """One clock for every process that maps the file."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(_AHEAD.pack(0))
        with path.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), _AHEAD.size)
        self.path = path

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000 + self._ahead

    @property
    def _ahead(self) -> int:
        (ahead,) = _AHEAD.unpack(self._shared[: _AHEAD.size])
        return int(ahead)

    def turn_on(self, ms: int) -> None:
        self._shared[: _AHEAD.size] = _AHEAD.pack(self._ahead + max(0, ms))

    def turn_back(self, ms: int) -> None:
        """As by somebody who puts a clock right that was ahead; no other clock of a machine goes back."""
        self._shared[: _AHEAD.size] = _AHEAD.pack(self._ahead - ms)

    def hold_at(self, at_ms: int) -> None:
        """It stands still there, however long a slow machine takes, as long as this is called again and again."""
        self.turn_back(max(0, self.now_ms() - at_ms))

    def turn_to(self, at_ms: int) -> None:
        """Never back."""
        self.turn_on(at_ms - self.now_ms())


if __name__ == "__main__":
    wanted = read_floor_file(Path(sys.argv[1]))
    set_up_logs(wanted.file.log.level, wanted.file.log.form)
    run(serve(wanted, program_digest(), TurnedClock(Path(sys.argv[2])).now_ms))
