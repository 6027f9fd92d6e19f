"""Lines a second that `sabot coup --batch` answers on one core, decoding and encoding included.

The baseline only parses the same questions and prints the same answers with Python's own json, settling nothing:
what any Python program must spend before it has done any work.
"""

import json
import random
from collections.abc import Iterator

from sabot.cli.coup import CoupBatch
from sabot.cli.stopwatch import Row, row, seconds
from sabot.rules.cards import DECK
from sabot.rules.coup import read_in_shoe_order
from sabot.rules.shipped import IDS, rule_set

LINES = 20_000


def measure() -> Iterator[Row]:
    lines = _questions()
    batch = CoupBatch()
    answers = [json.loads(batch.answer(line)) for line in lines]

    def answer_all() -> None:
        for line in lines:
            batch.answer(line)

    def parse_and_print() -> None:
        for line, answer in zip(lines, answers, strict=True):
            json.loads(line)
            json.dumps(answer)

    yield row("coup_batch", LINES / seconds(answer_all), "lines/s", LINES / seconds(parse_and_print))


def _questions() -> list[bytes]:
    """Random coups under all rule sets, each with four wagers."""
    chance = random.Random(1)
    questions = []
    for _ in range(LINES):
        identity = chance.choice(IDS)
        coup, _ = read_in_shoe_order(chance.choices(DECK, k=6))
        bets = chance.sample(list(rule_set(identity).bets), 4)
        question = {
            "rule_set": identity,
            "cards": [card.notation for card in coup.cards],
            "wagers": {bet: 100 * chance.randint(1, 100) for bet in bets},
        }
        questions.append(json.dumps(question).encode())
    return questions
