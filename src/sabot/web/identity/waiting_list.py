"""Who waits to be enrolled: shares of the list by address and network, so that strangers cannot fill it.

A device on site can always be invited instead, which needs no place in the list.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import ip_address, ip_network

from sabot.web.identity.vault import EnrolmentRequest

MOST_WAITING = 100
MOST_FROM_ONE_ADDRESS = 10
_NETWORK_BITS = {4: 24, 6: 48}
_ADDRESS_BITS = {4: 32, 6: 64}
"""A machine has as many IPv6 addresses as it likes, within its /64."""


@lru_cache(maxsize=1_024)
def share_of(address: str) -> tuple[str, str]:
    """The network and the address that a request counts for."""
    try:
        version = ip_address(address).version
    except ValueError:
        return address, address
    network, own = (
        str(ip_network(f"{address}/{bits[version]}", strict=False)) for bits in (_NETWORK_BITS, _ADDRESS_BITS)
    )
    return network, own


def giving_way(waiting: Sequence[EnrolmentRequest], address: str) -> list[EnrolmentRequest]:
    """Which requests, oldest first in `waiting`, are dropped for a new one from this address."""
    left, dropped = list(waiting), list[EnrolmentRequest]()
    network, own = share_of(address)

    def drop(share: str) -> None:
        oldest = next(one for one in left if share_of(one.address)[1] == share)
        left.remove(oldest)
        dropped.append(oldest)

    while sum(share_of(one.address)[1] == own for one in left) >= MOST_FROM_ONE_ADDRESS:
        drop(own)
    while len(left) >= MOST_WAITING:
        shares = [share_of(one.address) for one in left]
        networks, addresses = Counter(of for of, _ in shares), Counter(one for _, one in shares)
        networks[network] += 1
        addresses[own] += 1
        greediest = max((one for one in shares), key=lambda one: (networks[one[0]], addresses[one[1]]))
        drop(greediest[1])
    return dropped


def newest_of_each(waiting: Sequence[EnrolmentRequest]) -> list[EnrolmentRequest]:
    """The newest request of every address, then the second newest of each, and so on; newest first among them."""
    seen: defaultdict[str, int] = defaultdict(int)
    ranked = []
    for place, one in enumerate(reversed(waiting)):
        own = share_of(one.address)[1]
        ranked.append((seen[own], place, one))
        seen[own] += 1
    return [one for _, _, one in sorted(ranked, key=lambda rank: rank[:2])]
