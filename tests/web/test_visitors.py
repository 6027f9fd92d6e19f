"""Who is let in, and who goes when there is no room: laws of the door's book, and of its descriptors."""

import asyncio
import os
import resource
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvloop
from hypothesis import given
from hypothesis import strategies as st

from sabot.web.door.budgets import LEAST_CONNECTIONS, RESERVED_DESCRIPTORS, Budgets, raised_descriptors
from sabot.web.door.doorman import Doorman
from sabot.web.door.slow_lane import SlowLane
from sabot.web.door.visitors import Visitor, Visitors, network_of
from tests.runtime.floors import until
from tests.served import attacks
from tests.served.attacks import Target

STEPS = st.one_of(
    st.tuples(st.just("come"), st.integers(0, 3)),
    st.tuples(st.sampled_from(["go", "prove", "spare", "hurry", "pass", "cut"]), st.integers(0, 60)),
)
BUDGETS = Budgets(
    connections=LEAST_CONNECTIONS, unproved=12, unproved_by_address=6, sockets_by_device=2, request_within_s=5.0
)
TIGHT = Budgets(connections=LEAST_CONNECTIONS, unproved=6, unproved_by_address=3, sockets_by_device=2)
"""So few that any few steps come up against them."""


class Door:
    """A book of visitors by a clock of its own, and which of them were ended."""

    def __init__(self, budgets: Budgets = BUDGETS) -> None:
        self.now = 0.0
        self.visitors = Visitors(budgets, now=lambda: self.now)
        self.here: list[Visitor] = []
        self.ended: list[int] = []

    def come(self, address: str) -> Visitor | None:
        number = len(self.ended)
        self.ended.append(0)

        def end() -> None:
            self.ended[number] += 1

        visitor = self.visitors.admit(address, end)
        if visitor is not None:
            self.here.append(visitor)
        return visitor

    def step(self, what: str, which: int) -> None:
        if what == "come":
            self.come(f"10.0.0.{which}")
        elif what == "pass":
            self.now += which / 10
            self.visitors.sweep()
        elif self.here:
            visitor = self.here[which % len(self.here)]
            match what:
                case "go":
                    visitor.leave()
                case "prove":
                    visitor.prove(f"device-{which % 5}")
                case "spare":
                    visitor.spare()
                case "hurry":
                    visitor.hurry(1.0)
                case "cut":
                    visitor.cut("a test")
        self.here = [one for one in self.here if not one.is_gone]


@given(st.lists(STEPS, max_size=200))
def test_the_book_agrees_with_who_is_there_and_no_budget_is_ever_exceeded(steps: list[tuple[str, int]]) -> None:
    door = Door(TIGHT)
    for what, which in steps:
        door.step(what, which)
        strangers = [one for one in door.here if not one.device]
        known = [one for one in door.here if one.device]
        assert (door.visitors.unproved, door.visitors.proved) == (len(strangers), len(known))
        assert len(strangers) <= TIGHT.unproved
        assert len(known) <= TIGHT.proved
        assert len(door.here) <= TIGHT.connections
        by_address = Counter(one.place.address for one in strangers)
        assert all(count <= TIGHT.unproved_by_address for count in by_address.values())
        assert all(count <= TIGHT.sockets_by_device for count in Counter(one.device for one in known).values())
        assert max(door.ended, default=0) <= 1, "nobody is ended twice"


def test_one_who_comes_takes_the_place_of_the_oldest_of_the_greediest_address() -> None:
    door = Door()
    modest = [door.come("10.0.0.1") for _ in range(2)]
    greedy = [door.come("10.0.0.2") for _ in range(6)]
    others = [door.come("10.0.0.3") for _ in range(4)]
    assert door.come("10.0.0.4") is not None
    assert [one is not None and one.is_gone for one in (*modest, *greedy, *others)] == [False] * 2 + [True] + [
        False
    ] * 9


def test_a_request_that_is_being_answered_goes_last_and_a_device_never() -> None:
    door = Door()
    first, second, third = (door.come("10.0.0.1") for _ in range(3))
    assert first is not None
    assert second is not None
    assert third is not None
    first.spare()
    second.prove("A1")
    for _ in range(BUDGETS.unproved_by_address):
        door.come("10.0.0.1")
    assert [one.is_gone for one in (first, second, third)] == [False, False, True]
    for one in door.here:
        one.spare()
    assert door.come("10.0.0.1") is not None
    assert [one.is_gone for one in (first, second)] == [True, False]


def test_however_many_devices_there_are_a_stranger_finds_room() -> None:
    door = Door()
    for number in range(BUDGETS.connections):
        visitor = door.come(f"10.0.{number}.1")
        assert visitor is not None
        visitor.prove(f"device-{number}")
    assert door.visitors.proved == BUDGETS.proved < BUDGETS.connections
    assert door.come("10.0.0.1") is not None


def test_failures_slow_their_address_until_they_are_forgotten() -> None:
    budgets = Budgets(failures_at_once=3, failures_a_second=0.5)
    door = Door(budgets)
    for number in range(3):
        assert not door.visitors.is_slowed("10.0.0.1"), number
        visitor = door.come("10.0.0.1")
        assert visitor is not None
        visitor.expel("a test")
        visitor.expel("a second time it counts for nothing")
    assert door.visitors.is_slowed("10.0.0.1")
    assert not door.visitors.is_slowed("10.0.0.2")
    door.now += 1.9
    assert door.visitors.is_slowed("10.0.0.1")
    door.now += 0.1
    assert not door.visitors.is_slowed("10.0.0.1")


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("10.0.0.1", "10.0.0.2", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("2001:db8::1", "2001:db8::2:3", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
    ],
)
def test_the_addresses_of_one_network_of_ipv6_are_one(one: str, other: str, *, is_same: bool) -> None:
    assert (network_of(one) == network_of(other)) is is_same


def test_who_leaves_the_slow_lane_takes_no_turn_and_the_rest_come_in_order() -> None:
    async def test() -> None:
        pairs = [socket.socketpair() for _ in range(6)]
        admitted: list[str] = []

        def admit(connection: socket.socket, address: str) -> None:
            admitted.append(address)
            connection.close()

        lane = SlowLane(admit, 1_000.0)
        for number, (ours, theirs) in enumerate(pairs):
            ours.setblocking(False)
            if number % 2 == 0:
                theirs.close()
            assert lane.take(ours, str(number))
        await until(lambda: len(admitted) >= 3)
        assert admitted == ["1", "3", "5"]
        for _, theirs in pairs:
            theirs.close()
        lane.close()

    uvloop.run(test())


# Descriptors


def test_connections_leave_descriptors_for_everything_else_and_half_of_them_to_devices() -> None:
    few = Budgets().for_descriptors(1_024)
    assert few.connections == 1_024 - RESERVED_DESCRIPTORS
    assert few.unproved == few.connections // 2
    assert Budgets().for_descriptors(1_000_000) == Budgets()
    assert Budgets().for_descriptors(10).connections == LEAST_CONNECTIONS


@contextmanager
def _descriptors(soft: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_the_soft_limit_is_raised_to_the_hard_one() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with _descriptors(512):
        assert raised_descriptors() == hard
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == hard


@contextmanager
def _none_left() -> Iterator[None]:
    """All descriptors are taken."""
    taken: list[int] = []
    with _descriptors(len(list(Path("/proc/self/fd").iterdir())) + 200):
        try:
            while True:
                try:
                    taken.append(os.open(os.devnull, os.O_RDONLY))
                except OSError:
                    break
            yield
        finally:
            for descriptor in taken:
                os.close(descriptor)


def test_without_descriptors_newcomers_are_refused_strangers_make_room_and_it_goes_on_by_itself() -> None:
    class Greeter(asyncio.Protocol):
        def __init__(self, visitor: Visitor) -> None:
            self._visitor = visitor

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self._visitor.ends_by(transport.close)
            transport.write(b"hello")  # type: ignore[attr-defined]

    async def test() -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        target, visitors = Target(listener.getsockname()[1]), Visitors(Budgets())
        doorman = Doorman(listener, visitors, Greeter, None)
        doorman.open()
        old = [await attacks.connected(target) for _ in range(3)]
        for stranger in old:
            await stranger.hears(b"hello")
        clients = [socket.socket() for _ in range(3)]
        with _none_left():
            for client in clients:
                client.connect(("127.0.0.1", target.port))
            await until(lambda: visitors.cut_off["no_descriptor"] >= 1)
            await until(old[0].over.is_set)
        late = await attacks.connected(target)
        await late.hears(b"hello")
        for stranger in (*old, late):
            stranger.leave()
        for client in clients:
            client.close()
        doorman.close()
        await doorman.wait_closed()
        for visitor in list(visitors.strangers()):
            visitor.cut("the end")
        await asyncio.sleep(0)
        listener.close()

    uvloop.run(test())
