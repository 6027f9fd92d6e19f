"""Every refusal of a reserved table and of a session has its row: what leads up to it, and what is refused."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from sabot.basics.act import verb
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.event import Event
from sabot.table.refusal import Cause, Refused
from sabot.table.rules import RULES
from sabot.table.sessions.authority import NOT_IN_SESSION, NOT_WHILE_RESERVED, OPEN_IN_SESSION
from sabot.table.sessions.terms import SessionSeat
from tests.table.session_play import LIMITS, READY, SITTING, SessionTable, limits
from tests.tables import rows

ROWS = rows("session_refusals.tsv")
Said = tuple[Event, ...] | Refused


def _open(table: SessionTable, *words: str) -> Said:
    changes: dict[str, Any] = {name: _value(value) for name, _, value in (word.partition("=") for word in words)}
    return table.try_(table.opening(**changes))


def _value(written: str) -> object:
    return {"false": False}.get(written, int(written) if written.isdigit() else written)


def _reserve(table: SessionTable, *words: str) -> Said:
    if not words:
        return table.reserve()
    raised = {**LIMITS, Bet("player"): limits(int(words[1]), 500, 100_000)}
    return table.try_(acts.ReserveTable(tournament="SPRING", title={}, limits=raised))


def _coups(table: SessionTable, number: str) -> Said:
    for _ in range(int(number)):
        table.coup("tie", **(table.everybody() if table.state.session else {"A1": 2_500}))
    return ()


def _admit(table: SessionTable, station: str, entrant: str) -> Said:
    seat = SessionSeat(entrant=int(entrant), patron=f"P-{entrant}", credit=100_000)
    return table.try_(acts.AdmitSeat(sitting=SITTING, order=table.order(), station=station, seat=seat))


def _conclude(table: SessionTable, counted: str, *agreed: str) -> Said:
    return table.try_(
        acts.ConcludeSession(sitting=SITTING, order=table.order(), counted=int(counted), by_agreement=bool(agreed))
    )


def _close_seat(table: SessionTable, station: str) -> Said:
    return table.try_(acts.CloseSeat(sitting=SITTING, order=table.order(), station=station, reason="retired"))


def _away(table: SessionTable, *_: str) -> Said:
    table.director = ""
    return ()


SPECIAL: dict[str, Callable[..., Said]] = {
    "!open_session": _open,
    "!reserve": _reserve,
    "!release": lambda table: table.try_(acts.ReleaseTable(tournament="SPRING")),
    "!coups": _coups,
    "!admit": _admit,
    "!conclude": _conclude,
    "!close_seat": _close_seat,
    "!agree": lambda table, station: table.try_(acts.AgreeToConclude(), station),
    "!director": _away,
    "!end": lambda table: table.try_(acts.EndSession(sitting=SITTING, order=table.order())),
}
"""What a line of words cannot say, since the floor carries it."""


def say(table: SessionTable, line: str) -> Said:
    word, *rest = line.split()
    return SPECIAL[word](table, *rest) if word in SPECIAL else table.hear_one(line)


def lead_up(given: str) -> SessionTable:
    first, *rest = given.split("; ")
    table = SessionTable()
    table.hear(*READY)
    if first != "ready":
        table.reserve()
    absent = first.split()[-1:] if "without" in first else []
    if "session" in first:
        table.do(table.opening(*absent, balances="cash" if first.startswith("cash") else "cancelled"))
    for line in rest:
        accepted = say(table, line)
        assert not isinstance(accepted, Refused), (line, accepted.text)
    return table


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['cause']} {row['refused']}")
def test_refusal_at_a_reserved_table(row: dict[str, str]) -> None:
    table = lead_up(row["given"])
    before = table.state
    refused = say(table, row["refused"])
    assert isinstance(refused, Refused), refused
    assert (refused.code, refused.clause) == (row["cause"].lower(), row["clause"])
    assert "{" not in refused.text
    assert table.state is before


OF_TOURNAMENTS = [
    *(Cause.RESERVED, Cause.NOT_RESERVED, Cause.ACCOUNTS_OPEN, Cause.UNEQUAL, Cause.SHOE_NOT_FRESH, Cause.SIGN_DUE),
    *(Cause.NO_TOURNAMENT_SESSION, Cause.SESSION_ON, Cause.SITTING_OVER, Cause.DIRECTOR_AWAY, Cause.RULE_6_EXCLUDED),
    *(Cause.TOO_LATE, Cause.SEAT_CLOSED, Cause.COUNT_MOVED, Cause.NOT_BY_AGREEMENT, Cause.NOT_AGREED),
    Cause.AFTER_THE_SESSION,
]


@pytest.mark.parametrize("cause", OF_TOURNAMENTS, ids=lambda cause: cause.code)
def test_every_refusal_of_tournaments_has_its_row(cause: Cause) -> None:
    assert cause.name in {row["cause"] for row in ROWS}


@pytest.mark.clause("CROWN 12.3.2")
def test_every_act_says_whether_it_is_open_in_a_session() -> None:
    closed = NOT_WHILE_RESERVED | NOT_IN_SESSION.keys()
    assert not closed & OPEN_IN_SESSION
    assert {verb(kind) for kind in closed | OPEN_IN_SESSION} == {verb(kind) for kind in RULES}


@pytest.mark.clause("CROWN 12.2.2")
def test_the_condition_for_an_account_is_said_in_the_refusal() -> None:
    refused = lead_up("session").hear_one("A1 leave")
    assert isinstance(refused, Refused)
    assert refused.text == "not in this session: A player who leaves a session retires."
    unmodified = lead_up("reserved")
    unmodified.do(unmodified.opening(modified={}, excluded=()))
    other = unmodified.hear_one("A1 leave")
    assert isinstance(other, Refused)
    assert (other.code, other.clause) == ("session_on", "CROWN 12.3.2")


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_with_minutes_the_last_coup_is_the_one_that_opened_before_the_end() -> None:
    table = lead_up("reserved")
    table.do(table.opening(coups=None, minutes=10, each_coup="none", credits=0, missed=None))
    table.now_ms = 10 * 60_000 - 1
    table.hear("D1 open")
    table.lay(A1=2_500)
    table.now_ms += 20_000
    table.hear("D1 close", *(f"D1 card {card}" for card in ("4S", "4H", "4D", "4C")))
    settled = table.hear("D1 confirm")
    assert table.names(settled)[-2:] == ["SessionScored", "SessionPlayed"]
    again = lead_up("reserved")
    again.do(again.opening(coups=None, minutes=10))
    again.now_ms = 10 * 60_000 - 1
    assert again.do(acts.Tick()) == ()
    again.now_ms += 1
    assert again.refused(acts.Open(), "D1").code == "sitting_over"
    assert again.names(again.do(acts.Tick())) == ["SessionPlayed"]
    assert again.do(acts.Tick()) == ()


@pytest.mark.clause("CROWN 12.2.1(c)")
@pytest.mark.parametrize(("missed", "warnings", "closed_after"), [("warning", 2, 3), ("disqualification", 0, 1)])
def test_who_misses_the_compulsory_wager_too_often_is_out(missed: str, warnings: int, closed_after: int) -> None:
    table = lead_up("reserved")
    table.do(table.opening(missed=missed, warnings=warnings))
    for number in range(1, closed_after + 1):
        wagers = table.everybody()
        del wagers["A2"]
        names = table.names(table.coup("tie", **wagers))
        assert names.count("MissWarned") == 1
        assert ("SeatClosed" in names) == (number == closed_after)
    assert table.session.seats["A2"].warnings == closed_after
    assert msgspec.structs.asdict(table.session.seats["A2"])["score"] == 100_000


@pytest.mark.clause("CROWN 5.3.3")
def test_a_minimum_for_who_wagers_is_the_aggregate_minimum_of_the_session() -> None:
    table = lead_up("reserved")
    table.do(table.opening(each_coup="minimum", credits=3_000, missed=None))
    table.hear("D1 open")
    table.lay(A1=2_500, A2=3_000)
    (closed,) = table.hear("D1 close")
    assert msgspec.to_builtins(closed, enc_hook=str)["sealed"] == {"A2": {"banker": 3_000}}
    assert table.balance("A1") == 100_000


@pytest.mark.clause("CROWN 12.3.3")
def test_a_substitute_plays_at_the_seat_and_the_score_is_the_entrants() -> None:
    table = lead_up("session")
    seat = SessionSeat(entrant=4, patron="P-4", substitute="P-77", credit=100_000)
    admit = acts.AdmitSeat(sitting=SITTING, order=table.order(), station="A4", seat=seat)
    assert table.names(table.do(admit)) == ["SubstituteSeated"]
    assert (table.state.stations["A4"].patron, table.state.stations["A4"].nominee) == ("P-4", "P-77")
    table.coup("banker", **table.everybody())
    assert table.session.scores.last is not None
    assert table.session.scores.last.scores[4] == 104_750
