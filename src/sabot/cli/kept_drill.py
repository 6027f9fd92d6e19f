"""The file of `sabot drill integrity --resume`: what came of each table, a line as soon as it is known."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from sabot.basics.mistake import UNREADABLE, Mistake
from sabot.integrity.trial.trial import NIGHTS_A_TABLE, FoundCheat, HonestTable


class _Drill(msgspec.Struct, frozen=True, tag="drill"):
    """The first line: what the outcomes depend on beside their numbers."""

    seed: int
    most_coups: int
    nights_a_table: int = NIGHTS_A_TABLE


class _Honest(msgspec.Struct, frozen=True, tag="honest"):
    played: HonestTable


class _Cheated(msgspec.Struct, frozen=True, tag="cheated"):
    cheat: str
    played: FoundCheat


class KeptDrill:
    """Outcomes that are known already, and those that come; without a file none is kept."""

    def __init__(self, file: Path | None, seed: int, most_coups: int) -> None:
        self._file = file
        self.honest: list[HonestTable] = []
        self._cheated: dict[str, list[FoundCheat]] = {}
        if file is not None:
            self._begin(file, _Drill(seed, most_coups))

    @property
    def cheated(self) -> Mapping[str, list[FoundCheat]]:
        return self._cheated

    def honest_and(self, played: Iterable[HonestTable]) -> Iterator[HonestTable]:
        """Those that are known, and then those that are played now."""
        yield from self.honest
        for one in played:
            self._keep(_Honest(one))
            yield one

    def cheated_and(self, cheat: str, played: Iterable[FoundCheat]) -> Iterator[FoundCheat]:
        yield from self._cheated.get(cheat, ())
        for one in played:
            self._keep(_Cheated(cheat, one))
            yield one

    def _begin(self, file: Path, drill: _Drill) -> None:
        try:
            written = file.read_bytes() if file.exists() else b""
            whole = written[: written.rfind(b"\n") + 1]  # A line that was not finished is played again.
            first, *lines = [_read(line) for line in whole.splitlines()] or [drill]
            if len(whole) < len(written) or not whole:
                file.write_bytes(whole or _encode(drill) + b"\n")
        except OSError as error:
            raise Mistake(f"{file} cannot be read or written ({error.strerror})") from None
        except UNREADABLE:
            raise Mistake(f"{file} holds no drill of integrity") from None
        if first != drill:
            raise Mistake(f"{file} holds a drill with another --seed or --most-coups")
        for line in lines:
            if isinstance(line, _Honest):
                self.honest.append(line.played)
            elif isinstance(line, _Cheated):
                self._cheated.setdefault(line.cheat, []).append(line.played)

    def _keep(self, line: _Honest | _Cheated) -> None:
        if self._file is None:
            return
        try:
            with self._file.open("ab") as out:
                out.write(_encode(line) + b"\n")
        except OSError as error:
            raise Mistake(f"{self._file} cannot be written ({error.strerror})") from None


_encode = msgspec.json.Encoder().encode
_read = msgspec.json.Decoder(_Drill | _Honest | _Cheated).decode
