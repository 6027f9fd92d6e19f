"""What a socket says in one pass of the event loop goes out together."""

import asyncio
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from sabot.rules.rule_set import Bet
from sabot.runtime.view_publisher import PAUSE_S
from sabot.table import acts
from sabot.web.socket import fast_websocket
from sabot.web.socket.outbox import Outbox
from tests.served.device import VIEWS
from tests.served.open_table import open_table, over_the_wire

DIRECT = str(Path(fast_websocket.__file__))


class Calls:
    """How often each socket was written to, and how often it wrote to the network."""

    def __init__(self) -> None:
        self.frames, self.writes = Counter[int](), Counter[int]()

    def look(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call" or frame.f_code.co_name != "write":
            return
        caller = frame.f_back
        if frame.f_code.co_filename == DIRECT:
            self.frames[id(frame.f_locals["self"])] += 1
        elif caller is not None and caller.f_code.co_filename == DIRECT:
            self.writes[id(caller.f_locals["self"])] += 1


def test_an_answer_and_the_view_that_follows_it_are_one_write() -> None:
    counted = list[Calls]()

    @over_the_wire
    async def touches() -> None:
        async with open_table(console_settings=VIEWS) as table:
            station = await table.station("A1", VIEWS, cents=100_000)
            await table.open_wagering(station)
            for cents in range(2_500, 2_500 * 8, 2_500):
                await asyncio.sleep(2 * PAUSE_S)  # One that was shown something just before is shown a touch later.
                counted.append(Calls())
                sys.setprofile(counted[-1].look)
                try:
                    await station.ask(acts.SetWager(bet=Bet("player"), cents=cents))
                finally:
                    sys.setprofile(None)

    touches()
    assert any(2 in calls.frames.values() for calls in counted)
    assert {number for calls in counted for number in calls.writes.values()} == {1}


def test_each_socket_is_flushed_once_in_the_next_pass_and_one_that_fails_keeps_no_other_from_it() -> None:
    async def play() -> tuple[list[str], list[str]]:
        outbox, done, failed = Outbox(), list[str](), list[str]()
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(str(context["exception"])))

        def flush(name: str) -> Callable[[], None]:
            return lambda: done.append(name)

        def fail() -> None:
            raise ValueError("the network is gone")

        def go_on() -> None:
            done.append("first")
            outbox.add(flush("written meanwhile"))

        for one in (go_on, fail, flush("third")):
            outbox.add(one)
        assert done == []
        for _ in range(4):
            await asyncio.sleep(0)
        outbox.add(flush("later"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return done, failed

    done, failed = asyncio.run(play())
    assert sorted(done[:3]) == ["first", "third", "written meanwhile"]
    assert done[3:] == ["later"]
    assert failed == ["the network is gone"]
