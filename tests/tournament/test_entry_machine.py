"""Entry as people, the cage and the clock can really mix it, with news of the cage that comes late and out of order.

The cage is a model: it takes or pays each slip once, and cancels one that was withdrawn before it took it.
"""

from collections.abc import Mapping
from functools import cache

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from sabot.tournament import acts
from sabot.tournament.entry.slips import held_parts, open_slips
from sabot.tournament.evolve import fold
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.refusal import TournamentRefused
from sabot.tournament.snapshot import read_state, write_state
from sabot.tournament.state import EntrantStatus, SlipStatus
from tests.tournament.desk import Desk, stamp

_PLAYERS = [f"P-{number}" for number in range(1, 15)]
_OPEN = (SlipStatus.RAISED, SlipStatus.WITHDRAWN)


@cache
def _opened() -> Desk:
    raw = Desk("night").raw
    entry = raw["entry"]
    assert isinstance(entry, dict)
    entry.update(alternates=2, maximum_players=5)
    return Desk(raw=raw).opened()


class EntryMachine(RuleBasedStateMachine):
    """NIGHT, whose eight places and two slips each make crossings likely, with two alternates."""

    def __init__(self) -> None:
        super().__init__()
        opened = _opened()
        self.desk = Desk(raw=opened.raw)
        self.desk.state, self.desk.history, self.desk.now_ms = opened.state, list(opened.history), opened.now_ms
        self.cage: dict[str, str] = {}
        """What the house did with each slip, told or not."""

    def _ask(self, act: acts.TournamentAct, who: str) -> None:
        self.desk.say(act, stamp(who, self.desk.now_ms))

    @rule(player=st.sampled_from(_PLAYERS))
    def register(self, player: str) -> None:
        self._ask(self.desk.application(player), "CA1")

    @rule(entrant=st.integers(1, 14))
    def withdraw(self, entrant: int) -> None:
        self._ask(acts.WithdrawEntrant(tournament="NIGHT", entrant=entrant), "TD1")

    @rule(player=st.sampled_from(_PLAYERS))
    def exclude(self, player: str) -> None:
        self._ask(acts.NoteExclusion(tournament="NIGHT", player=player), "clock")

    @rule(at=st.sampled_from(["2026-07-03T18:59", "2026-07-03T19:00", "2026-07-03T19:30"]))
    def time_passes(self, at: str) -> None:
        before = self.desk.now_ms
        self.desk.at(at)
        self.desk.now_ms = max(before, self.desk.now_ms)

    @rule()
    def close(self) -> None:
        self._ask(acts.CloseEntry(tournament="NIGHT"), "clock")

    @precondition(lambda self: self.desk.state.slips)
    @rule(data=st.data())
    def work_at_the_cage(self, data: st.DataObject) -> None:
        """The cage does not know yet what the tournament withdrew a moment ago."""
        number = data.draw(st.sampled_from(sorted(self.desk.state.slips)))
        slip = self.desk.state.slips[number]
        withdrawn = slip.status is SlipStatus.WITHDRAWN and data.draw(st.booleans())
        settled = "cancelled" if withdrawn else "taken" if slip.direction == "take" else "paid"
        self.cage.setdefault(number, settled)

    @precondition(lambda self: self.cage)
    @rule(data=st.data())
    def tell(self, data: st.DataObject) -> None:
        """Any news, in any order, as often as it likes."""
        number = data.draw(st.sampled_from(sorted(self.cage)))
        self._told(number)

    def _told(self, number: str) -> None:
        said = self.desk.say(
            acts.NoteSlip(tournament="NIGHT", slip=number, settled=self.cage[number]), stamp("clock", self.desk.now_ms)
        )
        assert not isinstance(said, TournamentRefused)

    @invariant()
    def places_are_kept(self) -> None:
        """Nobody has a place beyond the maximum, and nobody waits while there is one."""
        state = self.desk.state
        statuses = [one.status for one in state.entrants.values()]
        taken = sum(one in (EntrantStatus.REGISTERED, EntrantStatus.ENTERED) for one in statuses)
        assert taken <= 5
        if state.phase is TournamentPhase.ENTRY_OPEN:
            assert taken == 5 or EntrantStatus.WAITING not in statuses

    @invariant()
    def who_entered_owes_nothing(self) -> None:
        state = self.desk.state
        for one in state.entrants.values():
            if one.status is EntrantStatus.ENTERED:
                assert open_slips(state, one) == ()
            if one.status is EntrantStatus.REGISTERED:
                assert open_slips(state, one)

    def teardown(self) -> None:
        """Once everything is done and told, the cage holds what those who are in paid, and what was not refunded."""
        for _ in range(2):
            for number, slip in sorted(self.desk.state.slips.items()):
                done = {"take": "taken", "pay": "paid"}[slip.direction]
                self.cage.setdefault(number, "cancelled" if slip.status is SlipStatus.WITHDRAWN else done)
                self._told(number)
        state = self.desk.state
        written = write_state(state)
        assert write_state(fold(self.desk.history)) == written
        assert read_state(written) == state
        assert not any(slip.status in _OPEN for slip in state.slips.values())
        assert sum(held_parts(state).values()) == _held(self.desk, self.cage)
        for one in state.entrants.values():
            paid = sum(_signed(self.desk, number) for number in one.slips)
            if one.status is EntrantStatus.ENTERED:
                assert paid == 52_000
            elif one.status in (EntrantStatus.LAPSED, EntrantStatus.WAITING):
                assert paid == 0
            else:
                assert paid in (0, 2_000), "a stake is never kept; a fee may be"


def _held(desk: Desk, cage: Mapping[str, str]) -> int:
    signs = {"taken": 1, "paid": -1, "cancelled": 0}
    return sum(signs[settled] * desk.state.slips[number].cents for number, settled in cage.items())


def _signed(desk: Desk, number: str) -> int:
    slip = desk.state.slips[number]
    return {SlipStatus.TAKEN: 1, SlipStatus.PAID: -1}.get(slip.status, 0) * slip.cents


TestEntryMachine = pytest.mark.clause("CROWN 12.2.1(a)", "CROWN 12.2.1(g)")(EntryMachine.TestCase)
