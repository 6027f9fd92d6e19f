"""What one stream could not know in time is put right by itself: an exclusion, lost news, a sign-on without an end."""

import asyncio
from collections.abc import Sequence

import pytest

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, clock_stamp
from sabot.floor.exchange.house_to_table import TAKEN_UP_WITHIN_MS
from sabot.floor.records.record_codec import HOUSE
from sabot.floor.shared_owner.kinds import HOUSE_KIND
from sabot.floor.shared_owner.owner import MOST_TRIES
from sabot.house.acts import AnnounceSignOn, Appoint, Exclude, TellBusy
from sabot.journal.journal import AppendOutcome, Unknown
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Record
from sabot.runtime.floor import RunningFloor
from sabot.runtime.shared_runner import SharedRunner
from sabot.table import acts
from sabot.table.state import TableState
from sabot.views.audience import Audience
from tests.runtime.floors import Seat, by_dealer, running, until, wall_ms

AT_ONCE_S = TAKEN_UP_WITHIN_MS / 2_000
"""Before the floor looks at the house for another reason."""
MINUTE_MS = 60_000
SUPERVISOR = Stamp(by="CS1", role=Role.CASINO_SUPERVISOR)


class DeafHouse(MemoryJournal):
    """While `is_deaf` is set nothing is written to the house, and nobody knows why."""

    is_deaf = False
    tried = 0

    async def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> AppendOutcome:
        if self.is_deaf and stream == HOUSE:
            self.tried += 1
            return Unknown("the line went dead")
        return await super().append(stream, expected_version, records)


def _state(floor: RunningFloor) -> TableState:
    term = floor.tables["T1"].term
    assert term is not None
    return term.state


async def _opened(floor: RunningFloor) -> Seat:
    """A console at a table that its dealer has opened."""
    table = floor.tables["T1"]
    await until(lambda: table.term is not None)
    console = Seat(table, "console", Audience.CONSOLE)
    await console.hello()
    await floor.house.ask(AnnounceSignOn(person="D1", table="T1", as_role=Role.DEALER), clock_stamp())
    for act in (acts.SignOn(), acts.OpenTable()):
        assert (await console.answer(by_dealer(act))).accepted
    return console


@pytest.mark.clause("CROWN 13.2.2")
def test_a_patron_who_is_excluded_while_buying_in_is_put_out_at_once() -> None:
    async def play() -> None:
        async with running(MemoryJournal(wall_ms)) as floor:
            console = await _opened(floor)
            stale = by_dealer(acts.BuyIn(station="A1", cents=100_000, patron="P7"))
            assert not stale.stamp.excluded, "as it was stamped before the exclusion"
            await floor.house.ask(Exclude(patron="P7", reason="noise"), SUPERVISOR)
            assert (await console.answer(stale)).accepted
            await until(lambda: _state(floor).stations["A1"].directed_to_leave, AT_ONCE_S)

    asyncio.run(play())


def test_news_is_told_until_the_house_has_it() -> None:
    async def play() -> None:
        journal = DeafHouse(wall_ms)
        async with running(journal) as floor:
            await until(lambda: floor.tables["T1"].term is not None)
            journal.is_deaf = True
            floor.tell_house(TellBusy(table="T1", busy=True), clock_stamp())
            await until(lambda: journal.tried > MOST_TRIES)
            journal.is_deaf = False
            await until(lambda: floor.house.state.tables["T1"].busy)

    asyncio.run(play())


@pytest.mark.clause("G-99")
def test_a_sign_on_that_was_lost_on_its_way_does_not_keep_its_person_from_the_house() -> None:
    """A process told the house that the supervisor deals, and died before the table heard of it."""

    async def play() -> None:
        journal = MemoryJournal(wall_ms)
        earlier = SharedRunner(HOUSE_KIND, journal, wall_ms)
        await earlier.open()
        both = (Role.CASINO_SUPERVISOR, Role.DEALER)
        await earlier.ask(Appoint(person="CS1", roles=both), Stamp(by="operator", role=Role.OPERATOR))
        await earlier.ask(AnnounceSignOn(person="CS1", table="T1", as_role=Role.DEALER), clock_stamp())
        assert "CS1" in earlier.state.at_work
        async with running(journal, taken_up_within_s=0.1) as floor:
            await until(lambda: "CS1" not in floor.house.state.at_work)
            assert isinstance(await floor.house.ask(Exclude(patron="P7", reason="noise"), SUPERVISOR), tuple)

    asyncio.run(play())


@pytest.mark.clause("G-99")
def test_people_sign_on_where_the_clocks_of_house_and_table_are_far_apart() -> None:
    """As where the database's machine is a minute ahead, or the floor's own clock was put back."""

    async def play() -> None:
        async with running(MemoryJournal(lambda: wall_ms() + MINUTE_MS)) as floor:
            await _opened(floor)

    asyncio.run(play())
