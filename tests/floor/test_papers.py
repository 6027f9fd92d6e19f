"""Tickets and slips that ended long ago leave the house's state, and no ticket is ever paid twice for it."""

import asyncio
from collections.abc import Sequence
from typing import cast

import pytest

from sabot.audit.problem import ProblemKind
from sabot.audit.verify import Against, verify
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, clock_stamp, operator_stamp
from sabot.floor.records.house_shelf import PAPERS, PAPERS_TO, look_for_paper, paper_name
from sabot.floor.records.record_codec import HOUSE, entry_of
from sabot.floor.records.recovery import recover_house
from sabot.floor.records.state_form import SNAPSHOT_FORM
from sabot.floor.shared_owner.messages import AppendShared, LookForPaper, PaperFound, SharedAnswered, SharedAsked
from sabot.house import acts
from sabot.house import events as e
from sabot.house.filed_book import DAY_MS, KEPT_DAYS
from sabot.house.liability import liability
from sabot.house.refusal import HouseRefused
from sabot.house.state import TicketStatus
from sabot.journal.journal import Derived, Journal
from sabot.journal.memory import MemoryJournal
from tests.floor.test_shared_owner import House

CASHIER = Stamp(by="CA1", role=Role.CASHIER)
CAGE = acts.Appoint(person="CA1", roles=(Role.CASHIER,))
FIRST, SECOND, LAST = (f"{number:018}" for number in (1, 2, 3))


class Failing(MemoryJournal):
    """A journal whose shelf or whose snapshots cannot be written while a test says so."""

    shelf_fails = snapshots_fail = False

    async def keep(self, values: Sequence[Derived]) -> None:
        if self.shelf_fails:
            raise OSError("the disk is full")
        await super().keep(values)

    async def save_snapshot(self, snapshot: object) -> None:
        if self.snapshots_fail:
            raise OSError("the disk is full")
        await super().save_snapshot(snapshot)  # type: ignore[arg-type]


def journal() -> Failing:
    return Failing(lambda: 0)


def issued(number: str) -> tuple[acts.HouseAct, ...]:
    request = acts.RequestTicket(ticket=number, table="T1", station="R1")
    return request, acts.RegisterTicket(ticket=number, cents=5_000, table="T1", station="R1", issued_ms=1_000)


async def told(house: House, *said: acts.HouseAct) -> None:
    for act in said:
        await house.ask(act, clock_stamp())


async def redeemed(house: House, number: str) -> object:
    return house.answers(await house.ask(acts.Redeem(ticket=number), CASHIER))[0]


async def put_away(kept: Journal, name: str = "east") -> House:
    """A house that has paid the first ticket and put it away since, with the second one."""
    house = await House(kept, name).open()
    await house.ask(CAGE)
    await told(house, *issued(FIRST), *issued(SECOND))
    assert not isinstance(await redeemed(house, FIRST), HouseRefused)
    assert not isinstance(await redeemed(house, SECOND), HouseRefused)
    house.now_ms += (KEPT_DAYS + 1) * DAY_MS
    await told(house, *issued(LAST))
    assert list(house.owner.state.tickets) == [LAST]
    return house


async def is_refused_as_paid(house: House, number: str = FIRST) -> None:
    refused = await redeemed(house, number)
    assert isinstance(refused, HouseRefused)
    assert refused.code == "paid_already"


def run(scene: object) -> None:
    asyncio.run(scene())  # type: ignore[operator]


@pytest.mark.clause("CROWN 6.7.2")
def test_a_ticket_that_was_paid_and_put_away_is_not_paid_again() -> None:
    async def scene() -> None:
        kept = journal()
        house = await put_away(kept)
        await is_refused_as_paid(house)
        assert [type(event) for event in house.happened].count(e.PapersRecalled) == 1
        await is_refused_as_paid(house)
        assert [type(event) for event in house.happened].count(e.PapersRecalled) == 1, "it is in the state again"
        assert liability(house.owner.state).agrees
        assert (await verify(kept, Against("b"), lambda *_: None)).problems == []

    run(scene)


@pytest.mark.clause("CROWN 6.7.2")
@pytest.mark.parametrize("fails", ["nothing", "shelf", "snapshot"])
def test_however_a_process_ends_the_next_one_knows_what_was_paid(fails: str) -> None:
    """It dies before the shelf is written, between shelf and snapshot, or after both."""

    async def scene() -> None:
        kept = journal()
        house = await put_away(kept)
        kept.shelf_fails, kept.snapshots_fail = fails == "shelf", fails == "snapshot"
        if fails == "nothing":
            await House(kept, "second").open()
        else:
            with pytest.raises(OSError, match="disk"):
                await House(kept, "second").open()
        kept.shelf_fails = kept.snapshots_fail = False
        third = await House(kept, "third").open()
        assert third.owner.state == house.owner.state
        third.now_ms = house.now_ms
        await is_refused_as_paid(third)
        assert (await verify(kept, Against("b"), lambda *_: None)).problems == []

    run(scene)


@pytest.mark.clause("CROWN 6.7.2")
def test_a_snapshot_is_passed_over_while_the_shelf_before_it_is_not_whole() -> None:
    async def scene() -> None:
        kept = journal()
        house = await put_away(kept)
        await House(kept, "second").open()
        snapshot = await kept.newest_snapshot(HOUSE, SNAPSHOT_FORM)
        assert snapshot is not None
        await kept.drop_derived(HOUSE)
        found = await recover_house(kept)
        assert found.state == house.owner.state
        assert paper_name("ticket", FIRST) in found.away

    run(scene)


@pytest.mark.clause("CROWN 6.7.2")
def test_a_table_that_tells_again_of_a_ticket_put_away_changes_nothing_and_leaves_no_record() -> None:
    async def scene() -> None:
        kept = journal()
        house = await put_away(kept)
        await House(kept, "second").open()
        before = house.owner.head
        for deleted in (False, True):
            if deleted:
                await kept.drop_derived(HOUSE)
                house = await House(kept, "third").open()
                house.now_ms = 99 * DAY_MS
                await kept.drop_derived(HOUSE)
            await told(house, issued(FIRST)[1])
            assert house.owner.head == before
            assert house.owner.state.tickets.get(FIRST) is None

    run(scene)


@pytest.mark.clause("CROWN 6.7.2")
def test_two_processes_recall_one_ticket_and_pay_it_at_most_once() -> None:
    async def scene() -> None:
        kept = journal()
        east = await House(kept).open()
        await east.ask(acts.ConfigureHouse(ticket_validity_days=1))
        await east.ask(CAGE)
        await east.ask(acts.Appoint(person="CS1", roles=(Role.CASINO_SUPERVISOR,)))
        await east.ask(acts.Appoint(person="GS1", roles=(Role.GAME_SUPERVISOR,)))
        await told(east, *issued(FIRST))
        east.now_ms += 2 * DAY_MS
        await told(east, acts.Expire())
        east.now_ms += (KEPT_DAYS + 1) * DAY_MS
        await told(east, *issued(LAST))
        assert FIRST not in east.owner.state.tickets
        west = await House(kept, "west").open()
        west.now_ms = east.now_ms
        second = Stamp(by="CS1", role=Role.CASINO_SUPERVISOR, second="GS1", second_role=Role.GAME_SUPERVISOR)
        for house in (east, west):
            await house.ask(acts.Reinstate(ticket=FIRST, reason="hardship"), second)
        paid = [await redeemed(house, FIRST) for house in (west, east)]
        assert [isinstance(one, HouseRefused) for one in paid] == [False, True]
        assert east.owner.state.tickets[FIRST].status is TicketStatus.PAID
        assert liability(east.owner.state).agrees
        assert (await verify(kept, Against("b"), lambda *_: None)).problems == []

    run(scene)


@pytest.mark.clause("CROWN 6.7.2")
def test_a_record_that_forgets_what_was_put_away_is_found() -> None:
    """Somebody writes, behind the program's back, that a ticket put away long ago is registered anew."""

    async def scene() -> None:
        kept = journal()
        house = await put_away(kept)
        register = cast("acts.RegisterTicket", issued(FIRST)[1])
        event = e.TicketRegistered(
            ticket=FIRST, cents=5_000, table="T1", station="R1", issued_ms=1_000, expires_ms=None, clause="CROWN 6.7.2"
        )
        entry = entry_of("forged", register, clock_stamp(house.now_ms), (event,))
        await kept.append(HOUSE, house.owner.head.version, house.owner.head.then(0, [entry]))
        [problem] = (await verify(kept, Against("b"), lambda *_: None)).problems
        assert problem.kind is ProblemKind.SHELF

    run(scene)


@pytest.mark.parametrize("is_unknown", [False, True])
def test_who_asks_while_a_paper_is_looked_for_is_answered_after_it(is_unknown: bool) -> None:
    async def scene() -> None:
        house = await put_away(journal())
        owner, again = house.owner, issued(FIRST)[1]
        [look] = owner.handle(house.now_ms, SharedAsked("first", again, clock_stamp()))
        assert isinstance(look, LookForPaper)
        assert owner.handle(house.now_ms, SharedAsked("second", CAGE, operator_stamp())) == []
        recall = None if is_unknown else await look_for_paper(house.journal, look.version, look.sought, look.unshelved)
        effects = owner.handle(house.now_ms, PaperFound(recall, is_unknown))
        assert effects[0] == SharedAnswered("first", None if is_unknown else ())
        assert isinstance(effects[1], AppendShared)

    run(scene)


def test_the_shelf_of_the_house_is_derived_again_the_same() -> None:
    async def scene() -> None:
        kept = journal()
        await put_away(kept)
        second = await House(kept, "second").open()
        before = await shelf_of(kept)
        assert {PAPERS_TO, paper_name("ticket", FIRST), paper_name("ticket", SECOND)} == set(before)
        await kept.drop_derived(HOUSE)
        await told(second, issued(FIRST)[1])
        assert await shelf_of(kept) == before

    run(scene)


async def shelf_of(kept: MemoryJournal) -> dict[str, bytes]:
    pages = [page async for page in kept.derived_between(HOUSE, PAPERS, PAPERS + "~")]
    return {one.name: one.value for page in pages for one in page}
