"""Deciding: a state, an act and its stamp give events, or a refusal that names its clause. Nothing is changed."""

from collections.abc import Mapping

from sabot.basics.bounds import exceeded
from sabot.basics.stamp import Stamp
from sabot.rules.citing import as_cited
from sabot.table import acts
from sabot.table.cases.remedies import with_remedies
from sabot.table.event import Event
from sabot.table.history.wanted import Elsewhere
from sabot.table.no import No, refused
from sabot.table.opening.deciding import configured
from sabot.table.phase import Phase
from sabot.table.refusal import Cause, Refused
from sabot.table.role import ONLY_SIGNED_ON, Role, in_words
from sabot.table.rules import RULES, STATION, TableRule, waits
from sabot.table.second_person import approved, check_second
from sabot.table.sessions.authority import OPEN_ANYWAY, check_open
from sabot.table.sessions.following import in_session
from sabot.table.state import AnyTable, TableState, Unconfigured

_STATION, _CLOSED = Role.STATION, Phase.CLOSED
"""To look a member of an enumeration up costs more than to compare with it, and every act is compared."""


def decide(state: AnyTable, act: acts.Act, stamp: Stamp) -> tuple[Event, ...] | Refused:
    """The events that the act causes, or why it is refused.

    Raises `Elsewhere` where it names something that has fallen out of the state: it is decided once that is back.
    """
    if type(state) is Unconfigured:
        return _decide_first(act, stamp)
    rule = RULES[type(act)]
    try:
        if stamp.role is not _STATION or _STATION not in rule.who:
            _check_authority(act, stamp, rule, state.signed_on, state.configuration.staff)
        elif stamp.by not in state.stations:
            raise No(Cause.UNKNOWN_STATION, station=stamp.by)
        if not rule.touch:
            _check_bounds(act, stamp)
        events = _decided(state, act, stamp, rule)
        if stamp.role is not _STATION:  # A patron's own act never needs a second person.
            events = with_remedies(state, stamp, events)
            if state.session is not None:
                events = in_session(state, stamp, events)
            events = approved(state, stamp, events)
        if rule.grant is not None:
            rule.grant(state, act, stamp)
        house_rules = state.terms.rule_set.house_rules
        return events if house_rules is None else as_cited(events, house_rules.cite)
    except No as no:
        return refused(state, no)


def _decide_first(act: acts.Act, stamp: Stamp) -> tuple[Event, ...] | Refused:
    """Without a configuration a table has no staff and no rules, and takes nothing but its first one."""
    try:
        if not isinstance(act, acts.Configure):
            raise No(Cause.TABLE_CLOSED)
        _check_authority(act, stamp, RULES[acts.Configure], {}, {})
        _check_bounds(act, stamp)
        if stamp.second:
            check_second(stamp, {}, {})
        return (configured(act.configuration, act.keeps),)
    except No as no:
        return no.citing(no.clause or no.cause.crown)


def foreseen(state: TableState, act: acts.Act, stamp: Stamp) -> tuple[Event, ...] | Refused:
    """The events that the act causes where a person gives it who may; it raises `Elsewhere` like `decide`."""
    try:
        return _decided(state, act, stamp, RULES[type(act)])
    except No as no:
        return refused(state, no)


def refusal_to_all(state: TableState, act: acts.Act, stamp: Stamp) -> Refused | None:
    """Why the act would be refused in every role now; None where some role could have it done."""
    try:
        found = foreseen(state, act, stamp)
    except Elsewhere:
        return None  # Only what is brought back can tell.
    return found if isinstance(found, Refused) else None


def _decided(state: TableState, act: acts.Act, stamp: Stamp, rule: TableRule) -> tuple[Event, ...]:
    if state.locked and not rule.while_locked(state, act, stamp):
        raise No(Cause.TABLE_LOCKED, why=state.locked)
    if state.phase is _CLOSED and not rule.while_closed:
        raise No(Cause.TABLE_CLOSED)
    if state.frozen_at_ms is not None and not rule.while_frozen:
        raise No(Cause.FROZEN)
    if state.reserved is not None and type(act) not in OPEN_ANYWAY:
        check_open(state, act, state.reserved)
    if state.fact is not None and waits(state.fact, act):
        raise No(Cause.FACT_OPEN)
    if rule.admits and stamp.excluded:
        raise No(Cause.EXCLUDED)
    return rule.decide(state, act, stamp)


def _check_bounds(act: acts.Act, stamp: Stamp) -> None:
    """What is outside its bounds never comes into a state, of which every screen must be shown something (G-195)."""
    found = exceeded(act, stamp.at_ms)
    if found is not None:
        raise No(Cause[found.cause], **found.figures)


def _check_authority(
    act: acts.Act, stamp: Stamp, rule: TableRule, signed: Mapping[str, Role], staff: Mapping[str, tuple[Role, ...]]
) -> None:
    """The role must fit the act, and the person the role: on the staff list, or signed on in that very role (G-99)."""
    role, who = stamp.role, stamp.by
    if role not in rule.who:
        clause = rule.clause if isinstance(rule.clause, str) else rule.clause(act)
        if rule.who == STATION:
            raise No(Cause.NOT_THIS_STATION, station=getattr(act, "station", "it"), clause=clause)
        raise No(Cause.WRONG_ROLE, clause=clause, needed=in_words(rule.who), role=role.in_words)
    if isinstance(act, acts.SignOn | acts.SignOff) or (role in (Role.CLOCK, Role.OPERATOR) and who == role.value):
        return
    signed_on = signed.get(who)
    if signed_on is not None and signed_on is not role:
        raise No(Cause.OWN_DEALER, who=who, role=signed_on.in_words)
    if signed_on is None:
        if role not in staff.get(who, ()):
            raise No(Cause.UNKNOWN_PERSON, who=who, role=role.in_words)
        if role in ONLY_SIGNED_ON:
            raise No(Cause.NOT_SIGNED_ON, who=who)
