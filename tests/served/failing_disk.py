"""A disk under a served floor that is full, read-only, fails or is slow as long as a test wants.

`failing_disk.c` stands between the process and the system, so the whole program runs as it is.
"""

import enum
import mmap
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_suffix(".c")
_FAULT = struct.Struct("=i")


class DiskFault(enum.IntEnum):
    """As in the source."""

    NONE = 0
    FULL = 1
    READ_ONLY = 2
    WRITE_FAILS = 3
    SYNC_FAILS = 4
    SLOW = 5


class FailingDisk:
    def __init__(self, folder: Path, under: Path) -> None:
        """Build it in a folder; it fails for files in another one."""
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("there is no C compiler to build a failing disk with")
        library, control = folder / "failing_disk.so", folder / "fault"
        command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
        built = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  Our own source.
        assert built.returncode == 0, built.stderr
        control.write_bytes(_FAULT.pack(DiskFault.NONE))
        with control.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), _FAULT.size)
        self.env = {"LD_PRELOAD": str(library), "SABOT_FAULT": str(control), "SABOT_FAULT_UNDER": str(under)}

    def fail(self, how: DiskFault) -> None:
        self._shared[: _FAULT.size] = _FAULT.pack(how)
