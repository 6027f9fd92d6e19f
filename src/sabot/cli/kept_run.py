"""The file of `sabot simulate --resume`: written at intervals and at Ctrl-C, each time as a whole or not at all."""

import os
import time
from pathlib import Path
from typing import Final

from sabot.basics.mistake import Mistake
from sabot.odds.checkpoint import RunIdentity, check_resumes, read_checkpoint, write_checkpoint
from sabot.odds.histogram import Histogram
from sabot.odds.simulation import Simulation

SECONDS_BETWEEN: Final = 10.0


def kept_seed(file: Path) -> int | None:
    """The seed of the run in the file, or None where there is no file yet."""
    text = _read(file)
    return None if text is None else _opened(file, text)[0].seed


class KeptRun:
    """A run that is kept in a file."""

    def __init__(self, file: Path, rule_set: str, simulation: Simulation) -> None:
        self._file, self._run, self._sure = file, RunIdentity.of(rule_set, simulation), simulation.sure_shoes
        self.dealt = simulation.none_dealt
        text = _read(file)
        if text is not None:
            kept, self.dealt = _opened(file, text)
            try:
                check_resumes(self._run, kept, self.dealt, simulation)
            except Mistake as mistake:
                raise Mistake(f"{file} cannot be resumed: {mistake}") from None
        self.write()

    def watch(self, dealt: Histogram) -> None:
        """Keep the counts. Shoes beyond the sure ones are dealt anew when the run is resumed."""
        if dealt.shoes > self._sure:
            return
        self.dealt = dealt
        if time.monotonic() - self._written >= SECONDS_BETWEEN:
            self.write()

    def write(self) -> None:
        fresh = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        try:
            with fresh.open("wb") as out:
                out.write(write_checkpoint(self._run, self.dealt))
                out.flush()
                os.fsync(out.fileno())
            fresh.replace(self._file)
        except OSError as error:
            raise Mistake(f"{self._file} cannot be written ({error.strerror})") from None
        finally:
            fresh.unlink(missing_ok=True)
        self._written = time.monotonic()


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Mistake(f"{file} cannot be read ({error.strerror})") from None


def _opened(file: Path, text: bytes) -> tuple[RunIdentity, Histogram]:
    try:
        return read_checkpoint(text)
    except Mistake as mistake:
        raise Mistake(f"{file} cannot be resumed: {mistake}") from None
