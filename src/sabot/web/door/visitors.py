"""The connections of a process, and which of them has to go when there is no room.

When strangers use up their budget, the oldest of the address that has the most of them is cut off, and the newcomer is
let in. A device proves its key within milliseconds, so it gets through even where strangers share its address and try
as fast as they can. If it was refused instead, it would be locked out for as long as they go on. A request that is
being answered goes last, and a device that has proved its key is never cut off to make room.
"""

import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter

from sabot.web.door.budgets import Budgets
from sabot.web.socket.rates import Rate, Rates

NETWORK_BITS = 64
"""Of an IPv6 address; the holder of a network has all addresses below it."""
EVERYBODY = ""
LINES = Rate(at_once=20, a_minute=6)
"""Lines of the log about the strangers of one address."""


class Visitor:
    """One connection, from the moment that it is accepted."""

    __slots__ = ("_end", "_is_charged", "_visitors", "device", "is_spared", "place", "until")

    def __init__(self, visitors: "Visitors", place: "VisitorAddress", end: Callable[[], object]) -> None:
        self._visitors, self.place = visitors, place
        self._end: Callable[[], object] | None = end
        self._is_charged = False
        self.until = math.inf
        """When it is cut off if it does not get on."""
        self.is_spared = False
        """Whether it is left alone as long as others can make room, since it waits for the floor."""
        self.device = ""
        """The device that has proved its key here."""

    def ends_by(self, end: Callable[[], object]) -> None:
        """What cuts the connection off from now on."""
        if self._end is not None:
            self._end = end

    def hurry(self, seconds: float) -> None:
        """It must get on within so many seconds."""
        if not self.device:
            self.until, self.is_spared = self._visitors.now() + seconds, False

    def spare(self) -> None:
        """It waits for the floor, not the floor for it."""
        self.until, self.is_spared = math.inf, True

    def prove(self, device: str) -> None:
        self._visitors.prove(self, device)

    def wait_ms(self) -> int:
        """Take a request from the budget of its address; 0, or how long to wait for the next."""
        return self._visitors.wait_ms(self.place)

    def may_be_logged(self) -> bool:
        """Whether its address has a line of the log left."""
        return self._visitors.may_be_logged(self.place)

    @property
    def budgets(self) -> Budgets:
        return self._visitors.budgets

    def count(self, why: str) -> None:
        """It is refused, and closed in order."""
        self._visitors.cut_off[why] += 1

    def charge(self) -> None:
        """It did what no device does; its address answers for that, once."""
        if not self._is_charged:
            self._is_charged = True
            self._visitors.charge(self.place)

    def expel(self, why: str) -> None:
        """The same, and it is cut off."""
        if self._end is not None:
            self.charge()
            self.cut(why)

    def cut(self, why: str) -> None:
        """End the connection at once; the room is free from now on."""
        end = self._end
        if end is not None:
            self._visitors.cut_off[why] += 1
            self.leave()
            end()

    def leave(self) -> None:
        """The connection is over; a second call does nothing."""
        if self._end is not None:
            self._end = None
            self._visitors.forget(self)

    @property
    def is_gone(self) -> bool:
        return self._end is None


class VisitorAddress:
    """An address and the connections from there."""

    __slots__ = ("address", "proved", "size", "unproved")

    def __init__(self, address: str) -> None:
        self.address = address
        self.unproved: dict[Visitor, None] = {}
        """Oldest first."""
        self.size = 0
        """Of `unproved`."""
        self.proved = 0


class Visitors:
    def __init__(
        self, budgets: Budgets, cut_off: Counter[str] | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.budgets, self.now = budgets, now
        self.cut_off: Counter[str] = Counter() if cut_off is None else cut_off
        """Connections that were refused or cut off, by reason."""
        self.unproved = self.proved = 0
        self._places: dict[str, VisitorAddress] = {}
        self._devices: dict[str, dict[Visitor, None]] = {}
        """The sockets of each device that has proved its key, oldest first."""
        self._by_address, self._by_strangers = Rates(budgets.by_address), Rates(budgets.by_strangers)
        self._failures = Rates(budgets.failures)
        self._lines = Rates(LINES)

    def admit(self, address: str, end: Callable[[], object]) -> Visitor | None:
        """A newcomer, or nothing where there is no room and nobody can be cut off for it."""
        name = network_of(address)
        place = self._places.get(name) or VisitorAddress(name)
        if not self._has_room_for(place):
            self.cut_off["no_room"] += 1
            return None
        self._places[name] = place
        visitor = Visitor(self, place, end)
        place.unproved[visitor] = None
        place.size += 1
        self.unproved += 1
        visitor.hurry(self.budgets.request_within_s)
        return visitor

    def _has_room_for(self, place: VisitorAddress) -> bool:
        if place.size >= self.budgets.unproved_by_address:
            return _cut_oldest([place])
        if self.unproved >= self.budgets.unproved or self.unproved + self.proved >= self.budgets.connections:
            return self.make_room()
        return True

    def make_room(self) -> bool:
        """Cut off the oldest stranger of the address that has the most; whether there was one."""
        return _cut_oldest(sorted(self._places.values(), key=attrgetter("size"), reverse=True))

    def prove(self, visitor: Visitor, device: str) -> None:
        """A device has proved its key; of its sockets over the budget the oldest is cut off."""
        if visitor.is_gone or visitor.device:
            return
        if self.proved >= self.budgets.proved:
            visitor.cut("no_room")
            return
        self._take_out(visitor)
        visitor.device = device
        visitor.spare()
        visitor.place.proved += 1
        self.proved += 1
        sockets = self._devices.setdefault(device, {})
        if len(sockets) >= self.budgets.sockets_by_device:
            next(iter(sockets)).cut("sockets_of_device")
        self._devices.setdefault(device, sockets)[visitor] = None

    def forget(self, visitor: Visitor) -> None:
        place = visitor.place
        if visitor.device:
            sockets = self._devices[visitor.device]
            del sockets[visitor]
            if not sockets:
                del self._devices[visitor.device]
            place.proved -= 1
            self.proved -= 1
        else:
            self._take_out(visitor)
        if not place.size and not place.proved:
            self._places.pop(place.address, None)

    def _take_out(self, visitor: Visitor) -> None:
        del visitor.place.unproved[visitor]
        visitor.place.size -= 1
        self.unproved -= 1

    def wait_ms(self, place: VisitorAddress) -> int:
        now_ms = int(self.now() * 1_000)
        wait = self._by_address.wait_ms(place.address, now_ms)
        if not wait and not place.proved:
            wait = self._by_strangers.wait_ms(EVERYBODY, now_ms)
        return wait

    def charge(self, place: VisitorAddress) -> None:
        """A visitor of this address was over a budget, or has proved to be no device."""
        self._failures.wait_ms(place.address, int(self.now() * 1_000))

    def is_slowed(self, address: str) -> bool:
        """Whether visitors of this address failed so often that the next ones wait for their turn."""
        return not self._failures.has_one(network_of(address), int(self.now() * 1_000))

    def may_be_logged(self, place: VisitorAddress) -> bool:
        return not self._lines.wait_ms(place.address, int(self.now() * 1_000))

    def sweep(self) -> None:
        """Cut off every stranger who should have got on by now."""
        now = self.now()
        for visitor in [one for one in self.strangers() if one.until < now]:
            visitor.cut("too_slow")

    def strangers(self) -> Iterator[Visitor]:
        return (visitor for place in self._places.values() for visitor in place.unproved)


def _cut_oldest(places: Sequence[VisitorAddress]) -> bool:
    """Of the first address; one that waits for the floor only where no other is there."""
    for is_spared in (False, True):
        for place in places:
            oldest = next((one for one in place.unproved if one.is_spared is is_spared), None)
            if oldest is not None:
                oldest.cut("made_room")
                return True
    return False


def network_of(address: str) -> str:
    """What counts as one address: an IPv4 address, or the network of an IPv6 address."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if known.version == 4:
        return address
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(ipaddress.ip_network((int(known), NETWORK_BITS), strict=False))
