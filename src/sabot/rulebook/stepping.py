"""Steps: a pattern, and the few lines that carry it out on a world."""

import re
from collections.abc import Callable

from sabot.rulebook.scenario import Step

Action = Callable[..., None]
STEPS: list[tuple[frozenset[str], re.Pattern[str], Action]] = []

_PLACES = {
    "bet": r"[a-z0-9_]+",
    "amount": r"[+-]?[0-9][0-9,.]*",
    "number": r"[0-9]+",
    "side": r"player|banker",
    "cards": r"[0-9A-Za-z]{2}(?: [0-9A-Za-z]{2})*",
    "rest": r".+",
}


def step(keyword: str, pattern: str) -> Callable[[Action], Action]:
    """Register a step; `{bet}` and the like in the pattern become arguments, in order."""
    expression = re.sub(r"\{(\w+)\}", lambda place: f"({_PLACES[place[1]]})", pattern)

    def register(action: Action) -> Action:
        STEPS.append((frozenset(keyword.split("|")), re.compile(expression, re.IGNORECASE), action))
        return action

    return register


def find(said: Step) -> tuple[Action, tuple[str, ...]] | None:
    """The step that says this, with the words in its gaps."""
    for keywords, pattern, action in STEPS:
        if said.keyword in keywords and (match := pattern.fullmatch(said.text)):
            return action, match.groups()
    return None


def expect(found: object, wanted: object) -> None:
    assert found == wanted, f"found {found}"
