"""Staff: who works here, and as what (G-118).

A person is a reference. Names and secrets are kept where they can be erased and changed; the stream knows neither.
"""

from collections.abc import Collection, Iterable

from sabot.basics.role import Role, in_words
from sabot.house import commands as c
from sabot.house import events as e
from sabot.house.refusal import Cause, No
from sabot.house.state import HouseState

NOT_PERSONS = frozenset({Role.STATION, Role.CLOCK})
DESKS = frozenset({Role.OPERATOR.value, Role.CLOCK.value})
"""What acts under its own name: the operator's desk, and time itself."""


def appoint(state: HouseState, command: c.Appoint) -> tuple[e.HouseEvent, ...]:  # noqa: ARG001
    if command.person == command.by:
        raise No(Cause.SELF_APPOINTMENT, who=command.person)
    for role in command.roles:
        if role in NOT_PERSONS or command.person in DESKS:
            raise No(Cause.NOT_A_PERSON, who=command.person, role=role.in_words)
    return (
        e.PersonAppointed(
            person=command.person, roles=command.roles, by=command.by, at_ms=command.at_ms, clause="G-118"
        ),
    )


def dismiss(state: HouseState, command: c.Dismiss) -> tuple[e.HouseEvent, ...]:
    if not state.staff.get(command.person):
        raise No(Cause.NOT_APPOINTED, who=command.person)
    if not command.reason.strip():
        raise No(Cause.REASON_MISSING)
    return (
        e.PersonDismissed(
            person=command.person, reason=command.reason, by=command.by, at_ms=command.at_ms, clause="G-118"
        ),
    )


def lock_out(state: HouseState, command: c.LockOut) -> tuple[e.HouseEvent, ...]:
    """Told again it changes nothing, since several screens may see the last wrong PIN at once."""
    if not state.staff.get(command.person):
        raise No(Cause.NOT_APPOINTED, who=command.person)
    if command.person in state.locked_out:
        return ()
    return (e.PersonLockedOut(person=command.person, failures=command.failures, at_ms=command.at_ms, clause="G-118"),)


def unlock(state: HouseState, command: c.Unlock) -> tuple[e.HouseEvent, ...]:
    if command.person not in state.locked_out:
        raise No(Cause.NOT_LOCKED_OUT, who=command.person)
    if command.by == command.person:
        raise No(Cause.SELF_UNLOCKING, who=command.person)
    if not command.reason.strip():
        raise No(Cause.REASON_MISSING)
    return (
        e.PersonUnlocked(
            person=command.person, reason=command.reason, by=command.by, at_ms=command.at_ms, clause="G-118"
        ),
    )


def check_not_locked_out(state: HouseState, person: str) -> None:
    """Whoever is locked out can show nobody that it is he, so he neither signs on nor approves."""
    if person in state.locked_out:
        raise No(Cause.LOCKED_OUT, who=person)


def check_on_staff(state: HouseState, person: str, roles: Collection[Role]) -> None:
    """Whom a table lists in some roles must also be on the house's list, in one of them."""
    if roles and not set(roles).intersection(state.staff.get(person, ())):
        raise No(Cause.NOT_ON_STAFF, who=person, role=in_words(roles))


def role_for(state: HouseState, person: str, admitted: Iterable[Role]) -> Role | None:
    """Of a person's roles, the one in which he may do what these roles may; else his first."""
    roles = state.staff.get(person, ())
    return next((role for role in roles if role in set(admitted)), roles[0] if roles else None)
