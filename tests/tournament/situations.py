"""Where a tournament can be, by name: each is reached once, by real acts, and copied for every test."""

from functools import cache
from typing import Any

from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.evolve import fold
from tests.tournament.driving import Play


def at(name: str) -> Play:
    """A tournament of its own in this situation."""
    return _reached(name).copied()


@cache
def _reached(name: str) -> Play:
    return globals()[name]()  # type: ignore[no-any-return]  # The functions below.


def changed(fixture: str, **parts: dict[str, Any]) -> Play:
    """A fixture with some keys of its tables changed."""
    play = Play(fixture)
    for table, keys in parts.items():
        play.raw[table] = {**play.raw[table], **keys}  # type: ignore[dict-item]  # A table of the conditions.
    return play


def spring() -> Play:
    """SPRING with 40 entrants: entry closed, tables designated, everybody briefed."""
    return Play("spring").ready(40)


def few() -> Play:
    """SPRING with as few entrants as its conditions allow."""
    return Play("spring").ready(16)


def without_tables() -> Play:
    play = Play("spring").closed(40)
    assert isinstance(play, Play)
    play.do(acts.BePresent(tournament=play.id), "TD1")
    return play


def committed() -> Play:
    play = at("spring")
    play.commit("SPRING/heats")
    return play


def drawn() -> Play:
    play = at("spring")
    play.draw("heats")
    return play.at("2026-06-06T13:00")


def heats_on() -> Play:
    """Heats, first session: entrant 7 at T1 and entrant 12 at T3 are not there; the tables are open."""
    play = at("drawn")
    play.call("heats", absent=(7, 12))
    play.opened_tables()
    return play


def at_three() -> Play:
    play = at("heats_on")
    for _ in range(3):
        play.score(play.table("T1"), {16: 1100})
    return play


def at_five() -> Play:
    play = at("at_three")
    for _ in range(2):
        play.score(play.table("T1"), {16: 1100})
    return play


def strict() -> Play:
    """As `heats_on`, where nobody is admitted late, substituted or may retire."""
    play = changed(
        "spring",
        attendance={"late": {"admitted": False}},
        conduct={"substitutes": {"allowed": False}},
        leaving={"retirement": {"allowed": False}},
    ).ready(40)
    play.draw("heats")
    play.call("heats", absent=(7,))
    play.opened_tables()
    play.score(play.table("T1"), {})
    return play


def played_with_a_claim() -> Play:
    play = at("heats_on")
    play.score(play.table("T1"), {}, claims=True)
    play.finish(play.table("T1"))
    return play


def heats_over() -> Play:
    play = at("drawn")
    play.play("heats", 1)
    play.play("heats", 2)
    return play


def heats_half() -> Play:
    play = at("drawn")
    play.play("heats", 1)
    return play


def heats_confirmed() -> Play:
    play = at("heats_over")
    play.confirm("heats")
    return play


def semi_final_on() -> Play:
    """The semi-final, with 14 entrants at two tables, at two counted coups."""
    play = at("heats_confirmed").at("2026-06-06T16:50")
    play.confirm("repechage")
    play.draw("semi-final")
    play.call("semi-final")
    play.opened_tables()
    for known in play.on():
        for _ in range(2):
            play.score(known, {})
    return play


TIED = {16: 1400, 7: 1250, 18: 1250, 21: 900, 27: 900, 28: 900, 33: 900, 36: 900}
"""T1 in the first session of the heats: entrants 7 and 18 are equal at the cut of the top two, with no coup before."""


def tied() -> Play:
    play = at("drawn")
    play.play("heats", 1, TIED)
    play.play("heats", 2)
    return play


def play_off_due() -> Play:
    play = at("tied")
    (found,) = play.confirm("heats")
    assert isinstance(found, e.TieFound)
    return play


def play_off_on() -> Play:
    play = at("play_off_due")
    play.call("heats+1")
    return play


def final_tied() -> Play:
    """AUTUMN-like: one session, where lots decide between equals."""
    play = changed("autumn", ranking={"prize_ties": "tie_break"}).ready(8, tables=2, seats=24)
    play.play_round("session", {1: 1985, 2: 1985})
    return play


def decided() -> Play:
    play = Play("autumn").ready(8, tables=2, seats=24)
    play.play_round("session")
    play.confirm("session")
    return play


def awarded() -> Play:
    play = at("decided")
    play.do(acts.AwardPrizes(tournament=play.id), "TD1", "CS1")
    return play


def night_on() -> Play:
    """NIGHT, the only table at 24 of 25 counted coups."""
    play = Play("night").ready(8, tables=1)
    play.draw("night")
    play.call("night")
    play.opened_tables()
    known = play.table("T1")
    score = {1: 2000, 2: 1200, 3: 300, 4: 100, 5: 50, 6: 0, 7: 0, 8: 0}
    play.do(play.score_news(known, score, counted=24, bust=(6, 7, 8)), "clock")
    return play


def new_version() -> Play:
    """Version 2 was saved after the draw, and waits for its approval."""
    play = at("drawn")
    play.saved(title={"en": "Spring anew", "zh": "春季"})
    return play


def buy_in_due() -> Play:
    """A second round with a buy-in, of which nothing is paid."""
    play = Play("spring")
    rounds = play.raw["rounds"]
    assert isinstance(rounds, list)
    rounds[2] = {**rounds[2], "buy_in_cents": 2000}
    play.ready(40)
    play.play_round("heats")
    play.confirm("heats")
    play.at("2026-06-06T16:50")
    play.confirm("repechage")
    play.draw("semi-final")
    return play.at("2026-06-07T14:00")


def director_out() -> Play:
    play = at("drawn")
    play.do(acts.StepOut(tournament=play.id), "TD1")
    return play


def table_gone() -> Play:
    """T1 is being given back although seats are drawn there: what a crossing of two desks can leave."""
    play = at("drawn")
    given_back = e.TablesReleased(tables=("T1",), by="TD1", at_ms=0, clause="CROWN 12.3.1")
    play.state = fold((given_back,), play.state)
    return play


def one_session_left() -> Play:
    """Everybody of the second session of the heats has retired."""
    play = at("heats_half")
    for numbers in play.places("heats", 2).values():
        for number in numbers:
            play.do(acts.Retire(tournament=play.id, entrant=number), "TD1")
    return play


def unbriefed() -> Play:
    """A version approved after the draw, on which nobody was briefed."""
    play = at("new_version")
    play.approved()
    return play


def unsigned() -> Play:
    play = at("unbriefed")
    play.do(acts.Brief(tournament=play.id), "TD1")
    return play


def play_off_without_tables() -> Play:
    play = at("play_off_due")
    play.do(acts.ReleaseTables(tournament=play.id), "TD1")
    for table in ("T1", "T2", "T3", "T4"):
        play.do(acts.NoteTable(tournament=play.id, table=table, state="released"), "clock")
    return play


def declared_absent() -> Play:
    play = at("heats_on").at("2026-06-06T13:05")
    play.do(acts.DeclareAbsent(tournament=play.id, entrant=7), "TD1")
    return play


def substituted() -> Play:
    play = at("drawn")
    play.do(acts.ApproveSubstitute(tournament=play.id, entrant=4, substitute="P-77"), "TD1")
    return play


def retired() -> Play:
    play = at("heats_on")
    play.do(acts.Retire(tournament=play.id, entrant=16), "TD1")
    return play


def two_left() -> Play:
    """Two coups left in heats from which the top two of each table go on, and nobody else."""
    return _two_left(10000)


def two_left_wide() -> Play:
    return _two_left(50000)


def _two_left(tie_maximum: int) -> Play:
    play = changed("spring", wagers={"each_coup": "none", "credits": 0, "missed": None})
    del play.raw["wagers"]["missed"]  # type: ignore[attr-defined]  # A table of the conditions.
    limits = {bet: {"minimum": 2500, "step": 500, "maximum": 50000} for bet in ("player", "banker")}
    limits["tie"] = {"minimum": 500, "step": 500, "maximum": tie_maximum}
    play.raw["game"] = {**play.raw["game"], "limits": limits}  # type: ignore[dict-item]  # Likewise.
    rounds = play.raw["rounds"]
    assert isinstance(rounds, list)
    rounds[2] = {**rounds[2], "from": [one for one in rounds[2]["from"] if "wild_cards" not in one]}
    play.ready(16, tables=4)
    play.draw("heats")
    play.call("heats")
    play.opened_tables()
    known = play.table("T1")
    first, second, third, *others = play.places("heats")["T1"]
    scores = {first: 6000, second: 5500, third: 1200} | dict.fromkeys(others, 300)
    play.do(play.score_news(known, scores, counted=18), "clock")
    return play


def claim_after_the_close() -> Play:
    play = at("heats_over")
    known = "SPRING/heats/1/T1"
    play.do(play.score_news(known, {}, counted=1, claims=True), "clock")
    return play


def places_stand() -> Play:
    play = changed("spring", conduct={"after_next_round": "places_stand"}).ready(40)
    play.play_round("heats")
    play.confirm("heats")
    play.at("2026-06-06T16:50")
    play.confirm("repechage")
    play.draw("semi-final")
    play.call("semi-final")
    return play


def corrected() -> Play:
    """The semi-final is at two counted coups when a correction puts entrant 17 of a closed heat through."""
    play = at("semi_final_on")
    play.do(play.score_news("SPRING/heats/2/T2", {17: 5000}, counted=1), "clock")
    return play


def corrected_late() -> Play:
    play = at("corrected")
    for _ in range(3):
        play.score(play.table("T1"), {})
    return play


def prizes_tied() -> Play:
    """Decided; two who were eliminated in the semi-final are equal at the last place with a prize."""
    play = Play("spring")
    prizes = [{"place": place, "share": share} for place, share in enumerate((40, 20, 10, 10, 10, 5, 5), start=1)]
    play.raw["prizes"] = prizes
    play.ready(40)
    play.play_round("heats")
    play.confirm("heats")
    play.at("2026-06-06T16:50")
    play.confirm("repechage")
    play.play_round("semi-final", {7: 1925, 8: 1925})
    play.confirm("semi-final")
    play.play_round("final")
    play.confirm("final")
    return play
