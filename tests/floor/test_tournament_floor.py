"""Tournaments on a floor: what goes between their streams, the tables and the house, told once or many times."""

import asyncio
from typing import Any

import pytest

from sabot.audit.verify import Against, Verdict, verify
from sabot.basics.at_once import at_once
from sabot.floor.exchange.house_to_tournament import house_to_tournament
from sabot.floor.exchange.table_to_tournament import table_to_tournament
from sabot.floor.exchange.tournament_clock import draws_due, tournament_by_clock
from sabot.floor.exchange.tournament_to_house import tournament_to_house
from sabot.floor.exchange.tournament_to_table import tournament_to_table
from sabot.floor.lines.table import LineFloor
from sabot.floor.records.recovery import recover_tournament
from sabot.floor.table_owner.errands import Backing
from sabot.house.decide import decide as decide_house
from sabot.journal.journal import Journal
from sabot.journal.memory import MemoryJournal
from sabot.table.snapshot import digest_of
from sabot.tournament.decide import decide
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.refusal import TournamentRefused
from tests.floor.tournament_play import WORDS, Cast, a_floor, whole_spring

NO_PROGRESS = lambda *_: None  # noqa: E731  A callback that does nothing.


def recorded(journal: Journal) -> LineFloor:
    return LineFloor(Backing(journal=journal, owner="a test", build="a build", wall_ms=lambda: 0))


def verified(journal: Journal) -> Verdict:
    return asyncio.run(verify(journal, Against("a build"), NO_PROGRESS))


def in_heats(cast: Cast | None = None, players: int = 16) -> Cast:
    cast = cast or Cast()
    cast.plans()
    cast.enters(players)
    cast.briefs()
    cast.opens_tables()
    cast.says(f"@2026-06-06T12:00 TD1 draw_seats SPRING heats {WORDS}")
    cast.calls("heats", 1, "2026-06-06T13:00")
    return cast


def moves_left(floor: LineFloor) -> list[object]:
    """What a further carrying would change; it must be nothing."""
    now, left = floor.now_ms, list[object]()
    for state in floor.tournaments.values():
        news = [*tournament_by_clock(state, now), *house_to_tournament(floor.house, state, now)]
        for table in floor.tables.values():
            left += tournament_to_table(state, table.state, now)
            news += table_to_tournament(state, table.state, now)
        left += [act for act, stamp in news if decide(state, act, stamp) and not _refused(decide(state, act, stamp))]
        for act, stamp in tournament_to_house(state, floor.house, now):
            decision = decide_house(floor.house, act, stamp)
            left += decision if isinstance(decision, tuple) else ()
        left += draws_due(state, now)
    return left


def _refused(decision: object) -> bool:
    return isinstance(decision, TournamentRefused)


@pytest.mark.clause("CROWN 12.2.1(d)")
@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_tournament_ends_with_closed_books_and_nothing_left_to_tell(seed: int) -> None:
    journal = MemoryJournal(lambda: 0)
    cast = Cast(a_floor(floor=recorded(journal)), seed)
    money = {name: table.state.ledger for name, table in cast.played.floor.tables.items()}
    whole_spring(cast, players=16 + seed, buy_backs=3)
    assert cast.state.phase is TournamentPhase.CLOSED
    assert not moves_left(cast.played.floor)
    books = cast.tries("show books SPRING").books
    assert isinstance(books, dict)
    assert {books[name] for name in ("payouts", "prize_pool", "tournament_fees")} == {0}
    assert books["cage"] == books["fee_income"] + books["added_prizes"]
    assert sum(prize.cents for prize in cast.state.prizes) == cast.state.pool_cents == 200_000
    assert {name: table.state.ledger for name, table in cast.played.floor.tables.items()} == money
    verdict = verified(journal)
    assert verdict.ok, verdict.problems
    proved = {stream.stream: stream.records == stream.replayed for stream in verdict.streams}
    assert proved == dict.fromkeys(("house", "tournament/SPRING", "table/T1", "table/T2", "table/T3", "table/T4"), True)
    assert at_once(recover_tournament(journal, "SPRING", "another build")).state == cast.state


def test_the_same_lines_give_the_same_answers() -> None:
    first, second = in_heats(), in_heats()
    assert first.coup("T1").events == second.coup("T1").events
    assert first.state == second.state


def test_after_every_line_nothing_is_left_to_tell() -> None:
    cast = in_heats()
    assert not moves_left(cast.played.floor)
    cast.coup("T1")
    assert not moves_left(cast.played.floor)
    cast.says("TD1 retire SPRING 1", "TD1 step_out SPRING")
    assert not moves_left(cast.played.floor)


def test_a_floor_that_starts_again_knows_its_tournaments_and_goes_on() -> None:
    journal = MemoryJournal(lambda: 0)
    cast = in_heats(Cast(a_floor(floor=recorded(journal))))
    cast.coup("T1")
    before, table = cast.state, digest_of(cast.table("T1").state)
    at_once(cast.played.floor.close())
    again = a_floor(floor=recorded(journal))
    cast.played = again
    assert cast.state == before
    assert digest_of(cast.table("T1").state) == table
    cast.coup("T1")
    assert cast.state.sittings["SPRING/heats/1/T1"].counted == 2


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_a_session_whose_minutes_are_up_is_played_out_by_the_clock() -> None:
    cast = Cast()
    cast.plans(changes={"rounds.0.coups": None, "rounds.0.minutes": 10, "wagers.hidden_last_coups": 0})
    cast.enters(16)
    cast.briefs()
    cast.opens_tables()
    cast.says(f"@2026-06-06T12:00 TD1 draw_seats SPRING heats {WORDS}")
    cast.calls("heats", 1, "2026-06-06T13:00")
    cast.coup("T1")
    assert cast.state.sittings["SPRING/heats/1/T1"].state == "open"
    cast.says("@2026-06-06T13:10 TD1 close_session SPRING")
    assert cast.state.sittings["SPRING/heats/1/T1"].state == "closed"


# Between the streams


@pytest.mark.clause("CROWN 12.2.1(a)")
def test_a_fee_that_the_cage_takes_enters_the_entrant_once() -> None:
    """Acceptance case 17."""
    cast = Cast()
    cast.plans()
    cast.enters(1)
    books = cast.tries("show books SPRING").books
    assert books == {"cage": 6_000, "prize_pool": 5_000, "tournament_fees": 1_000}
    assert cast.tries("CA1 take_slip SPRING-000001").refusal.code == "slip_settled"  # type: ignore[union-attr]
    assert [status for status, _ in cast.state.entrants["1"].history] == ["registered"]


@pytest.mark.clause("CROWN 12.2.1(g)")
def test_a_slip_that_was_taken_while_its_entrant_withdrew_is_paid_back() -> None:
    """Acceptance case 18: the house hears of the withdrawal after it took the money."""
    cast = Cast()
    cast.plans()
    cast.enters(1)
    cast.says("TD1 withdraw_entrant SPRING 1")
    cast.pays()
    books = cast.tries("show books slips SPRING")
    assert books.books == {"cage": 0, "payouts": 0, "prize_pool": 0, "tournament_fees": 0}
    assert {slip.status for slip in books.slips.values()} == {"taken", "paid"}  # type: ignore[union-attr]


@pytest.mark.clause("CROWN 12.3.2")
def test_a_table_with_an_account_is_reserved_when_its_patron_has_been_paid() -> None:
    """Acceptance cases 20 and 21."""
    cast = Cast()
    cast.plans()
    cast.enters(16)
    cast.briefs()
    for line in ("D1 sign_on", "D1 open_table", "GS1 check_cards 416", "D1 buy_in A3 85"):
        cast.says(f"T1: {line}")
    cast.says("@2026-06-06T12:00 TD1 designate_tables SPRING T1")
    assert cast.state.tables["T1"].state == "waiting"
    assert "A3" in cast.state.tables["T1"].why
    cast.says("T1: A3 leave", "T1: D1 pay A3")
    assert cast.state.tables["T1"].state == "reserved"
    note, buy_in = cast.tries("T1: A2 note 50"), cast.tries("T1: D1 buy_in A2 100")
    assert (note.refusal.clause, buy_in.refusal.clause) == ("CROWN 12.3.2", "CROWN 12.3.2")  # type: ignore[union-attr]
    cast.says("TD1 release_tables SPRING")
    assert not cast.state.tables
    cast.says("T1: D1 buy_in A2 100")


@pytest.mark.clause("CROWN 12.2.5")
def test_no_coup_opens_while_the_director_is_away() -> None:
    """Acceptance case 29: the coup under way is settled, and the next waits for a director."""
    cast = in_heats()
    cast.says("T1: D1 open", "T1: A1 set_wager player 50", "T1: D1 close")
    cast.says("TD1 step_out SPRING")
    answer = cast.says("T1: D1 card 9S")
    while answer.next is not None:
        answer = cast.says(f"T1: D1 card {cast.shoes['T1'].pop()}")
    assert cast.says("T1: D1 confirm").ok
    assert cast.state.sittings["SPRING/heats/1/T1"].counted == 1
    refused = cast.tries("T1: D1 open").refusal
    assert refused is not None
    assert (refused.code, refused.clause) == ("director_away", "CROWN 12.2.5")
    cast.says("TD2 be_present SPRING", "T1: D1 open")


@pytest.mark.clause("CROWN 12.2.1(i)")
def test_a_late_arrival_is_seated_with_the_penalty_for_each_coup_missed() -> None:
    """Acceptance case 32."""
    cast = Cast()
    cast.plans()
    cast.enters(16)
    cast.briefs()
    cast.opens_tables()
    cast.says(f"@2026-06-06T12:00 TD1 draw_seats SPRING heats {WORDS}")
    late = next(one for one in cast.state.progress("heats").drawn or () if one.session == 1)
    cast.says(f"@2026-06-06T13:00 TD1 call_session SPRING heats 1 absent={late.entrant}")
    cast.shuffles("T1")
    for _ in range(3):
        cast.coup("T1")
    cast.says(f"TD1 record_arrival SPRING {late.entrant}")
    assert cast.tries("show ledger").balances[late.station] == 85_000
    assert cast.state.sittings["SPRING/heats/1/T1"].told[late.station].present


@pytest.mark.clause("CROWN 13.2.2")
def test_an_excluded_patron_is_out_of_the_tournament_and_of_the_seat() -> None:
    cast = in_heats()
    place = next(one for one in cast.state.progress("heats").drawn or () if one.session == 1)
    cast.says(f"CS1 exclude P-{place.entrant} cheating")
    assert cast.state.entrants[str(place.entrant)].status == "excluded"
    seats = {seat.entrant: seat for one in cast.state.sittings.values() for seat in one.told.values()}
    assert seats[place.entrant].closed


@pytest.mark.clause("CROWN 12.1.1")
def test_a_draw_needs_the_seed_behind_its_commitment() -> None:
    """Acceptance case 25."""
    cast = Cast()
    cast.plans()
    cast.enters(16)
    cast.briefs()
    cast.opens_tables()
    wrong: dict[str, Any] = {"do": "draw_seats", "by": "TD1", "tournament": "SPRING", "round": "heats", "words": WORDS}
    refused = cast.tries(wrong | {"seed": "07" * 32}).refusal
    assert refused is not None
    assert (refused.code, refused.clause) == ("wrong_seed", "CROWN 12.1.1")
    cast.says(wrong)
    assert cast.tries(wrong).refusal.code == "drawn_already"  # type: ignore[union-attr]


class DeafFloor(LineFloor):
    """A process that dies before it tells anybody what its tables did."""

    async def carry(self) -> tuple[object, ...]:
        return ()


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_a_score_of_an_owner_that_died_is_noted_once_by_the_next() -> None:
    """Acceptance case 52."""
    journal = MemoryJournal(lambda: 0)
    cast = in_heats(Cast(a_floor(floor=recorded(journal))))
    at_once(cast.played.floor.close())
    backing = Backing(journal=journal, owner="a deaf process", build="a build", wall_ms=lambda: 0)
    cast.played = a_floor(floor=DeafFloor(backing))
    cast.coup("T1")
    assert cast.state.sittings["SPRING/heats/1/T1"].counted == 0
    for table in cast.played.floor.tables.values():
        at_once(table.leave())
    cast.played = a_floor(floor=recorded(journal))
    session = cast.table("T1").state.session
    assert session is not None
    sitting = cast.state.sittings["SPRING/heats/1/T1"]
    assert (sitting.counted, sitting.revision) == (1, session.revision)
    assert sitting.scores.last == session.scores.last.scores  # type: ignore[union-attr]
    assert not moves_left(cast.played.floor)


@pytest.mark.clause("CROWN 11.12")
def test_a_session_is_closed_once_the_claim_of_its_last_coup_is_decided() -> None:
    cast = in_heats(players=16)
    cast.says("T1: D1 open", "T1: A1 set_wager player 50", "T1: D1 close")
    cast.says(*(f"T1: D1 card {card}" for card in ("4S", "4H", "5S", "4D")), "T1: D1 confirm")
    cast.plays_out()
    cast.says("T1: D1 claim A1 1 the wager was on Banker")
    refused = cast.tries("TD1 close_session SPRING")
    assert refused.refusal is not None
    assert (refused.refusal.code, refused.refusal.clause) == ("claims_open", "CROWN 11.12")
    cast.says("T1: GS1 decide_claim 1 no the records show Player")
    cast.ends_session()
    assert cast.state.phase is TournamentPhase.READY
