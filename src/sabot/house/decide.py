"""Deciding: a command and a state give events, or a refusal that names its clause. Nothing is changed.

The table below is the whole authority of the house: for each command, who may give it, who must approve it where nobody
acts alone, and what decides it.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from sabot.basics.role import Role, in_words
from sabot.house import commands as c
from sabot.house import devices, exclusions, gaming_day, options, staff, tickets
from sabot.house.events import HouseEvent
from sabot.house.refusal import Cause, No, Refused
from sabot.house.state import HouseState

CLOCK = frozenset({Role.CLOCK})
OPERATOR = frozenset({Role.OPERATOR})
OPERATOR_OR_SUPERVISOR = frozenset({Role.OPERATOR, Role.CASINO_SUPERVISOR})
CASINO_SUPERVISOR = frozenset({Role.CASINO_SUPERVISOR})
SUPERVISORS = frozenset({Role.GAME_SUPERVISOR, Role.CASINO_SUPERVISOR})
TECHNICIAN_OR_SUPERVISOR = frozenset({Role.TECHNICIAN, Role.CASINO_SUPERVISOR})
CASHIER = frozenset({Role.CASHIER})
NOBODY: frozenset[Role] = frozenset()


class Rule(NamedTuple):
    who: frozenset[Role]
    decide: Callable[[HouseState, Any], tuple[HouseEvent, ...]]
    clause: str
    """Cited when somebody else tries."""
    second: frozenset[Role] = NOBODY
    """Who must approve it."""


RULES: dict[type[c.Command], Rule] = {
    c.ConfigureHouse: Rule(OPERATOR, options.configure_house, "G-118"),
    c.EnterTable: Rule(CLOCK, options.enter_table, "CROWN 10.1 note *"),
    c.TellBusy: Rule(CLOCK, options.tell_busy, "CROWN 10.1 note *"),
    c.OrderOption: Rule(OPERATOR_OR_SUPERVISOR, options.order_option, "CROWN 10.1 note *"),
    c.Appoint: Rule(OPERATOR, staff.appoint, "G-118"),
    c.Dismiss: Rule(OPERATOR, staff.dismiss, "G-118"),
    c.LockOut: Rule(CLOCK, staff.lock_out, "G-118"),
    c.Unlock: Rule(SUPERVISORS | OPERATOR, staff.unlock, "G-118"),
    c.Enrol: Rule(TECHNICIAN_OR_SUPERVISOR, devices.enrol, devices.GAME_SYSTEM, second=SUPERVISORS),
    c.Revoke: Rule(TECHNICIAN_OR_SUPERVISOR, devices.revoke, devices.GAME_SYSTEM),
    c.Exclude: Rule(CASINO_SUPERVISOR | CLOCK, exclusions.exclude, exclusions.CLAUSE),
    c.Readmit: Rule(CASINO_SUPERVISOR, exclusions.readmit, exclusions.CLAUSE),
    c.RequestTicket: Rule(CLOCK, tickets.request_ticket, tickets.TICKET),
    c.RegisterTicket: Rule(CLOCK, tickets.register_ticket, tickets.TICKET),
    c.ReportPrinted: Rule(
        frozenset({Role.STATION, Role.TECHNICIAN, Role.CLOCK}), tickets.report_printed, tickets.TICKET
    ),
    c.CloseToTheCage: Rule(CLOCK, tickets.close_to_the_cage, tickets.BY_HAND),
    c.NotePaidByHand: Rule(CLOCK, tickets.note_paid_by_hand, tickets.BY_HAND),
    c.Redeem: Rule(CASHIER, tickets.redeem, tickets.TICKET),
    c.VoidTicket: Rule(CASINO_SUPERVISOR, tickets.void_ticket, tickets.TICKET, second=SUPERVISORS),
    c.Reinstate: Rule(CASINO_SUPERVISOR, tickets.reinstate, tickets.TICKET, second=SUPERVISORS),
    c.ExpireTickets: Rule(OPERATOR_OR_SUPERVISOR | CLOCK, tickets.expire, tickets.TICKET),
    c.OpenDay: Rule(OPERATOR_OR_SUPERVISOR | CLOCK, gaming_day.open_day, gaming_day.CLAUSE),
    c.CloseDay: Rule(OPERATOR_OR_SUPERVISOR | CLOCK, gaming_day.close_day, gaming_day.CLAUSE),
}


def decide(state: HouseState, command: c.Command) -> tuple[HouseEvent, ...] | Refused:
    rule = RULES[type(command)]
    try:
        _check_authority(state, command, rule)
        _check_second(state, command, rule)
        return rule.decide(state, command)
    except No as no:
        return no.refused


def _check_authority(state: HouseState, command: c.Command, rule: Rule) -> None:
    """The role must fit the act, and the person the role."""
    at_a_desk = command.role is Role.STATION or (command.by in staff.DESKS and command.by == command.role.value)
    if not at_a_desk and command.role not in state.staff.get(command.by, ()):
        raise No(Cause.NOT_ON_STAFF, who=command.by or "nobody", role=command.role.in_words)
    if command.role not in rule.who:
        raise No(Cause.WRONG_ROLE, clause=rule.clause, needed=_a(rule.who), role=_a({command.role}))


def _check_second(state: HouseState, command: c.Command, rule: Rule) -> None:
    """Where two are due, the other is another, works here, and is entitled to approve (G-99)."""
    if not rule.second:
        return
    if not command.second:
        raise No(Cause.SECOND_PERSON_DUE, needed=_a(rule.second))
    if command.second == command.by:
        raise No(Cause.SAME_PERSON, who=command.by)
    roles = state.staff.get(command.second, ())
    if command.second_role is None or command.second_role not in roles:
        raise No(Cause.SECOND_NOT_ON_STAFF, who=command.second)
    staff.check_not_locked_out(state, command.second)
    if command.second_role not in rule.second:
        raise No(Cause.SECOND_ROLE, needed=_a(rule.second), role=_a({command.second_role}))


def _a(roles: Iterable[Role]) -> str:
    """`a Cashier`, `an Operator or Casino Supervisor`."""
    words = in_words(roles)
    return f"{'an' if words.startswith(('O', 'I')) else 'a'} {words}"
