"""Running a scenario.

A refusal is kept until a `then refused` names it; one that nobody expected fails the scenario.
"""

from collections.abc import Callable

from sabot.basics.mistake import Mistake
from sabot.rulebook import (  # noqa: F401  Importing them registers their steps.
    house_steps,
    rules_steps,
    screen_steps,
    table_figures_steps,
    table_steps,
    tournament_figures_steps,
    tournament_steps,
    virtual_steps,
)
from sabot.rulebook.scenario import Scenario, Step
from sabot.rulebook.stepping import Action, find
from sabot.rulebook.world import World


class ScenarioFailed(AssertionError):
    """Says where a scenario failed and what was found instead."""


Hear = Callable[[Step, World], None]
"""Is told each step that was right, and the world after it."""


def run(scenario: Scenario, under: str, hear: Hear = lambda *_: None) -> None:
    """Run a scenario under one rule set, or raise ScenarioFailed."""
    world = World(under)
    for said in scenario.steps:
        where = f"{scenario.file}, line {said.line}, under {under}: {said.text!r}"
        if world.refusal is not None and not (said.keyword == "then" and said.text.startswith("refused")):
            raise ScenarioFailed(f"{where}: it was refused: {world.refusal}")
        action, arguments = _action(said, where)
        if said.keyword == "when":
            world.forget_what_came_of_it()
        try:
            action(world, *arguments)
        except Mistake as mistake:
            if said.keyword != "when":
                raise ScenarioFailed(f"{where}: {mistake}") from mistake
            world.refusal = str(mistake)
        except AssertionError as difference:
            raise ScenarioFailed(f"{where}: {difference}") from difference
        hear(said, world)
    if world.refusal is not None:
        raise ScenarioFailed(f"{scenario.file}, {scenario.name!r}, under {under}: it was refused: {world.refusal}")


def _action(said: Step, where: str) -> tuple[Action, tuple[str, ...]]:
    found = find(said)
    if found is None:
        raise ScenarioFailed(f"{where}: no step says this")
    return found
