"""Between the house's stream and a table's nothing is paid twice and nobody has two roles, whatever comes first."""

from collections.abc import Iterator

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from sabot.basics.act import Act
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, clock_stamp
from sabot.floor.stamper import Admitted
from sabot.house import acts as h
from sabot.house.events import TicketRedeemed
from sabot.house.refusal import HouseRefused
from sabot.house.state import TicketStatus
from sabot.house.tickets.deciding import release_held
from sabot.table import acts
from sabot.table.events import TicketPaidManually
from sabot.table.refusal import Refused
from tests.floor.two_streams import CASHIER, SUPERVISOR, TwoStreams
from tests.house.talking import TICKET

FAULT = f"TE1 print_failed {TICKET} jam"
MANUAL_PAY = acts.ManualPay(ticket=TICKET, reason="jam")
HAND_BACK = acts.HandBack(ticket=TICKET, reason="found")
REINSTATE, REDEEM = h.Reinstate(ticket=TICKET, reason="found"), h.Redeem(ticket=TICKET)
VOID = h.VoidTicket(ticket=TICKET, reason="stolen")
OVER = (TicketStatus.PAID, TicketStatus.BY_HAND, TicketStatus.VOID)


class Race:
    """Four people at once: one pays by hand, one hands the release back, one reinstates and one redeems."""

    def __init__(self) -> None:
        self.streams = TwoStreams(FAULT)
        self._admitted: dict[Act, Admitted | None] = {}
        self._granted: dict[Act, Stamp | None] = {}

    def step(self, name: str) -> None:
        streams = self.streams
        act = HAND_BACK if "back" in name else MANUAL_PAY
        if name == "back stamps":
            streams.look()  # As the floor does for it.
            admitted = streams.stamp(act, "CS1")
            self._granted[act] = None if admitted is None else admitted.stamp
        elif name == "pay stamps":
            self._admitted[act] = streams.stamp(act, "CS1")
        elif name.endswith("asks"):
            admitted = self._admitted[act]
            self._granted[act] = None if admitted is None else streams.request(admitted)
        elif name.endswith("does"):
            granted = self._granted[act]
            if granted is not None:
                streams.do(act, granted)
        elif name == "reinstates":
            streams.ask(REINSTATE, SUPERVISOR)
        elif name == "redeems":
            streams.ask(REDEEM, CASHIER)
        else:
            streams.look() if name == "looks" else streams.tell()


def _orders(*threads: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every way in which these can come between each other."""
    if not any(threads):
        yield ()
    for place, thread in enumerate(threads):
        if thread:
            for rest in _orders(*threads[:place], thread[1:], *threads[place + 1 :]):
                yield (thread[0], *rest)


PAYS, BACK = ("pay stamps", "pay asks", "pay does"), ("back stamps", "back does")
CAGE = ("reinstates", "redeems")
TOLD = ("tells", *CAGE)


@pytest.mark.clause("CROWN 6.7.2(b)")
@pytest.mark.parametrize(
    "threads", [(PAYS, CAGE, ("looks", "tells")), (PAYS, BACK, ("tells", *CAGE))], ids=["paying", "back"]
)
def test_in_no_order_is_a_ticket_paid_twice(threads: tuple[tuple[str, ...], ...]) -> None:
    """A payment by hand of three steps, the cage's two, and what else may come between them."""
    ways = set()
    for steps in _orders(*threads):
        race = Race()
        for step in steps:
            race.step(step)
        assert race.streams.paid <= 1, steps
        ways |= race.streams.ways
        _bring_to_an_end(race.streams)
        assert race.streams.paid == 1, steps
    assert ways == {TicketRedeemed, TicketPaidManually}, "each of them wins in some order"


def _bring_to_an_end(streams: TwoStreams) -> None:
    """What people can do about a ticket in the end: pay it at its table or, where it is good there, at the cage."""
    streams.settle()
    for act in (MANUAL_PAY, REDEEM):
        if isinstance(act, h.Redeem):
            streams.ask(act, CASHIER)
        elif (admitted := streams.stamp(act, "CS1")) and (granted := streams.request(admitted)):
            streams.do(act, granted)
        streams.settle()
    assert streams.house.tickets[TICKET].status in OVER


class StreamsMachine(RuleBasedStateMachine):
    """What the network and a crash can do to acts that the house grants and the table does."""

    def __init__(self, streams: TwoStreams) -> None:
        super().__init__()
        self.streams = streams
        self.admitted: list[tuple[Act, Admitted]] = []
        self.granted: list[tuple[Act, Stamp]] = []

    def say(self, act: Act, by: str) -> None:
        admitted = self.streams.stamp(act, by)
        if admitted is not None:
            self.admitted.append((act, admitted))

    @rule(place=st.integers(0, 3))
    def the_house_is_asked(self, place: int) -> None:
        if self.admitted:
            act, admitted = self.admitted.pop(place % len(self.admitted))
            granted = self.streams.request(admitted)
            if granted is not None:
                self.granted.append((act, granted))

    @rule(place=st.integers(0, 3), again=st.booleans())
    def the_table_is_asked(self, place: int, again: bool) -> None:
        if self.granted:
            place %= len(self.granted)
            self.streams.do(*(self.granted[place] if again else self.granted.pop(place)))

    @rule(place=st.integers(0, 5), again=st.booleans())
    def news_arrives(self, place: int, again: bool) -> None:
        self.streams.tell(place, again=again)

    @rule()
    def the_picture_is_read_anew(self) -> None:
        self.streams.look()

    @rule()
    def the_owner_crashes(self) -> None:
        self.streams.crash()


class TicketMachine(StreamsMachine):
    """One ticket with a fault, and everything that people, the network and a crash can do to it."""

    def __init__(self) -> None:
        super().__init__(TwoStreams(FAULT))

    @rule(act=st.sampled_from([MANUAL_PAY, HAND_BACK]))
    def somebody_asks_at_the_table(self, act: Act) -> None:
        self.say(act, "CS1")

    @rule(act=st.sampled_from([REINSTATE, VOID]))
    def supervisors_ask_the_house(self, act: h.HouseAct) -> None:
        self.streams.ask(act, SUPERVISOR)

    @rule()
    def the_cage_tries(self) -> None:
        self.streams.ask(REDEEM, CASHIER)

    @invariant()
    def it_is_paid_once_at_most(self) -> None:
        assert self.streams.paid <= 1

    def teardown(self) -> None:
        _bring_to_an_end(self.streams)
        ended = self.streams.house.tickets[TICKET].status
        assert self.streams.paid == (ended is not TicketStatus.VOID)


TestTickets = TicketMachine.TestCase
TestTickets.settings = settings(max_examples=settings().max_examples // 2, stateful_step_count=30)


class SignOnMachine(StreamsMachine):
    """A person of two roles signs on and off at a table while words are late, doubled and lost."""

    def __init__(self) -> None:
        super().__init__(TwoStreams())

    @rule(role=st.sampled_from([Role.DEALER, Role.CASINO_SUPERVISOR]))
    def somebody_signs_on(self, role: Role) -> None:
        act = acts.SignOn(as_role=role)
        self.say(act, "S7")

    @rule()
    def somebody_signs_off(self) -> None:
        self.streams.do(acts.SignOff(), Stamp(by="S7", role=Role.DEALER))

    @rule(passed=st.sampled_from([0, 10_000]), waited=st.booleans())
    def the_floor_follows(self, passed: int, waited: bool) -> None:
        self.streams.at_ms += passed
        self.streams.follow(waited=waited)

    @invariant()
    def the_house_knows_who_is_signed_on(self) -> None:
        role = self.streams.state.signed_on.get("S7")
        if role is not None:
            known = self.streams.house.at_work["S7"][self.streams.name]
            assert (known.role, known.number) == (role, self.streams.state.sign_ons["S7"])

    @invariant()
    def who_deals_excludes_nobody(self) -> None:
        if self.streams.state.signed_on.get("S7") is Role.DEALER:
            stale = Stamp(by="S7", role=Role.CASINO_SUPERVISOR)
            assert isinstance(self.streams.ask(h.Exclude(patron="P7", reason="noise"), stale), HouseRefused)

    def teardown(self) -> None:
        """In the end the house's list and the table's are the same, and the person can sign on in any role."""
        self.streams.settle()
        at_work = self.streams.house.at_work.get("S7", {})
        assert {name: one.role for name, one in at_work.items()} == (
            {self.streams.name: role} if (role := self.streams.state.signed_on.get("S7")) else {}
        )


TestSignOns = SignOnMachine.TestCase
TestSignOns.settings = settings(max_examples=settings().max_examples // 2, stateful_step_count=30)


@pytest.mark.clause("G-99")
def test_a_sign_on_that_was_dropped_comes_too_late() -> None:
    streams = TwoStreams()
    act = acts.SignOn(as_role=Role.DEALER)
    admitted = streams.stamp(act, "S7")
    assert admitted is not None
    granted = streams.request(admitted)
    assert granted is not None
    streams.settle()
    assert "S7" not in streams.house.at_work
    refused = streams.do(act, granted)
    assert isinstance(refused, Refused)
    assert (refused.code, refused.clause) == ("not_announced", "G-99")


@pytest.mark.clause("CROWN 6.7.2(b)")
def test_a_late_word_about_a_release_ends_no_other() -> None:
    streams = TwoStreams(FAULT)
    late = h.NoteHandedBack(ticket=TICKET, release=1)
    for act in (h.ReleaseTicket(ticket=TICKET, table=streams.name), late):
        streams.ask(act, clock_stamp())
    assert streams.house.tickets[TICKET].status is TicketStatus.NOT_PRINTED
    streams.ask(h.ReleaseTicket(ticket=TICKET, table=streams.name), clock_stamp())
    assert streams.ask(late, clock_stamp()) == ()
    assert release_held(streams.house, TICKET, streams.name) == 2


@pytest.mark.clause("G-99")
def test_a_late_word_about_a_sign_on_ends_no_other() -> None:
    streams = TwoStreams()
    announce = h.AnnounceSignOn(person="S7", table=streams.name, as_role=Role.DEALER)
    streams.ask(announce, clock_stamp())
    first = streams.house.at_work["S7"][streams.name].number
    late = h.NoteSignedOff(person="S7", table=streams.name, number=first)
    for act in (late, announce):
        assert streams.ask(act, clock_stamp())
    assert streams.ask(late, clock_stamp()) == ()
    assert streams.house.at_work["S7"][streams.name].number > first
