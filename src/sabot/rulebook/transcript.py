"""The transcript of a scenario: every step, and what the table, the rules or a refusal answered to it."""

from collections.abc import Iterator

import msgspec

from sabot.rulebook.run import ScenarioFailed, run
from sabot.rulebook.scenario import Scenario, Step
from sabot.rulebook.world import World


class Transcript(msgspec.Struct, frozen=True):
    scenario: str
    under: str
    """The rule set that it ran under."""
    lines: tuple[str, ...]
    failure: str | None


def transcribed(scenario: Scenario, under: str) -> Transcript:
    heard = _Heard()
    failure = None
    try:
        run(scenario, under, heard)
    except ScenarioFailed as failed:
        failure = str(failed)
        heard.lines.append(f"  ✗ {failure}")
    return Transcript(scenario.id, under, tuple(heard.lines), failure)


class _Heard:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self._answer: object = None

    def __call__(self, step: Step, world: World) -> None:
        if step.keyword == "then":
            self.lines.append(f"then  {step.text}  ✓")
            return
        self.lines.append(f"{step.keyword:5} {step.text}")
        self.lines += (f"      · {line}" for line in self._said(world) if line)

    def _said(self, world: World) -> Iterator[str]:
        if world.answer is not None and world.answer is not self._answer:
            self._answer = world.answer
            yield from world.answer.sentences
            if world.answer.refusal is not None:
                yield f"refused: {world.answer.refusal.text} ({world.answer.refusal.clause})"
            return
        if world.refusal is not None:
            yield f"refused: {world.refusal}"
        elif world.coup is not None:
            yield world.coup.sentence
            for one in world.settled.values():
                yield f"{one.bet}: {one.outcome}, net {one.net_cents} cents ({one.clause})"
