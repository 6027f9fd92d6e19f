"""A floor lives for long: coups, patrons who come and go, tickets, days and tournaments, on the pure decisions alone.

The states of the table and of the house as bytes are as large after twice as many coups as after half of them. What a
house keeps of a tournament whose books are closed is its name and three balances.
"""

from datetime import date, timedelta

import pytest
from msgspec.structs import replace

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.floor.lines.table import LineFloor
from sabot.floor.records.house_shelf import evolve_and_put_away
from sabot.floor.table_owner.errands import Backing
from sabot.house import acts as h
from sabot.house.decide import decide as decide_house
from sabot.house.filed_book import DAY_MS
from sabot.house.liability import liability
from sabot.house.refusal import HouseRefused
from sabot.house.snapshot import write_state as write_house
from sabot.house.state import HouseState, SlipDirection, SlipPart
from sabot.journal.journal import Derived
from sabot.journal.memory import MemoryJournal
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.decide import decide
from sabot.table.events import Event
from sabot.table.evolve import evolve
from sabot.table.fixtures import fixture
from sabot.table.refusal import Refused
from sabot.table.snapshot import write_state

BEGAN_MS = 1_790_000_000_000
DAYS_A_TOURNAMENT = 5
A_TOURNAMENT = 400
"""Bytes that a closed tournament may leave in the state of the house."""
A_TIE = ("7S", "7H", "KD", "KC")
STAFF = {"CA1": Role.CASHIER, "CS1": Role.CASINO_SUPERVISOR, "CS2": Role.CASINO_SUPERVISOR}
KEEPS = 8


class House:
    def __init__(self, coups_a_day: int) -> None:
        self.state, self.now_ms, self.coups_a_day = HouseState(), BEGAN_MS, coups_a_day
        self.away: dict[str, Derived] = {}
        for person, role in STAFF.items():
            self.say(h.Appoint(person=person, roles=(role,)), "operator", Role.OPERATOR)
        self.say(h.EnterTable(table="T1", offers={}))

    def say(self, act: h.HouseAct, by: str = "clock", role: Role = Role.CLOCK) -> None:
        stamp = Stamp(by=by, role=role, at_ms=self.now_ms, second="CS2", second_role=Role.CASINO_SUPERVISOR)
        decision = decide_house(
            replace(self.state, absent=(getattr(act, "ticket", ""), getattr(act, "slip", ""))), act, stamp
        )
        assert not isinstance(decision, HouseRefused), decision
        self.state = evolve_and_put_away(self.state, decision, 0, self.away)

    def coup(self, number: int) -> None:
        """A coup, after which a patron leaves with a ticket and has it paid; every fourth is never presented."""
        self.now_ms = BEGAN_MS + number * DAY_MS // self.coups_a_day
        for busy in (True, False):
            self.say(h.TellBusy(table="T1", busy=busy))
        ticket = f"{number:018}"
        self.say(h.RequestTicket(ticket=ticket, table="T1", station="R1"))
        if number % 4 != 1:
            told = h.RegisterTicket(ticket=ticket, cents=5_000, table="T1", station="R1", issued_ms=self.now_ms)
            self.say(told)
        if number % 4 > 1:
            self.say(h.Redeem(ticket=ticket), "CA1", Role.CASHIER)
        elif number % 4 == 0:
            self.say(h.VoidTicket(ticket=ticket, reason="lost"), "CS1", Role.CASINO_SUPERVISOR)
        if number % self.coups_a_day == 0:
            self.day(number // self.coups_a_day)

    def day(self, number: int) -> None:
        if self.state.day_open:
            self.say(h.CloseDay())
        self.say(h.OpenDay(date=str(date(2026, 11, 1) + timedelta(days=number))))
        if number % DAYS_A_TOURNAMENT == 0:
            self.tournament(f"C{number:06}")

    def tournament(self, name: str) -> None:
        parts = {SlipPart.PRIZE_POOL: 60, SlipPart.TOURNAMENT_FEES: 40}
        for entrant in range(1, 5):
            slip = f"{name}-{entrant:06}"
            self.say(self._slip(slip, name, SlipDirection.TAKE, parts, "fee", entrant))
            self.say(h.TakeSlip(slip=slip), "CA1", Role.CASHIER)
        prize = f"{name}-000009"
        self.say(self._slip(prize, name, SlipDirection.PAY, {SlipPart.PRIZE_POOL: 240}, "prize", 1))
        self.say(h.PaySlip(slip=prize), "CA1", Role.CASHIER)
        self.say(h.CloseTournament(tournament=name))

    @staticmethod
    def _slip(
        slip: str, name: str, direction: SlipDirection, parts: dict[SlipPart, int], purpose: str, entrant: int
    ) -> h.RegisterSlip:
        return h.RegisterSlip(
            slip=slip,
            tournament=name,
            direction=direction,
            cents=sum(parts.values()),
            parts=parts,
            purpose=purpose,
            entrant=entrant,
            player=f"P{entrant}",
        )


class Table:
    """A table whose coups have the same events over and over; every coup the patron of R1 leaves with a ticket."""

    def __init__(self) -> None:
        backing = Backing(journal=MemoryJournal(lambda: 0), owner="a test", build="", wall_ms=lambda: 0, keeps=KEEPS)
        table = LineFloor(backing).enter(fixture("crown"))
        opening: tuple[tuple[str, acts.Act], ...] = (
            ("D1", acts.SignOn()),
            ("D1", acts.OpenTable()),
            ("GS1", acts.CheckCards(cards=416)),
            ("D1", acts.NewShoe()),
            ("GS1", acts.Cut(at=200)),
            ("D1", acts.Burn()),
            ("D1", acts.BuyIn(station="A1", cents=1_000_000)),
        )
        for by, act in opening:
            assert table.give(act, by).ok
        self.state, before = table.state, len(table.records)
        self.shoe = self.state.shoe
        coup: tuple[tuple[str, acts.Act], ...] = (
            ("D1", acts.Open()),
            ("A1", acts.SetWager(bet=Bet("player"), cents=5_000)),
            ("D1", acts.Close()),
            *(("D1", acts.Card(card=card)) for card in A_TIE),
            ("D1", acts.Confirm()),
        )
        for by, act in coup:
            assert table.give(act, by).ok
        self.told: list[Event] = [event for record in table.records[before:] for event in record.events]

    def coup(self, number: int) -> None:
        for event in self.told:
            self.state = evolve(self.state, replace(event, coup=number) if hasattr(event, "coup") else event)
        self.state = replace(self.state, shoe=self.shoe)
        at_ms, ticket = BEGAN_MS + number * 60_000, f"{number:018}"
        self.say(acts.Note(cents=5_000), Stamp(by="R1", role=Role.STATION, at_ms=at_ms))
        self.say(acts.Leave(), Stamp(by="R1", role=Role.STATION, at_ms=at_ms, ticket=ticket))

    def say(self, act: acts.Act, stamp: Stamp) -> None:
        decision = decide(self.state, act, stamp)
        assert not isinstance(decision, Refused), decision
        for event in decision:
            self.state = evolve(self.state, event)


def sizes(one: House | Table, coups: int) -> list[int]:
    """Of the state as bytes, after that many coups and after twice as many."""
    found = []
    for number in range(1, 2 * coups + 1):
        one.coup(number)
        if number in (coups, 2 * coups):
            found.append(len(write_house(one.state) if isinstance(one.state, HouseState) else write_state(one.state)))
    return found


def check_house(coups: int, coups_a_day: int) -> None:
    house = House(coups_a_day)
    half, whole = sizes(house, coups)
    tournaments = coups / coups_a_day / DAYS_A_TOURNAMENT
    assert abs(whole - half) <= half / 100 + tournaments * A_TOURNAMENT, (half, whole)
    assert house.state.away.tickets > coups
    assert liability(house.state).agrees


def check_table(coups: int) -> None:
    half, whole = sizes(Table(), coups)
    assert abs(whole - half) <= half / 100, (half, whole)


def test_the_state_of_the_house_does_not_grow_with_its_life() -> None:
    check_house(2_600, 6)


def test_the_state_of_a_table_does_not_grow_with_its_life() -> None:
    check_table(512)


@pytest.mark.whole
def test_neither_grows_over_two_hundred_thousand_coups() -> None:
    check_house(100_000, 200)
    check_table(100_000)
