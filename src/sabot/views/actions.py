"""What may be done now: for each command whether it is open, and if not, why, with the clause.

The table itself is asked, with a command such as somebody would give; nothing of its rules is said twice here.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from sabot.rules.cards import CARDS
from sabot.table import acts as c
from sabot.table.decide import RULES, refusal_to_all
from sabot.table.role import Role
from sabot.table.state import TableState


class Action(msgspec.Struct, frozen=True):
    """Whether a command is open, and if not, why."""

    open: bool
    code: str = ""
    clause: str = ""
    why: str = ""


class StaffAction(msgspec.Struct, frozen=True):
    """The same for people at the console, with the roles in which it may be asked."""

    open: bool
    roles: tuple[str, ...]
    code: str = ""
    clause: str = ""
    why: str = ""


_OPEN = Action(open=True)
_TICKET_TO_COME = "ticket_number"
"""The number of a ticket comes with the command; that it is missing here is no reason to say no."""


def asked(state: TableState, command: c.Command) -> Action:
    refusal = refusal_to_all(state, command)
    if refusal is None or refusal.code == _TICKET_TO_COME:
        return _OPEN
    return Action(open=False, code=refusal.code, clause=refusal.clause, why=refusal.text)


def station_actions(state: TableState, name: str, at_ms: int) -> dict[str, Action]:
    """What the patron at a station may do; one answer serves all ways of changing chips while none may change."""
    own: dict[str, Any] = {"by": name, "role": Role.STATION, "at_ms": at_ms, "station": name}
    touching = asked(state, c.Clear(**own))
    undo, repeat, double = (
        (asked(state, kind(**own)) for kind in (c.Undo, c.Repeat, c.Double)) if touching.open else (touching,) * 3
    )
    notes = state.configuration.notes if state.configuration else ()
    return {
        "set_wager": touching,
        "move": touching,
        "clear": touching,
        "undo": undo,
        "repeat": repeat,
        "double": double,
        "note": asked(state, c.InsertNote(**own, cents=notes[0] if notes else 0)),
        "leave": asked(state, c.Leave(**own)),
        "claim": asked(state, c.Claim(**own, coup=0, text="")),
    }


def seat_actions(state: TableState, name: str, at_ms: int) -> dict[str, Action]:
    """What the dealer may do for one seat."""
    by: dict[str, Any] = {"by": state.dealer or "", "role": Role.DEALER, "at_ms": at_ms, "station": name}
    station = state.stations[name]
    return {
        "buy_in": asked(state, c.BuyIn(**by, cents=100, top_up=station.is_open)),
        "pay": asked(state, c.Pay(**by)),
        "leave": asked(state, c.Leave(**by)),
        "direct_to_leave": asked(state, c.DirectToLeave(**by, reason="-")),
        "vacate": asked(state, c.AskToVacate(**by)),
        "nominee": asked(state, c.NameNominee(**by, nominee="-")),
    }


def console_actions(state: TableState, at_ms: int) -> dict[str, StaffAction]:
    """What may be done at the console about the table as a whole, and by whom."""
    found = {}
    for kind, fields in _TRIED.items():
        rule = RULES[kind]
        role = next(role for role in _SENIOR_FIRST if role in rule.who)
        by: dict[str, Any] = {"by": state.dealer or "", "role": role, "at_ms": at_ms}
        answer = asked(state, kind(**by, **fields(state)))
        roles = tuple(role.value for role in Role if role in rule.who)
        found[str(kind.__struct_config__.tag)] = StaffAction(answer.open, roles, answer.code, answer.clause, answer.why)
    return found


_SENIOR_FIRST = (Role.CASINO_SUPERVISOR, Role.GAME_SUPERVISOR, Role.DEALER, Role.OPERATOR)


def _possible_card(state: TableState) -> str:
    """A card that may come next: one that waits, or any that the shoe can still hold."""
    waiting = state.shoe.carried[0] if state.shoe.carried else None
    decks = state.configuration.decks if state.configuration else 0
    return waiting or next((name for name in CARDS if state.shoe.census.get(name, 0) < decks), next(iter(CARDS)))


def _newest_coup(state: TableState) -> int:
    return state.played.last.coup if state.played.last else state.coups


def _open_case(state: TableState, kind: str) -> int:
    return next((number for number, case in state.cases.items() if case.kind == kind and not case.closed), 0)


def _nothing(state: TableState) -> dict[str, Any]:  # noqa: ARG001
    return {}


_TRIED: dict[type[c.Command], Callable[[TableState], dict[str, Any]]] = {
    c.OpenTable: lambda state: {"build": next(iter(sorted(state.approved_builds)), "")},
    c.CloseTable: _nothing,
    c.CheckCards: lambda state: {"cards": 52 * (state.configuration.decks if state.configuration else 0)},
    c.NewShoe: _nothing,
    c.OrderShuffle: lambda _: {"reason": "-"},
    c.Cut: lambda state: {"at": state.shoe.cards // 2},
    c.Burn: lambda state: {"count": max(1, state.shoe.burns_due)},
    c.ShowBurn: lambda state: {"card": _possible_card(state), "asked_by": "-"},
    c.SeeCuttingCard: _nothing,
    c.ReplaceCards: lambda state: {"reason": "-", "cards_checked": state.shoe.cards},
    c.OpenWagering: _nothing,
    c.CloseWagering: _nothing,
    c.TurnFaceUp: lambda state: {"up": not state.face_up},
    c.DealCard: lambda state: {"card": _possible_card(state)},
    c.AmendCard: lambda state: {"card": _possible_card(state)},
    c.ConfirmResult: _nothing,
    c.VoidCoup: _nothing,
    c.WithdrawFact: _nothing,
    c.Freeze: _nothing,
    c.Recalculate: _nothing,
    c.Unfreeze: _nothing,
    c.Invalidate: lambda state: {"coup": _newest_coup(state), "cause": "malfunction", "reason": "-"},
    c.ConfirmRecords: _nothing,
    c.DecideClaim: lambda state: {"case": _open_case(state, "claim"), "accepted": False, "reason": "-"},
    c.DecideDispute: lambda state: {"case": _open_case(state, "dispute"), "decision": "-"},
    c.RecordIncident: lambda state: {"station": next(iter(state.stations), ""), "text": "-"},
}
"""Commands about the whole table, each with what somebody would say of it."""
