"""Every table of the executable rulebook and of the simulator reports by sums what its states report."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from sabot.floor.records.record_codec import table_of
from sabot.floor.simulator.store import Store
from sabot.floor.simulator.weather import WorldOptions
from sabot.floor.simulator.world import Cast, simulate
from sabot.journal.journal import ReadableJournal
from sabot.rulebook import run as running
from sabot.rulebook.scenario import Scenario, all_scenarios
from sabot.rulebook.world import World
from tests.audit.sums import by_states, by_sum, comparable, records_of, summed

ALL_TIME = (0, 2**53)
MONEY_MOVES_IN = (
    *("1.6-", "6.3", "6.6", "6.7.2b", "11.4", "11.8.2", "11.10", "11.11", "11.14", "11.15"),
    *("12.2.1-d", "13.2", "13.4"),
)
"""Files of scenarios in which money is put right, moved, seized, paid by hand, or put aside for a session."""
COVERED = {
    *("CoupRecalculated", "CoupInvalidated", "WagersReversed", "ResolutionTakenBack", "DisputeDecided"),
    *("BuyInCorrected", "WinningsSeized", "PaidByHand", "DifferenceBooked", "PatronMoved", "OwedCollected"),
    *("SessionOpened", "SessionClosed", "PayablePaid", "TicketPaidManually"),
}


@pytest.fixture
def worlds(monkeypatch: pytest.MonkeyPatch) -> list[World]:
    found: list[World] = []

    class KeptWorld(World):
        def __init__(self, rule_set: str) -> None:
            super().__init__(rule_set)
            found.append(self)

    monkeypatch.setattr(running, "World", KeptWorld)
    return found


def check_tables(journal: ReadableJournal) -> Iterator[dict[str, int]]:
    """Compare the two ways for every table of a journal; gives the events of each."""
    for stream in asyncio.run(journal.streams()):
        if table_of(stream) is not None:
            records = records_of(journal, stream)
            whole = summed(records)
            assert comparable(by_sum(whole, *ALL_TIME)) == comparable(by_states(records, *ALL_TIME)), stream
            yield whole.events


def check(scenarios: Iterable[Scenario], worlds: list[World]) -> Counter[str]:
    happened: Counter[str] = Counter()
    for scenario in scenarios:
        running.run(scenario, scenario.rule_sets[0])
        for events in check_tables(worlds.pop().floor.backing.journal):
            happened.update(events)
    return happened


def test_scenarios_in_which_money_moves_report_by_sums_what_their_states_report(worlds: list[World]) -> None:
    chosen = [one for one in all_scenarios() if one.id.removeprefix("crown/").startswith(MONEY_MOVES_IN)]
    assert COVERED - check(chosen, worlds).keys() == set()


@pytest.mark.parametrize("seed", range(3))
def test_a_simulated_world_reports_by_sums_what_its_states_report(seed: int) -> None:
    """With takings, restarts, clocks that jump, and acts that are repeated, among the records."""
    stores: list[Store] = []

    class KeptStore(Store):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            stores.append(self)

    options = WorldOptions(stations=3, coups=6)
    assert simulate(seed, options, random.Random(seed).random, Cast(store=KeptStore)).problem is None
    (events,) = check_tables(stores[0].journal)
    assert events["WagersSettled"]


@pytest.mark.whole
def test_all_scenarios_report_by_sums_what_their_states_report(worlds: list[World]) -> None:
    assert check(all_scenarios(), worlds)
