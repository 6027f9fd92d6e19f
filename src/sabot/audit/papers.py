"""The papers of the house that were put away, held against the records.

A record that recalls one must recall what was put away, as it was. No act may be decided as if a paper that was put
away had never been, since then a ticket could be paid again.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from sabot.audit.problem import ProblemKind
from sabot.audit.record_check import BadRecord
from sabot.basics.stamp import Stamped
from sabot.floor.shared_owner.kinds import HouseDecision
from sabot.house.acts import HouseAct
from sabot.house.decide import decide
from sabot.house.events import HouseEvent, PapersPutAway, PapersRecalled
from sabot.house.evolve import evolve
from sabot.house.filed_book import PutAway
from sabot.house.state import HouseSlip, HouseState, PapersAway, RegisteredTicket


class Papers:
    """Remembers what is put away, and applies the events of the house."""

    def __init__(self) -> None:
        self._tickets: dict[str, RegisteredTicket] = {}
        self._slips: dict[str, HouseSlip] = {}
        self._knows_all = True

    def begin_from(self, state: HouseState) -> None:
        """What was put away before this state is not known here: of a part of a journal that is proved alone."""
        self._knows_all = state.away == PapersAway()

    def evolve(self, state: HouseState, event: HouseEvent) -> HouseState:
        if isinstance(event, PapersPutAway):
            self._tickets.update(state.tickets.ended_by(event.until_day))
            self._slips.update(state.slips.ended_by(event.until_day))
        elif isinstance(event, PapersRecalled):
            self._recall(event)
        return evolve(state, event)

    def _recall(self, event: PapersRecalled) -> None:
        for away, recalled in ((self._tickets, event.tickets), (self._slips, event.slips)):
            for number, paper in recalled.items():
                if number not in away and not self._knows_all:
                    continue
                if away.pop(number, None) != paper:
                    why = f"it recalls {number}, which is not what was put away"
                    raise BadRecord(ProblemKind.SHELF, why)

    def decide(self, state: HouseState, given: Stamped[HouseAct]) -> HouseDecision:
        try:
            return decide(state, *given)
        except PutAway as away:
            number = away.sought.number
            if number in self._tickets or number in self._slips:
                why = f"it was decided without {number}, which had been put away and was not recalled"
                raise BadRecord(ProblemKind.SHELF, why) from None
            return decide(replace(state, absent=(number,)), *given)

    def tickets(self, state: HouseState) -> Mapping[str, RegisteredTicket]:
        """Every ticket, put away or not."""
        return {**self._tickets, **state.tickets}

    def slips(self, state: HouseState) -> Mapping[str, HouseSlip]:
        return {**self._slips, **state.slips}
