"""The key behind the draws: one for all processes of a floor, also where several make it at the same time."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from sabot.basics.mistake import Mistake
from sabot.runtime.draw_key import DrawKey

PROCESSES, FLOORS = 8, 20


def test_processes_that_start_together_have_one_key(tmp_path: Path) -> None:
    """Otherwise a draw that one has committed to could not be opened by the other."""
    together = Barrier(PROCESSES)

    def start(path: Path) -> bytes:
        together.wait()
        return DrawKey(path).seed("SPRING/heats", 1)

    with ThreadPoolExecutor(PROCESSES) as processes:
        for floor in range(FLOORS):
            path = tmp_path / str(floor) / "draws.key"
            seeds = list(processes.map(start, [path] * PROCESSES))
            assert set(seeds) == {DrawKey(path).seed("SPRING/heats", 1)}
            assert path.stat().st_mode & 0o077 == 0
            assert [one.name for one in path.parent.iterdir()] == ["draws.key"]


def test_a_key_that_cannot_be_made_is_one_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Mistake, match="cannot be made or read"):
        DrawKey(tmp_path / "file" / "draws.key")
