"""What a tournament noted of its tables and of the house stands in their own records, or the record is named."""

import asyncio
import re
from collections.abc import Callable

import pytest

from sabot.audit.problem import ProblemKind
from sabot.audit.verify import Against, Verdict, verify
from sabot.floor.lines.table import LineFloor
from sabot.floor.table_owner.errands import Backing
from sabot.journal.memory import MemoryJournal
from tests.audit.forgery import Forged, forged, reworded
from tests.floor.tournament_play import WORDS, Cast, a_floor

SPRING = "tournament/SPRING"


def played() -> MemoryJournal:
    """A tournament with one coup of its heats played."""
    journal = MemoryJournal(lambda: 0)
    backing = Backing(journal=journal, owner="a test", build="a build", wall_ms=lambda: 0)
    cast = Cast(a_floor(floor=LineFloor(backing)))
    cast.plans()
    cast.enters(16)
    cast.briefs()
    cast.opens_tables()
    cast.says(f"TD1 draw_seats SPRING heats {WORDS}")
    cast.calls("heats", 1, "2026-06-06T13:00")
    cast.coup("T1")
    return journal


def proved(journal: MemoryJournal) -> Verdict:
    return asyncio.run(verify(journal, Against("a build"), lambda *_: None))


def altered(stream: str, sign: bytes, change: Callable[[bytes], bytes]) -> tuple[Forged, int]:
    """The journal with its first record that says this reworded, and the chain made anew by a skilled forger."""
    journal = asyncio.run(forged(played()))
    version = journal.place_of(sign, stream)
    journal.records(stream)[version - 1] = reworded(journal.records(stream)[version - 1], change)
    journal.chain_anew(stream)
    return journal, version


def test_a_tournament_is_proved_with_its_tables_and_the_house() -> None:
    verdict = proved(played())
    assert verdict.ok, verdict.problems


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_a_score_that_the_table_does_not_have_is_found() -> None:
    """Acceptance case 55: act and event are altered alike, so that the tournament's own records are sound."""
    journal, version = altered(
        SPRING,
        b'"counted":1,"scores"',
        lambda said: re.sub(rb'("counted":1,"scores":\{"\d+":)\d+', rb"\g<1>999000", said),
    )
    [problem] = proved(journal).problems
    assert (problem.stream, problem.version, problem.kind) == (SPRING, version, ProblemKind.SCORE)
    assert "table T1 say otherwise about coup 1" in problem.why


@pytest.mark.clause("CROWN 12.2.1(a)")
def test_a_slip_that_the_house_settled_otherwise_is_found() -> None:
    """The last slip, so that no later record rests on what it says."""
    journal, version = altered(
        "house",
        b'"do":"register_slip","slip":"SPRING-000016"',
        lambda said: said.replace(b'"entrant":16', b'"entrant":15'),
    )
    [problem] = proved(journal).problems
    assert (problem.stream, problem.version, problem.kind) == ("house", version, ProblemKind.MONEY)
    assert "tournament SPRING has not raised slip SPRING-000016 so" in problem.why


@pytest.mark.clause("CROWN 12.2.1(a)")
def test_a_note_of_a_slip_that_the_house_never_took_is_found() -> None:
    """The house's record of the taking is cut out."""
    journal = asyncio.run(forged(played()))
    taken = journal.place_of(b'"do":"take_slip","slip":"SPRING-000016"', "house")
    del journal.records("house")[taken - 1]
    journal.chain_anew("house")
    [problem] = proved(journal).problems
    assert (problem.stream, problem.kind) == (SPRING, ProblemKind.MONEY)
    assert problem.why == "the house has not taken slip SPRING-000016"
