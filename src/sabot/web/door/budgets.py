"""The budgets of strangers and devices: how many connections, for how long, and how many requests.

A stranger is a connection whose device has not proved its key: a half-open one, a request over HTTP, or a socket
before its proof. All of them share one budget, so what is left is always there for devices that have proved theirs.
"""

import resource
from typing import Annotated

import msgspec

from sabot.web.socket.rates import Rate

RESERVED_DESCRIPTORS = 128
"""For the journal, the vault, the database, the log and whatever the process opens besides connections."""
LEAST_CONNECTIONS = 32
_Count = Annotated[int, msgspec.Meta(ge=1)]


class Budgets(msgspec.Struct, frozen=True, kw_only=True):
    connections: Annotated[int, msgspec.Meta(ge=LEAST_CONNECTIONS)] = 10_000
    """All together; fewer where the process may not open so many descriptors."""
    unproved: _Count = 512
    """Strangers, all together."""
    unproved_by_address: _Count = 256
    sockets_by_device: _Count = 4
    """Of one device that has proved its key. A device needs one; an old one may linger after its network broke."""
    request_within_s: Annotated[float, msgspec.Meta(gt=0)] = 5.0
    """From the connection to the whole head of a request, TLS included."""
    requests_a_second: Annotated[float, msgspec.Meta(gt=0)] = 200.0
    """By address; sockets begin as requests. All addresses without a proved device share twice as many."""
    requests_at_once: _Count = 2_500
    failures_at_once: _Count = 64
    """By address: requests that no browser sends, and sockets over a budget or turned away. After so many of them the
    address is slowed."""
    failures_a_second: Annotated[float, msgspec.Meta(gt=0)] = 2.0
    slowed_a_second: Annotated[float, msgspec.Meta(gt=0)] = 50.0
    """Connections of slowed addresses that are let in, of all such addresses together."""

    @property
    def by_address(self) -> Rate:
        return Rate(at_once=self.requests_at_once, a_minute=round(self.requests_a_second * 60))

    @property
    def by_strangers(self) -> Rate:
        return Rate(at_once=2 * self.requests_at_once, a_minute=round(2 * self.requests_a_second * 60))

    @property
    def failures(self) -> Rate:
        return Rate(at_once=self.failures_at_once, a_minute=round(self.failures_a_second * 60))

    @property
    def proved(self) -> int:
        """Devices, all together; what they leave is there for monitors, for staff, and for a device that comes back."""
        return self.connections - min(self.unproved, self.connections // 4)

    def for_descriptors(self, descriptors: int) -> "Budgets":
        """The same where the process may open so many; half of the connections at most are strangers'."""
        most = max(LEAST_CONNECTIONS, min(self.connections, descriptors - RESERVED_DESCRIPTORS))
        return msgspec.structs.replace(self, connections=most, unproved=min(self.unproved, most // 2))


def raised_descriptors() -> int:
    """How many descriptors the process may open, after its soft limit was raised to the hard one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (OSError, ValueError):
            return soft
    return hard
