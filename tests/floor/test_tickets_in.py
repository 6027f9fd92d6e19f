"""A ticket that is put into a station is paid once, whatever comes between the house's stream and the table's."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, clock_stamp
from sabot.floor.stamper import Admitted
from sabot.house import acts as h
from sabot.house.events import TicketRedeemed
from sabot.house.liability import liability
from sabot.house.refusal import HouseRefused
from sabot.house.state import TicketStatus
from sabot.ledger.account import TABLES, TICKETS, ticket_box
from sabot.table import acts
from sabot.table.events import EscrowDropped, TicketCredited
from sabot.table.refusal import Refused
from tests.floor.two_streams import CASHIER, SUPERVISOR, TwoStreams
from tests.house.talking import READY, TICKET

WORTH = 10_000
PUT_IN = acts.InsertTicket(ticket=TICKET)
REDEEM, VOID = h.Redeem(ticket=TICKET), h.VoidTicket(ticket=TICKET, reason="stolen")
SINGAPORE = (*READY, "P1 note 100", f"P1 leave ticket={TICKET}")
STATIONS = ("P1", "P2")
OVER = (TicketStatus.PAID, TicketStatus.TAKEN_IN, TicketStatus.VOID)


def streams_with_a_ticket() -> TwoStreams:
    streams = TwoStreams(*SINGAPORE, configured="singapore")
    assert streams.house.tickets[TICKET].status is TicketStatus.ISSUED
    return streams


def credited(streams: TwoStreams) -> int:
    return sum(streams.state.purse(name).balance for name in STATIONS)


def check_the_books(streams: TwoStreams) -> None:
    """What the stations hold for tickets is in their boxes and on their meters, and the house's sums agree."""
    state, house = streams.state, streams.house
    assert state.ledger.is_balanced
    for name in STATIONS:
        came_in = state.meters[name].came_in.get("ticket", 0) if name in state.meters else 0
        assert state.ledger.balance(ticket_box(name)) == came_in
    assert house.ledger.is_balanced
    assert liability(house).agrees


class TicketInMachine(RuleBasedStateMachine):
    """Two stations and the cage present one ticket while words are late, doubled and lost, and owners crash."""

    def __init__(self) -> None:
        super().__init__()
        self.streams = streams_with_a_ticket()
        self.admitted: list[Admitted] = []
        self.granted: list[Stamp] = []

    @rule(station=st.sampled_from(STATIONS))
    def the_ticket_is_put_in(self, station: str) -> None:
        admitted = self.streams.stamp(PUT_IN, station)
        if admitted is not None:
            self.admitted.append(admitted)

    @rule(place=st.integers(0, 3))
    def the_house_is_asked(self, place: int) -> None:
        if self.admitted:
            granted = self.streams.request(self.admitted.pop(place % len(self.admitted)))
            if granted is not None:
                self.granted.append(granted)

    @rule(place=st.integers(0, 3), again=st.booleans())
    def the_table_is_asked(self, place: int, again: bool) -> None:
        if self.granted:
            place %= len(self.granted)
            self.streams.do(PUT_IN, self.granted[place] if again else self.granted.pop(place))

    @rule(act=st.sampled_from([REDEEM, VOID]))
    def somebody_asks_the_house(self, act: h.HouseAct) -> None:
        self.streams.ask(act, CASHIER if isinstance(act, h.Redeem) else SUPERVISOR)

    @rule(place=st.integers(0, 5), again=st.booleans())
    def news_arrives(self, place: int, again: bool) -> None:
        self.streams.tell(place, again=again)

    @rule()
    def the_picture_is_read_anew(self) -> None:
        self.streams.look()

    @rule(waited=st.booleans())
    def the_floor_follows(self, waited: bool) -> None:
        self.streams.follow(waited=waited)

    @rule()
    def the_owner_crashes(self) -> None:
        self.streams.crash()

    @rule(frozen=st.booleans())
    def the_accounts_are_frozen_or_no_longer(self, frozen: bool) -> None:
        act = acts.Freeze() if frozen else acts.Unfreeze()
        self.streams.do(act, Stamp(by="D1", role=Role.DEALER))

    @invariant()
    def it_is_paid_once_at_most(self) -> None:
        assert self.streams.paid <= 1
        assert credited(self.streams) == WORTH * (TicketCredited in self.streams.ways)

    @invariant()
    def the_books_balance(self) -> None:
        check_the_books(self.streams)

    def teardown(self) -> None:
        """In the end the ticket is paid, void or good; a good one can be paid at the cage."""
        streams = self.streams
        streams.settle()
        assert not streams.house.in_escrow
        if streams.house.tickets[TICKET].status not in OVER:
            assert streams.paid == 0
            assert not isinstance(streams.ask(REDEEM, CASHIER), HouseRefused)
        ended = streams.house.tickets[TICKET].status
        assert streams.paid == (ended is not TicketStatus.VOID)
        owed = streams.state.ledger.balance(TICKETS) - sum(
            streams.state.ledger.balance(ticket_box(name)) for name in STATIONS
        )
        void = WORTH * (ended is TicketStatus.VOID)
        assert streams.house.ledger.balance(TABLES) == owed - void, "house and table owe each other the same"
        check_the_books(streams)


TestTicketsIn = TicketInMachine.TestCase
TestTicketsIn.settings = settings(max_examples=settings().max_examples // 2, stateful_step_count=30)


@pytest.mark.clause("G-235")
def test_a_ticket_whose_escrow_was_dropped_comes_too_late_and_is_good_at_the_cage() -> None:
    streams = streams_with_a_ticket()
    admitted = streams.stamp(PUT_IN, "P2")
    assert admitted is not None
    granted = streams.request(admitted)
    assert granted is not None
    assert (granted.escrow, granted.escrow_cents) == (1, WORTH)
    streams.settle()
    assert any(isinstance(event, EscrowDropped) for event in streams.happened)
    refused = streams.do(PUT_IN, granted)
    assert isinstance(refused, Refused)
    assert (refused.code, refused.clause) == ("not_in_escrow", "G-235")
    assert streams.ask(REDEEM, CASHIER)
    assert streams.ways == {TicketRedeemed}


@pytest.mark.clause("G-235")
def test_a_late_word_about_an_escrow_ends_no_other() -> None:
    streams = streams_with_a_ticket()
    escrow = h.EscrowTicket(ticket=TICKET, table=streams.name, station="P2")
    dropped = h.NoteEscrowDropped(ticket=TICKET, table=streams.name, station="P2", escrow=1)
    taken = h.NoteTakenIn(ticket=TICKET, table=streams.name, station="P2", escrow=1)
    for act in (escrow, dropped, escrow):
        assert streams.ask(act, clock_stamp())
    for late in (dropped, taken):
        assert streams.ask(late, clock_stamp()) == ()
    assert streams.house.in_escrow[streams.name]["P2"].number == 2


@pytest.mark.clause("G-235")
def test_the_same_act_again_is_answered_by_the_table_and_asks_the_house_for_nothing() -> None:
    """So that a device which did not hear the answer is told of the credit, and never that the ticket is paid."""
    streams = streams_with_a_ticket()
    admitted = streams.stamp(PUT_IN, "P2")
    assert admitted is not None
    granted = streams.request(admitted)
    assert granted is not None
    streams.do(PUT_IN, granted)
    streams.settle()
    again = streams.stamp(PUT_IN, "P2")
    assert again is not None
    assert again.request is None
    refused = streams.do(PUT_IN, again.stamp)
    assert isinstance(refused, Refused)
    assert refused.code == "paid_already"
