"""Desks without a key: addresses from which staff sign on although no device there is enrolled.

None is listed by default. Wrong PINs from such an address count by it, as at an enrolled desk by its key (G-118).
"""

from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address, ip_network

from sabot.basics.mistake import Mistake


class Desks:
    def __init__(self, listed: Iterable[str] = ()) -> None:
        """Addresses or networks: `10.1.2.3`, `10.1.2.0/28`; raises `Mistake` for anything else."""
        try:
            self._networks = tuple(ip_network(one, strict=False) for one in listed)
        except ValueError as error:
            raise Mistake(f"staff.desks: {error}") from None

    def includes(self, address: str) -> bool:
        try:
            known = ip_address(address)
        except ValueError:
            return False
        if isinstance(known, IPv6Address) and known.ipv4_mapped is not None:
            known = known.ipv4_mapped
        return any(known in network for network in self._networks)
