"""Tournaments on one core: a coup of a session, its scores at the tournament, the leader board, a whole tournament.

Fifty stations play at each table. The baselines: for a coup of a session, the same coup in cash play; late in a
session, the tenth; for the scores of a sitting and for the board, the same among 200 entrants; for a whole tournament
with robots, one of 50.
"""

import random
import time
from collections.abc import Iterator
from typing import Any

import msgspec

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, TablePlays, clock_stamp
from sabot.cli.stopwatch import Row, row, seconds
from sabot.floor.contests.contest import Contest, ContestPlan
from sabot.rules.cards import DECK
from sabot.rules.coup import next_card
from sabot.rules.rule_set import Bet
from sabot.rules.rule_set_file import digest
from sabot.rules.shipped import rule_set
from sabot.table import acts as at_table
from sabot.table.configuration import StationPart
from sabot.table.decide import decide as decide_table
from sabot.table.evolve import evolve as evolve_table
from sabot.table.evolve import fold
from sabot.table.fixtures import fixture
from sabot.table.refusal import Refused
from sabot.table.sessions.terms import SessionSeat, SessionTerms
from sabot.table.state import UNCONFIGURED, TableState
from sabot.tournament import acts
from sabot.tournament.conditions.file import read_conditions, write_conditions
from sabot.tournament.conditions.fixtures import fixture as conditions_of
from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.decide import decide
from sabot.tournament.evolve import evolve
from sabot.tournament.refusal import TournamentRefused
from sabot.tournament.seats import draw
from sabot.tournament.state import TournamentState
from sabot.views.tournament_board import board_of

STATIONS = [f"A{number}" for number in range(1, 51)]
WAGERS = {"player": 5_000, "banker": 10_000, "tie": 500}
LIMITS = conditions_of("spring").game.limits
ROLES = {"D1": Role.DEALER, "GS1": Role.GAME_SUPERVISOR, "CS1": Role.CASINO_SUPERVISOR, "operator": Role.OPERATOR}
NAME, SEED, ROUND = "SPRING", "07" * 32, "heats"


def measure() -> Iterator[Row]:
    cash, session = _Table(session=False), _Table(session=True)
    for table in (cash, session):
        table.play(coups=10)
    of_cash, of_session = cash.settle_ms(), session.settle_ms()
    session.play(coups=489)
    yield row("settle_50_in_a_session", of_session, "ms", of_cash)
    yield row("settle_in_a_session_at_coup_500", session.settle_ms(), "ms", of_session)
    few, some, many = (_Tournament(number) for number in (200, 1_000, 5_000))
    yield row("note_score_of_5000_entrants", many.note_score_ms(), "ms", few.note_score_ms())
    small = few.board_ms()
    for one in (some, many):
        yield row(f"board_of_{one.entrants}_entrants", one.board_ms(), "ms", small)
    yield row("tournament_of_200_entrants", _tournament_s(200), "s", _tournament_s(50))


def _tournament_s(players: int) -> float:
    started = time.process_time()
    Contest(ContestPlan(_heats(players, tables=players // 50), players, seed=1)).play()
    return time.process_time() - started


class _Table:
    """A table of fifty stations, in cash play or in a session."""

    def __init__(self, *, session: bool) -> None:
        stations = {name: StationPart(approval="bench") for name in STATIONS}
        configuration = msgspec.structs.replace(fixture("crown"), stations=stations)
        made = decide_table(UNCONFIGURED, at_table.Configure(configuration=configuration), _stamp("operator"))
        assert not isinstance(made, Refused)
        self.state: TableState = evolve_table(UNCONFIGURED, made[0])
        self._chance = random.Random(6)
        for act in (at_table.SignOn(), at_table.OpenTable()):
            self.do(act, "D1")
        self.do(at_table.CheckCards(cards=416), "GS1")
        if session:
            self.do(at_table.ReserveTable(tournament=NAME, title={"en": NAME}, limits=LIMITS), "clock")
            self.do(self._opening(), "clock")
        else:
            for name in STATIONS:
                self.do(at_table.BuyIn(station=name, cents=10**9), "D1")
        self._new_shoe()

    def _opening(self) -> at_table.OpenSession:
        terms = SessionTerms(
            tournament=NAME,
            title={"en": NAME},
            sitting=f"{NAME}/{ROUND}/1/T1",
            version=1,
            round=ROUND,
            session=1,
            rule_set=self.state.rule_set_digest,
            offered=tuple(LIMITS),
            limits=LIMITS,
            period_ms=30_000,
            fresh_shoe=False,
            credit=10**9,
            coups=1_000,
            each_coup="compulsory",
            credits=5_000,
            missed="forfeit",
        )
        seats = {
            name: SessionSeat(entrant=number, patron=f"P-{number}", credit=10**9, present=True)
            for number, name in enumerate(STATIONS, 1)
        }
        return at_table.OpenSession(terms=terms, seats=seats)

    def do(self, act: Any, by: str) -> None:
        self.state = self._after(act, by)

    def _after(self, act: Any, by: str) -> TableState:
        decided = decide_table(self.state, act, _stamp(by))
        assert not isinstance(decided, Refused), (act, decided.text)
        return fold(decided, self.state)

    def _new_shoe(self) -> None:
        self.do(at_table.NewShoe(), "D1")
        self.do(at_table.Cut(at=200), "GS1")
        self.do(at_table.Burn(), "D1")

    def play(self, coups: int) -> None:
        for _ in range(coups):
            self._deal()
            self.do(at_table.Confirm(), "D1")

    def _deal(self) -> None:
        if self.state.shoe.left < 60:
            self.do(at_table.OrderShuffle(reason="bench"), "CS1")
            self._new_shoe()
        self.do(at_table.Open(), "D1")
        for name in STATIONS:
            for bet, cents in WAGERS.items():
                self.do(at_table.SetWager(bet=Bet(bet), cents=cents), name)
        self.do(at_table.Close(), "D1")
        while self.state.coup is not None and next_card(self.state.coup.cards) is not None:
            card = at_table.Card(card=self._chance.choice(DECK).notation)
            decided = decide_table(self.state, card, _stamp("D1"))
            if not isinstance(decided, Refused):
                self.state = fold(decided, self.state)

    def settle_ms(self) -> float:
        """The confirmation of a coup with three wagers at each of fifty stations."""
        self._deal()
        taken = seconds(lambda: [self._after(at_table.Confirm(), "D1") for _ in range(10)], runs=30) / 10 * 1e3
        self.do(at_table.Confirm(), "D1")
        return taken


class _Tournament:
    """So many entrants at tables of fifty, whose first session is on and has counted a few coups."""

    def __init__(self, entrants: int) -> None:
        self.entrants, self.state, self._at_ms = entrants, TournamentState(), 0
        self._prepare(_heats(entrants, tables=entrants // 50))
        self._seat()
        for counted in (1, 2, 3):
            for sitting in self.state.sittings:
                self.state = self._told(sitting, counted, self.state)

    def _do(self, kind: type[acts.TournamentAct], by: str = "TD1", second: str = "", **fields: Any) -> None:
        stamped = fields.pop("stamped", {})
        role = Role.TOURNAMENT_DIRECTOR if by == "TD1" else Role.CASHIER if by == "CA1" else Role.OPERATOR
        given = Stamp(by=by, role=role, at_ms=self._at_ms, **stamped) if by != "clock" else clock_stamp(self._at_ms)
        if second:
            given = msgspec.structs.replace(given, second=second, second_role=Role.CASINO_SUPERVISOR)
        self.state = _decided(self.state, kind(tournament=NAME, **fields), given)

    def _prepare(self, conditions: Conditions) -> None:
        raw = msgspec.json.decode(write_conditions(conditions))
        self._do(acts.CreateTournament, "operator", name=NAME)
        self._do(acts.SaveConditions, "operator", conditions=raw, stamped={"time_zone": "Australia/Melbourne"})
        saved = self.state.newest
        assert saved is not None
        approved = {"version": saved.version, "digest": saved.digest, "reference": "bench"}
        self._do(acts.ApproveConditions, "operator", "CS1", **approved)
        self._do(acts.AppointDirector, "operator", director="TD1", stamped={"is_staff": True})
        self._at_ms = saved.opens_ms
        self._do(acts.OpenEntry, "clock")
        form: dict[str, Any] = {"criteria": ("member",), "identity_checked": True, "form_digest": "0" * 64}
        for number in range(1, self.entrants + 1):
            self._do(acts.RegisterEntrant, "CA1", player=f"P-{number}", **form)
        for slip in sorted(self.state.slips):
            self._do(acts.NoteSlip, "clock", slip=slip, settled="taken", tender="cash")
        self._at_ms = saved.closes_ms
        self._do(acts.CloseEntry, "clock")
        self._do(acts.BePresent)

    def _seat(self) -> None:
        rules = rule_set(self.state.conditions.game.rule_set)
        plays = TablePlays("CROWN", rules.id, digest(rules), 8, {}, tuple(STATIONS))
        tables = tuple(f"T{number}" for number in range(1, self.entrants // 50 + 1))
        self._do(acts.DesignateTables, tables=tables, stamped={"tables": dict.fromkeys(tables, plays)})
        self._do(acts.Brief)
        self._at_ms = self.state.plays_by.starts_ms[ROUND][0]
        label = f"{NAME}/{ROUND}"
        self._do(acts.CommitDraw, "clock", draw=label, commitment=draw.commitment_of(bytes.fromhex(SEED), label))
        self._do(acts.DrawSeats, round=ROUND, words="AS KD 7C 2H 9S TD", stamped={"seed": SEED})
        self._do(acts.CallSession, round=ROUND, session=1)
        for name, sitting in list(self.state.sittings.items()):
            self._do(acts.NoteTable, "clock", table=sitting.table, sitting=name, state="open")

    def _told(self, name: str, counted: int, state: TournamentState) -> TournamentState:
        sitting = state.sittings[name]
        chance = random.Random(f"{name} {counted}")
        scores = {seat.entrant: chance.randrange(0, 200_000, 500) for seat in sitting.seats.values()}
        told = acts.NoteScore(
            tournament=NAME,
            table=sitting.table,
            sitting=name,
            revision=counted,
            counted=counted,
            left=20 - counted,
            scores=(acts.ScoreNews(counted, scores),),
            seats={station: acts.SeatTold(seat.entrant) for station, seat in sitting.seats.items()},
        )
        return _decided(state, told, clock_stamp(self._at_ms))

    def note_score_ms(self) -> float:
        first = next(iter(self.state.sittings))
        return seconds(lambda: [self._told(first, 4, self.state) for _ in range(50)]) / 50 * 1e3

    def board_ms(self) -> float:
        return seconds(lambda: board_of(self.state, {}, self._at_ms)) * 1e3


def _decided(state: TournamentState, act: acts.TournamentAct, stamp: Stamp) -> TournamentState:
    decided = decide(state, act, stamp)
    assert not isinstance(decided, TournamentRefused), (act.verb, decided.text)
    for event in decided:
        state = evolve(state, event)
    return state


def _stamp(by: str) -> Stamp:
    if by == "clock":
        return clock_stamp()
    return Stamp(by=by, role=ROLES.get(by, Role.STATION), director="TD1", sign_on=1)


def _heats(entrants: int, tables: int) -> Conditions:
    """Heats of full tables, and a final of the best eight."""
    raw = msgspec.json.decode(write_conditions(conditions_of("spring")))
    raw["entry"] |= {"maximum_players": entrants, "alternates": 0}
    raw["buy_back"] = {"allowed": False}
    raw["conduct"]["signature"] = False
    usual = {"sessions": 1, "balances": "cancelled", "credit": 200_000, "coups": 20}
    lines = [
        {"name": ROUND, "from": [{"entrants": "all"}], "tables": tables, "seats": 50, "starts": ["2026-06-06T13:00"]},
        {"name": "final", "from": [{"round": ROUND, "top_overall": 8}], "tables": 1, "seats": 8}
        | {"starts": ["2026-06-07T16:00"]},
    ]
    raw["rounds"] = [one | usual for one in lines]
    raw["ranking"] |= {"tie_breaks": ["count_back", "lots"], "prize_ties": "share"}
    del raw["ranking"]["play_off"]
    return read_conditions(raw, "bench")
