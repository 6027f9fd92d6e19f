"""Deciding: a state, an act and its stamp give events, or a refusal that names its clause. Nothing is changed.

The table below is the whole authority of the house: for each act, who may give it, who must approve it where nobody
acts alone, and what decides it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from sabot.basics.act import Act
from sabot.basics.bounds import exceeded
from sabot.basics.role import Role, with_article
from sabot.basics.stamp import Stamp
from sabot.house import acts
from sabot.house.days import deciding as days
from sabot.house.days.expiry import expire
from sabot.house.days.papers import put_away_with, recall_papers
from sabot.house.devices import deciding as devices
from sabot.house.escrow import deciding as escrow
from sabot.house.events import HouseEvent
from sabot.house.exclusions import deciding as exclusions
from sabot.house.lights import deciding as lights
from sabot.house.refusal import HouseCause, HouseNo, HouseRefused
from sabot.house.services import deciding as services
from sabot.house.settings import deciding as settings
from sabot.house.slips import deciding as slips
from sabot.house.staff import deciding as staff
from sabot.house.state import HouseState
from sabot.house.tickets import deciding as tickets
from sabot.rules.citing import as_cited

CLOCK = frozenset({Role.CLOCK})
OPERATOR = frozenset({Role.OPERATOR})
OPERATOR_OR_SUPERVISOR = frozenset({Role.OPERATOR, Role.CASINO_SUPERVISOR})
CASINO_SUPERVISOR = frozenset({Role.CASINO_SUPERVISOR})
SUPERVISORS = frozenset({Role.GAME_SUPERVISOR, Role.CASINO_SUPERVISOR})
TECHNICIAN_OR_SUPERVISOR = frozenset({Role.TECHNICIAN, Role.CASINO_SUPERVISOR})
CASHIER = frozenset({Role.CASHIER})
NOBODY: frozenset[Role] = frozenset()


class HouseActRule(NamedTuple):
    who: frozenset[Role]
    decide: Callable[[HouseState, Any, Stamp], tuple[HouseEvent, ...]]
    clause: str
    """Cited when another role tries."""
    second: frozenset[Role] = NOBODY
    """Who must approve it."""


RULES: dict[type[Act], HouseActRule] = {
    acts.ConfigureHouse: HouseActRule(OPERATOR, settings.configure_house, "G-118"),
    acts.EnterTable: HouseActRule(CLOCK, settings.enter_table, "CROWN 10.1 note *"),
    acts.TellBusy: HouseActRule(CLOCK, settings.tell_busy, "CROWN 10.1 note *"),
    acts.Option: HouseActRule(OPERATOR_OR_SUPERVISOR, settings.order_option, "CROWN 10.1 note *"),
    acts.Appoint: HouseActRule(OPERATOR, staff.appoint, "G-118"),
    acts.Dismiss: HouseActRule(OPERATOR, staff.dismiss, "G-118"),
    acts.AnnounceSignOn: HouseActRule(CLOCK, staff.announce_sign_on, staff.OWN_ROLE),
    acts.NoteSignedOff: HouseActRule(CLOCK, staff.note_signed_off, staff.OWN_ROLE),
    acts.LockOut: HouseActRule(CLOCK, staff.lock_out, "G-118"),
    acts.Unlock: HouseActRule(SUPERVISORS | OPERATOR, staff.unlock, "G-118"),
    acts.Enrol: HouseActRule(TECHNICIAN_OR_SUPERVISOR, devices.enrol, devices.GAME_SYSTEM, second=SUPERVISORS),
    acts.Revoke: HouseActRule(TECHNICIAN_OR_SUPERVISOR, devices.revoke, devices.GAME_SYSTEM),
    acts.Exclude: HouseActRule(CASINO_SUPERVISOR, exclusions.exclude, exclusions.CLAUSE),
    acts.CarryExclusion: HouseActRule(CLOCK, exclusions.carry_exclusion, exclusions.CLAUSE),
    acts.Readmit: HouseActRule(CASINO_SUPERVISOR, exclusions.readmit, exclusions.CLAUSE),
    acts.RequestTicket: HouseActRule(CLOCK, tickets.request_ticket, tickets.TICKET),
    acts.RegisterTicket: HouseActRule(CLOCK, tickets.register_ticket, tickets.TICKET),
    acts.Printed: HouseActRule(
        frozenset({Role.STATION, Role.TECHNICIAN, Role.CLOCK}), tickets.report_printed, tickets.TICKET
    ),
    acts.CloseToTheCage: HouseActRule(CLOCK, tickets.close_to_the_cage, tickets.BY_HAND),
    acts.ReleaseTicket: HouseActRule(CLOCK, tickets.release_ticket, tickets.BY_HAND),
    acts.NoteHandedBack: HouseActRule(CLOCK, tickets.note_handed_back, tickets.BY_HAND),
    acts.NotePaidByHand: HouseActRule(CLOCK, tickets.note_paid_by_hand, tickets.BY_HAND),
    acts.EscrowTicket: HouseActRule(CLOCK, escrow.escrow_ticket, escrow.ESCROW),
    acts.NoteTakenIn: HouseActRule(CLOCK, escrow.note_taken_in, escrow.ESCROW),
    acts.NoteEscrowDropped: HouseActRule(CLOCK, escrow.note_escrow_dropped, escrow.ESCROW),
    acts.Redeem: HouseActRule(CASHIER, tickets.redeem, tickets.TICKET),
    acts.VoidTicket: HouseActRule(CASINO_SUPERVISOR, tickets.void_ticket, tickets.TICKET, second=SUPERVISORS),
    acts.Reinstate: HouseActRule(CASINO_SUPERVISOR, tickets.reinstate, tickets.TICKET, second=SUPERVISORS),
    acts.Expire: HouseActRule(OPERATOR_OR_SUPERVISOR | CLOCK, expire, tickets.TICKET),
    acts.RegisterSlip: HouseActRule(CLOCK, slips.register_slip, slips.FEE),
    acts.CancelSlip: HouseActRule(CLOCK, slips.cancel_slip, slips.FEE),
    acts.RaisePool: HouseActRule(CLOCK, slips.raise_pool, slips.PRIZES),
    acts.SettleStakes: HouseActRule(CLOCK, slips.settle_stakes, slips.BALANCES),
    acts.CloseTournament: HouseActRule(CLOCK, slips.close_tournament, slips.FEE),
    acts.TakeSlip: HouseActRule(CASHIER, slips.take_slip, slips.FEE),
    acts.PaySlip: HouseActRule(CASHIER, slips.pay_slip, slips.PRIZES, second=CASINO_SUPERVISOR),
    acts.HoldSlip: HouseActRule(CASINO_SUPERVISOR, slips.hold_slip, slips.HELD),
    acts.ReleaseSlip: HouseActRule(CASINO_SUPERVISOR, slips.release_slip, slips.HELD),
    acts.RecallPapers: HouseActRule(CLOCK, recall_papers, "G-118"),
    acts.RaiseLight: HouseActRule(CLOCK, lights.raise_light, lights.CLAUSE),
    acts.SeeToLight: HouseActRule(SUPERVISORS, lights.see_to_light, lights.CLAUSE),
    acts.MakeService: HouseActRule(OPERATOR, services.make_service, services.CLAUSE),
    acts.RevokeService: HouseActRule(OPERATOR_OR_SUPERVISOR, services.revoke_service, services.CLAUSE),
    acts.NoteServiceUsed: HouseActRule(CLOCK, services.note_service_used, services.CLAUSE),
    acts.OpenDay: HouseActRule(OPERATOR_OR_SUPERVISOR | CLOCK, days.open_day, days.CLAUSE),
    acts.CloseDay: HouseActRule(OPERATOR_OR_SUPERVISOR | CLOCK, days.close_day, days.CLAUSE),
}


def decide(state: HouseState, act: Act, stamp: Stamp) -> tuple[HouseEvent, ...] | HouseRefused:
    rule = RULES[type(act)]
    try:
        if stamp.by in state.services:
            services.check_may_ask(state, type(act), stamp)
        else:
            _check_authority(state, stamp, rule)
        _check_second(state, stamp, rule)
        _check_bounds(act, stamp)
        events = rule.decide(state, act, stamp)
        return as_cited((*events, *put_away_with(state, act, stamp)) if events else (), state.cites)
    except HouseNo as no:
        return as_cited((no.refused,), state.cites)[0]


def _check_bounds(act: Act, stamp: Stamp) -> None:
    found = exceeded(act, stamp.at_ms)
    if found is not None:
        raise HouseNo(HouseCause[found.cause], **found.figures)


def _check_authority(state: HouseState, stamp: Stamp, rule: HouseActRule) -> None:
    """The role must fit the act, and the person the role; who works at a table asks in no other role (G-99)."""
    at_a_desk = stamp.role is Role.STATION or (stamp.by in staff.DESKS and stamp.by == stamp.role.value)
    if not at_a_desk and stamp.role not in state.staff.get(stamp.by, ()):
        raise HouseNo(HouseCause.NOT_ON_STAFF, who=stamp.by or "nobody", role=stamp.role.in_words)
    if not at_a_desk:
        staff.check_own_role(state, stamp.by, stamp.role)
    if stamp.role not in rule.who:
        raise HouseNo(
            HouseCause.WRONG_ROLE, clause=rule.clause, needed=with_article(rule.who), role=with_article({stamp.role})
        )


def _check_second(state: HouseState, stamp: Stamp, rule: HouseActRule) -> None:
    """Where two are due, the other is another, works here, and is entitled to approve (G-99)."""
    if not rule.second:
        return
    if not stamp.second:
        raise HouseNo(HouseCause.SECOND_PERSON_DUE, needed=with_article(rule.second))
    if stamp.second == stamp.by:
        raise HouseNo(HouseCause.SAME_PERSON, who=stamp.by)
    roles = state.staff.get(stamp.second, ())
    if stamp.second_role is None or stamp.second_role not in roles:
        raise HouseNo(HouseCause.SECOND_NOT_ON_STAFF, who=stamp.second)
    staff.check_own_role(state, stamp.second, stamp.second_role)
    staff.check_not_locked_out(state, stamp.second)
    if stamp.second_role not in rule.second:
        raise HouseNo(HouseCause.SECOND_ROLE, needed=with_article(rule.second), role=with_article({stamp.second_role}))
