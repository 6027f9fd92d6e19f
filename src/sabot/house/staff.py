"""Staff: who works here, and as what (G-118).

A person is a reference. Names and secrets are kept where they can be erased and changed; the stream knows neither.
"""

from collections.abc import Collection, Iterable

from sabot.basics.role import PERSONS, Role, in_words
from sabot.basics.stamp import Stamp
from sabot.house import acts
from sabot.house import events as e
from sabot.house.refusal import HouseCause, HouseNo
from sabot.house.state import HouseState

DESKS = frozenset({Role.OPERATOR.value, Role.CLOCK.value})
"""What acts under its own name: the operator's desk, and time itself."""


def appoint(_state: HouseState, act: acts.Appoint, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    if act.person == stamp.by:
        raise HouseNo(HouseCause.SELF_APPOINTMENT, who=act.person)
    for role in act.roles:
        if role not in PERSONS or act.person in DESKS:
            raise HouseNo(HouseCause.NOT_A_PERSON, who=act.person, role=role.in_words)
    return (e.PersonAppointed(person=act.person, roles=act.roles, by=stamp.by, at_ms=stamp.at_ms, clause="G-118"),)


def dismiss(state: HouseState, act: acts.Dismiss, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    if not state.staff.get(act.person):
        raise HouseNo(HouseCause.NOT_APPOINTED, who=act.person)
    if not act.reason.strip():
        raise HouseNo(HouseCause.REASON_MISSING)
    return (e.PersonDismissed(person=act.person, reason=act.reason, by=stamp.by, at_ms=stamp.at_ms, clause="G-118"),)


def lock_out(state: HouseState, act: acts.LockOut, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """Told again it changes nothing, since several screens may see the last wrong PIN at once."""
    if not state.staff.get(act.person):
        raise HouseNo(HouseCause.NOT_APPOINTED, who=act.person)
    if act.until_ms is None:
        is_known = act.person in state.locked_out
    else:
        is_known = state.locked_at.get(act.person, {}).get(act.console, 0) >= act.until_ms
    if is_known:
        return ()
    return (
        e.PersonLockedOut(
            person=act.person,
            failures=act.failures,
            at_ms=stamp.at_ms,
            clause="G-118",
            console=act.console,
            until_ms=act.until_ms,
        ),
    )


def unlock(state: HouseState, act: acts.Unlock, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    if act.person not in state.locked_out and act.person not in state.locked_at:
        raise HouseNo(HouseCause.NOT_LOCKED_OUT, who=act.person)
    if stamp.by == act.person:
        raise HouseNo(HouseCause.SELF_UNLOCKING, who=act.person)
    if not act.reason.strip():
        raise HouseNo(HouseCause.REASON_MISSING)
    return (e.PersonUnlocked(person=act.person, reason=act.reason, by=stamp.by, at_ms=stamp.at_ms, clause="G-118"),)


def check_not_locked_out(state: HouseState, person: str) -> None:
    """Whose lock-out has no end signs on nowhere and approves nothing. One that ends is upheld where PINs are tried:
    it is for one console, and a person who is signed on at another works on."""
    if person in state.locked_out:
        raise HouseNo(HouseCause.LOCKED_OUT, who=person)


def check_on_staff(state: HouseState, person: str, roles: Collection[Role]) -> None:
    """Whom a table lists in some roles must also be on the house's list, in one of them."""
    if roles and not set(roles).intersection(state.staff.get(person, ())):
        raise HouseNo(HouseCause.NOT_ON_STAFF, who=person, role=in_words(roles))


def role_for(state: HouseState, person: str, admitted: Iterable[Role]) -> Role | None:
    """Of a person's roles, the first that is among these; else the person's first role."""
    roles = state.staff.get(person, ())
    return next((role for role in roles if role in set(admitted)), roles[0] if roles else None)
