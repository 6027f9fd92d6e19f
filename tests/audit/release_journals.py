"""The journals of earlier releases, which every later program must open, verify and replay.

Each release leaves two files in `tests/data/journals`: its journals, packed, and the figures that its own program read
from them. The journals of the scenarios hold every act, event and refusal that a scenario leads to; `floor.journal` is
of a served floor, with owners, signatures and snapshots. `python -m tests.audit.release_journals 0.2.0` makes those of
a release; files of an earlier one are never made again.
"""

import asyncio
import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from sabot.audit.journal_copy import copy
from sabot.audit.verify import Against, verify
from sabot.floor.lines import table as line_tables
from sabot.floor.records.record_codec import HOUSE, read_answer, table_of, tournament_of
from sabot.floor.records.recovery import recover_house, recover_table, recover_tournament
from sabot.house.state import HouseState
from sabot.journal.journal import ReadableJournal
from sabot.journal.memory import MemoryJournal
from sabot.journal.opening import open_journal, open_to_read
from sabot.rulebook.run import run
from sabot.rulebook.scenario import all_scenarios
from sabot.table.state import TableState
from sabot.tournament.state import TournamentState
from tests.cli.sabot import SABOT

FOLDER = Path(__file__).resolve().parent.parent / "data" / "journals"
FLOOR = "floor.journal"
DEMO_COUPS = "4"
_NO_SNAPSHOT = "no snapshot"

Figures = dict[str, dict[str, dict[str, Any]]]
"""By journal and stream: its last record, and what its records come to."""


def releases() -> list[str]:
    return sorted(path.name.removesuffix(".tar.xz") for path in FOLDER.glob("*.tar.xz"))


def unpack(release: str, folder: Path) -> list[Path]:
    """The journals of a release, as files that may be written to."""
    with tarfile.open(FOLDER / f"{release}.tar.xz") as packed:
        packed.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2 has none yet.
        packed.extractall(folder)  # noqa: S202  Our own archive.
    return sorted(folder.glob("*.journal"))


def figures_of(release: str) -> Figures:
    return msgspec.json.decode((FOLDER / f"{release}.json").read_bytes(), type=Figures)


async def read_figures(journal: ReadableJournal) -> dict[str, dict[str, Any]]:
    """What the records of each stream come to: money, tickets, slips and results."""
    found = {}
    for stream in await journal.streams():
        head = await journal.head(stream)
        found[stream] = {"version": head.version, "hash": head.hash.hex(), **await _figures(journal, stream)}
    return found


async def _figures(journal: ReadableJournal, stream: str) -> dict[str, Any]:
    if stream == HOUSE:
        return _of_house((await recover_house(journal, _NO_SNAPSHOT)).state)
    tournament = tournament_of(stream)
    if tournament is not None:
        return _of_tournament((await recover_tournament(journal, tournament, _NO_SNAPSHOT)).state)
    state = (await recover_table(journal, stream, _NO_SNAPSHOT)).state
    return _of_table(state) if isinstance(state, TableState) else {}


def _of_table(state: TableState) -> dict[str, Any]:
    ledger = state.money_ledger
    return {
        "phase": state.phase.value,
        "coups": state.coups,
        "purses": {name: one.total for name, one in sorted(ledger.purses.items()) if one.total},
        "books": {"/".join(map(str, account)): cents for account, cents in sorted(ledger.books.items()) if cents},
        "tickets": {number: [one.status.value, one.cents] for number, one in sorted(state.tickets.items())},
    }


def _of_house(state: HouseState) -> dict[str, Any]:
    return {
        "books": {"/".join(map(str, account)): cents for account, cents in sorted(state.ledger.books.items()) if cents},
        "tickets": {number: [one.status.value, one.cents] for number, one in sorted(state.tickets.items())},
        "slips": {number: [one.status.value, one.cents] for number, one in sorted(state.slips.items())},
        "staff": sorted(state.staff),
        "excluded": sorted(state.exclusions),
        "devices": {name: one.revoked for name, one in sorted(state.devices.items())},
        "day": state.day,
    }


def _of_tournament(state: TournamentState) -> dict[str, Any]:
    return {
        "phase": state.phase.value,
        "entrants": sorted(state.entrants),
        "pool_cents": state.pool_cents,
        "prizes": [[one.entrant, one.cents] for one in state.prizes],
    }


# Making them


def make(release: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        journals = list(_covering(list(_played())))
        for number, (name, journal) in enumerate(journals, 1):
            sys.stderr.write(f"{number:3} {name}\n")
            asyncio.run(_keep(journal, folder / f"scenario-{number:03}.journal"))
        demo = [str(SABOT), "demo", "--coups", DEMO_COUPS, "--pace", "0", "--port", "0", "--folder", f"{folder}/demo"]
        subprocess.run(demo, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  Our own command.
        (folder / "demo" / FLOOR).rename(folder / FLOOR)
        (folder / "demo" / "signing.key.ring").rename(folder / "signing.key.ring")
        figures = {path.name: asyncio.run(_read(path)) for path in sorted(folder.glob("*.journal"))}
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{release}.json").write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=0))
        _pack(folder, FOLDER / f"{release}.tar.xz")


def _played() -> Iterator[tuple[str, MemoryJournal, frozenset[str]]]:
    """Every scenario under each rule set, with the kinds of records that it leads to.

    Some scenarios put a table's state wrong on purpose; their records alone do not lead to it, and are left out.
    """
    for scenario in all_scenarios():
        for under in scenario.rule_sets:
            with _kept_journals() as journals:
                run(scenario, under)
            for journal in journals:
                kinds = asyncio.run(_kinds(journal))
                if kinds and asyncio.run(verify(journal, Against(""), lambda *_: None)).ok:
                    yield f"{scenario.id} under {under}", journal, kinds


@contextmanager
def _kept_journals() -> Iterator[list[MemoryJournal]]:
    """The journals that scenarios make for their floors."""
    kept: list[MemoryJournal] = []

    class Kept(MemoryJournal):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            kept.append(self)

    line_tables.MemoryJournal = Kept  # type: ignore[attr-defined,assignment]
    try:
        yield kept
    finally:
        line_tables.MemoryJournal = MemoryJournal  # type: ignore[attr-defined]


async def _kinds(journal: ReadableJournal) -> frozenset[str]:
    found = set()
    for stream in await journal.streams():
        kind = "table" if table_of(stream) else stream.partition("/")[0]
        async for record in journal.read(stream):
            answer = read_answer(record.entry)
            if answer.act is msgspec.UNSET:
                continue
            found.add(f"{kind} {msgspec.json.decode(answer.act)['do']}")
            if answer.accepted is not msgspec.UNSET:
                found.update(f"{kind} {event['event']}" for event in msgspec.json.decode(answer.accepted))
            elif answer.refused is not msgspec.UNSET:
                found.add(f"{kind} refused {msgspec.json.decode(answer.refused)['code']}")
    return frozenset(found)


def _covering(
    played: list[tuple[str, MemoryJournal, frozenset[str]]],
) -> Iterator[tuple[str, MemoryJournal]]:
    """As few as are needed for every kind that any of them has."""
    missing = frozenset().union(*(kinds for _, _, kinds in played))
    while missing:
        name, journal, kinds = max(played, key=lambda one: len(one[2] & missing))
        yield name, journal
        missing -= kinds


async def _keep(journal: ReadableJournal, path: Path) -> None:
    target = await open_journal(str(path))
    await copy(journal, target, lambda *_: None)
    await target.close()


async def _read(path: Path) -> dict[str, dict[str, Any]]:
    journal = await open_to_read(str(path))
    try:
        return await read_figures(journal)
    finally:
        await journal.close()


def _pack(folder: Path, target: Path) -> None:
    with tarfile.open(target, "w:xz", preset=9) as packed:
        for path in [*sorted(folder.glob("*.journal")), folder / "signing.key.ring"]:
            content = path.read_bytes()
            entry = tarfile.TarInfo(path.name)
            entry.size, entry.mode = len(content), 0o600
            packed.addfile(entry, io.BytesIO(content))


if __name__ == "__main__":
    make(sys.argv[1])
