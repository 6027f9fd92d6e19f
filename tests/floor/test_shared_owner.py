"""The owner of a shared stream: one order of acts over one journal with several writers, and each act answered once."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import pytest

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, clock_stamp, operator_stamp
from sabot.floor.records.house_shelf import look_for_paper
from sabot.floor.records.record_codec import HOUSE, read_answer, read_house_act
from sabot.floor.records.recovery import HOUSE_SNAPSHOT_EVERY, recover_house
from sabot.floor.shared_owner.keeping import save_at_once
from sabot.floor.shared_owner.kinds import HOUSE_KIND
from sabot.floor.shared_owner.messages import (
    AppendShared,
    LookForPaper,
    PaperFound,
    ReadOn,
    SaveShared,
    SharedAnswered,
    SharedAsked,
    SharedEffect,
    SharedHappened,
    SharedLook,
    SharedMessage,
    SharedOpened,
    SharedRead,
    SharedWritten,
    Unsure,
)
from sabot.floor.shared_owner.owner import MOST_TRIES, SharedOwner
from sabot.house import acts
from sabot.house import events as e
from sabot.house.refusal import HouseRefused
from sabot.house.state import HouseState
from sabot.journal.journal import AppendOutcome, Journal, Unknown
from sabot.journal.memory import MemoryJournal
from tests.floor.nights import records_of

T = TypeVar("T")
LOST = Unknown("the line went dead")


class House:
    """An owner of the house over a journal; appends wait while `hold` is set."""

    def __init__(self, journal: Journal, name: str = "east") -> None:
        self.owner, self.journal, self.name = SharedOwner(HOUSE_KIND), journal, name
        self.now_ms = 1_000
        self.hold = False
        self.held: list[AppendShared] = []
        self.effects: list[SharedEffect[HouseState, e.HouseEvent, HouseRefused]] = []
        self._asked = 0

    async def open(self) -> "House":
        await self.say(SharedOpened(await recover_house(self.journal)))
        return self

    async def say(self, message: SharedMessage[HouseState]) -> None:
        """Give the owner a message, and do all that follows from it; an `Unsure` is left to the test."""
        due = [message]
        while due:
            for effect in self.owner.handle(self.now_ms, due.pop(0)):
                self.effects.append(effect)
                match effect:
                    case AppendShared() if self.hold:
                        self.held.append(effect)
                    case AppendShared():
                        due.append(SharedWritten(await self.append(effect)))
                    case ReadOn():
                        due.append(SharedRead([one async for one in self.journal.read(HOUSE, effect.after)]))
                    case SaveShared():
                        due.append(await save_at_once(self.journal, HOUSE_KIND, effect))
                    case LookForPaper():
                        away = effect.version, effect.sought, effect.unshelved
                        due.append(PaperFound(await look_for_paper(self.journal, *away)))
                    case _:
                        pass

    async def append(self, effect: AppendShared) -> AppendOutcome:
        return await self.journal.append(HOUSE, effect.expected_version, [effect.record])

    async def ask(self, act: acts.HouseAct, stamp: Stamp | None = None) -> str:
        """Ask something of the house as the operator, unless another asks; gives the key."""
        self._asked += 1
        key = f"{self.name}/{self._asked}"
        await self.say(SharedAsked(key, act, stamp or operator_stamp()))
        return key

    def done(self, kind: type[T]) -> list[T]:
        return [effect for effect in self.effects if isinstance(effect, kind)]

    def answers(self, key: str) -> list[object]:
        return [effect.decision for effect in self.done(SharedAnswered) if effect.key == key]

    @property
    def happened(self) -> list[e.HouseEvent]:
        return [event for effect in self.done(SharedHappened) for event in effect.events]


def plays(scene: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """A test that awaits, as a plain function."""

    def run() -> None:
        asyncio.run(scene())

    run.__name__, run.__doc__ = scene.__name__, scene.__doc__
    return run


def journal() -> MemoryJournal:
    return MemoryJournal(lambda: 0)


def appoint(person: str) -> acts.Appoint:
    return acts.Appoint(person=person, roles=(Role.DEALER,))


def appointed(person: str) -> e.PersonAppointed:
    return e.PersonAppointed(person=person, roles=(Role.DEALER,), by="operator", at_ms=1_000, clause="G-118")


async def acts_on_record(kept: Journal) -> list[acts.HouseAct]:
    return [read_house_act(read_answer(record.entry)).act for record in await records_of(kept, HOUSE)]


# Answers


@plays
async def test_nobody_is_answered_and_nothing_has_happened_before_the_append_is_durable() -> None:
    house = await House(journal()).open()
    house.hold = True
    key = await house.ask(appoint("D1"))
    assert not house.answers(key)
    assert not house.happened
    assert not house.owner.state.staff
    await house.say(SharedWritten(await house.append(house.held.pop())))
    assert house.answers(key) == [(appointed("D1"),)]
    assert house.happened == [appointed("D1")]
    assert "D1" in house.owner.state.staff


@plays
async def test_acts_are_decided_and_written_one_by_one_in_the_order_in_which_they_were_asked() -> None:
    house = await House(journal()).open()
    house.hold = True
    keys = [await house.ask(appoint("D1")), await house.ask(acts.Dismiss(person="D1", reason="left"))]
    assert len(house.held) == 1
    house.hold = False
    await house.say(SharedWritten(await house.append(house.held.pop())))
    assert [effect.key for effect in house.done(SharedAnswered)] == keys
    assert not house.owner.state.staff.get("D1")
    assert [record.entry.key for record in await records_of(house.journal, HOUSE)] == keys


@plays
async def test_a_refusal_is_a_record_too() -> None:
    house = await House(journal()).open()
    key = await house.ask(acts.Redeem(ticket="1"), Stamp(by="nobody", role=Role.CASHIER))
    [refused] = house.answers(key)
    assert isinstance(refused, HouseRefused)
    assert refused.code == "not_on_staff"
    assert await acts_on_record(house.journal) == [acts.Redeem(ticket="1")]
    assert not house.happened


@plays
async def test_news_that_changes_nothing_is_not_written() -> None:
    house = await House(journal()).open()
    news = acts.EnterTable(table="T1", offers={"dragon_bonus": 1})
    first, again = await house.ask(news, clock_stamp()), await house.ask(news, clock_stamp())
    assert house.answers(first) != [()]
    assert house.answers(again) == [()]
    assert await acts_on_record(house.journal) == [news]


@plays
async def test_what_waits_behind_news_that_changes_nothing_is_decided_in_the_same_step() -> None:
    house = await House(journal()).open()
    news = acts.EnterTable(table="T1", offers={})
    await house.ask(news, clock_stamp())
    house.hold = True
    await house.ask(appoint("D1"))
    again, last = await house.ask(news, clock_stamp()), await house.ask(appoint("D2"))
    house.hold = False
    await house.say(SharedWritten(await house.append(house.held.pop())))
    assert house.answers(again) == [()]
    assert len(house.answers(last)) == 1


@plays
async def test_an_act_is_stamped_with_a_time_that_never_goes_back() -> None:
    kept = journal()
    house = await House(kept).open()
    await house.ask(appoint("D1"))
    house.now_ms -= 500
    await house.ask(appoint("D2"))
    other = await House(kept, "west").open()
    other.now_ms = 10
    await other.ask(appoint("D3"))
    assert [record.entry.at_ms for record in await records_of(kept, HOUSE)] == [1_000] * 3


# Several owners


@plays
async def test_an_owner_that_was_overtaken_reads_on_and_decides_again() -> None:
    """When the second decided, it did not know the person whom it dismisses."""
    kept = journal()
    east, west = await House(kept).open(), await House(kept, "west").open()
    await east.ask(appoint("D1"))
    key = await west.ask(acts.Dismiss(person="D1", reason="left"))
    [decision] = west.answers(key)
    assert west.happened[0] == appointed("D1")
    assert [decision] == [tuple(west.happened[1:])]
    assert isinstance(west.happened[1], e.PersonDismissed)
    await east.say(SharedLook())
    assert east.owner.state == west.owner.state
    assert east.owner.head == west.owner.head == await kept.head(HOUSE)
    assert [type(act) for act in await acts_on_record(kept)] == [acts.Appoint, acts.Dismiss]


@plays
async def test_of_two_who_want_the_same_only_the_first_finds_it_undone() -> None:
    """What was decided before the conflict does not count: the second is refused by what the first wrote."""
    kept = journal()
    east, west = await House(kept).open(), await House(kept, "west").open()
    await east.ask(acts.EnterTable(table="T1", offers={}), clock_stamp())
    await west.say(SharedLook())
    ticket = "123456789012345678"
    request = acts.RequestTicket(ticket=ticket, table="T1", station="R1")
    west.hold = True
    late = await west.ask(acts.RequestTicket(ticket=ticket, table="T1", station="R2"), clock_stamp())
    first = await east.ask(request, clock_stamp())
    west.hold = False
    await west.say(SharedWritten(await west.append(west.held.pop())))
    assert not isinstance(east.answers(first)[0], HouseRefused)
    [refused] = west.answers(late)
    assert isinstance(refused, HouseRefused)
    assert refused.code == "ticket_number"
    assert west.owner.state.tickets[ticket].station == "R1"


@plays
async def test_news_that_another_owner_has_written_meanwhile_is_not_written_again() -> None:
    kept = journal()
    east, west = await House(kept).open(), await House(kept, "west").open()
    news = acts.EnterTable(table="T1", offers={})
    await east.ask(news, clock_stamp())
    key = await west.ask(news, clock_stamp())
    assert west.answers(key) == [()]
    assert await acts_on_record(kept) == [news]


@plays
async def test_a_look_brings_what_others_have_written() -> None:
    kept = journal()
    east, west = await House(kept).open(), await House(kept, "west").open()
    await east.ask(appoint("D1"))
    assert not west.owner.state.staff
    await west.say(SharedLook())
    assert west.happened == east.happened
    assert west.owner.state == east.owner.state


@plays
async def test_a_look_while_something_is_being_written_changes_nothing() -> None:
    house = await House(journal()).open()
    house.hold = True
    key = await house.ask(appoint("D1"))
    await house.say(SharedLook())
    assert not house.done(ReadOn)
    assert len(house.held) == 1
    await house.say(SharedWritten(await house.append(house.held.pop())))
    assert len(house.answers(key)) == 1


# An outcome that nobody knows


@plays
async def test_an_append_that_arrived_although_nobody_knew_is_found_by_its_key_and_answered_once() -> None:
    house = await House(journal()).open()
    house.hold = True
    key = await house.ask(appoint("D1"))
    house.hold = False
    await house.append(house.held.pop())
    await house.say(SharedWritten(LOST))
    assert house.answers(key) == [(appointed("D1"),)]
    assert len(house.happened) == 1
    assert await acts_on_record(house.journal) == [appoint("D1")]
    await house.say(SharedLook())
    assert len(house.answers(key)) == 1


@plays
async def test_a_refusal_that_arrived_although_nobody_knew_is_answered_as_it_was_given() -> None:
    house = await House(journal()).open()
    given = await house.ask(acts.Redeem(ticket="1"), Stamp(by="nobody", role=Role.CASHIER))
    house.hold = True
    key = await house.ask(acts.Redeem(ticket="1"), Stamp(by="nobody", role=Role.CASHIER))
    house.hold = False
    await house.append(house.held.pop())
    await house.say(SharedWritten(LOST))
    assert house.answers(key) == house.answers(given)


@plays
async def test_an_append_that_did_not_arrive_is_tried_again() -> None:
    house = await House(journal()).open()
    house.hold = True
    key = await house.ask(appoint("D1"))
    house.held.clear()
    house.hold = False
    await house.say(SharedWritten(LOST))
    assert len(house.done(Unsure)) == 1
    assert not house.answers(key)
    await house.say(SharedLook())
    assert len(house.answers(key)) == 1
    assert await acts_on_record(house.journal) == [appoint("D1")]


@plays
async def test_an_append_that_arrives_after_it_was_taken_for_lost_is_still_found() -> None:
    """The second try meets the first, reads on, and is the first one's answer."""
    house = await House(journal()).open()
    house.hold = True
    key = await house.ask(appoint("D1"))
    late = house.held.pop()
    await house.say(SharedWritten(LOST))
    await house.say(SharedLook())
    await house.append(late)
    house.hold = False
    await house.say(SharedWritten(await house.append(house.held.pop())))
    assert len(house.answers(key)) == 1
    assert len(house.happened) == 1
    assert await acts_on_record(house.journal) == [appoint("D1")]


@plays
async def test_an_unknown_append_behind_which_another_wrote_is_decided_again() -> None:
    kept = journal()
    east, west = await House(kept).open(), await House(kept, "west").open()
    west.hold = True
    key = await west.ask(appoint("D2"))
    west.held.clear()
    await east.ask(appoint("D1"))
    west.hold = False
    await west.say(SharedWritten(LOST))
    assert len(west.answers(key)) == 1
    assert await acts_on_record(kept) == [appoint("D1"), appoint("D2")]


@plays
async def test_it_gives_up_after_so_many_tries_and_goes_on_with_the_next() -> None:
    house = await House(journal()).open()
    house.hold = True
    key, other = await house.ask(appoint("D1")), await house.ask(appoint("D2"))
    for tried in range(1, MOST_TRIES + 1):
        assert not house.answers(key)
        assert house.held.pop().record.entry.key == key
        await house.say(SharedWritten(LOST))
        if tried < MOST_TRIES:
            await house.say(SharedLook())
    assert house.answers(key) == [None]
    assert len(house.done(Unsure)) == MOST_TRIES - 1
    house.hold = False
    await house.say(SharedWritten(await house.append(house.held.pop())))
    assert len(house.answers(other)) == 1
    assert await acts_on_record(house.journal) == [appoint("D2")]


@plays
async def test_news_that_was_written_after_all_does_not_hold_up_what_waits() -> None:
    house = await House(journal()).open()
    house.hold = True
    key = await house.ask(acts.EnterTable(table="T1", offers={}), clock_stamp())
    other = await house.ask(appoint("D1"))
    await house.append(house.held.pop())
    house.hold = False
    await house.say(SharedWritten(LOST))
    assert len(house.answers(key)) == len(house.answers(other)) == 1


# Snapshots


@plays
async def test_the_state_is_saved_every_so_many_records_and_whenever_an_owner_begins() -> None:
    kept = journal()
    house = await House(kept).open()
    assert not house.done(SaveShared)
    for n in range(HOUSE_SNAPSHOT_EVERY - 1):
        await house.ask(acts.ConfigureHouse(ticket_validity_days=n % 2))
    assert not house.done(SaveShared)
    await house.ask(appoint("D1"))
    [saved] = house.done(SaveShared)
    assert saved.head == house.owner.head == await kept.head(HOUSE)
    await house.ask(appoint("D2"))
    other = await House(kept, "west").open()
    assert [one.head.version for one in other.done(SaveShared)] == [HOUSE_SNAPSHOT_EVERY + 1]
    assert other.owner.state == house.owner.state
    recovered = await recover_house(kept)
    assert (recovered.state, recovered.head) == (house.owner.state, house.owner.head)


@pytest.mark.parametrize("owners", [2, 3])
def test_whoever_asks_and_whatever_is_lost_every_act_is_done_once(owners: int) -> None:
    """Owners take turns over one journal; of every third append nobody knows what became of it, every sixth is lost."""

    async def scene() -> None:
        kept = journal()
        houses = [await House(kept, f"owner {number}").open() for number in range(owners)]
        keys: list[tuple[House, str]] = []
        appended = 0
        for number in range(60):
            house = houses[number % owners]
            house.hold = True
            keys.append((house, await house.ask(appoint(f"P{number}"))))
            while house.held:
                appended += 1
                effect = house.held.pop()
                outcome: AppendOutcome = LOST if appended % 6 == 0 else await house.append(effect)
                await house.say(SharedWritten(LOST if appended % 3 == 0 else outcome))
                if not house.answers(keys[-1][1]) and not house.held:
                    await house.say(SharedLook())
        for house in houses:
            house.hold = False
            await house.say(SharedLook())
        assert all(len(house.answers(key)) == 1 for house, key in keys)
        assert await acts_on_record(kept) == [appoint(f"P{number}") for number in range(60)]
        assert all(house.owner.state == houses[0].owner.state for house in houses)
        assert all(len(house.happened) == 60 for house in houses)

    asyncio.run(scene())
