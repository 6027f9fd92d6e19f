"""A machine that asks the house anything, of several tables' tickets, and holds it to its laws after every word."""

from collections import Counter
from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from sabot.basics.act import Act
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, Stamped, clock_stamp
from sabot.floor.records.house_shelf import evolve_and_put_away, paper_name, recalling
from sabot.floor.records.record_codec import Answered, read_house_events, written
from sabot.house import acts as c
from sabot.house import events as e
from sabot.house.decide import RULES, decide
from sabot.house.escrow.deciding import escrow_held
from sabot.house.evolve import evolve, fold
from sabot.house.filed_book import DAY_MS, KEPT_DAYS, PutAway, Sought
from sabot.house.liability import liability
from sabot.house.refusal import HouseRefused
from sabot.house.snapshot import read_state, write_state
from sabot.house.state import OUTSTANDING, WAITING, HouseState, ServiceScope, SlipDirection, SlipPart, TicketStatus
from sabot.house.tickets.deciding import release_held
from sabot.journal.journal import Derived

STAFF = {
    "GS1": (Role.GAME_SUPERVISOR,),
    "CS1": (Role.CASINO_SUPERVISOR,),
    "CS2": (Role.CASINO_SUPERVISOR, Role.DEALER),
    "CA1": (Role.CASHIER,),
    "TE1": (Role.TECHNICIAN,),
    "D1": (Role.DEALER,),
}
TICKETS = tuple(f"{number:018}" for number in range(4))

people = st.sampled_from([*STAFF, "clock", "operator", "nobody"])
tables = st.sampled_from(["T1", "T2"])
numbers = st.sampled_from([*TICKETS, "7"])
reasons = st.sampled_from(["because", " "])
steps_of_time = st.sampled_from([0, 0, 1, 60_000, DAY_MS, (KEPT_DAYS + 1) * DAY_MS])
services = st.sampled_from(["kiosk", "loyalty"])
references = st.sampled_from(["P1", "P2"])
tournaments = st.sampled_from(["A", "B"])
slips = st.sampled_from(["A-000001", "A-000002", "A-000003", "B-000001"])
parts = st.sampled_from(
    [
        {SlipPart.PRIZE_POOL: 60, SlipPart.TOURNAMENT_FEES: 40},
        {SlipPart.STAKES: 100},
        {SlipPart.PRIZE_POOL: 100},
        {SlipPart.STAKES: 99},
    ]
)

ESCROWED: dict[str, st.SearchStrategy[Any]] = {
    "ticket": numbers,
    "table": tables,
    "station": st.sampled_from(["R1", "R2"]),
    "escrow": st.integers(1, 3),
}
FIELDS: dict[type[Act], dict[str, st.SearchStrategy[Any]]] = {
    c.ConfigureHouse: {"ticket_validity_days": st.sampled_from([0, 1, 2])},
    c.EnterTable: {"table": tables, "offers": st.sampled_from([{}, {"dragon_bonus": 1}])},
    c.TellBusy: {"table": st.sampled_from(["T1", "T2", "T3"]), "busy": st.booleans()},
    c.Option: {"option": st.sampled_from(["dragon_bonus", "super_6"]), "choice": st.integers(1, 3)},
    c.Appoint: {"person": people, "roles": st.lists(st.sampled_from(Role), min_size=1, max_size=2).map(tuple)},
    c.Dismiss: {"person": people, "reason": reasons},
    c.AnnounceSignOn: {
        "person": people,
        "table": tables,
        "as_role": st.sampled_from([Role.DEALER, Role.CASINO_SUPERVISOR]),
        "number": st.sampled_from([None, 0, 1, 3]),
    },
    c.NoteSignedOff: {"person": people, "table": tables, "number": st.integers(0, 4)},
    c.LockOut: {"person": people},
    c.Unlock: {"person": people, "reason": reasons},
    c.RaiseLight: {
        "table": tables,
        "kind": st.just("return_of_dealer"),
        "subject": people,
        "evidence": st.just(2_000_000),
        "coups": st.integers(1, 100),
        "day_ends_ms": st.integers(1, 3),
    },
    c.SeeToLight: {"table": tables, "kind": st.just("return_of_dealer"), "subject": people, "reason": reasons},
    c.MakeService: {
        "service": services,
        "scopes": st.lists(st.sampled_from(ServiceScope), min_size=1, max_size=4).map(tuple),
        "key": st.sampled_from(["ab" * 32, "cd" * 32, "no key"]),
        "until_ms": st.sampled_from([0, 10**9]),
        "a_minute": st.integers(1, 100),
        "purpose": reasons,
    },
    c.RevokeService: {"service": services, "reason": reasons},
    c.NoteServiceUsed: {"service": services},
    c.Enrol: {
        "device": references,
        "kind": st.sampled_from(["station", "shoe"]),
        "table": tables,
        "key": st.sampled_from(["0" * 64, "1" * 64, "no"]),
        "approval": reasons,
    },
    c.Revoke: {"device": references, "reason": reasons},
    c.Exclude: {
        "patron": references,
        "reason": reasons,
        "until_ms": st.sampled_from([None, 5, DAY_MS, 9 * DAY_MS]),
    },
    c.CarryExclusion: {
        "patron": references,
        "reason": reasons,
        "source": st.sampled_from(["T1 case 1", "T1 case 2"]),
        "decided_by": st.just("CS1"),
    },
    c.Readmit: {"patron": references, "reason": reasons},
    c.RequestTicket: {"ticket": numbers, "table": tables, "station": st.sampled_from(["R1", "R2"])},
    c.RegisterTicket: {
        "ticket": st.sampled_from(TICKETS),
        "cents": st.integers(1, 10**6),
        "table": tables,
        "station": st.just("R1"),
        "issued_ms": st.just(0),
    },
    c.Printed: {"ticket": numbers, "table": tables},
    c.CloseToTheCage: {"ticket": numbers, "fault": reasons},
    c.ReleaseTicket: {"ticket": numbers, "table": tables},
    c.NoteHandedBack: {"ticket": numbers, "release": st.integers(1, 3)},
    c.NotePaidByHand: {"ticket": numbers},
    c.EscrowTicket: {"ticket": numbers, "table": tables, "station": st.sampled_from(["R1", "R2"])},
    **dict.fromkeys((c.NoteTakenIn, c.NoteEscrowDropped), ESCROWED),
    c.Redeem: {"ticket": numbers},
    c.VoidTicket: {"ticket": numbers, "reason": reasons},
    c.Reinstate: {"ticket": numbers, "reason": reasons},
    c.Expire: {},
    c.RegisterSlip: {
        "slip": slips,
        "tournament": tournaments,
        "direction": st.sampled_from(SlipDirection),
        "cents": st.just(100),
        "parts": parts,
        "purpose": st.sampled_from(["fee", "refund", "prize"]),
        "entrant": st.just(1),
        "player": references,
    },
    c.CancelSlip: {"slip": slips},
    c.RaisePool: {"tournament": tournaments, "cents": st.sampled_from([0, 50, 100])},
    c.SettleStakes: {"tournament": tournaments, "sitting": st.just("A/1"), "won_cents": st.sampled_from([-50, 0, 50])},
    c.CloseTournament: {"tournament": tournaments},
    c.TakeSlip: {"slip": slips},
    c.PaySlip: {"slip": slips},
    c.HoldSlip: {"slip": slips, "reason": reasons},
    c.ReleaseSlip: {"slip": slips, "forfeit": st.booleans(), "reason": reasons},
    c.RecallPapers: {},
    c.OpenDay: {"date": st.sampled_from(["2026-11-16", "2026-11-17", "20261118", "soon"])},
    c.CloseDay: {},
}
TICKET_ACTS: tuple[type[Act], ...] = (
    *(c.RequestTicket, c.Printed, c.CloseToTheCage, c.ReleaseTicket, c.NoteHandedBack),
    *(c.NotePaidByHand, c.VoidTicket, c.Reinstate, c.Expire, c.Redeem),
    *(c.EscrowTicket, c.NoteTakenIn, c.NoteEscrowDropped),
)
SLIP_ACTS: tuple[type[Act], ...] = (
    *(c.RegisterSlip, c.CancelSlip, c.RaisePool, c.SettleStakes, c.CloseTournament),
    *(c.TakeSlip, c.PaySlip, c.HoldSlip, c.ReleaseSlip),
)


def entitled(kind: type[Act]) -> st.SearchStrategy[tuple[str, Role]]:
    """Somebody who may, as far as the staff list has stayed as it was."""
    may = RULES[kind].who
    persons = [(who, role) for who, roles in STAFF.items() for role in roles if role in may]
    desks = [(role.value, role) for role in (Role.CLOCK, Role.OPERATOR) if role in may]
    return st.sampled_from([*persons, *desks])


def lawfully(kind: type[Act]) -> st.SearchStrategy[Stamped[Act]]:
    """By somebody entitled to, with a second person who is: what is then refused is refused for what it says."""
    fields = {name: values.filter(lambda said: said not in (" ", "7")) for name, values in FIELDS[kind].items()}
    approving = ("CS2", Role.CASINO_SUPERVISOR) if kind is c.PaySlip else ("GS1", Role.GAME_SUPERVISOR)
    return _built(kind, entitled(kind), st.just(approving), fields)


def somehow(kind: type[Act]) -> st.SearchStrategy[Stamped[Act]]:
    """By anybody in any role, and approved by anybody or nobody."""
    anybody = st.tuples(people, st.sampled_from(Role))
    approving = st.sampled_from([("", None), ("GS1", Role.GAME_SUPERVISOR), ("CS1", Role.CASINO_SUPERVISOR)])
    return _built(kind, st.one_of(entitled(kind), anybody), st.one_of(approving, anybody), FIELDS[kind])


def _built(
    kind: type[Act],
    asking: st.SearchStrategy[tuple[str, Role]],
    approving: st.SearchStrategy[Any],
    fields: dict[str, st.SearchStrategy[Any]],
) -> st.SearchStrategy[Stamped[Act]]:
    return st.builds(
        lambda asks, approves, said: Stamped(
            kind(**said), Stamp(by=asks[0], role=asks[1], second=approves[0], second_role=approves[1])
        ),
        asking,
        approving,
        st.fixed_dictionaries(fields),
    )


class HouseMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.state = HouseState()
        self.history: list[e.HouseEvent] = []
        self.now_ms = 0
        self.paid: dict[str, int] = {}
        self.away: dict[str, Derived] = {}
        """The shelf of the house."""
        self.twin = HouseState()
        """The house as it would be if nothing had ever been put away."""

    @initialize(validity=st.sampled_from([0, 1, 2]))
    def open_the_house(self, validity: int) -> None:
        self.apply(
            e.HouseConfigured(time_zone="UTC", gaming_day_starts="06:00", ticket_validity_days=validity, by="operator")
        )
        self.apply(e.TableEntered(table="T1", offers=("dragon_bonus",)), e.TableEntered(table="T2", offers=()))
        for person, roles in STAFF.items():
            self.apply(e.PersonAppointed(person=person, roles=roles, by="operator", at_ms=0, clause="G-118"))

    def apply(self, *events: e.HouseEvent) -> None:
        for event in events:
            if isinstance(event, e.TicketRedeemed | e.TicketSettledByHand | e.TicketTakenIn):
                self.paid[event.ticket] = self.paid.get(event.ticket, 0) + 1
            self.state = evolve_and_put_away(self.state, (event,), 0, self.away)
            self.twin = self.twin if isinstance(event, PAPERS) else evolve(self.twin, event)
        self.history += events

    def ask(self, given: Stamped[Act], passed: int = 0) -> None:
        self.now_ms += passed
        act, stamp = given.act, msgspec.structs.replace(given.stamp, at_ms=self.now_ms)
        before = msgspec.json.encode(self.state, enc_hook=str)
        decision = self.decided(act, stamp)
        assert msgspec.json.encode(self.state, enc_hook=str) == before or isinstance(self.history[-1], PAPERS)
        assert without_papers(decision) == without_papers(decide(self.twin, act, stamp)), (
            "putting away changed an answer"
        )
        if isinstance(decision, HouseRefused):
            assert decision.text
            assert decision.clause
            self.apply(*decision.leaves)
            return
        rule_of = RULES[type(act)]
        assert stamp.role in rule_of.who
        if rule_of.second:
            assert stamp.second not in ("", stamp.by), "somebody acted alone where two are due"
            assert stamp.second_role in rule_of.second
            assert stamp.second_role in self.state.staff[stamp.second]
        self.apply(*decision)

    def decided(self, act: Act, stamp: Stamp) -> tuple[e.HouseEvent, ...] | HouseRefused:
        """As an owner decides: what was put away is looked for, and recalled where it is found."""
        try:
            return decide(self.state, act, stamp)
        except PutAway as away:
            found = self.away.get(paper_name(away.sought.kind, away.sought.number))
            if found is None:
                return decide(msgspec.structs.replace(self.state, absent=(away.sought.number,)), act, stamp)
            recalled = decide(self.state, recalling(away.sought, found), clock_stamp(self.now_ms))
            assert isinstance(recalled, tuple)
            self.apply(*recalled)
            return self.decided(act, stamp)

    @rule(given=st.sampled_from(tuple(FIELDS)).flatmap(somehow), passed=steps_of_time)
    def ask_anything(self, given: Stamped[Act], passed: int) -> None:
        self.ask(given, passed)

    @rule(given=st.sampled_from(tuple(FIELDS)).flatmap(lawfully), passed=steps_of_time)
    def ask_lawfully(self, given: Stamped[Act], passed: int) -> None:
        self.ask(given, passed)

    @rule(given=st.sampled_from(TICKET_ACTS).flatmap(lawfully), passed=steps_of_time)
    def do_something_with_a_ticket(self, given: Stamped[Act], passed: int) -> None:
        self.ask(given, passed)

    @rule(given=st.sampled_from(SLIP_ACTS).flatmap(lawfully), passed=steps_of_time)
    def do_something_for_a_tournament(self, given: Stamped[Act], passed: int) -> None:
        self.ask(given, passed)

    @rule(ticket=st.sampled_from(TICKETS), cents=st.integers(1, 10**6), table=tables, times=st.integers(1, 3))
    def a_table_tells_of_its_ticket_again_and_again(self, ticket: str, cents: int, table: str, times: int) -> None:
        register = c.RegisterTicket(ticket=ticket, cents=cents, table=table, station="R1", issued_ms=self.now_ms)
        for _ in range(times):
            self.ask(Stamped(register, clock_stamp()))

    @rule(ticket=st.sampled_from(TICKETS), tries=st.integers(1, 3))
    def the_cage_tries(self, ticket: str, tries: int) -> None:
        for _ in range(tries):
            self.ask(Stamped(c.Redeem(ticket=ticket), Stamp(by="CA1", role=Role.CASHIER)))

    @rule(ticket=st.sampled_from(TICKETS))
    def the_table_pays_by_hand(self, ticket: str) -> None:
        """As the floor does: it closes the ticket to the cage, and has it released before the table pays."""
        self.ask(Stamped(c.CloseToTheCage(ticket=ticket, fault="jam"), clock_stamp()))
        table = self.state.tickets[ticket].table if ticket in self.state.tickets else "T1"
        self.ask(Stamped(c.ReleaseTicket(ticket=ticket, table=table), clock_stamp()))
        if release_held(self.state, ticket, table):
            self.ask(Stamped(c.NotePaidByHand(ticket=ticket), clock_stamp()))
            assert self.state.tickets[ticket].status is TicketStatus.BY_HAND

    @rule(ticket=st.sampled_from(TICKETS), table=tables, credited=st.booleans(), times=st.integers(1, 2))
    def a_station_takes_the_ticket_in_or_returns_it(self, ticket: str, table: str, credited: bool, times: int) -> None:
        self.ask(Stamped(c.EscrowTicket(ticket=ticket, table=table, station="R2"), clock_stamp()))
        held = escrow_held(self.state, ticket, table, "R2")
        note = c.NoteTakenIn if credited else c.NoteEscrowDropped
        for _ in range(times if held.number else 0):
            over = note(ticket=ticket, table=table, station="R2", escrow=held.number)
            self.ask(Stamped(over, clock_stamp()))
        if held.number:
            ended = TicketStatus.TAKEN_IN if credited else TicketStatus.PRINTED
            assert self.state.tickets[ticket].status is ended

    @invariant()
    def a_ticket_is_in_one_escrow_and_a_station_holds_one(self) -> None:
        held = [one.ticket for there in self.state.in_escrow.values() for one in there.values()]
        in_escrow = [number for number, one in self.state.tickets.items() if one.status is TicketStatus.IN_ESCROW]
        assert sorted(held) == sorted(in_escrow)

    @invariant()
    def tickets_issued_are_paid_taken_in_outstanding_or_ended(self) -> None:
        by_status: Counter[TicketStatus] = Counter()
        for one in self.twin.tickets.values():
            by_status[one.status] += one.cents
        outstanding = sum(by_status[status] for status in OUTSTANDING)
        days = (self.twin.days_before, *self.twin.days.values())
        assert sum(by_status.values()) == sum(day.issued for day in days)
        assert by_status[TicketStatus.PAID] == sum(day.paid for day in days)
        assert by_status[TicketStatus.TAKEN_IN] == sum(day.taken_in for day in days)
        assert by_status[TicketStatus.BY_HAND] == sum(day.by_hand for day in days)
        assert by_status[TicketStatus.VOID] == sum(day.void for day in days)
        assert by_status[TicketStatus.EXPIRED] == sum(day.expired - day.reinstated for day in days)
        assert outstanding == self.twin.liability

    @invariant()
    def every_ticket_is_paid_at_most_once(self) -> None:
        assert set(self.paid.values()) <= {1}
        settled = {TicketStatus.PAID, TicketStatus.BY_HAND, TicketStatus.TAKEN_IN}
        assert {number for number, ticket in self.twin.tickets.items() if ticket.status in settled} == set(self.paid)

    @invariant()
    def what_was_put_away_has_ended_and_is_on_the_shelf_as_it_was(self) -> None:
        for number, ticket in self.twin.tickets.items():
            if number not in self.state.tickets:
                assert ticket.status not in OUTSTANDING
                assert recalling(Sought("ticket", number), self.away[paper_name("ticket", number)]).tickets == {
                    number: ticket
                }
        assert all(number in self.state.slips for number, one in self.twin.slips.items() if one.status in WAITING)
        gone = (len(self.twin.tickets) - len(self.state.tickets), len(self.twin.slips) - len(self.state.slips))
        assert (self.state.away.tickets, self.state.away.slips) == gone

    @invariant()
    def the_books_balance_and_agree_with_the_tickets(self) -> None:
        assert self.state.ledger.is_balanced
        owed = sum(one.cents for one in self.state.tickets.values() if one.status in OUTSTANDING)
        assert self.state.liability == owed
        assert liability(self.state) == liability(self.twin)
        assert liability(self.state).agrees

    @invariant()
    def a_key_belongs_to_one_device(self) -> None:
        enrolled = [event.key for event in self.history if isinstance(event, e.DeviceEnrolled)]
        assert len(enrolled) == len(set(enrolled))

    @invariant()
    def an_option_changes_only_between_coups(self) -> None:
        if self.history and isinstance(self.history[-1], e.OptionChanged):
            option = self.history[-1].option
            brought = [event for event in self.history if isinstance(event, e.OptionChanged) and event.option == option]
            if len(brought) > 1:
                assert not any(one.busy for one in self.state.tables.values() if option in one.offers)

    def teardown(self) -> None:
        assert fold(self.history) == self.state
        accepted = Answered(accepted=msgspec.Raw(written(tuple(self.history))))
        assert fold(read_house_events(accepted)) == self.state
        assert write_state(fold(self.history)) == write_state(self.state)
        assert read_state(write_state(self.state)) == self.state
        assert write_state(read_state(write_state(self.state))) == write_state(self.state)


PAPERS = (e.PapersPutAway, e.PapersRecalled)


def without_papers(decision: tuple[e.HouseEvent, ...] | HouseRefused) -> tuple[e.HouseEvent, ...] | HouseRefused:
    if isinstance(decision, HouseRefused):
        return decision
    return tuple(event for event in decision if not isinstance(event, PAPERS))


TestHouseMachine = HouseMachine.TestCase
TestHouseMachine.settings = settings(max_examples=settings().max_examples // 3, stateful_step_count=60)


def test_the_machine_asks_everything_that_can_be_asked() -> None:
    assert set(FIELDS) == set(RULES)
