"""Edits of a table's file: what differs from the configuration on record, what of it may take effect now, and why the
rest may not.

The configuration on record is the last that the table took, so every difference is an edit since then. A program whose
rule set has another digest than the one on record configures the table anew, so that the digest on record is the one
that the table plays by. Whether an edit may take effect is not said here: `Configure` is decided for it, as if the
operator gave it, and its refusal is the reason.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from sabot.basics.stamp import operator_stamp
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.configuration import Configuration, rule_set_digest_of
from sabot.table.decide import decide
from sabot.table.opening.deciding import CHANGEABLE_WHILE_OPEN
from sabot.table.phase import Phase
from sabot.table.refusal import Refused
from sabot.table.state import TableState

When = Literal[
    "now", "after the coup", "when the table is closed", "after a sign", "at the next start", "not by this file"
]
FIRST = ("limits", "offered")
"""A bet that is new needs its limits before it is offered."""


class TableEdit(msgspec.Struct, frozen=True, kw_only=True):
    """A key of a table's file whose value is another than on record."""

    key: str
    before: str
    after: str
    when: When
    why: str = ""
    """Why not now, in one sentence with its clause."""

    @property
    def sentence(self) -> str:
        change = f"{self.key} is {self.after}, and was {self.before}"
        return f"{change}: in effect from now on" if self.when == "now" else f"{change}: {self.when}; {self.why}"


class EditPlan(msgspec.Struct, frozen=True):
    target: Configuration | None
    """What the table is to be configured to now, if anything."""
    edits: tuple[TableEdit, ...]

    @property
    def waiting(self) -> tuple[TableEdit, ...]:
        return tuple(edit for edit in self.edits if edit.when != "now")


def plan_edits(state: TableState, wanted: Configuration, at_ms: int) -> EditPlan:
    """What to make of a table's file: all of it at once where that is lawful, and otherwise key by key."""
    if _plays_as_on_record(state):
        return _plan(state, wanted, at_ms)
    plan, refusal = _plan(state, wanted, at_ms), _refusal(state, state.configuration, at_ms)
    when, why = _why(state, "rule_set", refusal)
    names = [f"{state.configuration.rule_set} of digest {one[:12]}" for one in _digests(state)]
    edit = TableEdit(key="rule_set", before=names[0], after=names[1], when=when, why=why)
    target = state.configuration if plan.target is None and refusal is None else plan.target
    return EditPlan(target, (edit, *plan.edits))


def is_on_record(state: TableState, target: Configuration) -> bool:
    """Whether the table is configured so, with the rule set that this program has."""
    return state.configuration == target and _plays_as_on_record(state)


def _plays_as_on_record(state: TableState) -> bool:
    on_record, present = _digests(state)
    return on_record == present


def _digests(state: TableState) -> tuple[str, str]:
    """That of the rule set with which the table was configured, and that of this program's, by which it plays."""
    return state.rule_set_digest, rule_set_digest_of(state.configuration)


def _plan(state: TableState, wanted: Configuration, at_ms: int) -> EditPlan:
    present = state.configuration
    changes = list(_changes(present, wanted))
    if not changes:
        return EditPlan(None, ())
    whole = replace(wanted, options=present.options)
    if _refusal(state, whole, at_ms) is None:
        edits = [_edit(key, present, wanted, _why(state, key, None)) for key, _ in changes]
        return EditPlan(whole if whole != present else None, tuple(edits))
    target, edits = present, []
    for key, value in sorted(changes, key=lambda one: one[0].partition(".")[0] not in FIRST):
        tried = _with(target, key, value)
        refusal = None if key == "options" else _refusal(state, tried, at_ms)
        if key != "options" and refusal is None:
            target = tried
        elif refusal is not None and (lesser := _without_the_rise(state, target, key, value)) is not None:
            target = lesser if _refusal(state, lesser, at_ms) is None else target
        edits.append(_edit(key, present, wanted, _why(state, key, refusal)))
    return EditPlan(target if target != present else None, tuple(edits))


def _changes(present: Configuration, wanted: Configuration) -> Iterator[tuple[str, object]]:
    """Each key that differs, with its new value; limits bet by bet."""
    for key in Configuration.__struct_fields__:
        before, after = getattr(present, key), getattr(wanted, key)
        if before == after or key == "table":
            continue
        if key != "limits":
            yield key, after
            continue
        for bet in dict.fromkeys((*wanted.limits, *present.limits)):
            if present.limits.get(bet) != wanted.limits.get(bet):
                yield f"limits.{bet}", wanted.limits.get(bet)


def _with(configuration: Configuration, key: str, value: object) -> Configuration:
    part, _, bet = key.partition(".")
    if not bet:
        return replace(configuration, **{part: value})
    others = {name: one for name, one in configuration.limits.items() if name != bet}
    return replace(configuration, limits=others if value is None else {**others, Bet(bet): value})


def _without_the_rise(state: TableState, target: Configuration, key: str, value: object) -> Configuration | None:
    """The new limits of a bet with the minimum as it is, which only a sign may raise."""
    present = state.configuration.limits.get(Bet(key.partition(".")[2]))
    if not isinstance(value, Limits) or present is None or value.minimum <= present.minimum:
        return None
    kept = replace(value, minimum=present.minimum)
    return None if kept == present else _with(target, key, kept)


def _refusal(state: TableState, wanted: Configuration, at_ms: int) -> Refused | None:
    decision = decide(state, acts.Configure(configuration=wanted), operator_stamp(at_ms))
    return decision if isinstance(decision, Refused) else None


def _why(state: TableState, key: str, refusal: Refused | None) -> tuple[When, str]:
    if key == "options":
        why = "an option is chosen for all tables of the house at once, at the floor's desk (CROWN 10.1 note *)"
        return "not by this file", why
    if refusal is None:
        return "now", ""
    why = f"{refusal.text} ({refusal.clause})" if refusal.clause else refusal.text
    if refusal.code == "coup_in_progress":
        return "after the coup", why
    if "rises only by a sign" in refusal.text:
        return "after a sign", f"{why}; a dealer gives the sign at the console"
    if key.partition(".")[0] not in CHANGEABLE_WHILE_OPEN and state.phase is not Phase.CLOSED:
        return "when the table is closed", why
    return "not by this file", why


def _edit(key: str, present: Configuration, wanted: Configuration, effect: tuple[When, str]) -> TableEdit:
    when, why = effect
    before, after = _value(present, key), _value(wanted, key)
    if isinstance(before, dict) and isinstance(after, dict):
        names = [name for name in dict.fromkeys((*before, *after)) if before.get(name) != after.get(name)]
        told = ["; ".join(f"{name} {_said(one.get(name))}" for name in names) for one in (before, after)]
        return TableEdit(key=key, before=told[0], after=told[1], when=when, why=why)
    return TableEdit(key=key, before=_said(before), after=_said(after), when=when, why=why)


def _value(configuration: Configuration, key: str) -> object:
    part, _, bet = key.partition(".")
    return configuration.limits.get(Bet(bet)) if bet else getattr(configuration, part)


def _said(value: object) -> str:
    return "not there" if value is None else msgspec.json.encode(value, enc_hook=str).decode()


# The staff of the house

DISMISSED = "dismissed at the desk, where alone a person comes back"


class StaffEdit(msgspec.Struct, frozen=True, kw_only=True):
    """What the staff lists of the tables' files ask of the house; no roles are a dismissal."""

    person: str
    roles: tuple[str, ...]
    why_not: str = ""


def plan_staff(
    house: Mapping[str, tuple[str, ...]], before: Mapping[str, set[str]], wanted: Mapping[str, set[str]]
) -> Iterator[StaffEdit]:
    """By person: the house's list, and the roles that the files gave and give at any table.

    Roles that were given at the desk alone stay. Who was dismissed at the desk is appointed there again, and not here.
    """
    for person in sorted(before.keys() | wanted.keys()):
        was, now = before.get(person, set()), wanted.get(person, set())
        listed = house.get(person)
        if was == now:
            continue
        if listed is None:
            yield StaffEdit(person=person, roles=tuple(sorted(now)))
        elif not listed:
            if now - was:
                yield StaffEdit(person=person, roles=(), why_not=DISMISSED)
        else:
            roles = tuple(role for role in listed if role not in was - now) + tuple(sorted(now - set(listed)))
            if roles != tuple(listed):
                yield StaffEdit(person=person, roles=roles)
