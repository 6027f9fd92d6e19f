"""A world of the drill's own: its networks, mounts and processes exist for it alone and end with it.

The drill starts itself again inside new namespaces. Root may make them, and so may others where user namespaces are
allowed. The first process in there does nothing but wait for others to end, as the first process of a machine does:
PostgreSQL takes one that nobody has waited for to be alive.
"""

import os
import shutil
import subprocess
import sys
from typing import NoReturn

from sabot.basics.mistake import Mistake

INSIDE = "SABOT_DRILL_INSIDE"
SABOT = (sys.executable, "-c", "from sabot.cli import main; main()")
"""This program, by the interpreter that runs it."""
_NEW = ("--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
_AS_ROOT = ("--user", "--map-root-user")


def enter(words: list[str]) -> None:
    """Go on inside; outside, become the process that waits for it. Returns inside only."""
    if os.environ.get(INSIDE):
        _wait_for_others()
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)  # noqa: S607
        return
    command = ["unshare", *(() if os.geteuid() == 0 else _AS_ROOT), *_NEW]
    _check(command)
    os.environ[INSIDE] = "1"
    sys.stdout.flush()
    os.execvp(command[0], [*command, *SABOT, *words])  # noqa: S606


def _check(command: list[str]) -> None:
    for program in ("unshare", "nsenter", "ip", "mount"):
        if shutil.which(program) is None:
            raise Mistake(f"the drill of a cluster needs `{program}`, which is not here (Linux: util-linux, iproute2)")
    tried = subprocess.run([*command, "true"], capture_output=True, text=True, check=False)  # noqa: S603
    if tried.returncode:
        raise Mistake(f"no namespaces can be made here: {tried.stderr.strip()}; run it as root")


def _wait_for_others() -> None:
    drill = os.fork()
    if drill:
        _reap(drill)


def _reap(drill: int) -> NoReturn:
    while True:
        try:
            ended, status = os.wait()
        except (ChildProcessError, KeyboardInterrupt):
            continue
        if ended == drill:
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
