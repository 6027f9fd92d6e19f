"""What goes wrong while a simulated tournament is played, and the laws that hold at every step of it nevertheless.

A table is left and taken again, in the middle of a coup too. News and orders come twice, and late. Coups are made
invalid or put right, during their session and after it. Entrants retire or are disqualified, and the director steps
out.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

import msgspec

from sabot.basics.act import Act
from sabot.basics.at_once import at_once
from sabot.floor.contests.outcome import LawBroken
from sabot.floor.exchange.table_to_tournament import table_to_tournament
from sabot.floor.exchange.tournament_to_table import tournament_to_table
from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.table_owner.messages import Carried
from sabot.ledger.audit import discrepancy
from sabot.rules.chance import uniform, words
from sabot.table import acts as at_table
from sabot.table.phase import Phase
from sabot.table.sessions.state import MoneyAside, SeatStatus
from sabot.table.state import Played, TableState
from sabot.tournament import acts
from sabot.tournament.sittings.finding import final_scores
from sabot.tournament.state import OUT, TournamentState

_DEALER, _SUPERVISOR, _DIRECTOR, _SECOND = "D1", "GS1", "TD1", "CS1"
NATURAL = 4
"""So many cards decide a coup at once. With its hands exchanged such a coup is as complete, and the shoe as long."""
CASH = 10_000
LEAST_PLAYING = 3
"""Nobody is sent away where fewer play on."""


KEPT, SELDOM = 2, 15
"""So many earlier moments are kept, one of so many steps; news and orders between them come again later."""


class _Moment(NamedTuple):
    """The states of all streams that talk to one another."""

    tournament: TournamentState
    tables: Mapping[str, TableState]


class ContestWeather(msgspec.Struct, frozen=True):
    """How many times in a thousand steps of a dealer each upset comes."""

    retaken: int = 0
    repeated: int = 0
    invalidated: int = 0
    corrected: int = 0
    corrected_late: int = 0
    """Of a thousand sessions, a coup of which is put right when they are closed."""
    sent_away: int = 0
    director_out: int = 0


FAIR = ContestWeather()
FOUL = ContestWeather(
    retaken=12, repeated=40, invalidated=40, corrected=60, corrected_late=700, sent_away=3, director_out=30
)


class Upset(Protocol):
    """The tournament that is upset."""

    floor: LineFloor

    @property
    def name(self) -> str: ...
    @property
    def state(self) -> TournamentState: ...
    def say(self, act: Act, by: str, *, table: LineTable | None = None, second: str = "") -> LineAnswer: ...
    def try_to_say(self, act: Act, by: str, *, table: LineTable | None = None, second: str = "") -> LineAnswer: ...


class Upsets:
    def __init__(self, weather: ContestWeather, seed: int) -> None:
        self._weather = weather
        self._draw = uniform(words(f"upsets {seed}".encode()))
        self._money: dict[str, tuple[str, MoneyAside]] = {}
        """By table: the sitting that is on, and the money from before it."""
        self._kept: deque[_Moment] = deque(maxlen=KEPT)
        self.seen: dict[str, int] = {}
        """How often each upset came."""

    def before_reservation(self, contest: Upset) -> None:
        """Cash play, so that there is money which a session must leave alone."""
        for table in contest.floor.tables.values() if self._weather != FAIR else ():
            contest.say(at_table.BuyIn(station="A1", cents=CASH), _DEALER, table=table)
            contest.say(at_table.Leave(), "A1", table=table)
            contest.say(at_table.Pay(station="A1"), _DEALER, table=table)
        self.check(contest)

    # Between the steps

    def after_step(self, contest: Upset, table: LineTable) -> None:
        """Upset the tournament at one of its tables, and hold it to the laws."""
        upsets: dict[str, tuple[int, Callable[[Upset, LineTable], bool]]] = {
            "retaken": (self._weather.retaken, self._retake),
            "repeated": (self._weather.repeated, self._repeat),
            "invalidated": (self._weather.invalidated, self._invalidate),
            "corrected": (self._weather.corrected, self._correct),
            "sent_away": (self._weather.sent_away, self._send_away),
            "director_out": (self._weather.director_out, self._step_out),
        }
        for name, (chance, upset) in upsets.items():
            if chance and self._draw(1000) < chance and upset(contest, table):
                self.seen[name] = self.seen.get(name, 0) + 1
        self.check(contest)
        if self._weather.repeated and self._draw(SELDOM) == 0:
            self._kept.append(_Moment(contest.state, {name: one.state for name, one in contest.floor.tables.items()}))

    def after_session(self, contest: Upset) -> None:
        """A coup of a session that is closed is put right, which changes scores and no money (G-133)."""
        for table in contest.floor.tables.values():
            late = self._weather.corrected_late
            if late and self._draw(1000) < late and self._correct(contest, table):
                self.seen["corrected_late"] = self.seen.get("corrected_late", 0) + 1
        self.check(contest)

    def _retake(self, contest: Upset, table: LineTable) -> bool:
        """The owner goes, and the next one takes the table as its records leave it."""
        at_once(table.leave())
        at_once(table.begin())
        at_once(contest.floor.carry())
        return True

    def _repeat(self, contest: Upset, table: LineTable) -> bool:
        """News that were told long ago are told again, and orders that were done are given again; nothing changes."""
        if len(self._kept) < KEPT:
            return False
        floor, (first, second) = contest.floor, self._kept
        at_once(floor.carry())
        now = _Moment(contest.state, {name: one.state for name, one in floor.tables.items()})
        for one in floor.tables.values():
            for older, newer in ((first, second), (first, now), (second, now)):
                for act, stamp in table_to_tournament(older.tournament, newer.tables[one.name], floor.now_ms):
                    if at_once(floor.ask_tournament(act, stamp, floor.now_ms)) and contest.state is not now.tournament:
                        raise LawBroken(f"{one.name}: {act.verb} was told again and changed something")
                for order, stamp in tournament_to_table(newer.tournament, older.tables[one.name], floor.now_ms):
                    before = len(one.records)
                    at_once(one.receive(Carried(order, stamp)))
                    if any(record.events for record in one.records[before:]):
                        raise LawBroken(f"{one.name}: {order.verb} came again and was done again")
        del table
        return True

    def _invalidate(self, contest: Upset, table: LineTable) -> bool:
        """A coup of the session counts for nothing, because the game system failed in it (CROWN 13.4)."""
        session, coup = table.state.session, _last_coup(table.state)
        if session is None or coup is None or table.state.coup is not None or coup.coup < session.first_coup:
            return False
        act = at_table.Invalidate(coup=coup.coup, cause="malfunction", reason="dark")
        return contest.try_to_say(act, _SUPERVISOR, table=table, second=_SECOND).refusal is None

    def _correct(self, contest: Upset, table: LineTable) -> bool:
        """The hands were entered the wrong way round: freeze, correct, recalculate (CROWN 11.11)."""
        coup = _last_coup(table.state)
        if coup is None or len(coup.cards) != NATURAL or table.state.coup is not None or coup.invalid:
            return False
        player, banker, third, fourth = coup.cards
        contest.say(at_table.Freeze(), _DEALER, table=table)
        true = at_table.Correct(coup=coup.coup, cards=(banker, player, fourth, third))
        answer = contest.try_to_say(true, _SUPERVISOR, table=table)
        if answer.refusal is None:
            contest.say(at_table.Recalculate(), _SUPERVISOR, table=table)
        contest.say(at_table.Unfreeze(), _SUPERVISOR, table=table)
        return answer.refusal is None

    def _send_away(self, contest: Upset, table: LineTable) -> bool:
        session = table.state.session
        seats = [] if session is None else [one for one in session.seats.values() if one.status is SeatStatus.PLAYING]
        if len(seats) <= LEAST_PLAYING:
            return False
        number, ground = seats[self._draw(len(seats))].entrant, self._draw(2)
        conditions = contest.state.conditions
        act: acts.TournamentAct = acts.Retire(tournament=contest.name, entrant=number, reason="unwell")
        if ground and conditions.leaving.grounds:
            told = {"ground": conditions.leaving.grounds[0].id, "reason": "as the director saw"}
            act = acts.Disqualify(tournament=contest.name, entrant=number, **told)
        return contest.try_to_say(act, _DIRECTOR).refusal is None

    def _step_out(self, contest: Upset, table: LineTable) -> bool:
        """While no director is present, no wagering opens in a session (CROWN 12.2.5)."""
        session = table.state.session
        if session is None or table.state.phase is not Phase.BETWEEN_COUPS or not contest.state.present:
            return False
        if contest.try_to_say(acts.StepOut(tournament=contest.name), _DIRECTOR).refusal is not None:
            return False
        answer = contest.try_to_say(at_table.Open(), _DEALER, table=table)
        if answer.refusal is None:
            raise LawBroken(f"{table.name}: wagering opened without a Tournament Director (CROWN 12.2.5)")
        contest.say(acts.BePresent(tournament=contest.name), _DIRECTOR)
        return True

    # The laws

    def check(self, contest: Upset) -> None:
        """The books of every table, the money from before each session, the scores, and who is seated."""
        for table in contest.floor.tables.values():
            self._check_money(table)
            _check_books(table)
            _check_scores(contest.state, table)

    def check_drawn(self, contest: Upset, name: str) -> None:
        """Everybody who is seated may play: nobody is out, and in a later round everybody went on or came back."""
        state = contest.state
        part = state.conditions.round(name)
        sources = [line.round for line in part.from_ if line.round]
        sent = {number for source in sources for number in state.progress(source).through.get(name, ())}
        for placed in state.progress(name).drawn or ():
            status = state.entrants[str(placed.entrant)].status
            if status in OUT:
                raise LawBroken(f"{name}: entrant {placed.entrant} is {status.value} and has a seat")
            only_through = all(line.round for line in part.from_)
            if only_through and placed.entrant not in sent:
                raise LawBroken(f"{name}: entrant {placed.entrant} has a seat and did not go on to this round")

    def _check_money(self, table: LineTable) -> None:
        """What was put aside for a session comes back to the cent, with its meters and limits (CROWN 1.1)."""
        state, kept = table.state, self._money.get(table.name)
        if state.session is None:
            if kept is not None and kept[0] and _money(state) != kept[1]:
                raise LawBroken(f"{table.name}: the money is not what it was before {kept[0]}")
            self._money[table.name] = ("", _money(state))
        elif kept is not None:
            self._money[table.name] = (state.session.sitting, kept[1])
            if state.session.money != kept[1]:
                raise LawBroken(f"{table.name}: the money that was put aside has changed")


def _money(state: TableState) -> MoneyAside:
    limits = (state.offered, state.limits, state.minimums, state.aggregate_minimum)
    return MoneyAside(state.ledger, state.meters, *limits)


def _check_books(table: LineTable) -> None:
    state = table.state
    wrong = discrepancy(state.ledger, state.meters)
    if wrong is not None or not state.ledger.is_balanced:
        raise LawBroken(f"{table.name}: the books are not right: {wrong or 'they do not balance'}")


def _check_scores(state: TournamentState, table: LineTable) -> None:
    """A score is what stands in the entrant's account, and the tournament has noted the newest (CROWN 12.2.1(d))."""
    session = table.state.session
    if session is None or table.state.coup is not None or session.scores.last is None:
        return
    said: Mapping[int, int] = session.scores.last.scores
    for station, seat in session.seats.items():
        if seat.status is SeatStatus.PLAYING and seat.entrant in said:
            has = table.state.purse(station).total - table.state.owed(station)
            if has != said[seat.entrant]:
                raise LawBroken(f"{table.name}: entrant {seat.entrant} has {has} and the score {said[seat.entrant]}")
    noted = state.sittings.get(session.sitting)
    if noted is not None and noted.revision == session.revision and dict(final_scores(noted)) != dict(said):
        raise LawBroken(f"{table.name}: the tournament has noted other scores than the table's")
    if noted is not None and noted.revision != session.revision:
        raise LawBroken(f"{table.name}: the tournament noted revision {noted.revision}, not {session.revision}")


def _last_coup(state: TableState) -> Played | None:
    return state.put_right_last


def digest_of(floor: LineFloor) -> str:
    """One figure of everything that was recorded, the same for the same seed and weather."""
    journal = floor.backing.journal
    heads = [at_once(journal.head(stream)) for stream in sorted(at_once(journal.streams()))]
    return hashlib.sha256(repr([(one.stream, one.version, one.hash) for one in heads]).encode()).hexdigest()
