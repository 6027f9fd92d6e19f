"""Runs a command under the filter of system calls that a unit of systemd has: python filtered.py UNIT COMMAND...

It is the same filter as systemd would load: its own lists of calls, and libseccomp. Any call that is not allowed ends
the command with SIGSYS, whatever the unit says of errors, so that nothing goes unnoticed.
"""

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path

KILL, ALLOW, NO_NEW_PRIVILEGES = 0x80000000, 0x7FFF0000, 38


def calls_of(name: str, lists: dict[str, list[str]]) -> set[str]:
    if not name.startswith("@"):
        return {name}
    return {call for one in lists[name] for call in calls_of(one, lists)}


def allowed_by(unit: str) -> set[str]:
    printed = subprocess.run(["systemd-analyze", "syscall-filter"], capture_output=True, text=True, check=True)  # noqa: S607
    lists: dict[str, list[str]] = {}
    for line in printed.stdout.splitlines():
        if line.startswith("@"):
            lists[line.strip()] = []
        elif line.startswith("    ") and not line.strip().startswith("#"):
            lists[list(lists)[-1]].append(line.strip())
    allowed = calls_of("@default", lists)
    for words in re.findall(r"^SystemCallFilter=(.*)", unit, re.MULTILINE):
        calls = {call for word in words.lstrip("~").split() for call in calls_of(word, lists)}
        allowed = allowed - calls if words.startswith("~") else allowed | calls
    return allowed


def main(unit: str, *command: str) -> None:
    allowed = allowed_by(Path(unit).read_text(encoding="utf-8"))
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(KILL)))
    for call in allowed:
        library.seccomp_rule_add(rules, ctypes.c_uint32(ALLOW), library.seccomp_syscall_resolve_name(call.encode()), 0)
    assert ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
    assert library.seccomp_load(rules) == 0
    os.execv(command[0], command)  # noqa: S606  The test's own words.


if __name__ == "__main__":
    main(*sys.argv[1:])
