"""Slips of tournaments: what the cage takes and pays, once each, and what the books then say (CROWN 12.2.1)."""

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.act import Act, verb
from sabot.basics.money import write_amount
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, clock_stamp
from sabot.house import acts as c
from sabot.house import events as e
from sabot.house.decide import RULES, decide
from sabot.house.evolve import evolve, fold
from sabot.house.liability import liability
from sabot.house.money import postings
from sabot.house.refusal import HouseRefused
from sabot.house.snapshot import read_state, write_state
from sabot.house.state import WAITING, HouseSlipStatus, HouseState, SlipDirection, SlipPart
from sabot.ledger.account import (
    CAGE,
    INCOME,
    OWED_IN_TOURNAMENTS,
    UNCLAIMED,
    AccountKind,
    of_tournament,
)
from sabot.ledger.posting import Posting
from sabot.views.floor import floor_view
from tests.house.talking import FEE_SLIP, FEE_TAKEN, PRIZE_DUE, a_table, names, refusal, say, say_all
from tests.tables import rows

EXAMPLES = {name: list(steps) for name, steps in groupby(rows("slip_postings.tsv"), lambda row: row["example"])}
SLIPS = ("A-000001", "A-000002", "A-000003", "A-000004")
SITTINGS = ("A/night/1/T1", "A/night/1/T2")
STAFF = {"CA1": Role.CASHIER, "CS1": Role.CASINO_SUPERVISOR}
DAY_MS = 86_400_000


def told(posting: Posting) -> str:
    return f"{posting.debit} > {posting.credit} {write_amount(posting.cents)}"


def books(house: HouseState) -> set[str]:
    """Every account of the house's ledger that holds something."""
    return {f"{account} {write_amount(cents)}" for account, cents in house.ledger.books.items() if cents} or {"nothing"}


# Worked examples


@pytest.mark.clause("CROWN 12.2.1(a)", "CROWN 12.2.1(b)", "CROWN 12.2.1(j)")
@pytest.mark.parametrize("example", EXAMPLES)
def test_every_step_of_a_worked_example_moves_what_the_file_says(example: str) -> None:
    table = a_table()
    tournament = "NIGHT" if example in ("NIGHT", "GAIN") else "SPRING"
    for row in EXAMPLES[example]:
        first = int(row["from"])
        for n in range(first, first + int(row["times"])):
            house = table.floor.house
            answer = say(table, row["line"].format(slip=f"{tournament}-{n:06}", n=n))
            assert answer.ok, answer.refusal
            happened = [event for event in answer.events if isinstance(event, e.HouseEvent)]
            moved = [told(posting) for event in happened for posting in postings(event, house)]
            assert ("; ".join(moved) or "-") == row["posted"]
        assert table.floor.house.ledger.is_balanced
        if row["books"] != "-":
            assert books(table.floor.house) == set(row["books"].split("; "))
    assert liability(table.floor.house).agrees


def test_the_examples_show_every_event_that_moves_money() -> None:
    moving = {"TakeSlip", "RegisterSlip", "PaySlip", "CancelSlip", "ReleaseSlip", "Expire", "RaisePool", "SettleStakes"}
    verbs = {verb(getattr(c, name)) for name in (*moving, "CloseTournament")}
    shown = {word for row in rows("slip_postings.tsv") if row["posted"] != "-" for word in row["line"].split()}
    assert verbs <= shown


# Cases


@pytest.mark.clause("CROWN 12.2.1(a)")
def test_a_slip_that_is_told_twice_to_the_cage_is_taken_once() -> None:
    """Case 17."""
    table = a_table(None, *FEE_TAKEN)
    assert refusal(table, "CA1 take_slip SPRING-000001") == "slip_settled"
    assert books(table.floor.house) == {"cage 60.00", "prize_pool:SPRING 50.00", "tournament_fees:SPRING 10.00"}
    assert table.floor.house.slips["SPRING-000001"].tender == "cash"


@pytest.mark.clause("CROWN 12.2.1(g)")
def test_a_slip_that_is_withdrawn_and_taken_at_once_is_settled_by_who_was_first() -> None:
    """Case 18: the cage first, and the tournament raises a refund; the tournament first, and the cage takes nothing."""
    taken = a_table(None, *FEE_TAKEN)
    assert names(say(taken, "clock cancel_slip SPRING-000001")) == []
    say_all(
        taken,
        "clock register_slip SPRING-000002 SPRING pay 60 prize_pool:5000,tournament_fees:1000 refund 1 P7",
        "CA1 pay_slip SPRING-000002 second=CS1",
    )
    assert books(taken.floor.house) == {"nothing"}
    withdrawn = a_table(None, FEE_SLIP, "clock cancel_slip SPRING-000001")
    assert refusal(withdrawn, "CA1 take_slip SPRING-000001") == "slip_cancelled"
    assert books(withdrawn.floor.house) == {"nothing"}


@pytest.mark.clause("CROWN 12.2.1(j)")
def test_a_prize_is_paid_once_and_by_two() -> None:
    """Case 48: at the cage, with a Casino Supervisor."""
    table = a_table(None, *PRIZE_DUE)
    assert refusal(table, "CA1 pay_slip SPRING-000002") == "second_person_due"
    assert refusal(table, "CA1 pay_slip SPRING-000002 second=GS1") == "second_role"
    assert refusal(table, "CS1 pay_slip SPRING-000002 second=GS1") == "wrong_role"
    say_all(table, "CA1 pay_slip SPRING-000002 second=CS1")
    assert refusal(table, "CA1 pay_slip SPRING-000002 second=CS1") == "slip_settled"
    assert table.floor.house.ledger.balance(CAGE) == 1_000


@pytest.mark.clause("CROWN 13.2.3")
def test_a_slip_that_is_held_is_neither_paid_nor_cancelled_nor_does_it_expire() -> None:
    table = a_table(None, "operator configure_house 1", *PRIZE_DUE, "CS1 hold_slip SPRING-000002 a device")
    assert refusal(table, "CA1 pay_slip SPRING-000002 second=CS1") == "slip_held"
    assert refusal(table, "CS1 hold_slip SPRING-000002 again") == "slip_held"
    assert names(say(table, "clock cancel_slip SPRING-000002")) == []
    assert names(say(table, "@86400 operator expire")) == []
    say_all(
        table, "CS1 release_slip SPRING-000002 no nothing was found", "@172799 CA1 pay_slip SPRING-000002 second=CS1"
    )


@pytest.mark.parametrize("line", ["CS1 hold_slip SPRING-000002 reason=", "CS1 release_slip SPRING-000003 no reason="])
def test_holding_and_releasing_need_a_reason(line: str) -> None:
    more = "clock register_slip SPRING-000003 SPRING pay 10 tournament_fees:1000 refund 1 P7"
    table = a_table(None, *PRIZE_DUE, more, "CS1 hold_slip SPRING-000003 a device")
    assert refusal(table, line) == "reason_missing"


def test_what_expired_can_be_paid_after_all_and_cannot_be_forfeited() -> None:
    table = a_table(None, "operator configure_house 1", *PRIZE_DUE, "@86400 operator expire")
    assert refusal(table, "CA1 pay_slip SPRING-000002 second=CS1") == "slip_expired"
    assert refusal(table, "CS1 release_slip SPRING-000002 yes too late") == "nothing_to_release"
    assert liability(table.floor.house).unclaimed_cents == 5_000
    say_all(table, "CS1 release_slip SPRING-000002 no ill at the time", "CA1 pay_slip SPRING-000002 second=CS1")
    assert liability(table.floor.house).unclaimed_cents == 0


@pytest.mark.parametrize(
    "line",
    [
        "clock register_slip SPRING-000001 SUMMER take 60 prize_pool:6000 fee 1 P7",
        "clock register_slip SPRING-000001 SPRING take 60 prize_pool:5000 fee 1 P7",
    ],
)
def test_a_slip_bears_its_tournaments_id_and_its_parts_come_to_its_amount(line: str) -> None:
    assert refusal(a_table(), line) == "bad_slip"


def test_a_lower_addition_takes_back_what_the_pool_still_holds() -> None:
    table = a_table(None, "clock raise_pool SPRING 20", "clock raise_pool SPRING 15")
    assert books(table.floor.house) == {"prize_pool:SPRING 15.00", "added_prizes:SPRING -15.00"}
    say_all(table, "clock register_slip SPRING-000001 SPRING pay 15 prize_pool:1500 prize 1 P1")
    assert refusal(table, "clock raise_pool SPRING 10") == "pool_too_small"


def test_stakes_are_not_won_twice_over() -> None:
    table = a_table(None, "clock register_slip NIGHT-000001 NIGHT take 10 stakes:1000 buy_in 1 P1")
    say_all(table, "CA1 take_slip NIGHT-000001", "clock settle_stakes NIGHT NIGHT/night/1/T1 10")
    assert refusal(table, "clock settle_stakes NIGHT NIGHT/night/1/T2 1") == "pool_too_small"


@pytest.mark.parametrize("part", ["prize_pool", "stakes"])
def test_books_are_not_closed_on_money_that_belongs_to_entrants(part: str) -> None:
    table = a_table(None, f"clock register_slip NIGHT-000001 NIGHT take 10 {part}:1000 buy_in 1 P1")
    assert refusal(table, "clock close_tournament NIGHT") == "slips_open"
    say_all(table, "CA1 take_slip NIGHT-000001")
    assert refusal(table, "clock close_tournament NIGHT") == "money_left"


def test_old_news_of_a_closed_tournament_change_nothing_and_new_ones_are_refused() -> None:
    table = a_table(None, *PRIZE_DUE, "CA1 pay_slip SPRING-000002 second=CS1", "clock close_tournament SPRING")
    house = table.floor.house
    for line in (FEE_SLIP, PRIZE_DUE[-1], "clock cancel_slip SPRING-000001", "clock close_tournament SPRING"):
        assert names(say(table, line)) == []
    assert table.floor.house == house
    assert refusal(table, "clock raise_pool SPRING 1") == "tournament_closed"
    assert refusal(table, "clock settle_stakes SPRING SPRING/night/1/T1 -1") == "tournament_closed"


def test_the_day_and_the_floor_show_what_the_cage_took_and_paid() -> None:
    table = a_table(None, "operator open_day 2026-11-16", *PRIZE_DUE)
    say_all(table, "clock register_slip SPRING-000003 SPRING pay 10 tournament_fees:1000 refund 1 P7")
    say_all(table, "CA1 pay_slip SPRING-000003 second=CS1")
    (closed, *_) = say(table, "operator close_day").events
    assert isinstance(closed, e.GamingDayClosed)
    assert (closed.slips_taken_cents, closed.slips_paid_cents, closed.slips_owed_cents) == (6_000, 1_000, 5_000)
    view = floor_view(table.floor.house, {})
    assert [(line.slip, line.status, line.cents) for line in view.slips] == [("SPRING-000002", "open", 5_000)]
    (spring,) = view.liability.tournaments
    assert (spring.tournament, spring.prize_pool, spring.payouts, spring.closed) == ("SPRING", 0, 5_000, False)
    assert view.alarms == ()


# Laws

slips = st.sampled_from(SLIPS)
reasons = st.just("because")
cents = st.integers(1, 30)


@st.composite
def registered(draw: st.DrawFn) -> Act:
    parts = draw(st.dictionaries(st.sampled_from(SlipPart), cents, min_size=1))
    return c.RegisterSlip(
        slip=draw(slips),
        tournament="A",
        direction=draw(st.sampled_from(SlipDirection)),
        cents=sum(parts.values()) + draw(st.sampled_from([0, 0, 0, 1])),
        parts=parts,
        purpose=draw(st.sampled_from(["fee", "buy_in", "prize", "refund"])),
        entrant=1,
    )


anything = st.one_of(
    registered(),
    registered(),
    st.builds(c.TakeSlip, slip=slips),
    st.builds(c.TakeSlip, slip=slips),
    st.builds(c.PaySlip, slip=slips),
    st.builds(c.CancelSlip, slip=slips),
    st.builds(c.HoldSlip, slip=slips, reason=reasons),
    st.builds(c.ReleaseSlip, slip=slips, forfeit=st.booleans(), reason=reasons),
    st.builds(c.RaisePool, tournament=st.just("A"), cents=st.integers(0, 50)),
    st.builds(c.SettleStakes, tournament=st.just("A"), sitting=st.sampled_from(SITTINGS), won_cents=st.integers(-9, 9)),
    st.builds(c.CloseTournament, tournament=st.just("A")),
    st.builds(c.Expire),
)


class Books:
    """A house that is asked, with what a bookkeeper who sees only the events would write down."""

    def __init__(self) -> None:
        days = e.HouseConfigured(time_zone="UTC", gaming_day_starts="06:00", ticket_validity_days=1, by="operator")
        staff = [
            e.PersonAppointed(person=person, roles=(role,), by="operator", at_ms=0, clause="G-118")
            for person, role in STAFF.items()
        ]
        self.history: list[e.HouseEvent] = [days, *staff]
        self.state = fold(self.history)
        self.at_ms = self.cage = 0
        self.settled: list[str] = []

    def ask(self, act: Act) -> bool:
        """Whether the house does it; told again, what is carried changes nothing."""
        stamp = self.stamp(act)
        decision = decide(self.state, act, stamp)
        if isinstance(decision, HouseRefused):
            assert not decision.leaves
            return False
        for event in decision:
            self.note(event)
        if stamp.role is Role.CLOCK:
            assert decide(self.state, act, stamp) == ()
        return True

    def stamp(self, act: Act) -> Stamp:
        for person, role in STAFF.items():
            if role in RULES[type(act)].who and Role.CLOCK not in RULES[type(act)].who:
                second = ("CS1", Role.CASINO_SUPERVISOR) if isinstance(act, c.PaySlip) else ("", None)
                return Stamp(by=person, role=role, at_ms=self.at_ms, second=second[0], second_role=second[1])
        return clock_stamp(self.at_ms)

    def note(self, event: e.HouseEvent) -> None:
        if isinstance(event, e.SlipTaken | e.SlipPaid):
            self.cage += event.cents if isinstance(event, e.SlipTaken) else -event.cents
            self.settled.append(event.slip)
        self.state = evolve(self.state, event)
        self.history.append(event)
        self.check()
        if isinstance(event, e.TournamentClosed):
            assert self.held() == 0

    def check(self) -> None:
        assert self.state.ledger.is_balanced
        assert self.state.ledger.balance(CAGE) == self.cage, "the cage holds what was taken less what was paid"
        assert len(self.settled) == len(set(self.settled)), "a slip was settled twice"
        assert liability(self.state).agrees
        assert all(self.state.ledger.balance(of_tournament(kind, "A")) >= 0 for kind in OWED_IN_TOURNAMENTS)

    def held(self) -> int:
        return sum(self.state.ledger.balance(of_tournament(kind, "A")) for kind in OWED_IN_TOURNAMENTS)

    def balance(self, kind: AccountKind) -> int:
        return self.state.ledger.balance(of_tournament(kind, "A"))

    def wind_up(self) -> None:
        """What a tournament does that ends: no slip stays open, and what is left in pool and stakes goes out."""
        for number, slip in sorted(self.state.slips.items()):
            if slip.status is HouseSlipStatus.HELD:
                assert self.ask(c.ReleaseSlip(slip=number, reason="over"))
            if slip.status in WAITING:
                assert self.ask(c.PaySlip(slip=number) if slip.is_owed else c.CancelSlip(slip=number))
        for last, part in enumerate((SlipPart.PRIZE_POOL, SlipPart.STAKES), 5):
            left = self.balance(AccountKind(part))
            if left:
                assert self.ask(_last_slip(f"A-{last:06}", part, left))
                assert self.ask(c.PaySlip(slip=f"A-{last:06}"))


def _last_slip(number: str, part: SlipPart, left: int) -> c.RegisterSlip:
    return c.RegisterSlip(
        slip=number,
        tournament="A",
        direction=SlipDirection.PAY,
        cents=left,
        parts={part: left},
        purpose="prize",
        entrant=1,
    )


@given(st.lists(st.tuples(anything, st.sampled_from([0, 0, 0, 0, DAY_MS])), max_size=40))
@pytest.mark.clause("CROWN 12.2.1(a)", "CROWN 12.2.1(j)")
def test_whatever_is_asked_the_cage_agrees_with_its_slips_and_every_tournament_can_be_closed(
    asked: list[tuple[Act, int]],
) -> None:
    house = Books()
    for act, passed in asked:
        house.at_ms += passed
        house.ask(act)
    if not house.state.tournaments or not house.state.tournaments["A"].closed:
        house.wind_up()
        assert house.ask(c.CloseTournament(tournament="A"))
        assert house.held() == 0
    income = sum(cents for account, cents in house.state.ledger.books.items() if account.kind in INCOME)
    owed = house.balance(AccountKind.PAYOUTS) + house.state.ledger.balance(UNCLAIMED)
    assert house.cage == income + owed, "what the cage keeps is earned, or waits for somebody"
    assert write_state(read_state(write_state(house.state))) == write_state(house.state)
    assert fold(house.history) == house.state
