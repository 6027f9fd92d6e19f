"""What one more coup costs the roads, late in a long shoe against early: it must not grow with history."""

import random
from collections.abc import Iterator

from sabot.cli.stopwatch import Row, row, seconds
from sabot.roads.result import LETTERS, CoupResult
from sabot.roads.roads import Roads, lay

REPEATS = 2_000


def measure() -> Iterator[Row]:
    chance = random.Random(2)
    results = [CoupResult(letter) for letter in chance.choices(list(LETTERS.values()), (46, 45, 9), k=2_000)]

    def microseconds(coups_before: int) -> float:
        """The mean cost of the same ten further coups."""
        before = lay(results[:coups_before])
        following = results[:10]

        def follow() -> None:
            for _ in range(REPEATS):
                roads: Roads = before
                for result in following:
                    roads = roads.then(result)

        return seconds(follow) / REPEATS / len(following) * 1e6

    early = microseconds(20)
    yield row("roads_update_at_coup_80", microseconds(80), "µs", early)
    yield row("roads_update_at_coup_2000", microseconds(2_000), "µs", early)
