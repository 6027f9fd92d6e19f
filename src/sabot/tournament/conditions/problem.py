"""What is wrong with conditions: the key, the clause that demands otherwise, and one sentence."""

from collections.abc import Iterator, Sequence

import msgspec

from sabot.basics.mistake import Mistake
from sabot.tournament.conditions.keys import ROW, key_row


class ConditionsProblem(msgspec.Struct, frozen=True):
    """One reason why conditions are refused."""

    key: str
    """As in the file: `entry.fee_cents`, `rounds[0].balances`."""
    clause: str
    why: str

    def __str__(self) -> str:
        return f"{self.key}: {self.why} ({self.clause})"


Problems = Iterator[ConditionsProblem]


class ConditionsRefused(Mistake):
    """Conditions that cannot be used. The sentence is the first problem's; `problems` has all of them."""

    def __init__(self, source: str, problems: Sequence[ConditionsProblem]) -> None:
        super().__init__(f"{source}: {problems[0]}")
        self.source, self.problems = source, tuple(problems)


def problem(key: str, why: str, clause: str = "") -> ConditionsProblem:
    """A problem of a key, by the clause that asks for the key unless another is named."""
    return ConditionsProblem(key, clause or key_row(key).clause, why)


def in_order(problems: Sequence[ConditionsProblem]) -> tuple[ConditionsProblem, ...]:
    """In the order of the table of keys; problems of one key stay in the order in which they were found."""
    return tuple(sorted(problems, key=lambda one: ROW.get(key_row(one.key).key, len(ROW))))
