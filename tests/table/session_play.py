"""A table of eight stations that plays a tournament's session, driven by words, one decision after another."""

from typing import Any

import msgspec

from sabot.basics.act import Act
from sabot.basics.money import Cents
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.floor.lines.reader import read_table_act
from sabot.floor.lines.words import read_line
from sabot.floor.records.record_codec import entry_of, read_act, read_answer, read_events, written
from sabot.ledger.audit import discrepancy
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.configuration import Configuration, StationPart
from sabot.table.decide import decide
from sabot.table.event import Event
from sabot.table.evolve import evolve, fold
from sabot.table.fixtures import fixture
from sabot.table.refusal import Refused
from sabot.table.sessions.state import SessionState
from sabot.table.sessions.terms import SessionSeat, SessionTerms
from sabot.table.state import UNCONFIGURED, TableState

SITTING = "SPRING/heats/1/T1"
STATIONS = tuple(f"A{number}" for number in range(1, 9))
ROLES = {"D1": Role.DEALER, "GS1": Role.GAME_SUPERVISOR, "CS1": Role.CASINO_SUPERVISOR, "clock": Role.CLOCK}
READY = ("D1 sign_on", "D1 open_table", "GS1 check_cards 416", "D1 new_shoe", "GS1 cut 208", "D1 burn")
WINNERS = {
    "banker": ("2S", "4H", "4D", "4C"),
    "player": ("4S", "2H", "4D", "4C"),
    "tie": ("4S", "4H", "4D", "4C"),
}
"""Naturals, so that four cards decide: 6 against 8, 8 against 6, 8 against 8."""
_EIGHTS, _COURTS = (("4S", "4H"), ("5S", "3H"), ("6S", "2H"), ("7S", "AH"), ("4D", "4C"), ("5D", "3C")), "KQJT"


def natural(winner: str, number: int) -> tuple[str, ...]:
    """Four cards that decide so, other ones for each number, so that a shoe has enough for a session."""
    high, court = _EIGHTS[number % len(_EIGHTS)], _COURTS[number % len(_COURTS)]
    low = _EIGHTS[(number + 1) % len(_EIGHTS)] if winner == "tie" else (f"{court}D", f"{2 + number % 4}D")
    player, banker = (low, high) if winner == "banker" else (high, low)
    return (player[0], banker[0], player[1], banker[1])


def limits(minimum: int, step: int, maximum: int) -> Limits:
    return Limits(minimum=Cents(minimum), step=Cents(step), maximum=Cents(maximum))


LIMITS = {
    Bet("player"): limits(2_500, 500, 100_000),
    Bet("banker"): limits(2_500, 500, 100_000),
    Bet("tie"): limits(500, 500, 20_000),
}


def eight_stations() -> Configuration:
    parts = {name: StationPart(approval=f"ATS-{name}") for name in STATIONS}
    return msgspec.structs.replace(fixture("crown"), stations=parts)


def spring(digest: str, **changes: Any) -> SessionTerms:
    """The heats of an elimination: 1,000.00 for all, 20 coups, 50.00 compulsory."""
    terms = SessionTerms(
        tournament="SPRING",
        title={"en": "Spring Elimination", "zh": "春季淘汰赛"},
        sitting=SITTING,
        version=1,
        round="heats",
        session=1,
        rule_set=digest,
        offered=tuple(LIMITS),
        limits=LIMITS,
        period_ms=30_000,
        fresh_shoe=True,
        credit=100_000,
        coups=20,
        each_coup="compulsory",
        credits=5_000,
        missed="forfeit",
        hidden_last_coups=1,
        late_admitted=True,
        penalty_credits=5_000,
        latest_coup=5,
        excluded=("6.2", "6.2.1", "6.3", "6.4", "6.5", "6.7"),
        modified={"6.6.1": {"en": "A player who leaves a session retires.", "zh": "中途离开者视为退赛。"}},
    )
    return msgspec.structs.replace(terms, **changes)


class SessionTable:
    """What is said is decided and applied; the laws of the books are held to after every record."""

    def __init__(self, configuration: Configuration | None = None) -> None:
        configure = acts.Configure(configuration=configuration or eight_stations())
        decided = decide(UNCONFIGURED, configure, Stamp(by="operator", role=Role.OPERATOR))
        assert not isinstance(decided, Refused)
        self.history: list[Event] = list(decided)
        self.state: TableState = evolve(UNCONFIGURED, decided[0])
        self.now_ms = 0
        self.director = "TD1"
        self._orders = 100

    @property
    def session(self) -> SessionState:
        assert self.state.session is not None
        return self.state.session

    def try_(self, act: Act, by: str = "clock", second: str = "") -> tuple[Event, ...] | Refused:
        """What the table answers; accepted events are applied."""
        director = self.director if isinstance(act, acts.Open) else ""
        number = self.state.sign_ons.get(by, 0) + 1 if isinstance(act, acts.SignOn) else 0
        role = ROLES.get(by, Role.STATION)
        stamp = Stamp(by=by, role=role, at_ms=self.now_ms, director=director, second=second, sign_on=number)
        decided = decide(self.state, act, stamp)
        answer = read_answer(entry_of("any", act, stamp, decided))
        assert written(decide(self.state, *read_act(answer))) == written(decided), "its record is decided otherwise"
        if not isinstance(decided, Refused):
            assert answer.accepted is not msgspec.UNSET
            self.state = fold(read_events(answer.accepted), self.state)
            self.history += decided
            assert discrepancy(self.state.ledger, self.state.meters) is None
            assert self.state.ledger.is_balanced
        return decided

    def do(self, act: Act, by: str = "clock") -> tuple[Event, ...]:
        decided = self.try_(act, by)
        assert not isinstance(decided, Refused), (act, decided.text)
        return decided

    def refused(self, act: Act, by: str = "clock") -> Refused:
        decided = self.try_(act, by)
        assert isinstance(decided, Refused), decided
        return decided

    def hear(self, *lines: str) -> tuple[Event, ...]:
        """Lines of words, all of which must be accepted; the events of the last one."""
        events: tuple[Event, ...] = ()
        for line in lines:
            decided = self.hear_one(line)
            assert not isinstance(decided, Refused), (line, decided.text)
            events = decided
        return events

    def hear_one(self, line: str) -> tuple[Event, ...] | Refused:
        said = read_table_act(read_line(line, self.now_ms), self.state, self.now_ms)
        self.now_ms = max(self.now_ms, said.at_ms)
        return self.try_(said.act, said.giver.by, said.giver.second)

    def reserve(self, tournament: str = "SPRING") -> tuple[Event, ...] | Refused:
        return self.try_(acts.ReserveTable(tournament=tournament, title={"en": tournament}, limits=LIMITS))

    def opening(self, *absent: str, seats: int = 8, **changes: Any) -> acts.OpenSession:
        terms = spring(self.state.rule_set_digest, **changes)
        given = {
            station: SessionSeat(
                entrant=number, patron=f"P-{number}", credit=terms.credit, present=station not in absent
            )
            for number, station in enumerate(STATIONS[:seats], 1)
        }
        return acts.OpenSession(terms=terms, seats=given)

    def order(self) -> int:
        self._orders += 1
        return self._orders

    def coup(self, winner: str, **wagers: dict[str, int] | int) -> tuple[Event, ...]:
        """A coup with these wagers by station, an amount alone on Banker; the events of its settlement."""
        self.hear("D1 open")
        self.lay(**wagers)
        self.hear("D1 close", *(f"D1 card {card}" for card in WINNERS[winner]))
        return self.hear("D1 confirm")

    def lay(self, **wagers: dict[str, int] | int) -> None:
        for station, layout in wagers.items():
            for bet, amount in ({"banker": layout} if isinstance(layout, int) else layout).items():
                self.do(acts.SetWager(station=station, bet=Bet(bet), cents=amount), station)

    def correct(self, coup: int, winner: str) -> tuple[Event, ...]:
        """Put a coup right under a freeze; the events of the recalculation."""
        self.hear("D1 freeze")
        self.do(acts.Correct(coup=coup, cards=WINNERS[winner]), "D1")
        events = self.hear("D1 recalculate")
        self.hear("D1 unfreeze")
        return events

    def everybody(self, amount: int = 5_000) -> dict[str, dict[str, int] | int]:
        return dict.fromkeys(self.session.open_seats, amount)

    def balance(self, station: str) -> int:
        return self.state.purse(station).balance

    def names(self, events: tuple[Event, ...]) -> list[str]:
        return [type(event).__name__ for event in events]


def in_session(*absent: str, seats: int = 8, **changes: Any) -> SessionTable:
    """A table whose session has just been opened."""
    table = SessionTable()
    table.hear(*READY)
    assert not isinstance(table.reserve(), Refused)
    table.do(table.opening(*absent, seats=seats, **changes))
    return table
