"""The watch of integrity that a journal keeps is held against one that is made from the records."""

from collections.abc import Sequence

import msgspec
import pytest

from sabot.audit.kept_sums import SumReader
from sabot.audit.part_cutter import WATCH
from sabot.audit.problem import Problem, ProblemKind
from sabot.audit.under_way import under_way
from sabot.audit.verify import Against, Depth, verify
from sabot.audit.watching import FORM, KeptWatch, read_watch
from sabot.floor.records.record_codec import table_stream
from sabot.journal.journal import Derived
from sabot.journal.memory import MemoryJournal
from tests.audit.sums import play_days
from tests.audit.test_kept_sums import keep_only, run, short_parts  # noqa: F401  One is a fixture.
from tests.floor.nights import BUILD, memory

TABLE = table_stream("T1")
pytestmark = pytest.mark.usefixtures("short_parts")


async def _added_up(journal: MemoryJournal, until: int | None = None) -> Sequence[Derived]:
    """Sums and watch that are not kept yet, in the form in which a floor keeps them."""
    reader = SumReader(journal, TABLE)
    return [one async for one in reader.missing(until, going_on=await under_way(reader, "T1"))]


@pytest.fixture(scope="module")
def played() -> MemoryJournal:
    journal = memory()
    run(play_days(journal))
    return journal


def _problems(journal: MemoryJournal) -> list[Problem]:
    return run(verify(journal, Against(BUILD), lambda *_: None, depth=Depth.RECORDED)).problems


def _read(watched: Derived) -> KeptWatch:
    kept = read_watch(watched.value)
    assert kept is not None
    return kept


def test_verify_agrees_with_the_watch_that_a_floor_kept_at_the_end_of_any_part(played: MemoryJournal) -> None:
    end, seen = run(played.head(TABLE)).version, set()
    for until in range(end // 4, end, end // 4):
        run(keep_only(played, []))
        found = run(_added_up(played, until))
        run(played.keep(found))
        seen.add(found[-1].version)
        assert (found[-1].name, _problems(played)) == (WATCH, [])
    assert len(seen) > 2


def test_verify_agrees_with_a_watch_that_began_anew_behind_a_part(played: MemoryJournal) -> None:
    run(keep_only(played, []))
    before = [one for one in run(_added_up(played, run(played.head(TABLE)).version // 2)) if one.name != WATCH]
    run(played.keep(before))
    run(played.keep(run(_added_up(played))))
    watched = run(played.derived(TABLE, WATCH))
    assert watched is not None
    assert 0 < _read(watched).since < watched.version
    assert _problems(played) == []


@pytest.mark.parametrize("change", ["evidence", "since", "form"])
def test_verify_finds_a_kept_watch_that_was_tampered_with(played: MemoryJournal, change: str) -> None:
    run(keep_only(played, []))
    *sums, watched = run(_added_up(played))
    kept = _read(watched)
    name, state = max(kept.detectors.items(), key=lambda one: len(bytes(one[1])))
    fresh = {**kept.detectors, name: msgspec.Raw(bytes(state)[:-1] + bytes([bytes(state)[-1] ^ 1]))}
    value = {
        "evidence": (FORM, msgspec.structs.replace(kept, detectors=fresh)),
        "since": (FORM, msgspec.structs.replace(kept, since=sums[len(sums) // 2].version)),
        "form": (FORM + 1, kept),
    }[change]
    run(played.keep([*sums, msgspec.structs.replace(watched, value=msgspec.msgpack.encode(value))]))
    (wrong,) = _problems(played)
    assert (wrong.stream, wrong.kind, wrong.version) == (TABLE, ProblemKind.WATCH, watched.version)
    run(keep_only(played, [*sums, watched]))
    assert _problems(played) == []
