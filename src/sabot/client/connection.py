"""The permanent connection of a device to its table: it opens a socket, proves the device's key, follows the table, and
reconnects after a loss. `protocol` decides which frames are sent and when.
"""

import asyncio
import contextlib
import ssl
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from sabot.client.addresses import Addresses
from sabot.client.back_off import BackOff
from sabot.client.key import DeviceKey
from sabot.client.memory import Memory, NoMemory
from sabot.client.mirror import Mirror
from sabot.client.outcome import (
    CommandRefused,
    DeviceTurnedAway,
    FellBehind,
    FrameNotTaken,
    NeverRecorded,
    Replaced,
    TooManyWait,
    Unanswered,
)
from sabot.client.protocol import (
    Abandon,
    ActOutcome,
    DeviceEffect,
    DeviceFeed,
    Exchange,
    Keep,
    News,
    Patience,
    SendFrame,
    Settle,
    ShowNews,
)
from sabot.table.acts import DeviceAct
from sabot.wire.frames import (
    REPLACED,
    TIED_TO_A_COUP,
    TURNED_AWAY,
    Answer,
    Ask,
    Bye,
    Challenge,
    DeviceFrame,
    FloorFrame,
    Lost,
    PrintedFrame,
    Prove,
    Ready,
    Trouble,
    read_floor_frame,
    write,
)

MOST_WAITING = 100
"""Commands of one device that may wait to be sent."""
MOST_UNREAD = 1_000
OPENING_S = 10.0
CLOSING_S = 1.0
MOST_SAID_BYTES = 4 * 1024 * 1024
"""The largest frame from the floor; the largest is a console's whole view after a long night."""
_LOST_TOUCH = (OSError, WebSocketException, TimeoutError, msgspec.MsgspecError)


class Identity(msgspec.Struct, frozen=True):
    device: str
    key: DeviceKey


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    feed: DeviceFeed = "views"
    table: str = ""
    """Which of its tables the connection is for, where it is enrolled for several; its first one unless said."""
    others: tuple[str, ...] = ()
    """Addresses of other processes of the same floor."""
    tls: ssl.SSLContext | None = None
    """For wss: the trusted certificates, where they are not the system's own."""
    memory: Memory = NoMemory()
    patience: Patience = Patience()
    open_within_s: float | None = OPENING_S
    """How long `async with` waits for the first welcome; None waits until the floor is up."""


def trusting(certificate: str) -> ssl.SSLContext:
    """Trust this certificate and those that it has signed, and no other: for a floor with its own."""
    return ssl.create_default_context(cafile=certificate)


class Following:
    """Iterates over the news from now on: `async for news in following`."""

    def __init__(self, leave: Callable[["Following"], None]) -> None:
        self._news: asyncio.Queue[News | BaseException] = asyncio.Queue(MOST_UNREAD + 1)
        self._leave = leave

    def put(self, news: News | BaseException) -> None:
        if self._news.qsize() >= MOST_UNREAD and not isinstance(news, BaseException):
            self._leave(self)
            news = FellBehind(f"more than {MOST_UNREAD} news were not read")
        with contextlib.suppress(asyncio.QueueFull):
            self._news.put_nowait(news)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._leave(self)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> News:
        news = await self._news.get()
        if isinstance(news, BaseException):
            raise news
        return news


class Connection:
    def __init__(self, url: str, identity: Identity, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.identity = identity
        self.ready: Ready | None = None
        """The device as the floor has enrolled it."""
        self.mirror = Mirror()
        self._addresses = Addresses((url, *self.settings.others))
        self._kept = self.settings.memory.recall()
        self._exchange = Exchange(self.settings.feed, self.settings.patience, self._kept)
        self._outgoing: asyncio.Queue[DeviceFrame | None] = asyncio.Queue()
        self._alarm: asyncio.TimerHandle | None = None
        self._back_off = BackOff()
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._answers: dict[tuple[int, int], asyncio.Future[ActOutcome]] = {}
        self._recalled: ActOutcome | None = None
        self._waiters: deque[asyncio.Future[None]] = deque()
        self._following: set[Following] = set()
        self._task: asyncio.Task[None] | None = None
        self._socket: ClientConnection | None = None
        self._ended: Exception | None = None
        self._barred: DeviceTurnedAway | None = None
        """Why the floor turned the device away when it last tried."""

    # Opening and closing

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._stay_connected())
        try:
            async with asyncio.timeout(self.settings.open_within_s):
                await self.until(lambda: self._exchange.in_touch)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._end(DeviceTurnedAway("the connection was closed here"))

    def cut(self) -> None:
        """Lose the socket without a goodbye, as when a cable is pulled; the device comes back by itself."""
        if self._socket is not None:
            self._socket.transport.abort()

    @property
    def is_entered(self) -> bool:
        """Whether it has begun to connect."""
        return self._task is not None

    @property
    def in_touch(self) -> bool:
        return self._exchange.in_touch

    @property
    def epoch(self) -> int:
        return self._exchange.epoch

    @property
    def version(self) -> int:
        return self._exchange.version

    # Asking

    async def ask(
        self,
        act: DeviceAct,
        *,
        coup: int | None = None,
        token: str = "",
        second: str = "",
        within_s: float | None = None,
    ) -> Answer:
        """Send a command, and return the table's answer when it is durable; a refusal is raised.

        A command that belongs to a coup is for the newest one that the device has seen, unless `coup` names another.
        """
        if self._waiting >= MOST_WAITING:
            raise TooManyWait(f"{MOST_WAITING} commands wait already")
        self._waiting += 1
        try:
            async with asyncio.timeout(within_s):
                outcome = await self._in_turn(act, self._coup_of(act, coup), token, second)
        except TimeoutError:
            raise Unanswered(f"no answer within {within_s} seconds") from None
        finally:
            self._waiting -= 1
        return answered(outcome)

    async def outcome_of(self, act: DeviceAct) -> ActOutcome:
        """Give an act, and wait without limit for its outcome: for devices that hold a patron's money."""
        return await self._in_turn(act, self._coup_of(act, None), "", "")

    def _coup_of(self, act: DeviceAct, coup: int | None) -> int | None:
        is_tied = type(act) in TIED_TO_A_COUP
        return self.mirror.coup if coup is None and is_tied else coup

    async def _in_turn(self, act: DeviceAct, coup: int | None, token: str, second: str) -> ActOutcome:
        async with self._turn:
            await self.until(lambda: self._exchange.is_free)
            effects = self._exchange.ask(self._now(), act, coup, token=token, second=second)
            asked = self._exchange.pending
            assert asked is not None
            answer: asyncio.Future[ActOutcome] = asyncio.get_running_loop().create_future()
            self._answers[asked.epoch, asked.n] = answer
            self._do(effects)
            return await answer

    def report_printed(self, ticket: str) -> None:
        """Report that a ticket was printed, if the floor is in touch; repeating it is harmless."""
        if self._exchange.in_touch:
            self._outgoing.put_nowait(PrintedFrame(ticket=ticket))

    async def recalled(self) -> tuple[Ask, ActOutcome] | None:
        """The command that was pending at the last loss of power with its outcome; None where there was none."""
        if self._kept is None:
            return None
        await self.until(lambda: self._recalled is not None)
        assert self._recalled is not None
        return self._kept, self._recalled

    # Watching

    async def until(self, happened: Callable[[], object]) -> None:
        """Wait until the condition holds; it is checked after every frame from the floor."""
        while not happened():
            failure = self._ended or self._barred
            if failure is not None:
                raise failure
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter

    def follow(self) -> Following:
        following = Following(self._following.discard)
        self._following.add(following)
        return following

    # The socket

    async def _stay_connected(self) -> None:
        try:
            while True:
                delay_s = await self._connected_once(self._addresses.next())
                self._exchange.closed()
                self._wake()
                await asyncio.sleep(delay_s)
        except Exception as error:
            self._end(error)

    async def _connected_once(self, url: str) -> float:
        """Stay in touch as long as it lasts; returns the delay before the next attempt, in seconds.

        Only `close` and a newer connection of the same device end the attempts.
        """
        try:
            await self._connect(url)
        except Replaced:
            raise
        except ssl.SSLCertVerificationError as error:
            return self._turned_away(
                DeviceTurnedAway(f"the floor's certificate is not trusted: {error.verify_message}")
            )
        except DeviceTurnedAway as error:
            return self._turned_away(error)
        except _LOST_TOUCH:
            pass
        return self._back_off.next_s()

    def _turned_away(self, error: DeviceTurnedAway) -> float:
        """Tell all waiting callers. A command that may have reached the floor stays pending, and is resolved when the
        device is let in again."""
        self._barred = error
        self._fail(error)
        return self._back_off.spread_s(self.settings.patience.turned_away_ms / 1000)

    async def _connect(self, url: str) -> None:
        secured: dict[str, Any] = {"ssl": self.settings.tls or True} if url.startswith("wss:") else {}
        async with connect(
            url,
            **secured,
            proxy=None,
            compression=None,
            max_size=MOST_SAID_BYTES,
            open_timeout=OPENING_S,
            close_timeout=CLOSING_S,
        ) as socket:
            async with asyncio.timeout(OPENING_S):
                await self._introduce(socket)
            await self._converse(socket)

    async def _introduce(self, socket: ClientConnection) -> None:
        challenge = await _read(socket)
        if not isinstance(challenge, Challenge):
            raise await _unexpected(socket, challenge)
        proof = self.identity.key.prove(challenge.floor, challenge.nonce)
        prove = Prove(device=self.identity.device, signature=proof, table=self.settings.table)
        await socket.send(write(prove), text=True)
        ready = await _read(socket)
        if not isinstance(ready, Ready):
            raise await _unexpected(socket, ready)
        self.ready, self.mirror.station, self._barred = ready, ready.station, None

    async def _converse(self, socket: ClientConnection) -> None:
        self._outgoing, self._socket = asyncio.Queue(), socket
        writer = asyncio.create_task(self._write(socket, self._outgoing))
        try:
            self._do(self._exchange.opened(self._now()))
            async for frame in socket:
                said = read_floor_frame(frame)
                if isinstance(said, Bye) and said.why == REPLACED:
                    raise Replaced(said.why)
                self._do(self._exchange.hear(self._now(), said))
        finally:
            self._set_alarm(None)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    async def _write(self, socket: ClientConnection, outgoing: asyncio.Queue[DeviceFrame | None]) -> None:
        with contextlib.suppress(ConnectionClosed):
            while (frame := await outgoing.get()) is not None:
                await socket.send(write(frame), text=True)
            await socket.close()

    # Effects

    def _do(self, effects: list[DeviceEffect]) -> None:
        for effect in effects:
            match effect:
                case SendFrame():
                    self._outgoing.put_nowait(effect.frame)
                case Keep():
                    self.settings.memory.keep(effect.ask)
                case Settle():
                    self._settle(effect)
                case ShowNews():
                    self._show(effect.news)
                case Abandon():
                    self._addresses.point_to(effect.owner)
                    self._outgoing.put_nowait(None)
        self._set_alarm(self._exchange.due)
        self._wake()

    def _settle(self, settled: Settle) -> None:
        answer = self._answers.pop((settled.ask.epoch, settled.ask.n), None)
        if answer is not None and not answer.done():
            answer.set_result(settled.outcome)
        if settled.ask == self._kept and self._recalled is None:
            self._recalled = settled.outcome

    def _show(self, news: News) -> None:
        self._back_off.succeeded()
        self.mirror.show(news)
        for following in list(self._following):
            following.put(news)

    def _set_alarm(self, due: int | None) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        loop = asyncio.get_running_loop()
        self._alarm = None if due is None else loop.call_at(due / 1000, self._ring)

    def _ring(self) -> None:
        self._do(self._exchange.wait(self._now()))

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, deque()
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def _end(self, error: Exception) -> None:
        """End the connection for good: all waiting callers get this error."""
        self._ended = self._ended or error
        self._exchange.closed()
        self._fail(error)

    def _fail(self, error: Exception) -> None:
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(error)
        self._answers.clear()
        for following in self._following:
            following.put(error)
        self._wake()

    def _now(self) -> int:
        """Rounded up, so that a timer never fires early."""
        return -int(-asyncio.get_running_loop().time() * 1000 // 1)


def answered(outcome: ActOutcome) -> Answer:
    """The answer, if the table accepted the command; any other outcome is raised."""
    if isinstance(outcome, Lost):
        raise NeverRecorded("the owner was replaced before it recorded the command")
    if isinstance(outcome, Trouble):
        raise FrameNotTaken(outcome.code, outcome.text)
    if outcome.refusal is not None:
        raise CommandRefused(outcome.refusal)
    return outcome


async def _read(socket: ClientConnection) -> FloorFrame:
    return read_floor_frame(await socket.recv())


async def _unexpected(socket: ClientConnection, said: FloorFrame) -> Exception:
    """Why the floor does not let the device in. The code of the closing says whether that is about the device."""
    if not isinstance(said, Bye):
        return ConnectionError(f"the floor sent an unexpected frame: {type(said).__name__.lower()}")
    await socket.wait_closed()
    return DeviceTurnedAway(said.why) if socket.close_code == TURNED_AWAY else ConnectionError(said.why)
