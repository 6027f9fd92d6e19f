"""What may be done now: for each act whether it is open, and if not, why, with the clause.

The table itself is asked, with an act such as a person would give, so that no rule is said twice.
"""

from collections.abc import Iterator, Mapping

import msgspec

from sabot.basics.figures import Figure
from sabot.basics.stamp import Stamp
from sabot.rules.cards import CARDS
from sabot.table import acts
from sabot.table.cases.state import CaseKind
from sabot.table.decide import refusal_to_all
from sabot.table.role import Role
from sabot.table.rules import RULES
from sabot.table.state import TableState
from sabot.views.message import cut


class ActionShown(msgspec.Struct, frozen=True):
    """Whether a command is open, and if not, why."""

    open: bool
    code: str = ""
    clause: str = ""
    why: str = ""
    values: dict[str, Figure] = {}


class StaffAction(msgspec.Struct, frozen=True):
    """The same for the console, with the roles that may give the command."""

    open: bool
    roles: tuple[str, ...]
    code: str = ""
    clause: str = ""
    why: str = ""
    values: dict[str, Figure] = {}


_OPEN = ActionShown(open=True)
_TICKET_TO_COME = "ticket_number"
"""The refusal of a command without a ticket number, which the sample command does not have."""


def _no_session(state: TableState) -> ActionShown:
    return ActionShown(open=False, code="no_session", clause=state.cites("CROWN 12.2.1(d)"), why="no session is on")


def asked(state: TableState, act: acts.Act, stamp: Stamp) -> ActionShown:
    refusal = refusal_to_all(state, act, stamp)
    if refusal is None or refusal.code == _TICKET_TO_COME:
        return _OPEN
    values = {name: cut(value) if isinstance(value, str) else value for name, value in refusal.values.items()}
    return ActionShown(open=False, code=refusal.code, clause=refusal.clause, why=cut(refusal.text), values=values)


def station_actions(state: TableState, name: str, at_ms: int) -> dict[str, ActionShown]:
    """What the patron at a station may do; one answer serves all ways of changing chips while none may change."""
    own = Stamp(by=name, role=Role.STATION, at_ms=at_ms)
    touching = asked(state, acts.Clear(), own)
    undo, repeat, double = (
        (asked(state, act, own) for act in (acts.Undo(), acts.Repeat(), acts.Double()))
        if touching.open
        else (touching,) * 3
    )
    notes = state.configuration.notes
    return {
        "set_wager": touching,
        "move": touching,
        "clear": touching,
        "undo": undo,
        "repeat": repeat,
        "double": double,
        "note": asked(state, acts.Note(cents=notes[0] if notes else 0), own),
        "leave": asked(state, acts.Leave(), own),
        "stay": asked(state, acts.Stay(), own),
        "claim": asked(state, acts.Claim(coup=0, text=""), own),
        "agree_to_conclude": asked(state, acts.AgreeToConclude(), own) if state.session else _no_session(state),
    }


_LAYING = (acts.Undo(), acts.Repeat(), acts.Double())


def actions_after_touches(
    before: Mapping[str, ActionShown], state: TableState, name: str, at_ms: int
) -> dict[str, ActionShown]:
    """The same after touches alone since `before`, by which no others can have come open or shut."""
    own = Stamp(by=name, role=Role.STATION, at_ms=at_ms)
    undo, repeat, double = (asked(state, act, own) for act in _LAYING)
    return {**before, "undo": undo, "repeat": repeat, "double": double}


def seat_actions(state: TableState, name: str, at_ms: int) -> dict[str, ActionShown]:
    """What the dealer may do for one seat."""
    tried = (
        acts.BuyIn(station=name, cents=100, top_up=state.stations[name].is_open),
        acts.Pay(station=name),
        acts.Leave(station=name),
        acts.Stay(station=name),
        acts.DirectToLeave(station=name, reason="-"),
        acts.Vacate(station=name),
        acts.CloseIdle(station=name),
        acts.OutOfService(station=name, reason="-"),
        acts.BackInService(station=name),
        acts.Nominee(station=name, nominee="-"),
    )
    by = Stamp(by=state.dealer or "", role=Role.DEALER, at_ms=at_ms)
    return {act.verb: asked(state, act, by) for act in tried}


def console_actions(state: TableState, at_ms: int) -> dict[str, StaffAction]:
    """The console's actions for the whole table, with the roles that may give them."""
    found = {}
    build = next(iter(sorted(state.approved_builds)), "")
    for act in _tried(state):
        who = RULES[type(act)].who
        role = next(role for role in _SENIOR_FIRST if role in who)
        answer = asked(state, act, Stamp(by=state.dealer or "", role=role, at_ms=at_ms, build=build))
        roles = tuple(role.value for role in Role if role in who)
        found[act.verb] = StaffAction(answer.open, roles, answer.code, answer.clause, answer.why, answer.values)
    return found


_SENIOR_FIRST = (Role.CASINO_SUPERVISOR, Role.GAME_SUPERVISOR, Role.DEALER, Role.OPERATOR)


def _possible_card(state: TableState) -> str:
    """A card that may come next: one that waits to be dealt, or any that the shoe can still hold."""
    waiting = state.shoe.carried[0] if state.shoe.carried else None
    decks = state.configuration.decks
    return waiting or next((name for name in CARDS if state.shoe.census.get(name, 0) < decks), next(iter(CARDS)))


def _newest_coup(state: TableState) -> int:
    return state.put_right_last.coup if state.put_right_last else state.coups


def _open_case(state: TableState, kind: CaseKind) -> int:
    return next((number for number, case in state.cases.items() if case.kind is kind and not case.closed), 0)


def _tried(state: TableState) -> Iterator[acts.DeviceAct]:
    """Acts about the whole table, each with what a person would say of it."""
    yield acts.OpenTable()
    yield acts.CloseTable()
    yield acts.CheckCards(cards=52 * state.configuration.decks)
    yield acts.NewShoe()
    yield acts.OrderShuffle(reason="-")
    yield acts.Cut(at=state.shoe.cards // 2)
    yield acts.Burn(count=max(1, state.shoe.burns_due))
    yield acts.ShowBurn(card=_possible_card(state), asked_by="-")
    yield acts.CuttingCard()
    yield acts.WithdrawCuttingCard(reason="-")
    yield acts.ReplaceCards(reason="-", cards_checked=state.shoe.cards)
    yield acts.CountFloat(cents=0)
    yield acts.Open()
    yield acts.Close()
    yield acts.FaceUp(up=not state.face_up)
    yield acts.Card(card=_possible_card(state))
    yield acts.Amend(card=_possible_card(state))
    yield acts.Confirm()
    yield acts.Void()
    yield acts.TakeBackCard(reason="-")
    yield acts.WithdrawFact(reason="-")
    yield acts.Unresolve(reason="-")
    yield acts.Freeze()
    yield acts.Recalculate()
    yield acts.Unfreeze()
    yield acts.Invalidate(coup=_newest_coup(state), cause="malfunction", reason="-")
    yield acts.ConfirmRecords()
    yield acts.Malfunction()
    yield acts.DecideClaim(case=_open_case(state, CaseKind.CLAIM), accepted=False, reason="-")
    yield acts.DecideDispute(case=_open_case(state, CaseKind.DISPUTE), decision="-")
    yield acts.Incident(station=next(iter(state.stations), ""), text="-")
