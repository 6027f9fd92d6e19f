"""The names that a floor answers to.

A page of a stranger can have its name resolve to this machine's address; its browser then takes the floor for the
stranger's own server. The browser still says in `Host` which name it asked for, and such a request is refused.
"""

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from sabot.web.http.refusal import Refusal, WebCause, refusal

USUAL_PORTS = {"http": 80, "https": 443}
LONGEST_NAME = 100
"""Of a foreign host, as it is said back."""
THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")


class Hosts:
    """The exact values of `Host` that are answered."""

    def __init__(self, origins: Iterable[str], port: int) -> None:
        """`origins` are the addresses at which devices and pages reach the process, which listens on `port`."""
        origins = tuple(origins)
        schemes = {urlsplit(origin).scheme for origin in origins}
        self._known = frozenset(name for origin in origins for name in _spellings(origin))
        own = (f"{scheme}://{name}:{port}" for scheme in schemes for name in THIS_MACHINE)
        self._on_this_machine = frozenset(name for origin in own for name in _spellings(origin))

    def refusal_of(self, headers: Iterable[tuple[bytes, bytes]], target: bytes, address: str) -> Refusal | None:
        """Why a request to this target is not answered; nothing where its host is one of the floor's.

        A target in absolute form names a host as well (RFC 9112, 3.2.2), which must be the same.
        """
        named = [value.strip().lower() for name, value in headers if name == b"host"]
        if len(named) != 1:
            return refusal(WebCause.MALFORMED, why=f"a request names its host once; this one does {len(named)} times")
        host = named[0].decode("latin-1")
        other = _authority(target)
        if other is not None and other != host:
            host = other
        elif host in self._known or (host in self._on_this_machine and _is_this_machine(address)):
            return None
        return refusal(WebCause.FOREIGN_HOST, host=ascii(host[:LONGEST_NAME]))


def _spellings(origin: str) -> Iterable[str]:
    """The host of an origin as a browser names it, and with its port where that is the usual one."""
    parts = urlsplit(origin.lower())
    usual = USUAL_PORTS.get(parts.scheme)
    host, port = parts.netloc.rpartition("@")[2], parts.port
    if port is None:
        return (host, f"{host}:{usual}")
    return (host, host.removesuffix(f":{port}")) if port == usual else (host,)


def _authority(target: bytes) -> str | None:
    """The host in a target of absolute form."""
    if target.startswith(b"/") or target == b"*":
        return None
    _, _, rest = target.decode("latin-1").lower().rpartition("://")
    return rest.partition("/")[0].partition("?")[0].rpartition("@")[2]


def _is_this_machine(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
