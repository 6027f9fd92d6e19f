"""Queued jobs run one by one between passes of the event loop, in the order in which they came."""

import asyncio

from sabot.runtime.job_queue import JobQueue


def test_whatever_else_waits_has_its_turn_between_two_pieces_of_work() -> None:
    async def play() -> list[str]:
        jobs, done = JobQueue(), list[str]()
        loop = asyncio.get_running_loop()

        def first() -> None:
            done.append("first")
            loop.call_soon(done.append, "somebody asks")

        for work in (first, lambda: done.append("second"), lambda: done.append("third")):
            jobs.add(work)
        while len(done) < 4:
            await asyncio.sleep(0)
        return done

    assert asyncio.run(play()) == ["first", "somebody asks", "second", "third"]


def test_a_touch_whose_answer_needs_the_loop_three_times_waits_for_one_piece_of_work() -> None:
    """A frame that was read, a record that another thread wrote, and the call that tells of it."""

    async def play() -> list[str]:
        jobs, done = JobQueue(), list[str]()
        loop = asyncio.get_running_loop()
        written = loop.create_future()

        def touch() -> None:
            written.add_done_callback(lambda _: done.append("answered"))
            loop.call_soon_threadsafe(written.set_result, None)

        def first() -> None:
            done.append("first")
            loop.call_soon(touch)

        for work in (first, lambda: done.append("second"), lambda: done.append("third")):
            jobs.add(work)
        while len(done) < 4:
            await asyncio.sleep(0)
        return done

    assert asyncio.run(play()) == ["first", "answered", "second", "third"]


def test_work_that_fails_keeps_no_other_from_its_turn() -> None:
    async def play() -> tuple[list[str], list[str]]:
        jobs, done, failed = JobQueue(), list[str](), list[str]()
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(str(context["exception"])))

        def fail() -> None:
            raise ValueError("it cannot be done")

        jobs.add(fail)
        jobs.add(lambda: done.append("the next"))
        while not done:
            await asyncio.sleep(0)
        jobs.add(lambda: done.append("a later one"))
        while len(done) < 2:
            await asyncio.sleep(0)
        return done, failed

    assert asyncio.run(play()) == (["the next", "a later one"], ["it cannot be done"])
