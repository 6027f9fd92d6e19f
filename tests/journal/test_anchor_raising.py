"""Raising an anchor beside the event loop: a disk that stands still keeps nobody but those who wait for the anchor."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from sabot.journal.anchor import Anchoring, AnchorKeeper, read_anchor
from sabot.journal.anchor_raising import AnchorRaising
from sabot.journal.record import Head
from tests.stalled import opened_by_its_reader, stalled


class CountingKeeper(AnchorKeeper):
    written = 0

    def write(self, commits: Callable[[], int] = lambda: 0) -> None:
        self.written += 1
        super().write(commits)


def head(number: int) -> Head:
    return Head(f"table/T{number}", number, bytes([number]) * 32, 1)


def heads_in(path: Path) -> dict[str, Head]:
    raised = read_anchor(path)
    assert raised is not None
    return raised.heads


def test_the_event_loop_goes_on_and_those_who_come_meanwhile_share_the_next_writing(tmp_path: Path) -> None:
    path = tmp_path / "anchor"

    async def scene() -> None:
        keeper = CountingKeeper(Anchoring(path), [])
        raising, before = AnchorRaising(keeper), keeper.written
        path.unlink()
        with stalled(path):
            first = asyncio.create_task(raising.to(head(1)))
            pipe = await opened_by_its_reader(path, first)
            others = [asyncio.create_task(raising.to(head(number))) for number in (2, 3, 4)]
            await asyncio.sleep(0)
            assert not any(one.done() for one in (first, *others))
            path.unlink()
            os.close(pipe)
            assert "is not an anchor" in (await first or "")
            assert await asyncio.gather(*others) == [None, None, None]
            assert keeper.written == before + 2
            assert heads_in(path) == {f"table/T{number}": head(number) for number in (1, 2, 3, 4)}

    asyncio.run(scene())


def test_one_who_goes_away_takes_no_other_along(tmp_path: Path) -> None:
    path = tmp_path / "anchor"

    async def scene() -> None:
        raising = AnchorRaising(AnchorKeeper(Anchoring(path), []))
        path.unlink()
        with stalled(path):
            first = asyncio.create_task(raising.to(head(1)))
            pipe = await opened_by_its_reader(path, first)
            first.cancel()
            second = asyncio.create_task(raising.to(head(2)))
            path.unlink()
            os.close(pipe)
            await asyncio.wait((first,))
            assert first.cancelled()
            assert await second is None
            assert heads_in(path) == {"table/T1": head(1), "table/T2": head(2)}

    asyncio.run(scene())
