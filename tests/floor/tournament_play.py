"""A whole tournament in one conversation, played by words on the floor of `sabot tournament --batch`."""

import random
from collections.abc import Iterator
from typing import Any

from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.floor_lines import FloorLines, floor_configurations
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.lines.words import read_line
from sabot.rules.cards import CARDS
from sabot.table.fixtures import fixture
from sabot.table.sessions.state import SeatStatus, SessionStage
from sabot.tournament.state import SittingState, TournamentState

FORM = "0" * 64
WORDS = "AS KD 7C 2H 9S TD"
OPENED = ("D1 sign_on", "D1 open_table", "GS1 check_cards 416")
SHOE = ("D1 new_shoe", "GS1 cut 208", "D1 burn")


def a_floor(tables: int = 4, stations: int = 8, floor: LineFloor | None = None) -> FloorLines:
    floor = floor or LineFloor()
    for one in floor_configurations(fixture("crown"), tables, stations):
        floor.enter(one)
    return FloorLines(floor)


class Cast:
    """Everybody who takes part; what is said must be accepted unless it is said with `tries`."""

    def __init__(self, played: FloorLines | None = None, seed: int = 1, name: str = "SPRING") -> None:
        self.played = played or a_floor()
        self.name = name
        self.chance = random.Random(seed)
        self.shoes: dict[str, list[str]] = {}

    @property
    def state(self) -> TournamentState:
        return self.played.floor.tournaments[self.name]

    def tries(self, line: str | dict[str, Any]) -> LineAnswer:
        asked = read_line(line, self.played.now_ms, self.played.zone) if isinstance(line, str) else line
        return self.played.answer(asked)

    def says(self, *lines: str | dict[str, Any]) -> LineAnswer:
        for line in lines:
            answer = self.tries(line)
            assert answer.ok, (line, answer.refusal)
        return answer

    # Before play

    def plans(self, conditions: str = "spring", **changes: Any) -> None:
        saved = {"do": "save_conditions", "by": "operator", "tournament": self.name, "conditions": conditions}
        self.says(
            f"operator create_tournament {self.name} A tournament",
            saved | ({"set": changes["changes"]} if changes else {}),
            f"operator approve_conditions {self.name} 1 VCGR-7 second=CS1",
            f"operator appoint_director {self.name} TD1",
        )

    def enters(self, players: int, at: str = "2026-05-01T10:00", criteria: str = "member") -> None:
        """Entry opens by the clock; everybody registers and pays all that is due."""
        self.says(f"@{at} TD1 be_present {self.name}")
        first = len(self.state.entrants) + 1
        for number in range(first, first + players):
            words = f"CA1 register_entrant {self.name} P-{number} {criteria} identity_checked=yes form_digest={FORM}"
            self.says(words)
            self.pays()

    def pays(self) -> None:
        """The cage takes and pays every slip that is open."""
        for number, slip in sorted(self.played.floor.house.slips.items()):
            if slip.tournament == self.name and slip.status == "open":
                self.says(f"CA1 {slip.direction}_slip {number} second=CS1")

    def briefs(self, at: str = "2026-06-05T18:00") -> None:
        """Entry closes by the clock; everybody is briefed and signs."""
        self.says(f"@{at} clock tick", f"TD1 brief {self.name}")
        for number in sorted(self.state.entrants, key=int):
            if self.state.entrants[number].status == "entered":
                self.says(f"TD1 sign_conditions {self.name} {number}")

    def opens_tables(self, at: str = "2026-06-06T12:00") -> None:
        tables = self.played.floor.tables
        for table in tables:
            self.says(*(f"{table}: {line}" for line in OPENED))
        self.says(f"@{at} TD1 designate_tables {self.name} {','.join(tables)}")

    # Play

    def table(self, name: str) -> LineTable:
        return self.played.floor.tables[name]

    def sittings(self) -> Iterator[str]:
        """The tables that play now."""
        for name, table in self.played.floor.tables.items():
            session = table.state.session
            if session is not None and session.stage is SessionStage.OPEN:
                yield name

    def calls(self, round_name: str, session: int = 1, at: str = "") -> None:
        self.says(f"{at and f'@{at} '}TD1 call_session {self.name} {round_name} {session}")
        for sitting in list(self.state.sittings.values()):
            if sitting.state is SittingState.CALLED:
                self.shuffles(sitting.table)

    def shuffles(self, table: str) -> None:
        """A fresh shoe. The card that is burned stays unknown, so any of them may be it."""
        pack = sorted({card.notation for card in CARDS.values()}) * 8
        self.chance.shuffle(pack)
        self.shoes[table] = pack
        self.says(*(f"{table}: {line}" for line in SHOE))

    def plays_out(self) -> None:
        """Every table that is on plays until its last coup."""
        while tables := list(self.sittings()):
            for table in tables:
                self.coup(table)

    def coup(self, table: str, wagers: dict[str, str] | None = None) -> LineAnswer:
        """One coup; without wagers everybody lays something within the limits."""
        answer = self.says(f"{table}: D1 open")
        for line in wagers.values() if wagers is not None else self.lays(table):
            self.tries(f"{table}: {line}")
        answer = self.says(f"{table}: D1 close")
        if not any(purse.layout for purse in self.table(table).state.ledger.purses.values()):
            return self.says(f"{table}: D1 void")
        while answer.next is not None:
            answer = self.says(f"{table}: D1 card {self.shoes[table].pop()}")
        return self.says(f"{table}: D1 confirm")

    def lays(self, table: str) -> Iterator[str]:
        session = self.table(table).state.session
        assert session is not None
        for station, seat in session.seats.items():
            if seat.status is SeatStatus.PLAYING:
                bet = self.chance.choice(("player", "banker", "tie"))
                yield f"{station} set_wager {bet} {self.chance.choice((25, 50, 75, 100))}"

    def ends_session(self) -> None:
        self.says(f"TD1 close_session {self.name}")

    def confirms(self, round_name: str) -> None:
        """Confirm a round; a play-off is called where one is due, and words are drawn where lots decide."""
        for _ in range(20):
            answer = self.says(f"TD1 confirm_round {self.name} {round_name} {WORDS}")
            if self.state.progress(round_name).confirmed:
                return
            waiting = [one.number for one in self.state.progress(round_name).play_offs if not one.done]
            for number in waiting:
                self.calls(f"{round_name}+{number}")
                self.plays_out()
                self.ends_session()
        raise AssertionError(answer.sentences)

    def plays_round(self, round_name: str, *starts: str) -> None:
        self.says(f"@{starts[0]} TD1 draw_seats {self.name} {round_name} {WORDS}")
        for number in sorted({placed.session for placed in self.state.progress(round_name).drawn or ()}):
            self.calls(round_name, number, starts[number - 1])
            self.plays_out()
            self.ends_session()
        self.confirms(round_name)


def whole_spring(cast: Cast, players: int = 16, buy_backs: int = 3) -> None:
    """The elimination from its first draft to its closed books."""
    cast.plans()
    cast.enters(players)
    cast.briefs()
    cast.opens_tables()
    cast.plays_round("heats", "2026-06-06T13:00", "2026-06-06T14:30")
    for number in cast.state.progress("heats").eliminated[:buy_backs]:
        cast.says(f"CA1 buy_back SPRING {number}")
    cast.pays()
    cast.plays_round("repechage", "2026-06-06T17:00")
    cast.plays_round("semi-final", "2026-06-07T14:00")
    cast.plays_round("final", "2026-06-07T16:00")
    cast.says(f"TD1 award_prizes SPRING {WORDS} second=CS1")
    cast.pays()
    cast.says("TD1 release_tables SPRING", "operator close_books SPRING")
