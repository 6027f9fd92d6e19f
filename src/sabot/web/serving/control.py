"""The control socket: orders to one process of a floor from the machine that it runs on.

It is a socket in the file system, beside the floor's file or where `control` says, for the program's user alone, who
could also end the process. Each connection brings one order as a line of JSON, and its progress goes back line by line.
Who gave the order, as the system knows it, is on record in the stream of each table.
"""

import asyncio
import contextlib
import os
import pwd
import socket
import struct
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import structlog

from sabot.basics.mistake import Mistake
from sabot.floor.table_edits import TableEdit
from sabot.journal.journal import Unusable
from sabot.runtime.draining import Drain, DrainedTable, drain, unknown_tables
from sabot.runtime.floor import RunningFloor
from sabot.table.configuration import read_configuration
from sabot.web.identity.services import Services, ServiceShown
from sabot.web.serving import service_orders
from sabot.web.serving.file_edits import FileEdits
from sabot.web.serving.floor_file import FloorFile
from sabot.web.serving.rotation import rotate_journal
from sabot.web.serving.service_orders import ServiceOrder

log = structlog.get_logger(__name__)

MOST_BYTES = 1024 * 1024
"""Of an order, which may bring the files of all tables."""
_PEER = struct.Struct("3i")


class ControlOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One of these."""

    drain: Drain | None = None
    rotate: bool = False
    """Seal the open part of the journal, and go on in a new one."""
    apply: tuple[dict[str, Any], ...] = ()
    """The tables' files as they are now, to be applied."""
    file: FloorFile | None = None
    """The floor's file as it is now, which is compared with the one that was read at the start."""
    service: ServiceOrder | None = None


class ControlAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of progress, or how it ended."""

    table: DrainedTable | None = None
    refused: str = ""
    done: bool = False
    complete: bool = False
    """Whether everything that was asked for was done; the process then ends if it was drained whole."""
    part: int = 0
    """The part of the journal that was sealed."""
    seal: str = ""
    """The digest of its seal."""
    edits: dict[str, tuple[TableEdit, ...]] = {}
    """What became of the edits of tables' files, by table."""
    token: str = ""
    """Of a service account that was made; it is shown this once."""
    expires_ms: int = 0
    services: tuple[ServiceShown, ...] = ()


class Control:
    def __init__(
        self, floor: RunningFloor, services: Services, stop: Callable[[], None], edits: FileEdits | None = None
    ) -> None:
        self._floor, self._services, self._stop, self._edits = floor, services, stop, edits
        self._turn = asyncio.Lock()

    async def hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def say(answer: ControlAnswer) -> None:
            if not writer.is_closing():
                writer.write(_encode(answer) + b"\n")

        try:
            order = _read_order(await reader.readline())
            if order.rotate:
                await self._rotate(_person(writer), say)
            elif order.apply:
                await self._apply(order, _person(writer), say)
            elif order.service is not None:
                say(await self._about_services(order.service, _person(writer)))
            elif order.drain is not None:
                await self._carry_out(order.drain, _person(writer), say)
            else:
                raise Mistake("this is no order: it asks for nothing")
        except Mistake as mistake:
            say(ControlAnswer(refused=str(mistake), done=True))
        except Exception:
            log.exception("an order could not be carried out")
            say(ControlAnswer(refused="something went wrong here; the log says what", done=True))
        finally:
            with contextlib.suppress(OSError):
                await writer.drain()
                writer.close()
                await writer.wait_closed()

    async def _about_services(self, order: ServiceOrder, by: str) -> ControlAnswer:
        log.info("an order about service accounts", order=order.do, by=by)
        if order.do == "make":
            made = await service_orders.make(self._services, order, by)
            return ControlAnswer(done=True, complete=True, token=made.token, expires_ms=made.account.until_ms)
        if order.do == "revoke":
            await service_orders.revoke(self._services, order, by)
        return ControlAnswer(done=True, complete=True, services=self._services.listed())

    async def _rotate(self, by: str, say: Callable[[ControlAnswer], None]) -> None:
        async with self._turn:
            log.info("an order to rotate the journal", by=by)
            try:
                seal = await rotate_journal(self._floor)
            except Unusable as unusable:
                raise Mistake(str(unusable)) from None
            say(ControlAnswer(done=True, complete=True, part=seal.number, seal=seal.digest))

    async def _apply(self, order: ControlOrder, by: str, say: Callable[[ControlAnswer], None]) -> None:
        if self._edits is None:
            raise Mistake("the lessons of a dealer school configure its tables: there is no file to apply")
        wanted = {one.table: one for one in map(read_configuration, order.apply)}
        if unknown := sorted(wanted.keys() - self._floor.tables.keys()):
            raise Mistake(f"table {unknown[0]} is new: it is served from the next start on")
        async with self._turn:
            log.info("an order to apply the tables' files", tables=sorted(wanted), by=by)
            edits = {**self._edits.of_the_floor(order.file), **await self._edits.apply(wanted)}
            say(ControlAnswer(edits=edits, done=True, complete=True))

    async def _carry_out(self, asked: Drain, by: str, say: Callable[[ControlAnswer], None]) -> None:
        unknown = unknown_tables(self._floor, asked.tables)
        if unknown:
            raise Mistake(f"there is no table {unknown[0]} on this floor")
        if asked.tables and not self._floor.is_shared:
            raise Mistake("no other process can take a table of a journal in a file: drain the whole process")
        async with self._turn:
            log.info("an order to drain", tables=asked.tables or "all", to=asked.to, by=by)
            complete = await drain(self._floor, asked, by, lambda one: say(ControlAnswer(table=one)))
            say(ControlAnswer(done=True, complete=complete))
            if complete and asked.is_whole:
                self._stop()


@contextlib.asynccontextmanager
async def control_socket(
    path: Path,
    floor: RunningFloor,
    services: Services,
    stop: Callable[[], None],
    edits: FileEdits | None = None,
) -> AsyncIterator[None]:
    """Listen for orders while the block lasts. A floor that cannot is served all the same, and says so."""
    try:
        listener = _bound(path)
    except OSError as error:
        log.warning("no orders can be given on this machine", control=str(path), why=error.strerror)
        yield
        return
    control = Control(floor, services, stop, edits)
    server = await asyncio.start_unix_server(control.hear, sock=listener, limit=MOST_BYTES)
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


def _bound(path: Path) -> socket.socket:
    """A socket left behind by a process that was killed is replaced; one that answers is not."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with _short(path) as name:
            if path.is_socket() and not _answers(name):
                path.unlink()
            before = os.umask(0o177)
            try:
                listener.bind(name)
            finally:
                os.umask(before)
        listener.settimeout(0)
    except OSError:
        listener.close()
        raise
    return listener


def connected(path: Path) -> socket.socket:
    """A connection to the process behind a control socket."""
    asking = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with _short(path) as name:
            asking.connect(name)
    except OSError as error:
        asking.close()
        raise Mistake(
            f"no process serves this floor here: {path} does not answer ({error.strerror}); give the orders on its "
            "machine, as its user"
        ) from None
    return asking


def _answers(name: str) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        return asking.connect_ex(name) == 0


@contextlib.contextmanager
def _short(path: Path) -> Iterator[str]:
    """A name for a socket's address, which holds about a hundred bytes whatever the path is."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        way = Path(f"/proc/self/fd/{folder}")
        yield str(way / path.name) if way.exists() else str(path)
    finally:
        os.close(folder)


def _read_order(line: bytes) -> ControlOrder:
    try:
        return msgspec.json.decode(line, type=ControlOrder)
    except msgspec.MsgspecError as error:
        raise Mistake(f"this is no order: {error}") from None


def _person(writer: asyncio.StreamWriter) -> str:
    """The user of this machine who gave the order."""
    peer = writer.get_extra_info("socket")
    option = getattr(socket, "SO_PEERCRED", None)
    if peer is None or option is None:
        return "the program's user"
    _, user, _ = _PEER.unpack(peer.getsockopt(socket.SOL_SOCKET, option, _PEER.size))
    try:
        return f"{pwd.getpwuid(user).pw_name} on {socket.gethostname()}"
    except KeyError:
        return f"user {user} on {socket.gethostname()}"


_encode = msgspec.json.Encoder().encode
