"""A process that has loaded the command, from which commands are forked: each starts at once in a process of its own.

Run as a program it answers requests on a socket. A request brings the words, the folder, the environment and the
three streams; the answer is the number of the command's process. That process is forked twice, so that the process of
the tests adopts it (it is a subreaper, see `tests/leaks.py`), waits for it, and sees it where it is left behind.
"""

import array
import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher

from sabot.web.identity import pin

NAME = "sabot-loaded"
"""What the system calls this process; a name has at most 15 characters."""
_SET_NAME = 15
"""Of prctl."""
LARGEST = 1 << 20
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Argon2id with next to no work, for the PINs of commands that are forked, since tests sign on a thousand times. A
command that is started anew takes the usual work."""


def load() -> None:
    """Everything that any command loads when it runs. NumPy starts no threads here, which a fork would lose."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    package = importlib.import_module("sabot")
    for module in pkgutil.walk_packages(package.__path__, "sabot."):
        if module.ispkg or module.name.rpartition(".")[2] != "kernel":  # The compiled kernel is no module of Python.
            importlib.import_module(module.name)
    pin.USUAL = CHEAP
    gc.collect()
    gc.freeze()


def serve(asked: socket.socket) -> dict[str, Any]:
    """Fork for each request; what returns is the process of a command, with the request that it answers."""
    while True:
        said, streams = _received(asked)
        if not said:
            os._exit(0)  # Those who asked are gone.
        read, write = os.pipe()
        if between := os.fork():
            os.close(write)
            os.waitpid(between, 0)
            with open(read, "rb") as number:  # noqa: PTH123  It is no path.
                asked.sendall(number.read().ljust(16))
            for one in streams:
                os.close(one)
            continue
        if os.fork():
            os._exit(0)
        os.write(write, str(os.getpid()).encode())
        asked.close()
        os.close(read)
        os.close(write)
        for place, one in enumerate(streams):
            os.dup2(one, place)
            os.close(one)
        request: dict[str, Any] = json.loads(said)
        return request


def _received(asked: socket.socket) -> tuple[bytes, list[int]]:
    """One request, which ends with a zero byte, and the streams that came with it."""
    fds = array.array("i")
    said, ancillary, _, _ = asked.recvmsg(LARGEST, socket.CMSG_SPACE(3 * fds.itemsize))
    for _, _, held in ancillary:
        fds.frombytes(held)
    while said and not said.endswith(b"\0"):
        said += asked.recv(LARGEST)
    return said[:-1], list(fds)


def become(request: dict[str, Any]) -> None:
    """Take on what a process that is started has from its parent."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = ["sabot", *request["words"]]
    sys.path[0] = str(Path(sys.executable).parent)  # Where the command lies.
    sys.stdin = sys.__stdin__ = open(0, encoding=sys.stdin.encoding)  # type: ignore[misc]  # noqa: SIM115
    sys.stdout = sys.__stdout__ = open(1, "w", encoding=sys.stdout.encoding)  # type: ignore[misc]  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(  # type: ignore[misc]  # noqa: SIM115
        2, "w", encoding=sys.stderr.encoding, errors="backslashreplace", buffering=1
    )


def run() -> int:
    """The command to its end, and its exit code as Python would give it."""
    from sabot.cli import main  # noqa: PLC0415  It is loaded already.

    try:
        main()
    except SystemExit as left:
        if isinstance(left.code, str):
            print(left.code, file=sys.stderr)  # noqa: T201  As Python does.
        return left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def end(code: int) -> None:
    """Wait for threads, do what was left for the end, and leave without taking apart all that was loaded."""
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001  What Python calls at its end.
    atexit._run_exitfuncs()  # noqa: SLF001  The same.
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # It ends with the tests, which Ctrl-C ends.
    load()
    ctypes.CDLL(None).prctl(_SET_NAME, NAME.encode(), 0, 0, 0)
    become(serve(socket.socket(fileno=int(sys.argv[1]))))
    ctypes.CDLL(None).prctl(_SET_NAME, b"sabot", 0, 0, 0)
    __spec__ = None  # type: ignore[assignment]  # What it spawns must not load this file again.
    del __file__
    end(run())
