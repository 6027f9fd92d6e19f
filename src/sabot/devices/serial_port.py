"""A serial port as asyncio reads it: raw bytes, eight bits and one stop bit, of which one program has the use."""

import asyncio
import errno
import fcntl
import os
import termios
import tty
from typing import Literal, Self

Parity = Literal["none", "even", "odd"]
SPEEDS = {speed: getattr(termios, f"B{speed}") for speed in (1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)}
_INPUT, _CONTROL, _IN_SPEED, _OUT_SPEED = 0, 2, 4, 5
_PARITY = {"none": 0, "even": termios.PARENB, "odd": termios.PARENB | termios.PARODD}


class PortUnusable(Exception):
    """A port that cannot be opened; the text is one sentence."""


class SerialPort:
    """Open until `close`. A port whose device is unplugged raises OSError."""

    def __init__(self, path: str, speed: int = 9600, parity: Parity = "none") -> None:
        self.path = path
        self._descriptor = _opened(path)
        try:
            _set(self._descriptor, path, speed, parity)
        except BaseException:
            os.close(self._descriptor)
            raise
        self._unread = bytearray()
        self._lost: OSError | None = None
        self._something = asyncio.Event()
        asyncio.get_running_loop().add_reader(self._descriptor, self._take)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._descriptor)
        os.close(self._descriptor)

    def drop_unread(self) -> None:
        self._unread.clear()

    async def read(self) -> bytes:
        """The bytes that have come in, at least one."""
        while not self._unread:
            if self._lost is not None:
                raise self._lost
            self._something.clear()
            await self._something.wait()
        read = bytes(self._unread)
        self._unread.clear()
        return read

    async def write(self, data: bytes) -> None:
        """Returns when the port has taken all bytes."""
        while data:
            try:
                data = data[os.write(self._descriptor, data) :]
            except BlockingIOError:
                await self._until_writable()

    async def _until_writable(self) -> None:
        loop, writable = asyncio.get_running_loop(), asyncio.Event()
        loop.add_writer(self._descriptor, writable.set)
        try:
            await writable.wait()
        finally:
            loop.remove_writer(self._descriptor)

    def _take(self) -> None:
        try:
            data = os.read(self._descriptor, 4096)
        except BlockingIOError:
            return
        except OSError as error:
            self._lose(error)
            return
        if data:
            self._unread += data
        else:
            self._lose(OSError(errno.EIO, "the other end has gone"))
        self._something.set()

    def _lose(self, error: OSError) -> None:
        self._lost = error
        asyncio.get_running_loop().remove_reader(self._descriptor)
        self._something.set()


def _opened(path: str) -> int:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except PermissionError:
        message = f"{path} may not be used by this user: add the user to the group that owns it, often dialout"
        raise PortUnusable(message) from None
    except FileNotFoundError:
        raise PortUnusable(f"there is no port {path}") from None
    except OSError as error:
        raise PortUnusable(f"{path} cannot be opened: {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise PortUnusable(f"another program uses {path}") from None
    return descriptor


def _set(descriptor: int, path: str, speed: int, parity: Parity) -> None:
    try:
        tty.setraw(descriptor)
        settings = termios.tcgetattr(descriptor)
    except termios.error:
        raise PortUnusable(f"{path} is no serial port") from None
    settings[_INPUT] &= ~(termios.INPCK | termios.IXON | termios.IXOFF)
    settings[_CONTROL] &= ~(termios.PARENB | termios.PARODD | termios.CSTOPB)
    settings[_CONTROL] |= termios.CLOCAL | termios.CREAD | _PARITY[parity]
    settings[_IN_SPEED] = settings[_OUT_SPEED] = SPEEDS[speed]
    termios.tcsetattr(descriptor, termios.TCSANOW, settings)
