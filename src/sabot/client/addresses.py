"""The addresses of the processes of a floor."""

from collections.abc import Sequence
from itertools import cycle
from urllib.parse import urlsplit, urlunsplit

SOCKET_PATH = "/ws"
_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


class Addresses:
    """The configured addresses of a floor, and the owner that a process named last."""

    def __init__(self, urls: Sequence[str]) -> None:
        assert urls, "a floor has at least one address"
        self._known = tuple(map(socket_url, urls))
        self._turns = cycle(self._known)
        self._pointed_to = ""

    def point_to(self, owner: str) -> None:
        """Try this owner next. Its name is an address, in full or as host and port; any other name is ignored."""
        try:
            self._pointed_to = _beside(self._known[0], owner)
        except ValueError:
            self._pointed_to = ""

    def next(self) -> str:
        """The named owner, once, since it may be gone; otherwise the configured addresses in turn."""
        url, self._pointed_to = self._pointed_to, ""
        return url or next(self._turns)


def socket_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in _SCHEMES or not parts.netloc:
        raise ValueError(f"{url} is no address of a floor: https://host:port")
    return urlunsplit((_SCHEMES[parts.scheme], parts.netloc, parts.path.rstrip("/") or SOCKET_PATH, "", ""))


def _beside(known: str, owner: str) -> str:
    if "://" in owner:
        return socket_url(owner)
    is_address = owner.rpartition(":")[2].isdigit() and ":" in owner
    return urlunsplit(urlsplit(known)._replace(netloc=owner)) if is_address else ""
