"""What one more coup costs the roads: it must not grow with history.

`roads_step` compares with the earlier program, in turns; the others compare a long shoe with a short one.
"""

import random
from collections.abc import Callable, Iterator

from sabot.basics.mistake import Mistake
from sabot.cli.earlier_program import EARLIER, earlier_program, run_beside
from sabot.cli.stopwatch import Row, row, seconds
from sabot.roads.result import LETTERS, CoupResult
from sabot.roads.roads import Roads, lay

REPEATS = 2_000
TURNS = 3

EARLIER_STEP = """
import random, time
from sabot.roads.result import LETTERS, Result
from sabot.roads.roads import lay

chance = random.Random(2)
results = [Result(letter) for letter in chance.choices(list(LETTERS.values()), (46, 45, 9), k=2_000)]
before, taken = lay(results[:80]), []
for _ in range(5):
    started = time.process_time()
    for _ in range(2_000):
        roads = before
        for result in results[:10]:
            roads = roads.then(result)
    taken.append((time.process_time() - started) / 20_000)
print(min(taken))
"""
"""The mean cost of the ten coups after eighty, as `_steps` measures it."""


def measure() -> Iterator[Row]:
    chance = random.Random(2)
    results = [CoupResult(letter) for letter in chance.choices(list(LETTERS.values()), (46, 45, 9), k=2_000)]

    def microseconds(coups_before: int) -> float:
        """The mean cost of the same ten further coups."""
        return seconds(_steps(lay(results[:coups_before]), results[:10])) / REPEATS / 10 * 1e6

    try:
        program = earlier_program()
    except Mistake:
        pass
    else:
        turns = [(microseconds(80), run_beside(program, EARLIER_STEP) * 1e6) for _ in range(TURNS)]
        here, beside = map(min, zip(*turns, strict=True))
        yield row(f"roads_step, against {EARLIER}", here, "µs", beside)
    early = microseconds(20)
    yield row("roads_update_at_coup_80", microseconds(80), "µs", early)
    yield row("roads_update_at_coup_2000", microseconds(2_000), "µs", early)


def _steps(before: Roads, following: list[CoupResult]) -> Callable[[], None]:
    def follow() -> None:
        for _ in range(REPEATS):
            roads = before
            for result in following:
                roads = roads.then(result)

    return follow
