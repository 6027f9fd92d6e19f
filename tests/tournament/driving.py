"""Driving a tournament through its play without any table: the tables' news are made here.

`Play` is a desk that also tells what tables would tell. Scores are given by entrant number in whole credits.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from sabot.basics.stamp import TablePlays
from sabot.rules.rule_set_file import digest
from sabot.rules.shipped import rule_set
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.places.outcomes import label_to_open
from sabot.tournament.seats import draw
from sabot.tournament.sittings.finding import final_scores, is_there, sittings_on
from sabot.tournament.state import SITTING_OVER, Sitting, SittingState
from tests.tournament.desk import Desk

WORDS = "AS KD 7C 2H 9S TD"
SEED = "07" * 32
STARTS = {"heats": "2026-06-06T13:00", "session": "2026-03-21T20:00", "night": "2026-07-03T20:00"}


class Play(Desk):
    """A tournament at its tables."""

    def copied(self) -> "Play":
        """Another desk that has come the same way."""
        other = Play(raw=self.raw)
        other.state, other.now_ms, other.history = self.state, self.now_ms, list(self.history)
        return other

    def at(self, local: str) -> "Play":
        super().at(local)
        return self

    def ready(self, entrants: int, tables: int = 4, seats: int = 8) -> "Play":
        """Entry is closed; the Director is present, tables are designated, everybody is briefed and has signed."""
        self.closed(entrants)
        self.do(acts.BePresent(tournament=self.id), "TD1")
        self.designate(*(f"T{number}" for number in range(1, tables + 1)), seats=seats)
        self.brief_all()
        return self

    def designate(self, *tables: str, seats: int = 8) -> None:
        rules = rule_set(self.state.conditions.game.rule_set)
        stations = tuple(f"A{number}" for number in range(1, seats + 1))
        plays = TablePlays("CROWN", rules.id, digest(rules), 8, {}, stations)
        named = dict.fromkeys(tables, plays)
        self.do(acts.DesignateTables(tournament=self.id, tables=tables), "TD1", tables=named)

    def brief_all(self) -> None:
        self.do(acts.Brief(tournament=self.id), "TD1")
        for number, entrant in self.state.entrants.items():
            if entrant.briefed:
                self.do(acts.SignConditions(tournament=self.id, entrant=int(number)), "TD1")

    # The draw

    def commit(self, label: str, seed: str = SEED) -> list[e.TournamentEvent]:
        made = draw.commitment_of(bytes.fromhex(seed), label)
        return self.do(acts.CommitDraw(tournament=self.id, draw=label, commitment=made), "clock")

    def draw(self, name: str, seed: str = SEED) -> e.SeatsDrawn:
        self.commit(f"{self.id}/{name}", seed)
        (drawn,) = self.do(acts.DrawSeats(tournament=self.id, round=name, words=WORDS), "TD1", seed=seed)
        assert isinstance(drawn, e.SeatsDrawn)
        return drawn

    def places(self, name: str, session: int = 1) -> dict[str, list[int]]:
        """Who sits at which table, by station."""
        found: dict[str, dict[str, int]] = {}
        for placed in self.state.progress(name).drawn or ():
            if placed.session == session:
                found.setdefault(placed.table, {})[placed.station] = placed.entrant
        return {table: list(seats.values()) for table, seats in found.items()}

    # Sessions

    def call(self, name: str, session: int = 1, absent: tuple[int, ...] = ()) -> e.SessionCalled:
        """At the time of the session, or now if it is past."""
        starts = self.state.plays_by.starts_ms.get(name)
        if starts is not None:
            self.now_ms = max(self.now_ms, starts[session - 1])
        (called,) = self.do(self.calling(name, session, absent), "TD1")
        assert isinstance(called, e.SessionCalled)
        return called

    def calling(self, name: str, session: int = 1, absent: tuple[int, ...] = ()) -> acts.CallSession:
        return acts.CallSession(tournament=self.id, round=name, session=session, absent=absent)

    def on(self) -> dict[str, Sitting]:
        """The sittings that are on, by name."""
        return {known: one for known, one in sittings_on(self.state) if one.state not in SITTING_OVER}

    def table(self, table: str) -> str:
        """The sitting that is on at a table."""
        return next(known for known, one in self.on().items() if one.table == table)

    def tell(self, known: str, state: str, why: str = "") -> list[e.TournamentEvent]:
        table = self.state.sittings[known].table
        news = acts.NoteTable(tournament=self.id, table=table, sitting=known, state=state, why=why)
        return self.do(news, "clock")

    def opened_tables(self) -> None:
        for known in self.on():
            self.tell(known, "open")

    def score(self, known: str, scores: Mapping[int, float], **told: Any) -> list[e.TournamentEvent]:
        """The next counted coup of a sitting, with these scores; who is not named keeps the last."""
        return self.do(self.score_news(known, scores, **told), "clock")

    def score_news(
        self,
        known: str,
        scores: Mapping[int, float],
        *,
        counted: int | None = None,
        revision: int | None = None,
        bust: Iterable[int] = (),
        agreed: Iterable[int] = (),
        closed: Iterable[int] = (),
        warned: Iterable[int] = (),
        claims: bool = False,
    ) -> acts.NoteScore:
        sitting = self.state.sittings[known]
        counted = sitting.counted + 1 if counted is None else counted
        part = self.state.round(sitting.round)
        of = part.coups if part else None
        whole = {**final_scores(sitting), **{number: round(score * 100) for number, score in scores.items()}}
        told = {
            station: acts.SeatTold(
                entrant=seat.entrant,
                present=is_there(sitting, station),
                bust=seat.entrant in bust,
                agreed=seat.entrant in agreed,
                closed=seat.entrant in closed,
                warnings=int(seat.entrant in warned),
            )
            for station, seat in sitting.seats.items()
        }
        return acts.NoteScore(
            tournament=self.id,
            table=sitting.table,
            sitting=known,
            revision=sitting.revision + 1 if revision is None else revision,
            counted=counted,
            left=None if of is None else of - counted,
            scores=(acts.ScoreNews(counted, whole),) if counted else (),
            seats=told,
            claims_open=claims,
        )

    def finish(self, known: str) -> None:
        """The sitting is played out, as its table tells."""
        if self.state.sittings[known].state is SittingState.CALLED:
            self.tell(known, "open")
        self.tell(known, "played")

    def close(self) -> list[e.TournamentEvent]:
        """Every sitting that is played is ordered to close, and closes."""
        ordered = self.do(acts.CloseSession(tournament=self.id), "TD1")
        (closing,) = ordered
        assert isinstance(closing, e.ClosingOrdered)
        return [event for known in closing.sittings for event in self.tell(known, "closed")]

    def play(self, name: str, session: int = 1, scores: Mapping[int, float] | None = None) -> list[e.TournamentEvent]:
        """A whole session of one counted coup; unless given, the lower number has the higher score."""
        if (name, session) != self.state.on:
            self.call(name, session)
        for known, sitting in self.on().items():
            numbers = [seat.entrant for station, seat in sitting.seats.items() if is_there(sitting, station)]
            self.tell(known, "open")
            self.score(known, {one: (scores or {}).get(one, 2000 - 10 * one) for one in numbers})
            self.tell(known, "played")
        return self.close()

    def play_round(self, name: str, scores: Mapping[int, float] | None = None) -> None:
        self.draw(name)
        sessions = sorted({placed.session for placed in self.state.progress(name).drawn or ()})
        for session in sessions:
            self.play(name, session, scores)

    # Progress

    def confirm(self, name: str, seed: str = SEED) -> list[e.TournamentEvent]:
        """Confirm a round, with the lots that are due."""
        label = label_to_open(self.state, name)
        if label and label not in self.state.commitments:
            self.commit(label, seed)
        return self.do(acts.ConfirmRound(tournament=self.id, round=name, words=WORDS), "TD1", seed=seed)
