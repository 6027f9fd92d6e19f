"""A floor has tens of thousands of devices: what one enrolment costs does not grow with those that are there."""

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, clock_stamp
from sabot.floor.records.record_codec import HOUSE
from sabot.floor.records.recovery import Recovered
from sabot.floor.shared_owner.keeping import mark_at_once
from sabot.floor.shared_owner.kinds import HOUSE_KIND
from sabot.floor.shared_owner.messages import (
    AppendShared,
    SaveShared,
    SharedAsked,
    SharedOpened,
    SharedSaved,
    SharedWritten,
)
from sabot.floor.shared_owner.owner import BYTES_A_RECORD, SharedOwner
from sabot.house import acts
from sabot.house import events as e
from sabot.house.decide import decide
from sabot.house.evolve import evolve, fold
from sabot.house.refusal import HouseCause, HouseRefused
from sabot.house.snapshot import read_state, write_state
from sabot.house.state import DeviceBook, DeviceKind, EnrolledDevice, HouseState
from sabot.journal.journal import Appended
from sabot.journal.record import start_of

TWO = Stamp(by="CS1", role=Role.CASINO_SUPERVISOR, second="GS1", second_role=Role.GAME_SUPERVISOR)
FEW, MANY = 200, 20_000


def _house(devices: int) -> HouseState:
    staff = {"CS1": (Role.CASINO_SUPERVISOR,), "GS1": (Role.GAME_SUPERVISOR,)}
    tables = [e.TableEntered(table=f"T{number}", offers=()) for number in range(devices // 50 + 1)]
    people = [
        e.PersonAppointed(person=person, roles=roles, by="operator", at_ms=0, clause="")
        for person, roles in staff.items()
    ]
    return fold([*tables, *people, *map(_enrolled, range(devices))])


def _enrolled(number: int) -> e.DeviceEnrolled:
    return e.DeviceEnrolled(
        device=f"D{number}",
        kind=DeviceKind.STATION,
        table=f"T{number // 50}",
        key=f"{number:064x}",
        approval="VCGLR-7",
        remote=False,
        station=f"A{number % 50}",
        by="CS1",
        second="GS1",
        at_ms=0,
        clause="",
    )


def _enrol(house: HouseState) -> HouseState:
    act = acts.Enrol(device="NEW", kind=DeviceKind.STATION, table="T0", station="A99", key="f" * 64, approval="VCGLR-7")
    decision = decide(house, act, TWO)
    assert not isinstance(decision, HouseRefused), decision
    return fold(decision, house)


def _steps(work: Callable[[], object]) -> int:
    """Lines of Python that run."""
    counted = 0

    def count(_frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal counted
        counted += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted


def _bytes(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_an_enrolment_takes_no_more_steps_and_no_more_memory_among_many_devices() -> None:
    few, many = _house(FEW), _house(MANY)
    _enrol(few)  # What is made at the first use is there.
    assert _steps(lambda: _enrol(many)) < 4 * _steps(lambda: _enrol(few))
    assert _bytes(lambda: _enrol(many)) < 4 * _bytes(lambda: _enrol(few))


def test_a_revocation_frees_the_place_and_a_second_device_there_is_refused() -> None:
    house = _house(FEW)
    taken = acts.Enrol(
        device="NEW", kind=DeviceKind.STATION, table="T1", station="A7", key="e" * 64, approval="VCGLR-7"
    )
    refused = decide(house, taken, TWO)
    assert isinstance(refused, HouseRefused)
    assert refused.code == HouseCause.STATION_TAKEN.code
    revoked = e.DeviceRevoked(device="D57", reason="broken", by="CS1", at_ms=0, clause="")
    assert not isinstance(decide(evolve(house, revoked), taken, TWO), HouseRefused)


NAMES = st.sampled_from(["a", "b", "c"])
PLACES = st.tuples(st.sampled_from(list(DeviceKind)), st.sampled_from(["T1", "T2"]), st.sampled_from(["", "A1", "A2"]))


FURTHER = st.sampled_from([{}, {"T3": "A1"}, {"T3": "A2", "T4": "A1"}])


@given(st.lists(st.tuples(NAMES, PLACES, st.booleans(), FURTHER), max_size=30))
def test_the_book_finds_by_place_what_going_through_all_would_find(changes: list[Any]) -> None:
    book = DeviceBook()
    asked = set()
    for name, (kind, table, station), revoked, further in changes:
        places = {table: station, **further} if station else {}
        asked |= {(kind, *place) for place in places.items()}
        if not revoked and any(book.at_station(kind, *place) not in (None, name) for place in places.items()):
            continue  # As `enrol` refuses it.
        device = EnrolledDevice(kind, table, "k", "", remote=False, revoked=revoked, station=station, places=further)
        book = book.put(name, device)
    assert repr(DeviceBook.of(dict(book))) == repr(book)
    for kind, table, station in asked:
        standing = [(name, one) for name, one in book.items() if one.kind is kind and one.station and not one.revoked]
        found = [name for name, one in standing if one.all_places.get(table) == station]
        assert ([book.at_station(kind, table, station)] if found else []) == found
        assert DeviceBook.of(dict(book)).at_station(kind, table, station) == book.at_station(kind, table, station)


def test_a_house_with_devices_is_read_back_from_its_bytes() -> None:
    at_two = e.DeviceEnrolled(
        **{**msgspec.structs.asdict(_enrolled(FEW)), "device": "S-17", "places": {"T9": "A1"}, "key": "f" * 64}
    )
    house = evolve(_house(FEW), at_two)
    back = read_state(write_state(house))
    assert back == house
    assert write_state(back) == write_state(house)
    assert back.devices.at_station(DeviceKind.STATION, "T1", "A7") == "D57"
    assert back.devices.at_station(DeviceKind.STATION, "T9", "A1") == "S-17"


def test_a_large_house_is_written_in_slices_between_which_tables_are_served() -> None:
    house = _house(10_000)
    assert sum(1 for _ in HOUSE_KIND.mark(house, 0)) > 500
    assert mark_at_once(HOUSE_KIND.mark(house, 0)) == mark_at_once(HOUSE_KIND.mark(read_state(write_state(house)), 0))


@pytest.mark.parametrize("devices", [0, 10_000])
def test_a_large_house_is_saved_less_often(devices: int) -> None:
    """A snapshot of a hundred thousand devices takes half a second: not every thousand records, of which there are two
    a coup at every table."""
    owner, house = SharedOwner(HOUSE_KIND), _house(devices)
    size = len(mark_at_once(HOUSE_KIND.mark(house, 0)))
    due = max(HOUSE_KIND.snapshot_every, size // BYTES_A_RECORD)
    owner.handle(0, SharedOpened(Recovered(house, msgspec.structs.replace(start_of(HOUSE), version=5), 0, 0)))
    owner.handle(0, SharedSaved(size))
    saves = 0
    for number in range(due + 10):
        told = acts.TellBusy(table="T0", busy=number % 2 == 0)
        (append, *_) = owner.handle(0, SharedAsked(f"k{number}", told, clock_stamp()))
        assert isinstance(append, AppendShared)
        effects = owner.handle(0, SharedWritten(Appended(number + 6)))
        saves += sum(isinstance(one, SaveShared) for one in effects)
        assert saves == (number + 1 >= due), number
