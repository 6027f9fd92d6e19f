"""Adapters of the journal: known in the journal's room alone, and opened by their addresses."""

import ast
import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sabot.audit.journal_copy import copy
from sabot.cli import run
from sabot.cli.exit_codes import WRONG_INPUT
from sabot.journal import opening
from sabot.journal.adapter import JournalAdapter, OpenedJournal, OpeningReport, Safeguards
from sabot.journal.anchor import Anchoring, AnchorKeeper, read_anchor
from sabot.journal.anchor_raising import AnchorRaising
from sabot.journal.journal import Journal, ReadableJournal, Unusable
from sabot.journal.memory import MemoryJournal
from sabot.journal.parts import PartSeal
from sabot.journal.record import head_after, start_of
from sabot.journal.volume import JournalVolume
from tests.floor.nights import Clock, played
from tests.journal.entries import entry

SOURCE = Path(__file__).resolve().parents[2] / "src" / "sabot"
ADAPTER_MODULES = ("sabot.journal.sqlite", "sabot.journal.postgres")
ALLOWED = {
    (
        "web/identity/vault_postgres.py",
        "sabot.journal.postgres_connection",
    ): "the vault is a database of its own, reached by connections that are made and checked in the same way",
    ("web/identity/vault_postgres.py", "sabot.journal.postgres_hosts"): "it finds the node that leads in the same way",
    ("web/identity/vault_postgres.py", "sabot.journal.postgres_schema"): "its tables are granted to the same role",
    ("web/identity/vault_sqlite.py", "sabot.journal.sqlite_file"): "it refuses the same faulty SQLite libraries",
}
"""Modules outside the journal's room that import a module of an adapter, and why."""


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_other_room_imports_an_adapter() -> None:
    modules = [path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] != "journal"]
    assert len(modules) > 100
    found = {
        (str(path.relative_to(SOURCE)), module)
        for path in modules
        for name in _imported(path)
        if name.startswith(ADAPTER_MODULES)
        for module in [".".join(name.split(".")[:3])]
    }
    assert found == set(ALLOWED)


class MemoryAdapter:
    """A whole adapter: journals in memory, which live as long as the adapter and are told apart by name."""

    is_shared = False

    def __init__(self) -> None:
        self._journals: dict[str, MemoryJournal] = {}

    def opens(self, address: str) -> bool:
        return address.startswith("memory:")

    def path_of(self, address: str) -> Path | None:  # noqa: ARG002
        return None

    async def open(self, address: str, safeguards: Safeguards) -> OpenedJournal:
        journal = self._journals.setdefault(address, MemoryJournal(Clock()))
        anchor = AnchorRaising(AnchorKeeper(Anchoring(safeguards.anchor), [])) if safeguards.anchor else None
        return OpenedJournal(journal, OpeningReport(figures={"streams": len(await journal.streams())}), anchor)

    async def check_to_write(self, address: str, anchor: Path | None) -> None:
        """It has lost nothing as long as it is there."""

    async def open_to_read(self, address: str) -> ReadableJournal:
        if address not in self._journals:
            raise Unusable(f"there is no journal at {address}")
        return self._journals[address]

    @asynccontextmanager
    async def create(self, address: str, like: str = "") -> AsyncIterator[Journal]:  # noqa: ARG002
        if address in self._journals:
            raise Unusable(f"{address} is there already; a copy never replaces anything")
        journal = MemoryJournal(Clock())
        yield journal
        self._journals[address] = journal

    def volume(self, address: str) -> JournalVolume:  # noqa: ARG002
        raise Unusable("memory has no volume")

    async def unload(self, address: str, family: Path) -> tuple[PartSeal, Path]:  # noqa: ARG002
        raise Unusable("a journal in memory has no parts")

    async def drop_part(self, address: str, seal: PartSeal) -> None:  # noqa: ARG002
        raise Unusable("a journal in memory has no parts")

    async def prepare(self, address: str) -> list[str]:  # noqa: ARG002
        raise Unusable("a journal in memory needs no preparation")


@pytest.fixture
def _memory_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "ADAPTERS", list(opening.ADAPTERS))
    adapter: JournalAdapter = MemoryAdapter()
    opening.register(adapter)


@pytest.mark.usefixtures("_memory_is_registered")
class TestAThirdAdapter:
    def test_is_opened_by_its_address_to_write_and_to_read(self, tmp_path: Path) -> None:
        async def opened() -> None:
            anchor = tmp_path / "anchor"
            kept = await opening.open_to_write("memory:night", anchor=anchor)
            records = start_of("t").then(1, [entry("line/1")])
            await kept.journal.append("t", 0, records)
            head = head_after(records[-1])
            assert await kept.raise_anchor(head) is None
            raised = read_anchor(anchor)
            assert raised is not None
            assert raised.heads == {"t": head}
            assert await (await opening.open_to_read("memory:night")).head("t") == head
            assert (await opening.open_to_write("memory:night")).report.figures == {"streams": 1}
            with pytest.raises(Unusable, match="no journal at memory:day"):
                await opening.open_to_read("memory:day")
            with pytest.raises(Unusable, match="no preparation"):
                await opening.prepare("memory:night")

        asyncio.run(opened())
        assert opening.path_of("memory:night") is None
        assert opening.path_of("memory.journal") == Path("memory.journal")

    def test_is_served_by_the_commands(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        night, _ = played(seed=3, coups=2)

        async def copied() -> None:
            async with opening.create("memory:night") as journal:
                await copy(night, journal, lambda *_: None)

        asyncio.run(copied())
        assert run(["journal", "verify", "memory:night", "--processes", "1"]) == 0
        assert run(["journal", "backup", "memory:night", "night.journal"]) == 0
        assert run(["journal", "migrate", "night.journal", "memory:again"]) == 0
        for words, refusal in (
            (("migrate", "night.journal", "memory:night"), "is there already"),
            (("prepare", "memory:night"), "no preparation"),
            (("volume", "memory:night"), "memory has no volume"),
            (("backup", "night.journal", "memory:other"), "a backup is a file"),
        ):
            assert run(["journal", *words]) == WRONG_INPUT
            assert refusal in capsys.readouterr().err


def test_a_file_is_made_whole_or_not_at_all(tmp_path: Path) -> None:
    address = str(tmp_path / "copy.journal")

    async def interrupted() -> None:
        async with opening.create(address):
            raise InterruptedError

    async def finished() -> None:
        async with opening.create(address):
            pass

    with pytest.raises(InterruptedError):
        asyncio.run(interrupted())
    assert not Path(address).exists()
    asyncio.run(finished())
    assert Path(address).exists()
    with pytest.raises(Unusable, match="is there already"):
        asyncio.run(finished())
