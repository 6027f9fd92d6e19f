"""The whole authority of a table: for each act, who may give it, what decides it, and when."""

from collections.abc import Callable
from typing import Any, NamedTuple

from sabot.basics.stamp import Stamp
from sabot.table import acts
from sabot.table.accounts import deciding as accounts
from sabot.table.accounts import tickets_in
from sabot.table.books import deciding as books
from sabot.table.care import deciding as care
from sabot.table.cases import breaches
from sabot.table.cases import deciding as cases
from sabot.table.chips import deciding as chips
from sabot.table.corrections import buy_ins
from sabot.table.corrections import deciding as corrections
from sabot.table.coup import deciding as coup
from sabot.table.coup import entries
from sabot.table.event import Event
from sabot.table.faults import deciding as faults
from sabot.table.faults import records
from sabot.table.history import deciding as history
from sabot.table.irregularities import deciding as irregularities
from sabot.table.irregularities import taking_back
from sabot.table.opening import deciding as opening
from sabot.table.role import CASINO_SUPERVISOR, DEALER_OR_ABOVE, GAME_SUPERVISOR_OR_ABOVE, OPERATOR, STAFF, Role
from sabot.table.seats import deciding as seats
from sabot.table.sessions import closing as seat_closing
from sabot.table.sessions import deciding as sessions
from sabot.table.shoe import deciding as shoe
from sabot.table.signs import deciding as signs
from sabot.table.state import StatedFact, TableState
from sabot.table.wagers import deciding as wagers

STATION = frozenset({Role.STATION})
FLOOR = frozenset({Role.CLOCK})
"""What the floor carries from another stream, and nobody gives."""


class TableRule(NamedTuple):
    who: frozenset[Role]
    decide: Callable[[TableState, Any, Stamp], tuple[Event, ...]]
    clause: str | Callable[[Any], str]
    """Where the rules say who may, for this act; cited when another role tries."""
    while_closed: bool = False
    while_frozen: bool = False
    admits: bool = False
    """Whether it lets a patron play; nobody who is excluded."""
    touch: bool = False
    """Whether its own decision holds every field to what the layout has: nothing else may slow a touch down."""
    while_locked: Callable[[TableState, Any, Stamp], bool] = lambda *_: False
    """Whether it may be done although the books disagree: only what lets nothing out of the table, and what two persons
    book or pay by hand (G-153)."""
    grant: Callable[[TableState, Any, Stamp], None] | None = None
    """Checks that the house has granted it by a record that the stamp names. It comes last, so that the house is asked
    for nothing that the table would refuse in any case."""


RULES: dict[type[acts.Act], TableRule] = {
    acts.Configure: TableRule(OPERATOR, opening.configure, "CROWN 8.1(a)", while_closed=True),
    acts.SignOn: TableRule(
        STAFF,
        opening.sign_on,
        'CROWN 1.1 "Dealer"',
        while_closed=True,
        while_frozen=True,
        grant=opening.check_announced,
    ),
    acts.DropSignOn: TableRule(
        FLOOR, opening.drop_sign_on, "G-99", while_closed=True, while_frozen=True, while_locked=lambda *_: True
    ),
    acts.SignOff: TableRule(STAFF, opening.sign_off, 'CROWN 1.1 "Dealer"', while_closed=True, while_frozen=True),
    acts.OpenTable: TableRule(DEALER_OR_ABOVE, opening.open_table, "CROWN 2.2", while_closed=True),
    acts.CloseTable: TableRule(CASINO_SUPERVISOR, opening.close_table, "CROWN 13.7", while_locked=lambda *_: True),
    acts.ApproveBuild: TableRule(
        CASINO_SUPERVISOR, opening.approve_build, 'CROWN 1.1 "game system"(b)', while_closed=True
    ),
    acts.Notice: TableRule(DEALER_OR_ABOVE, opening.give_notice, "CROWN 5.1", while_closed=True),
    acts.WithdrawNotice: TableRule(DEALER_OR_ABOVE, signs.withdraw_notice, "CROWN 5.1", while_closed=True),
    acts.ShowsSign: TableRule(
        DEALER_OR_ABOVE | STATION | {Role.CLOCK},
        signs.tell_sign,
        "CROWN 5.1",
        while_closed=True,
        while_frozen=True,
        while_locked=lambda *_: True,
    ),
    acts.TakeUpOption: TableRule(
        frozenset({Role.CLOCK}), opening.take_up_option, "CROWN 10.1 note *", while_closed=True, while_frozen=True
    ),
    acts.Device: TableRule(
        STAFF | {Role.CLOCK}, opening.report_device, 'CROWN 1.1 "game system"(a)', while_closed=True, while_frozen=True
    ),
    acts.EndDay: TableRule(
        frozenset({Role.CLOCK}),
        opening.end_day,
        "G-91",
        while_closed=True,
        while_frozen=True,
        while_locked=lambda *_: True,
    ),
    acts.Incident: TableRule(
        DEALER_OR_ABOVE, opening.record_incident, "CROWN 4.3", while_closed=True, while_frozen=True
    ),
    acts.CheckCards: TableRule(GAME_SUPERVISOR_OR_ABOVE, shoe.check_cards, "CROWN 3.4", while_locked=lambda *_: True),
    acts.Pack: TableRule(DEALER_OR_ABOVE, shoe.record_pack, "CROWN 3.6", while_closed=True),
    acts.NewShoe: TableRule(DEALER_OR_ABOVE, shoe.new_shoe, "CROWN 3.5"),
    acts.OpenShoe: TableRule(DEALER_OR_ABOVE | {Role.CLOCK}, shoe.open_shoe, "CROWN 3.5", while_closed=True),
    acts.OrderShuffle: TableRule(CASINO_SUPERVISOR, shoe.order_shuffle, shoe.clause_of_order),
    acts.ReplaceCards: TableRule(GAME_SUPERVISOR_OR_ABOVE, shoe.replace_cards, "CROWN 3.10"),
    acts.Cut: TableRule(GAME_SUPERVISOR_OR_ABOVE, shoe.cut, "CROWN 3.7"),
    acts.Burn: TableRule(DEALER_OR_ABOVE, shoe.burn, "CROWN 3.8"),
    acts.ShowBurn: TableRule(DEALER_OR_ABOVE, shoe.show_burn, "CROWN 3.8.1"),
    acts.CuttingCard: TableRule(DEALER_OR_ABOVE, shoe.see_cutting_card, "CROWN 3.9"),
    acts.WithdrawCuttingCard: TableRule(DEALER_OR_ABOVE, shoe.withdraw_cutting_card, shoe.WITHDRAWN_BY),
    acts.BuyIn: TableRule(DEALER_OR_ABOVE, accounts.buy_in, "CROWN 6.3", while_frozen=True, admits=True),
    acts.Note: TableRule(STATION, accounts.insert_note, "CROWN 6.4", while_frozen=True),
    acts.InsertTicket: TableRule(STATION, tickets_in.insert_ticket, "G-64", admits=True, grant=tickets_in.check_escrow),
    acts.DropEscrow: TableRule(
        FLOOR, tickets_in.drop_escrow, "G-235", while_closed=True, while_frozen=True, while_locked=lambda *_: True
    ),
    acts.ReadPlayerCard: TableRule(STATION, accounts.read_player_card, "G-234", admits=True),
    acts.Nominee: TableRule(DEALER_OR_ABOVE, accounts.name_nominee, 'CROWN 1.1 "Player"', admits=True),
    acts.Leave: TableRule(DEALER_OR_ABOVE | STATION, accounts.leave, "CROWN 6.6.1", while_closed=True),
    acts.Stay: TableRule(DEALER_OR_ABOVE | STATION, accounts.stay, "CROWN 6.6.1", while_closed=True),
    acts.Pay: TableRule(DEALER_OR_ABOVE, accounts.pay, "CROWN 6.7.1", while_closed=True),
    acts.PrintFailed: TableRule(STAFF | STATION, accounts.report_print_failed, "CROWN 6.7.2(b)", while_closed=True),
    acts.ManualPay: TableRule(
        CASINO_SUPERVISOR,
        accounts.pay_manually,
        "CROWN 6.7.2(b)",
        while_closed=True,
        grant=accounts.check_released,
    ),
    acts.HandBack: TableRule(
        CASINO_SUPERVISOR,
        accounts.hand_back,
        "CROWN 6.7.2(b)",
        while_closed=True,
        while_frozen=True,
        while_locked=lambda *_: True,
        grant=accounts.check_released,
    ),
    acts.DirectToLeave: TableRule(DEALER_OR_ABOVE | {Role.CLOCK}, seat_closing.direct_to_leave, "CROWN 6.6.2"),
    acts.Vacate: TableRule(DEALER_OR_ABOVE, accounts.ask_to_vacate, "CROWN 13.8"),
    acts.CloseIdle: TableRule(DEALER_OR_ABOVE, seats.close_idle, "CROWN 13.8"),
    acts.OutOfService: TableRule(
        GAME_SUPERVISOR_OR_ABOVE | {Role.TECHNICIAN},
        seats.take_out_of_service,
        "G-183",
        while_closed=True,
        while_frozen=True,
    ),
    acts.BackInService: TableRule(
        GAME_SUPERVISOR_OR_ABOVE | {Role.TECHNICIAN},
        seats.put_back_in_service,
        "G-183",
        while_closed=True,
        while_frozen=True,
    ),
    acts.MovePatron: TableRule(DEALER_OR_ABOVE, seats.move_patron, "G-184"),
    acts.SetOwnLimit: TableRule(STATION, care.set_own_limit, care.LIMITS, while_closed=True, while_frozen=True),
    acts.TakeBreak: TableRule(STATION, care.take_break, care.BREAKS, while_closed=True, while_frozen=True),
    acts.AcknowledgeCheck: TableRule(
        STATION, care.acknowledge_check, care.CHECKS, while_closed=True, while_frozen=True
    ),
    acts.CallAttendant: TableRule(
        STATION,
        care.call_attendant,
        care.CALLS,
        while_closed=True,
        while_frozen=True,
        while_locked=lambda *_: True,
    ),
    acts.AnswerCall: TableRule(
        DEALER_OR_ABOVE,
        care.answer_call,
        care.CALLS,
        while_closed=True,
        while_frozen=True,
        while_locked=lambda *_: True,
    ),
    acts.EndCall: TableRule(
        DEALER_OR_ABOVE | STATION,
        care.end_call,
        care.CALLS,
        while_closed=True,
        while_frozen=True,
        while_locked=lambda *_: True,
    ),
    acts.Fill: TableRule(DEALER_OR_ABOVE, chips.fill, "G-191", while_closed=True, while_frozen=True),
    acts.Credit: TableRule(DEALER_OR_ABOVE, chips.credit, "G-191", while_closed=True, while_frozen=True),
    acts.CountFloat: TableRule(DEALER_OR_ABOVE, chips.count_float, "G-192", while_closed=True, while_frozen=True),
    acts.SetWager: TableRule(STATION, wagers.set_wager, "CROWN 4.9", touch=True),
    acts.Move: TableRule(STATION, wagers.move, "CROWN 4.9", touch=True),
    acts.Undo: TableRule(STATION, wagers.undo, "CROWN 4.9", touch=True),
    acts.Clear: TableRule(STATION, wagers.clear, "CROWN 4.9", touch=True),
    acts.Repeat: TableRule(STATION, wagers.repeat, "CROWN 4.9", touch=True),
    acts.Double: TableRule(STATION, wagers.double, "CROWN 4.9", touch=True),
    acts.Lay: TableRule(STATION, wagers.lay, "CROWN 4.9", touch=True),
    acts.Open: TableRule(DEALER_OR_ABOVE, coup.open_wagering, "G-40"),
    acts.Close: TableRule(DEALER_OR_ABOVE | {Role.CLOCK}, coup.close_wagering, "G-42"),
    acts.Tick: TableRule(frozenset({Role.CLOCK}), coup.tick, "CROWN 8.1", while_closed=True, while_frozen=True),
    acts.FaceUp: TableRule(GAME_SUPERVISOR_OR_ABOVE, coup.turn_face_up, "CROWN 8.3.3"),
    acts.Fact: TableRule(DEALER_OR_ABOVE, irregularities.state_fact, "CROWN 11.8.3"),
    acts.WithdrawFact: TableRule(DEALER_OR_ABOVE, taking_back.withdraw_fact, "CROWN 11.8.3", while_frozen=True),
    acts.Unresolve: TableRule(DEALER_OR_ABOVE, taking_back.unresolve, "CROWN 11.8.2"),
    acts.Resolve: TableRule(DEALER_OR_ABOVE, irregularities.resolve, "CROWN 11.8.2"),
    acts.Freeze: TableRule(DEALER_OR_ABOVE, corrections.freeze, "CROWN 11.11", while_closed=True, while_frozen=True),
    acts.Correct: TableRule(DEALER_OR_ABOVE, corrections.correct, "CROWN 11.11", while_closed=True, while_frozen=True),
    acts.Recalculate: TableRule(
        DEALER_OR_ABOVE, corrections.recalculate, "CROWN 11.11", while_closed=True, while_frozen=True
    ),
    acts.Unfreeze: TableRule(
        DEALER_OR_ABOVE, corrections.unfreeze, "CROWN 11.11", while_closed=True, while_frozen=True
    ),
    acts.Invalidate: TableRule(
        GAME_SUPERVISOR_OR_ABOVE,
        corrections.invalidate,
        "CROWN 11.10",
        while_closed=True,
        while_frozen=True,
        while_locked=corrections.ends_the_coup,
    ),
    acts.Waive: TableRule(CASINO_SUPERVISOR, corrections.waive, "G-89", while_closed=True, while_frozen=True),
    acts.PayPayable: TableRule(DEALER_OR_ABOVE | {Role.CASHIER}, corrections.pay_payable, "G-88", while_closed=True),
    acts.CorrectBuyIn: TableRule(
        GAME_SUPERVISOR_OR_ABOVE, buy_ins.correct_buy_in, "CROWN 6.3.2", while_closed=True, while_frozen=True
    ),
    acts.Claim: TableRule(DEALER_OR_ABOVE | STATION, cases.claim, "CROWN 11.12", while_closed=True, while_frozen=True),
    acts.DecideClaim: TableRule(
        DEALER_OR_ABOVE, cases.decide_claim, "CROWN 11.12", while_closed=True, while_frozen=True
    ),
    acts.RemedyDone: TableRule(DEALER_OR_ABOVE, cases.remedy_done, "CROWN 11.12", while_closed=True, while_frozen=True),
    acts.Dispute: TableRule(DEALER_OR_ABOVE, cases.open_dispute, "CROWN 13.9", while_closed=True, while_frozen=True),
    acts.DecideDispute: TableRule(CASINO_SUPERVISOR, cases.decide_dispute, "CROWN 13.9", while_closed=True),
    acts.Breach: TableRule(
        CASINO_SUPERVISOR, breaches.record_breach, "CROWN 13.2", while_closed=True, while_frozen=True
    ),
    acts.ActOnBreach: TableRule(CASINO_SUPERVISOR, breaches.act_on_breach, "CROWN 13.2", while_closed=True),
    acts.EndDetention: TableRule(
        CASINO_SUPERVISOR, breaches.end_detention, "CROWN 13.2.5", while_closed=True, while_frozen=True
    ),
    acts.Seize: TableRule(CASINO_SUPERVISOR, breaches.seize, "CROWN 13.2.3", while_closed=True),
    acts.Release: TableRule(CASINO_SUPERVISOR, breaches.release, "CROWN 13.2.3", while_closed=True),
    acts.Complaint: TableRule(DEALER_OR_ABOVE, cases.complain, "CROWN 13.11", while_closed=True, while_frozen=True),
    acts.AnswerComplaint: TableRule(
        DEALER_OR_ABOVE, cases.answer_complaint, "CROWN 13.11", while_closed=True, while_frozen=True
    ),
    acts.CloseComplaint: TableRule(
        CASINO_SUPERVISOR, cases.close_complaint, "CROWN 13.11", while_closed=True, while_frozen=True
    ),
    acts.Fault: TableRule(
        DEALER_OR_ABOVE | {Role.CLOCK, Role.TECHNICIAN}, faults.report_fault, "CROWN 11.14", while_frozen=True
    ),
    acts.Malfunction: TableRule(DEALER_OR_ABOVE, faults.declare_malfunction, "CROWN 11.15", while_frozen=True),
    acts.Restart: TableRule(
        frozenset({Role.CLOCK}), faults.restart, "CROWN 11.15", while_closed=True, while_frozen=True
    ),
    acts.ClockJump: TableRule(
        frozenset({Role.CLOCK}), faults.note_clock, "CROWN 11.15", while_closed=True, while_frozen=True
    ),
    acts.Seen: TableRule(STATION, records.tell_what_is_shown, "CROWN 11.15(b)", while_closed=True, while_frozen=True),
    acts.ConfirmRecords: TableRule(DEALER_OR_ABOVE, records.confirm_records, "CROWN 11.14(b)", while_closed=True),
    acts.CannotConfirm: TableRule(DEALER_OR_ABOVE, records.cannot_confirm, "CROWN 11.16", while_closed=True),
    acts.BringBack: TableRule(
        FLOOR, history.bring_back, "CROWN 11.11", while_closed=True, while_frozen=True, while_locked=lambda *_: True
    ),
    acts.BookDifference: TableRule(
        CASINO_SUPERVISOR,
        books.book_difference,
        "CROWN 1.6",
        while_closed=True,
        while_frozen=True,
        while_locked=lambda *_: True,
    ),
    acts.PayByHand: TableRule(
        CASINO_SUPERVISOR,
        books.pay_by_hand,
        "CROWN 1.6",
        while_closed=True,
        while_frozen=True,
        while_locked=lambda *_: True,
    ),
    acts.Card: TableRule(DEALER_OR_ABOVE, coup.deal_card, "CROWN 8.3.1"),
    acts.Amend: TableRule(DEALER_OR_ABOVE, entries.amend_card, "G-119"),
    acts.TakeBackCard: TableRule(DEALER_OR_ABOVE, entries.take_back_card, "G-119"),
    acts.Confirm: TableRule(DEALER_OR_ABOVE, coup.confirm_result, "CROWN 8.4.2"),
    acts.Void: TableRule(DEALER_OR_ABOVE, coup.void_coup, "CROWN 11.4"),
    acts.ReserveTable: TableRule(FLOOR, sessions.reserve_table, "CROWN 12.3.1", while_closed=True),
    acts.ReleaseTable: TableRule(FLOOR, sessions.release_table, "CROWN 12.3.1", while_closed=True),
    acts.OpenSession: TableRule(FLOOR, sessions.open_session, "CROWN 12.3.1"),
    acts.AdmitSeat: TableRule(FLOOR, sessions.admit_seat, "CROWN 12.2.1(i)"),
    acts.AddCredits: TableRule(FLOOR, sessions.add_credits, "CROWN 12.2.1(e)"),
    acts.CloseSeat: TableRule(FLOOR, sessions.close_seat, "CROWN 12.2.1(h)", while_frozen=True),
    acts.AgreeToConclude: TableRule(STATION, sessions.agree_to_conclude, "CROWN 12.3.5(b)"),
    acts.ConcludeSession: TableRule(FLOOR, sessions.conclude_session, "CROWN 12.3.5"),
    acts.EndSession: TableRule(FLOOR, sessions.end_session, "CROWN 12.2.1(b)"),
}
WAIT_FOR_FACTS: frozenset[type[acts.Act]] = frozenset(
    {
        *(acts.Fact, acts.Open, acts.Card, acts.Amend, acts.TakeBackCard, acts.Confirm, acts.Void, acts.Burn),
        *(acts.Cut, acts.NewShoe, acts.ReplaceCards, acts.CloseTable, acts.Correct),
        *(acts.ReserveTable, acts.OpenSession, acts.ConcludeSession, acts.EndSession),
    }
)
"""What waits while a stated fact is neither resolved nor withdrawn: everything that would go past it (G-163)."""
_OF_ENTRIES: frozenset[type[acts.Act]] = frozenset({acts.Amend, acts.TakeBackCard})


def waits(fact: StatedFact, act: acts.Act) -> bool:
    """Whether the act waits for this fact; one that the entries show is also put right at the entries (G-161)."""
    return type(act) in WAIT_FOR_FACTS and not (fact.entered and type(act) in _OF_ENTRIES)
