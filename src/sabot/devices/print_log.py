"""The print log, which survives a loss of power: which tickets were printed, failed, or were being printed."""

from pathlib import Path

import msgspec

from sabot.client.memory import replace_durably

MOST_KEPT = 100
"""More than the number of newest tickets that a returning printer is sent."""


class _Log(msgspec.Struct, frozen=True, kw_only=True):
    known: tuple[str, ...] = ()
    """Tickets that need no further action, newest last."""
    printing: str = ""
    failed: dict[str, str] = {}
    """Faults by ticket that may not have reached the table yet."""


class PrintLog:
    """A small file, replaced as a whole before any action that follows from it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.is_new = not path.exists()
        """Whether there was no log yet: a new printer does not print earlier tickets."""
        self._log = _Log() if self.is_new else msgspec.json.decode(path.read_bytes(), type=_Log)

    @property
    def printing(self) -> str:
        return self._log.printing

    @property
    def failed(self) -> dict[str, str]:
        return self._log.failed

    def is_known(self, number: str) -> bool:
        log = self._log
        return number in log.known or number in log.failed or number == log.printing

    def begin(self, number: str) -> None:
        self._write(printing=number)

    def finish(self, *numbers: str) -> None:
        """Record that these tickets were printed, reported, or are not this printer's."""
        known = (*self._log.known, *numbers)[-MOST_KEPT:]
        failed = {number: fault for number, fault in self._log.failed.items() if number not in numbers}
        self._write(known=known, printing="", failed=failed)

    def fail(self, number: str, fault: str) -> None:
        self._write(printing="", failed={**self._log.failed, number: fault})

    def _write(self, **changes: object) -> None:
        self._log = msgspec.structs.replace(self._log, **changes)
        replace_durably(self._path, msgspec.json.encode(self._log))
        self.is_new = False
