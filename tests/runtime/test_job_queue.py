"""Turns: long work is done one piece at a time, in the order in which it came, and others are heard in between."""

import asyncio

from sabot.runtime.job_queue import Turns


def test_whatever_else_waits_has_its_turn_between_two_pieces_of_work() -> None:
    async def play() -> list[str]:
        turns, done = Turns(), list[str]()
        loop = asyncio.get_running_loop()

        def first() -> None:
            done.append("first")
            loop.call_soon(done.append, "somebody asks")

        for work in (first, lambda: done.append("second"), lambda: done.append("third")):
            turns.take(work)
        while len(done) < 4:
            await asyncio.sleep(0)
        return done

    assert asyncio.run(play()) == ["first", "somebody asks", "second", "third"]


def test_work_that_fails_keeps_nobody_from_his_turn() -> None:
    async def play() -> tuple[list[str], list[str]]:
        turns, done, failed = Turns(), list[str](), list[str]()
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(str(context["exception"])))

        def fail() -> None:
            raise ValueError("it cannot be done")

        turns.take(fail)
        turns.take(lambda: done.append("the next"))
        while not done:
            await asyncio.sleep(0)
        turns.take(lambda: done.append("a later one"))
        while len(done) < 2:
            await asyncio.sleep(0)
        return done, failed

    assert asyncio.run(play()) == (["the next", "a later one"], ["it cannot be done"])
