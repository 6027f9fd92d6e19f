"""One tournament from its draft to its closed books, played by robots on the floor of a conversation.

Time is the floor's: sessions start when the conditions say, and tables play side by side. Wagering lasts its whole
period, and cards are dealt at the pace of the virtual dealer. So the records tell how long such a tournament takes.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from sabot.basics.act import Act
from sabot.floor.contests.dealing import LiveDealer, TableDealer
from sabot.floor.contests.habits import HABITS, ContestHabit, ContestRobot, SeatSight
from sabot.floor.contests.outcome import ContestOutcome, LawBroken, outcome_of
from sabot.floor.contests.upsets import FAIR, ContestWeather, Upsets
from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.floor_lines import floor_configurations
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.house import acts as house
from sabot.house.state import HouseSlipStatus, SlipDirection
from sabot.rules.chance import uniform, words
from sabot.table.acts import SetWager
from sabot.table.configuration import Configuration
from sabot.table.fixtures import fixture
from sabot.table.phase import Phase
from sabot.table.sessions.state import SeatStatus, SessionStage
from sabot.tournament import acts
from sabot.tournament.conditions.file import write_conditions
from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.state import EntrantStatus, SittingState, TournamentState

WORDS = "AS KD 7C 2H 9S TD"
DIRECTOR, CASHIER, SUPERVISOR, OPERATOR = "TD1", "CA1", "CS1", "operator"
ARRIVES_AFTER = 2
"""A latecomer arrives when so many coups have counted."""
MOST_TIES = 20
HearRound = Callable[[str, int], None]
"""Hears the round that is on, and how many coups were played so far."""


class ContestPlan(msgspec.Struct, frozen=True):
    conditions: Conditions
    players: int
    seed: int
    buy_back_percent: int = 50
    """Of those who may buy back, so many do."""
    tables: int = 0
    """How many tables the floor has; as many as the conditions need where it is 0, and so with the seats of each."""
    seats: int = 0
    weather: ContestWeather = FAIR
    """What goes wrong on the way."""


class Contest:
    def __init__(self, plan: ContestPlan, floor: LineFloor | None = None) -> None:
        self.plan, self.conditions = plan, plan.conditions
        self.floor = floor or LineFloor()
        for one in floor_for(plan):
            self.floor.enter(one)
        self._first = next(iter(self.floor.tables.values()))
        self._draw = uniform(words(f"contest {plan.seed}".encode()))
        dealer = LiveDealer if plan.weather.corrected else TableDealer
        self._dealers = {name: dealer(table, plan.seed) for name, table in self.floor.tables.items()}
        self._robots: dict[int, ContestRobot] = {}
        self.upsets = Upsets(plan.weather, plan.seed)
        self._now_ms = 0
        self.coups = 0
        self.sessions_ms: dict[str, list[int]] = {}
        """How long each session of a round took."""

    @property
    def name(self) -> str:
        return self.conditions.id

    @property
    def state(self) -> TournamentState:
        return self.floor.tournaments[self.name]

    def play(self, hear: HearRound = lambda *_: None) -> ContestOutcome:
        self._plan_and_enter()
        self._open_tables()
        for part in self.conditions.rounds:
            self._play_round(part.name, hear)
        self._award()
        return outcome_of(self.floor, self.state, self.plan.seed, self.coups, self.sessions_ms)

    # Saying

    def say(self, act: Act, by: str, *, table: LineTable | None = None, second: str = "") -> LineAnswer:
        """Say it, now; whatever is refused here is a fault of the program or of the plan."""
        answer = self.try_to_say(act, by, table=table, second=second)
        if answer.refusal is not None:
            raise LawBroken(f"{by} {act.verb}: {answer.refusal.text} ({answer.refusal.clause})")
        return answer

    def try_to_say(self, act: Act, by: str, *, table: LineTable | None = None, second: str = "") -> LineAnswer:
        return (table or self._first).give(act, by, at_ms=self._now_ms, second=second)

    def _tell(self, kind: type[acts.TournamentAct], by: str = DIRECTOR, second: str = "", **fields: Any) -> LineAnswer:
        return self.say(kind(tournament=self.name, **fields), by, second=second)

    def wait_until(self, at_ms: int) -> None:
        self._now_ms = max(self._now_ms, at_ms)

    # Before play

    def _plan_and_enter(self) -> None:
        raw = msgspec.json.decode(write_conditions(self.conditions))
        self._tell(acts.CreateTournament, OPERATOR, name=self.conditions.title["en"])
        self._tell(acts.SaveConditions, OPERATOR, conditions=raw)
        saved = self.state.newest
        assert saved is not None
        approved = {"version": saved.version, "digest": saved.digest, "reference": "simulated"}
        self._tell(acts.ApproveConditions, OPERATOR, SUPERVISOR, **approved)
        self._tell(acts.AppointDirector, OPERATOR, director=DIRECTOR)
        self.wait_until(saved.opens_ms)
        self._tell(acts.BePresent)
        met = tuple(one.id for one in self.conditions.eligibility.criteria)
        for number in range(1, self.plan.players + 1):
            form: dict[str, Any] = {"criteria": met, "identity_checked": True, "form_digest": f"{number:064}"}
            self._tell(acts.RegisterEntrant, CASHIER, player=f"P-{number:04}", **form)
            self._robots[number] = ContestRobot(number, self._habit(number), self.plan.seed)
        self._settle_slips()
        self.wait_until(saved.closes_ms)
        self.say(acts.Brief(tournament=self.name), DIRECTOR)
        for number in self._in_play():
            self._tell(acts.SignConditions, entrant=number)

    def _habit(self, number: int) -> ContestHabit:
        late = self.conditions.attendance.late
        habit = HABITS[(number + self.plan.seed) % len(HABITS)]
        return "steady" if habit == "latecomer" and not late.admitted else habit

    def _settle_slips(self) -> None:
        """The cage takes and pays every slip that is open."""
        for number, slip in sorted(self.floor.house.slips.items()):
            if slip.tournament == self.name and slip.status is HouseSlipStatus.OPEN:
                if slip.direction is SlipDirection.TAKE:
                    self.say(house.TakeSlip(slip=number, tender="cash"), CASHIER)
                else:
                    self.say(house.PaySlip(slip=number), CASHIER, second=SUPERVISOR)

    def _in_play(self) -> list[int]:
        return [int(number) for number, one in self.state.entrants.items() if one.status is EntrantStatus.ENTERED]

    def _open_tables(self) -> None:
        self.wait_until(min(start for starts in self.state.plays_by.starts_ms.values() for start in starts) - 3_600_000)
        for dealer in self._dealers.values():
            dealer.open_table()
        self.upsets.before_reservation(self)
        self._tell(acts.DesignateTables, tables=tuple(self.floor.tables))

    # Rounds

    def _play_round(self, name: str, hear: HearRound) -> None:
        starts = self.state.plays_by.starts_ms[name]
        self._buy_back(name)
        self.wait_until(starts[0])
        drawn = self.try_to_say(acts.DrawSeats(tournament=self.name, round=name, words=WORDS), DIRECTOR)
        if drawn.refusal is None:
            self.upsets.check_drawn(self, name)
            for number in sorted({placed.session for placed in self.state.progress(name).drawn or ()}):
                self.wait_until(starts[number - 1])
                self._play_session(name, number, hear)
        elif drawn.refusal.code != "nobody_to_seat":
            raise LawBroken(f"{name}: {drawn.refusal.text} ({drawn.refusal.clause})")
        self._confirm(name, hear)

    def _buy_back(self, into: str) -> None:
        rule = self.conditions.buy_back
        if not rule.allowed or rule.into != into:
            return
        for number in self.state.progress(rule.after).eliminated:
            if self._draw(100) < self.plan.buy_back_percent:
                self.try_to_say(acts.BuyBack(tournament=self.name, entrant=number), CASHIER)
        self._settle_slips()

    def _play_session(self, name: str, session: int, hear: HearRound) -> None:
        began = self._now_ms
        late = self._latecomers(name, session)
        self._tell(acts.CallSession, round=name, session=session, absent=late)
        for table in self._called():
            self._dealers[table].bring_shoe()
        while tables := list(self._on()):
            hear(name, self.coups)
            self._admit(late)
            self._step(min(tables, key=lambda one: self._dealers[one].due_ms))
        self._tell(acts.CloseSession)
        self.upsets.after_session(self)
        self.sessions_ms.setdefault(name, []).append(self._now_ms - began)

    def _latecomers(self, name: str, session: int) -> tuple[int, ...]:
        """Who comes late to a session, where the conditions admit it.

        Nobody does to a play-off, which has no draw, nor to a table where nobody else is, which would wait.
        """
        placed = self.state.progress(name).drawn or ()
        late, coups = self.conditions.attendance.late, {one.name: one.coups for one in self.conditions.rounds}
        if not late.admitted or (late.latest_coup or 0) <= ARRIVES_AFTER or (coups.get(name) or 0) <= ARRIVES_AFTER:
            return ()
        here = [one for one in placed if one.session == session]
        begun = {one.table for one in here if self._robots[one.entrant].habit != "latecomer"}
        return tuple(
            one.entrant for one in here if one.table in begun and self._robots[one.entrant].habit == "latecomer"
        )

    def _admit(self, late: Iterable[int]) -> None:
        for sitting in list(self.state.sittings.values()):
            if sitting.state is SittingState.OPEN and sitting.counted == ARRIVES_AFTER:
                for seat in sitting.seats.values():
                    if seat.entrant in late and not seat.present:
                        self.try_to_say(acts.RecordArrival(tournament=self.name, entrant=seat.entrant), DIRECTOR)

    def _called(self) -> list[str]:
        return [one.table for one in self.state.sittings.values() if one.state is SittingState.CALLED]

    def _on(self) -> Iterator[str]:
        """The tables that play now."""
        for name, table in self.floor.tables.items():
            session = table.state.session
            if session is not None and session.stage is SessionStage.OPEN:
                yield name

    def _step(self, name: str) -> None:
        """The next step of a dealer. Wagers are laid when the wagering has opened."""
        table, coups = self.floor.tables[name], self.floor.tables[name].state.coups
        self._dealers[name].step()
        self._now_ms = self.floor.now_ms
        if table.state.coups > coups:
            self.coups += 1
            for station, laid in list(self._wagers(table)):
                table.give(laid, station)
        self.upsets.after_step(self, table)
        self._now_ms = self.floor.now_ms

    def _wagers(self, table: LineTable) -> Iterator[tuple[str, Act]]:
        session, state = table.state.session, table.state
        if session is None or state.phase is not Phase.WAGERING or state.coup is None:
            return
        seats = {name: seat for name, seat in session.seats.items() if seat.status is SeatStatus.PLAYING}
        scores = {name: state.purse(name).balance for name in seats}
        best = sorted(scores.values(), reverse=True)
        line = best[min(1, len(best) - 1)] if best else 0
        for station, seat in seats.items():
            sight = SeatSight(
                coup=state.coup.number,
                credits=scores[station],
                limits={bet: limits for bet, limits in state.limits.items() if bet in state.offered},
                left=session.left,
                compulsory=0 if session.terms.each_coup == "none" else session.terms.credits,
                line=line,
                is_through=scores[station] >= line,
            )
            for bet, credits_laid in self._robots[seat.entrant].wagers(sight).items():
                yield station, SetWager(bet=bet, cents=credits_laid)

    def _confirm(self, name: str, hear: HearRound) -> None:
        """Confirm a round. A play-off is called where one is due; words are drawn, since lots may decide."""
        for _ in range(MOST_TIES):
            self._tell(acts.ConfirmRound, round=name, words=WORDS)
            progress = self.state.progress(name)
            if progress.confirmed:
                return
            for one in progress.play_offs:
                if not one.done:
                    self._play_session(f"{name}+{one.number}", 1, hear)
        raise LawBroken(f"{name}: the tie could not be broken")

    # The end

    def _award(self) -> None:
        self._tell(acts.AwardPrizes, second=SUPERVISOR, words=WORDS)
        self._settle_slips()
        self._tell(acts.ReleaseTables)
        self._tell(acts.CloseBooks, OPERATOR)


def tables_needed(conditions: Conditions) -> tuple[int, int]:
    """How many tables, and how many seats at each, the largest rounds ask for."""
    return max(one.tables for one in conditions.rounds), max(one.seats for one in conditions.rounds)


def floor_for(plan: ContestPlan) -> list[Configuration]:
    """Equal tables with a station for each seat, and the staff of a tournament."""
    conditions = plan.conditions
    needed, wide = tables_needed(conditions)
    tables, seats = plan.tables or needed, plan.seats or wide
    usual = fixture("crown")
    game = conditions.game
    played = msgspec.structs.replace(
        usual, rule_set=game.rule_set, decks=game.decks, options=game.options or usual.options
    )
    return floor_configurations(played, tables, seats)
