"""What a printer's driver remembers through a loss of power: which tickets were printed, failed, or were under way."""

from pathlib import Path

import msgspec

from sabot.client.memory import replace_durably

MOST_KEPT = 100
"""More than a station is shown of its newest tickets when it comes back."""


class _Log(msgspec.Struct, frozen=True, kw_only=True):
    known: tuple[str, ...] = ()
    """Tickets that need nothing more, newest last."""
    printing: str = ""
    failed: dict[str, str] = {}
    """Faults that the table may not have heard of yet."""


class PrintLog:
    """A small file, replaced as a whole before anything that follows from it is done."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.is_new = not path.exists()
        """Whether this printer has never been here: tickets from before it came are not its to print."""
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
        """Printed, or reported, or not this printer's."""
        known = (*self._log.known, *numbers)[-MOST_KEPT:]
        failed = {number: fault for number, fault in self._log.failed.items() if number not in numbers}
        self._write(known=known, printing="", failed=failed)

    def fail(self, number: str, fault: str) -> None:
        self._write(printing="", failed={**self._log.failed, number: fault})

    def _write(self, **changes: object) -> None:
        self._log = msgspec.structs.replace(self._log, **changes)
        replace_durably(self._path, msgspec.json.encode(self._log))
        self.is_new = False
