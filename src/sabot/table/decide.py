"""Deciding: a command and a state give events, or a refusal that names its clause. Nothing is changed.

The table below is the whole authority of the table: for each command, who may give it and what decides it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from sabot.table import acts as c
from sabot.table.accounts import deciding as accounts
from sabot.table.cases import deciding as cases
from sabot.table.corrections import deciding as corrections
from sabot.table.coup import deciding as coup
from sabot.table.events import Event
from sabot.table.faults import deciding as faults
from sabot.table.irregularities import deciding as irregularities
from sabot.table.no import No, refused
from sabot.table.opening import deciding as opening
from sabot.table.phase import Phase
from sabot.table.refusal import Cause, Refused
from sabot.table.role import (
    CASINO_SUPERVISOR,
    DEALER_OR_ABOVE,
    GAME_SUPERVISOR_OR_ABOVE,
    OPERATOR,
    STAFF,
    Role,
    in_words,
)
from sabot.table.second_person import approved
from sabot.table.shoe import deciding as shoe
from sabot.table.state import TableState
from sabot.table.wagers import deciding as wagers

STATION = frozenset({Role.STATION})
_STATION, _CLOSED = Role.STATION, Phase.CLOSED
"""To look a member of an enumeration up costs more than to compare with it, and every command is compared."""


class _Rule(NamedTuple):
    who: frozenset[Role]
    decide: Callable[[TableState, Any], tuple[Event, ...]]
    clause: str | Callable[[Any], str]
    """Where the rules say who may, for this command; cited when somebody else tries."""
    while_closed: bool = False
    while_frozen: bool = False
    admits: bool = False
    """Whether it lets a patron play; nobody who is excluded."""
    while_locked: Callable[[TableState, Any], bool] = lambda _, __: False
    """Whether it may be done although the books disagree: only what lets nothing out of the table."""


RULES: dict[type[c.Command], _Rule] = {
    c.Configure: _Rule(OPERATOR, opening.configure, "CROWN 8.1(a)", while_closed=True),
    c.SignOn: _Rule(STAFF, opening.sign_on, 'CROWN 1.1 "Dealer"', while_closed=True, while_frozen=True),
    c.SignOff: _Rule(STAFF, opening.sign_off, 'CROWN 1.1 "Dealer"', while_closed=True, while_frozen=True),
    c.OpenTable: _Rule(DEALER_OR_ABOVE, opening.open_table, "CROWN 2.2", while_closed=True),
    c.CloseTable: _Rule(CASINO_SUPERVISOR, opening.close_table, "CROWN 13.7"),
    c.ApproveBuild: _Rule(CASINO_SUPERVISOR, opening.approve_build, 'CROWN 1.1 "game system"(b)', while_closed=True),
    c.GiveNotice: _Rule(DEALER_OR_ABOVE, opening.give_notice, "CROWN 5.1", while_closed=True),
    c.TakeUpOption: _Rule(
        frozenset({Role.CLOCK}), opening.take_up_option, "CROWN 10.1 note *", while_closed=True, while_frozen=True
    ),
    c.ReportDevice: _Rule(
        STAFF | {Role.CLOCK}, opening.report_device, 'CROWN 1.1 "game system"(a)', while_closed=True, while_frozen=True
    ),
    c.EndDay: _Rule(
        frozenset({Role.CLOCK}),
        opening.end_day,
        "G-91",
        while_closed=True,
        while_frozen=True,
        while_locked=lambda _, __: True,
    ),
    c.RecordIncident: _Rule(DEALER_OR_ABOVE, opening.record_incident, "CROWN 4.3", while_frozen=True),
    c.CheckCards: _Rule(GAME_SUPERVISOR_OR_ABOVE, shoe.check_cards, "CROWN 3.4"),
    c.RecordPack: _Rule(DEALER_OR_ABOVE, shoe.record_pack, "CROWN 3.6", while_closed=True),
    c.NewShoe: _Rule(DEALER_OR_ABOVE, shoe.new_shoe, "CROWN 3.5"),
    c.OpenShoe: _Rule(DEALER_OR_ABOVE | {Role.CLOCK}, shoe.open_shoe, "CROWN 3.5", while_closed=True),
    c.OrderShuffle: _Rule(CASINO_SUPERVISOR, shoe.order_shuffle, shoe.clause_of_order),
    c.ReplaceCards: _Rule(GAME_SUPERVISOR_OR_ABOVE, shoe.replace_cards, "CROWN 3.10"),
    c.Cut: _Rule(GAME_SUPERVISOR_OR_ABOVE, shoe.cut, "CROWN 3.7"),
    c.Burn: _Rule(DEALER_OR_ABOVE, shoe.burn, "CROWN 3.8"),
    c.ShowBurn: _Rule(DEALER_OR_ABOVE, shoe.show_burn, "CROWN 3.8.1"),
    c.SeeCuttingCard: _Rule(DEALER_OR_ABOVE, shoe.see_cutting_card, "CROWN 3.9"),
    c.BuyIn: _Rule(DEALER_OR_ABOVE, accounts.buy_in, "CROWN 6.3", while_frozen=True, admits=True),
    c.InsertNote: _Rule(STATION, accounts.insert_note, "CROWN 6.4", while_frozen=True),
    c.NameNominee: _Rule(DEALER_OR_ABOVE, accounts.name_nominee, 'CROWN 1.1 "Player"', admits=True),
    c.Leave: _Rule(DEALER_OR_ABOVE | STATION, accounts.leave, "CROWN 6.6.1", while_closed=True),
    c.Pay: _Rule(DEALER_OR_ABOVE, accounts.pay, "CROWN 6.7.1", while_closed=True),
    c.ReportPrintFailed: _Rule(STAFF | STATION, accounts.report_print_failed, "CROWN 6.7.2(b)", while_closed=True),
    c.PayManually: _Rule(CASINO_SUPERVISOR, accounts.pay_manually, "CROWN 6.7.2(b)", while_closed=True),
    c.DirectToLeave: _Rule(DEALER_OR_ABOVE | {Role.CLOCK}, accounts.direct_to_leave, "CROWN 6.6.2"),
    c.AskToVacate: _Rule(DEALER_OR_ABOVE, accounts.ask_to_vacate, "CROWN 13.8"),
    c.SetWager: _Rule(STATION, wagers.set_wager, "CROWN 4.9"),
    c.MoveWager: _Rule(STATION, wagers.move, "CROWN 4.9"),
    c.Undo: _Rule(STATION, wagers.undo, "CROWN 4.9"),
    c.Clear: _Rule(STATION, wagers.clear, "CROWN 4.9"),
    c.Repeat: _Rule(STATION, wagers.repeat, "CROWN 4.9"),
    c.Double: _Rule(STATION, wagers.double, "CROWN 4.9"),
    c.OpenWagering: _Rule(DEALER_OR_ABOVE, coup.open_wagering, "G-40"),
    c.CloseWagering: _Rule(DEALER_OR_ABOVE | {Role.CLOCK}, coup.close_wagering, "G-42"),
    c.Tick: _Rule(frozenset({Role.CLOCK}), coup.tick, "CROWN 8.1", while_closed=True, while_frozen=True),
    c.TurnFaceUp: _Rule(GAME_SUPERVISOR_OR_ABOVE, coup.turn_face_up, "CROWN 8.3.3"),
    c.StateFact: _Rule(DEALER_OR_ABOVE, irregularities.state_fact, "CROWN 11.8.3"),
    c.WithdrawFact: _Rule(DEALER_OR_ABOVE, irregularities.withdraw_fact, "CROWN 11.8.3"),
    c.Resolve: _Rule(DEALER_OR_ABOVE, irregularities.resolve, "CROWN 11.8.2"),
    c.Freeze: _Rule(DEALER_OR_ABOVE, corrections.freeze, "CROWN 11.11", while_closed=True, while_frozen=True),
    c.Correct: _Rule(DEALER_OR_ABOVE, corrections.correct, "CROWN 11.11", while_closed=True, while_frozen=True),
    c.Recalculate: _Rule(DEALER_OR_ABOVE, corrections.recalculate, "CROWN 11.11", while_closed=True, while_frozen=True),
    c.Unfreeze: _Rule(DEALER_OR_ABOVE, corrections.unfreeze, "CROWN 11.11", while_closed=True, while_frozen=True),
    c.Invalidate: _Rule(
        GAME_SUPERVISOR_OR_ABOVE,
        corrections.invalidate,
        "CROWN 11.10",
        while_closed=True,
        while_frozen=True,
        while_locked=corrections.ends_the_coup,
    ),
    c.Waive: _Rule(CASINO_SUPERVISOR, corrections.waive, "G-89", while_closed=True, while_frozen=True),
    c.PayPayable: _Rule(DEALER_OR_ABOVE, corrections.pay_payable, "G-88", while_closed=True),
    c.Claim: _Rule(DEALER_OR_ABOVE | STATION, cases.claim, "CROWN 11.12", while_frozen=True),
    c.DecideClaim: _Rule(DEALER_OR_ABOVE, cases.decide_claim, "CROWN 11.12", while_frozen=True),
    c.OpenDispute: _Rule(DEALER_OR_ABOVE, cases.open_dispute, "CROWN 13.9", while_closed=True, while_frozen=True),
    c.DecideDispute: _Rule(CASINO_SUPERVISOR, cases.decide_dispute, "CROWN 13.9", while_closed=True),
    c.RecordBreach: _Rule(CASINO_SUPERVISOR, cases.record_breach, "CROWN 13.2", while_frozen=True),
    c.ActOnBreach: _Rule(CASINO_SUPERVISOR, cases.act_on_breach, "CROWN 13.2"),
    c.Seize: _Rule(CASINO_SUPERVISOR, cases.seize, "CROWN 13.2.3"),
    c.ReleaseSeized: _Rule(CASINO_SUPERVISOR, cases.release, "CROWN 13.2.3", while_closed=True),
    c.ReportFault: _Rule(
        DEALER_OR_ABOVE | {Role.CLOCK, Role.TECHNICIAN}, faults.report_fault, "CROWN 11.14", while_frozen=True
    ),
    c.Restart: _Rule(frozenset({Role.CLOCK}), faults.restart, "CROWN 11.15", while_closed=True, while_frozen=True),
    c.TellWhatIsShown: _Rule(STATION, faults.tell_what_is_shown, "CROWN 11.15(b)", while_frozen=True),
    c.ConfirmRecords: _Rule(DEALER_OR_ABOVE, faults.confirm_records, "CROWN 11.14(b)"),
    c.CannotConfirm: _Rule(DEALER_OR_ABOVE, faults.cannot_confirm, "CROWN 11.16"),
    c.DealCard: _Rule(DEALER_OR_ABOVE, coup.deal_card, "CROWN 8.3.1"),
    c.AmendCard: _Rule(DEALER_OR_ABOVE, coup.amend_card, "G-119"),
    c.ConfirmResult: _Rule(DEALER_OR_ABOVE, coup.confirm_result, "CROWN 8.4.2"),
    c.VoidCoup: _Rule(DEALER_OR_ABOVE, coup.void_coup, "CROWN 11.4"),
}


def decide(state: TableState, command: c.Command) -> tuple[Event, ...] | Refused:
    rule = RULES[type(command)]
    try:
        if command.role is not _STATION or _STATION not in rule.who:
            _check_authority(state, command, rule)
        elif command.by not in state.stations:
            raise No(Cause.UNKNOWN_STATION, station=command.by)
        return approved(state, command, _decided(state, command, rule))
    except No as no:
        return refused(state, no)


def refusal_to_all(state: TableState, command: c.Command) -> Refused | None:
    """Why nobody could have this done now, whoever asked; nothing where somebody in the right role could."""
    try:
        _decided(state, command, RULES[type(command)])
    except No as no:
        return refused(state, no)
    return None


def _decided(state: TableState, command: c.Command, rule: _Rule) -> tuple[Event, ...]:
    if state.locked and not rule.while_locked(state, command):
        raise No(Cause.TABLE_LOCKED, why=state.locked)
    if state.configuration is None and type(command) is not c.Configure:
        raise No(Cause.TABLE_CLOSED)
    if state.phase is _CLOSED and not rule.while_closed:
        raise No(Cause.TABLE_CLOSED)
    if state.frozen_at_ms is not None and not rule.while_frozen:
        raise No(Cause.FROZEN)
    if rule.admits and command.excluded:  # type: ignore[attr-defined]
        raise No(Cause.EXCLUDED)
    return rule.decide(state, command)


def _check_authority(state: TableState, command: c.Command, rule: _Rule) -> None:
    """The role must fit the act, and the person the role: on the staff list, or signed on in that very role (G-99)."""
    role, who = command.role, command.by
    if role not in rule.who:
        clause = rule.clause if isinstance(rule.clause, str) else rule.clause(command)
        if rule.who == STATION:
            raise No(Cause.NOT_THIS_STATION, station=getattr(command, "station", "it"), clause=clause)
        raise No(Cause.WRONG_ROLE, clause=clause, needed=in_words(rule.who), role=role.in_words)
    if isinstance(command, c.SignOn | c.SignOff) or (role in (Role.CLOCK, Role.OPERATOR) and who == role.value):
        return
    signed_on = state.signed_on.get(who)
    if signed_on is not None and signed_on is not role:
        raise No(Cause.OWN_DEALER, who=who, role=signed_on.in_words)
    if signed_on is None:
        listed = state.configuration.staff.get(who, ()) if state.configuration else ()
        if role not in listed:
            raise No(Cause.UNKNOWN_PERSON, who=who, role=role.in_words)
        if role is Role.DEALER:
            raise No(Cause.NOT_SIGNED_ON, who=who)
