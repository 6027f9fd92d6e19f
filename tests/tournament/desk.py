"""Talking to a tournament's desk: acts with the stamps of its people, and the way to any phase."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, TablePlays, clock_stamp
from sabot.rules.rule_set_file import digest
from sabot.rules.shipped import rule_set
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions.fixtures import fixture_raw
from sabot.tournament.decide import decide
from sabot.tournament.events import Placed, SeatAllotted
from sabot.tournament.evolve import evolve
from sabot.tournament.evolve_entry import with_status
from sabot.tournament.refusal import TournamentRefused
from sabot.tournament.state import EntrantStatus, RoundProgress, Sitting, SittingState, TournamentState

ZONE = "Australia/Melbourne"
FORM = "f" * 64
_ROLES = {
    "OP": Role.OPERATOR,
    "CS": Role.CASINO_SUPERVISOR,
    "TD": Role.TOURNAMENT_DIRECTOR,
    "CA": Role.CASHIER,
    "D": Role.DEALER,
}


def ms(local: str) -> int:
    """A local time of the house in milliseconds."""
    return round(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(ZONE)).timestamp() * 1000)


def stamp(who: str, at_ms: int = 0, second: str = "") -> Stamp:
    """`CS1` is a Casino Supervisor, `TD1` a Tournament Director, and so on."""
    if who == "clock":
        return clock_stamp(at_ms)
    second_role = _ROLES[second.rstrip("0123456789")] if second else None
    return Stamp(by=who, role=_ROLES[who.rstrip("0123456789")], at_ms=at_ms, second=second, second_role=second_role)


def plays(*, decks: int = 8, seats: int = 8, **other: Any) -> TablePlays:
    """What an ordinary table of the examples plays."""
    rules = rule_set("crown-traditional")
    stations = tuple(f"A{number}" for number in range(1, seats + 1))
    usual = TablePlays("CROWN", rules.id, digest(rules), decks, {}, stations)
    return replace(usual, **other)


class Desk:
    """A tournament, everything that happened in it, and a clock."""

    def __init__(self, name: str = "spring", raw: dict[str, object] | None = None) -> None:
        self.raw = raw or fixture_raw(name)
        self.id = str(self.raw["id"])
        self.state = TournamentState()
        self.history: list[e.TournamentEvent] = []
        self.now_ms = 0

    def at(self, local: str) -> "Desk":
        self.now_ms = ms(local)
        return self

    def say(self, act: acts.TournamentAct, given: Stamp) -> tuple[e.TournamentEvent, ...] | TournamentRefused:
        said = decide(self.state, act, given)
        if not isinstance(said, TournamentRefused):
            for event in said:
                self.state = evolve(self.state, event)
            self.history += said
        return said

    def do(self, act: acts.TournamentAct, who: str, second: str = "", **stamped: object) -> list[e.TournamentEvent]:
        said = self.say(act, replace(stamp(who, self.now_ms, second), **stamped))
        assert not isinstance(said, TournamentRefused), said
        return list(said)

    def no(self, act: acts.TournamentAct, who: str, second: str = "", **stamped: object) -> tuple[str, str]:
        """The code and the clause of the refusal, which there must be and which must change nothing."""
        before = self.state
        said = self.say(act, replace(stamp(who, self.now_ms, second), **stamped))
        assert isinstance(said, TournamentRefused), said
        assert self.state is before
        assert "{" not in said.text
        return said.code, said.clause

    # The way

    def created(self) -> "Desk":
        self.do(acts.CreateTournament(tournament=self.id, name="A tournament"), "OP1")
        return self

    def saved(self, **changed: object) -> "Desk":
        conditions = {**self.raw, **changed}
        self.do(acts.SaveConditions(tournament=self.id, conditions=conditions), "OP1", time_zone=ZONE)
        return self

    def approved(self) -> "Desk":
        newest = self.state.newest
        assert newest is not None
        approve = acts.ApproveConditions(
            tournament=self.id, version=newest.version, digest=newest.digest, reference="VCGLR 7", dated="2026-02-01"
        )
        self.do(approve, "OP1", "CS1")
        return self

    def directed(self) -> "Desk":
        self.do(acts.AppointDirector(tournament=self.id, director="TD1"), "OP1", is_staff=True)
        return self

    def opened(self) -> "Desk":
        """Entry is open, and it is the hour at which it opened."""
        self.created().saved().approved().directed()
        self.now_ms = self.state.plays_by.opens_ms
        self.do(acts.OpenEntry(tournament=self.id), "clock")
        return self

    def register(self, player: str, who: str = "CA1") -> list[e.TournamentEvent]:
        return self.do(self.application(player), who)

    def application(self, player: str) -> acts.RegisterEntrant:
        criteria = tuple(one.id for one in self.state.conditions.eligibility.criteria)
        return acts.RegisterEntrant(
            tournament=self.id, player=player, form_digest=FORM, criteria=criteria, identity_checked=True
        )

    def note(self, slip: str, settled: str = "taken") -> list[e.TournamentEvent]:
        return self.do(acts.NoteSlip(tournament=self.id, slip=slip, settled=settled, tender="cash"), "clock")

    def entered(self, count: int) -> "Desk":
        """So many more have registered and paid, `P-1` on."""
        first = len(self.state.entrants) + 1
        for number in range(first, first + count):
            for event in self.register(f"P-{number}"):
                if isinstance(event, e.SlipRaised):
                    self.note(event.slip)
        return self

    def closed(self, count: int) -> "Desk":
        """Entry is closed with so many entrants."""
        self.opened().entered(count)
        self.now_ms = self.state.plays_by.closes_ms
        self.do(acts.CloseEntry(tournament=self.id), "clock")
        return self

    def knocked_out(self, *entrants: int) -> "Desk":
        """The heats of SPRING are confirmed, and these were eliminated in them."""
        heats = RoundProgress(called=frozenset({1}), ended=frozenset({1}), confirmed=True, eliminated=entrants)
        for entrant in entrants:
            self.state = with_status(self.state, entrant, EntrantStatus.ELIMINATED, self.now_ms)
        self.state = replace(self.state, rounds={**self.state.rounds, "heats": heats})
        return self

    def seated(self, *entrants: int, round_name: str = "heats", state: SittingState = SittingState.OPEN) -> "Desk":
        """These sit at T1, from its first station on."""
        seats = {
            f"A{nth}": SeatAllotted(number, f"P-{number}", 100_000, present=True)
            for nth, number in enumerate(entrants, start=1)
        }
        sitting = Sitting(round=round_name, session=1, table="T1", seats=seats, state=state)
        progress = replace(self.state.progress(round_name), called=frozenset({1}))
        self.state = replace(
            self.state,
            sittings={**self.state.sittings, f"{self.id}/{round_name}/1/T1": sitting},
            rounds={**self.state.rounds, round_name: progress},
            on=(round_name, 1),
        )
        for entrant in entrants:
            self.state = with_status(self.state, entrant, EntrantStatus.PLAYING, self.now_ms)
        return self

    def withdrawn(self, *entrants: int) -> "Desk":
        for entrant in entrants:
            self.do(acts.WithdrawEntrant(tournament=self.id, entrant=entrant), "TD1")
        return self

    def waiting(self, count: int) -> "Desk":
        """So many more have registered and paid nothing."""
        for _ in range(count):
            self.register(f"P-{len(self.state.entrants) + 1}")
        return self

    def bought_back(self, *entrants: int) -> "Desk":
        """These bought back, paid, and were eliminated anew."""
        for entrant in entrants:
            (slip,) = slips_of(self.do(acts.BuyBack(tournament=self.id, entrant=entrant), "CA1"))
            self.note(slip.slip)
        return self.knocked_out(*self.state.progress("heats").eliminated)

    def present(self) -> "Desk":
        self.do(acts.BePresent(tournament=self.id), "TD1")
        return self

    def designated(self) -> "Desk":
        self.do(acts.DesignateTables(tournament=self.id, tables=("T1",)), "TD1", tables={"T1": plays()})
        return self

    def drawn(self) -> "Desk":
        """Seats of the repechage are drawn, at T1."""
        places = RoundProgress(drawn=(Placed(1, 1, "T1", "A1"),))
        self.state = replace(self.state, rounds={**self.state.rounds, "repechage": places})
        return self

    def status(self, entrant: int) -> EntrantStatus:
        return self.state.entrants[str(entrant)].status


def names(events: Iterable[e.TournamentEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def slips_of(events: Iterable[e.TournamentEvent]) -> list[e.SlipRaised]:
    return [event for event in events if isinstance(event, e.SlipRaised)]


def read_act(tournament: str, written: str) -> acts.TournamentAct:
    raw = msgspec.json.decode(written)
    act = msgspec.convert({"tournament": tournament, **raw}, acts.AnyTournamentAct)
    assert isinstance(act, acts.TournamentAct)
    return act
