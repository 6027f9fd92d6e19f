"""The exact odds of a table's bets from a fresh shoe, worked out once in a process for each way to play."""

import asyncio

from sabot.odds.answer_form import OddsAnswer
from sabot.rules.terms import Terms

MOST_KEPT = 32
"""Terms whose odds are kept."""


class TableOdds:
    """Counts on a thread, so that no table waits; those who ask meanwhile wait for the same count."""

    def __init__(self) -> None:
        self._counted: dict[Terms, asyncio.Task[OddsAnswer]] = {}

    async def of(self, terms: Terms) -> OddsAnswer:
        task = self._counted.get(terms)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            if len(self._counted) >= MOST_KEPT:
                self._counted.pop(next(iter(self._counted)))
            task = self._counted[terms] = asyncio.create_task(asyncio.to_thread(fresh_odds, terms))
        return await asyncio.shield(task)


def fresh_odds(terms: Terms) -> OddsAnswer:
    """The same as `sabot odds` says of this rule set, with these decks and options."""
    # The arithmetic takes memory and a moment to load, and no table needs it before the first request.
    from sabot.odds.answer import answer  # noqa: PLC0415
    from sabot.odds.composition import Composition  # noqa: PLC0415
    from sabot.odds.next_coup import NextCoup  # noqa: PLC0415
    from sabot.odds.study import Study  # noqa: PLC0415

    return answer(Study.of(terms), NextCoup(Composition.fresh(terms.decks)))
