"""What may be done now: for each act whether it is open, and if not, why, with the clause.

The table itself is asked, with an act such as a person would give, so that no rule is said twice.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec

from sabot.basics.figures import Figure
from sabot.basics.stamp import Stamp
from sabot.rules.cards import CARDS
from sabot.table import acts
from sabot.table.cases.state import CaseKind
from sabot.table.decide import refusal_to_all
from sabot.table.phase import Phase
from sabot.table.refusal import Cause, Refused
from sabot.table.role import Role
from sabot.table.rules import RULES
from sabot.table.state import TableState
from sabot.table.wagers.deciding import is_restricted
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
    return _shut(refusal) if refusal.values else _plainly_shut(refusal.code, refusal.clause, refusal.text)


def _shut(refusal: Refused) -> ActionShown:
    values = {name: cut(value) if isinstance(value, str) else value for name, value in refusal.values.items()}
    return ActionShown(open=False, code=refusal.code, clause=refusal.clause, why=cut(refusal.text), values=values)


@lru_cache(maxsize=256)
def _plainly_shut(code: str, clause: str, text: str) -> ActionShown:
    """Without figures it is one value for all stations."""
    return ActionShown(open=False, code=code, clause=clause, why=cut(text))


def station_actions(
    state: TableState, name: str, at_ms: int, kept: Mapping[str, ActionShown] | None = None
) -> dict[str, ActionShown]:
    """What the patron at a station may do; one answer serves all ways of changing chips while none may change.

    `kept` is what the patron could do before, where nothing has happened since but play (`ground_of`).
    """
    own = Stamp(by=name, role=Role.STATION, at_ms=at_ms)
    touching = asked(state, acts.Clear(), own)
    undo, repeat, double = _laying(state, name, own) if touching.open else (touching,) * 3
    laying = {
        "set_wager": touching,
        "move": touching,
        "clear": touching,
        "lay": touching,
        "undo": undo,
        "repeat": repeat,
        "double": double,
    }
    if kept is not None:
        return {**kept, **laying}
    notes = state.configuration.notes
    return {
        **laying,
        "note": asked(state, acts.Note(cents=notes[0] if notes else 0), own),
        "leave": asked(state, acts.Leave(), own),
        "stay": asked(state, acts.Stay(), own),
        "claim": asked(state, acts.Claim(coup=0, text=""), own),
        "agree_to_conclude": asked(state, acts.AgreeToConclude(), own) if state.session else _no_session(state),
    }


def _laying(state: TableState, name: str, own: Stamp) -> Iterator[ActionShown]:
    """What a station that may touch its layout is answered to an undo, a repeat and a double.

    Where it has nothing to undo, to repeat or to double, it is told so like every other station with nothing there. At
    the opening of a coup that is nearly all of them, so the table is asked once for one state.
    """
    global _told_alike  # noqa: PLW0603  A cache of one state, whose stations are looked at one after the other.
    cached = _told_alike
    if cached[0] is not state:
        cached = _told_alike = (state, {})
    alike, station = cached[1], state.stations[name]
    for act, something in zip(_LAYING, (station.undo, station.last_wagers, state.purse(name).layout), strict=True):
        if something:
            yield asked(state, act, own)
        else:
            known = alike.get(act)
            if known is None:
                known = alike[act] = asked(state, act, own)
            yield known


_LAYING = (acts.Undo(), acts.Repeat(), acts.Double())
_told_alike: tuple[TableState | None, dict[acts.Act, ActionShown]] = (None, {})
_NOTHING_TO_REPEAT = Cause.NOTHING_TO_REPEAT.code


class Laid(NamedTuple):
    """What lay at a station before it was touched."""

    has_layout: bool
    undos: int


def ground_of(state: TableState) -> tuple[object, ...]:
    """What decides, for all stations alike, whether a patron may bring money, leave, stay or claim.

    While these are the same objects, only what is told of the station itself can open or shut one of them
    (`is_as_before`).
    """
    return (
        *(state.locked, state.phase is Phase.CLOSED, state.frozen_at_ms, state.fact, state.reserved, state.session),
        *(state.configuration, state.terms, state.cases, state.out_of_service),
    )


def is_as_before(before: TableState, now: TableState, name: str) -> bool:
    """Whether the same patron has the station, and is not about to leave it; one who leaves waits for coups to end."""
    if now.session is not None:
        return False
    was, station = before.stations[name], now.stations[name]
    if was is not station and (
        was.control != station.control
        or was.leaving is not station.leaving
        or was.directed_to_leave is not station.directed_to_leave
    ):
        return False
    if station.leaving:
        return False
    known = now.sessions.get(station.control)
    return not station.control or (known is not None and known is before.sessions.get(station.control))


def actions_after_touches(
    before: dict[str, ActionShown], was: Laid, state: TableState, name: str, at_ms: int
) -> dict[str, ActionShown]:
    """The same after touches alone since `before`.

    A touch only moves chips between the balance and the layout. The cost of a repeat is held against both together, and
    an undo goes back to what could be laid just before. Doubling costs no more than what lies there. So most answers
    are the ones before; where they may be others, the table is asked.
    """
    station, purse = state.stations[name], state.purse(name)
    undo, repeat, double = before["undo"], before["repeat"], before["double"]
    own = Stamp(by=name, role=Role.STATION, at_ms=at_ms)
    undos, has_layout = len(station.undo), bool(purse.layout)
    limited = is_restricted(state, station)  # A patron's own limits are held against what lies there.
    if limited or (undos and not (undo.open and undos >= was.undos)) or bool(undos) is not bool(was.undos):
        undo = asked(state, _LAYING[0], own)
    if limited or not (repeat.open or repeat.code == _NOTHING_TO_REPEAT):
        repeat = asked(state, _LAYING[1], own)
    if (
        limited
        or has_layout is not was.has_layout
        or (has_layout and not (double.open and purse.wagered <= purse.balance))
    ):
        double = asked(state, _LAYING[2], own)
    if undo is before["undo"] and repeat is before["repeat"] and double is before["double"]:
        return before
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
    called = (acts.AnswerCall(station=name), acts.EndCall(station=name)) if name in state.calls else ()
    by = Stamp(by=state.dealer or "", role=Role.DEALER, at_ms=at_ms)
    return {act.verb: asked(state, act, by) for act in (*tried, *called)}


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
