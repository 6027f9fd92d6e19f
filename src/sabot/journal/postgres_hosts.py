"""The hosts of an address: which of them leads now, and whether a silent server still does.

An address may name all nodes of a cluster. They are asked at the same time, so that one that is dead, frozen or still
starting delays nobody. A server that is frozen keeps its connections open and answers nothing, for which TCP has no
remedy. While a statement is unanswered, the other hosts are asked repeatedly whether one of them leads instead.
"""

import asyncio
import socket
from collections.abc import Awaitable, Sequence
from typing import Any, TypeAlias, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit

import asyncpg

CONNECT_SECONDS = 10.0
STRAGGLER_SECONDS = 1.5
"""How long a host is still waited for when all others have said that they do not lead."""
SILENCE_SECONDS = 2.0
"""How long a statement may be unanswered before the hosts are asked who leads."""
ASK_AGAIN_SECONDS = 0.5
"""How soon it is asked again, and how long the asking waits for the last host."""
_ATTRIBUTES = "target_session_attrs"
_TELLING = (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError, ValueError)
"""What is said before that a host is away or does not lead."""
_TCP_OPTIONS = {
    "TCP_KEEPIDLE": 5,
    "TCP_KEEPALIVE": 5,  # The same, by the name that macOS has for it.
    "TCP_KEEPINTVL": 3,
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": 15_000,
}
T = TypeVar("T")


class PostgresConnection(asyncpg.Connection):
    """A connection whose socket notices a dead peer within seconds."""

    def __init__(self, protocol: Any, transport: asyncio.Transport, *others: Any) -> None:
        super().__init__(protocol, transport, *others)
        self.peer = transport.get_extra_info("peername")
        """The server's address, by which it is told from another."""
        sock = transport.get_extra_info("socket")
        if sock is not None and sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in _TCP_OPTIONS.items():
                if hasattr(socket, name):
                    sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

    def get_reset_query(self) -> str:
        """The journal leaves no session state behind, so a connection returns to the pool without a round trip."""
        return ""


def addresses_of(dsn: str) -> list[str]:
    """An address for each host. Of several hosts the one is wanted that takes writes, unless the address says else."""
    parts = urlsplit(dsn)
    user, at, hosts = parts.netloc.rpartition("@")
    query = dict(parse_qsl(parts.query))
    if "," in hosts:
        query.setdefault(_ATTRIBUTES, "read-write")
        named = [parts._replace(netloc=f"{user}{at}{host}", query=urlencode(query)) for host in hosts.split(",")]
    elif "," in query.get("host", ""):
        query.setdefault(_ATTRIBUTES, "read-write")
        names = query["host"].split(",")
        ports = query.pop("port", "").split(",")
        each = ports if len(ports) == len(names) else ports[:1] * len(names)
        named = [
            parts._replace(query=urlencode(query | {"host": name} | ({"port": port} if port else {})))
            for name, port in zip(names, each, strict=True)
        ]
    else:
        return [dsn]
    return [f"{one.scheme}://{one.netloc}{one.path}?{one.query}" for one in named]


async def connect_to_leader(
    dsn: str, *, timeout: float = CONNECT_SECONDS, straggler_s: float = STRAGGLER_SECONDS, **options: Any
) -> Any:
    """Connect to the host that leads: the first that accepts."""
    addresses = addresses_of(dsn)
    if len(addresses) == 1:
        return await asyncpg.connect(dsn, timeout=timeout, **options)
    asking = [asyncio.create_task(asyncpg.connect(one, timeout=timeout, **options)) for one in addresses]
    won = None
    try:
        won = await _first_to_accept(asking, straggler_s)
        return won
    finally:
        for task in asking:
            task.cancel()
        for said in await asyncio.gather(*asking, return_exceptions=True):
            if isinstance(said, asyncpg.Connection) and said is not won:
                said.terminate()


Link: TypeAlias = "PostgresConnection | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"
"""A connection, or one that belongs to a pool."""


async def answered(dsn: str, link: "Link", statement: Awaitable[T]) -> T:
    """Wait for a statement's answer as long as its server leads.

    Where another one does, the connection is dropped without a cancel, and the statement ends as after a lost one.
    """
    watch = _Watch(dsn, link)
    try:
        return await statement
    finally:
        watch.end()


class _Watch:
    """Asks who leads while a statement is unanswered for too long. Nearly none is, so it is a timer until then."""

    def __init__(self, dsn: str, link: "Link") -> None:
        self._dsn, self._link = dsn, link
        self._asking: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(SILENCE_SECONDS, self._begin)

    def end(self) -> None:
        self._timer.cancel()
        if self._asking is not None:
            self._asking.cancel()

    def _begin(self) -> None:
        self._asking = asyncio.create_task(self._ask())

    async def _ask(self) -> None:
        while True:
            if await _another_leads(self._dsn, self._link):
                self._link.terminate()
            await asyncio.sleep(ASK_AGAIN_SECONDS)


async def _another_leads(dsn: str, link: "Link") -> bool:
    if len(addresses_of(dsn)) == 1:
        return False
    try:
        leader = await connect_to_leader(dsn, straggler_s=ASK_AGAIN_SECONDS, connection_class=PostgresConnection)
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError):
        return False
    leader.terminate()
    return bool(leader.peer != getattr(link, "peer", None))


async def _first_to_accept(
    asking: "Sequence[asyncio.Task[asyncpg.Connection]]", straggler_s: float
) -> "asyncpg.Connection":
    waiting, errors = set(asking), list[BaseException]()
    while waiting:
        limit = straggler_s if len(waiting) == 1 else None
        done, waiting = await asyncio.wait(waiting, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            error = task.exception()
            if error is None:
                return task.result()
            errors.append(error)
        if not done:
            break
    raise min(errors, key=lambda error: not isinstance(error, _TELLING))
