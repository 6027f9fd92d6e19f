"""The tournaments of a house, as a conversation: each decides for itself, and none of their credits is money."""

from typing import Any

import msgspec

from sabot.basics.mistake import Mistake
from sabot.basics.role import Role
from sabot.house.staff import DESKS
from sabot.table.refusal import Refused
from sabot.table.state import TableState
from sabot.tournament import commands as c
from sabot.tournament.decide import decide
from sabot.tournament.events import TournamentEvent
from sabot.tournament.state import TournamentState, evolve

TOURNAMENT_VERBS: dict[str, tuple[str, ...]] = {
    "create_tournament": ("tournament", "name"),
    "save_conditions": ("tournament", "entry_fee_cents", "starting_credit", "coups"),
    "approve_conditions": ("tournament", "version", "reference"),
    "appoint_director": ("tournament", "director"),
    "register_entrant": ("tournament", "entrant", "player", "fee_cents"),
    "start_session": ("tournament", "seats"),
}
"""What is said to a tournament, with its fields in the order people say them."""


class Tournaments:
    """Every tournament of the house, by name, and what happened in them."""

    def __init__(self) -> None:
        self.states: dict[str, TournamentState] = {}
        self.history: list[TournamentEvent] = []

    def answer(self, line: dict[str, Any], table: TableState, at_ms: int) -> tuple[TournamentEvent, ...] | Refused:
        """Have the tournament that the line names decide, and keep what happened."""
        try:
            command = _command(line, _role(line.get("by", "operator"), table), at_ms)
        except Mistake as mistake:
            return Refused("malformed", "", f"{line.get('do')}: {mistake}")
        state = self.states.get(command.tournament, TournamentState())
        if isinstance(command, c.StartSession) and command.by == state.director:
            command = msgspec.structs.replace(command, role=Role.TOURNAMENT_DIRECTOR)
        decision = decide(state, command)
        if isinstance(decision, Refused):
            return decision
        for event in decision:
            state = evolve(state, event)
        self.states[command.tournament] = state
        self.history += decision
        return decision


def _role(by: object, table: TableState) -> Role:
    """The role signed on in at the table, or the first that its list gives."""
    if by in DESKS:
        return Role(by)
    return table.signed_on.get(str(by)) or next(iter(table.configuration.staff.get(str(by), ())), Role.DEALER)


def _command(line: dict[str, Any], role: Role, at_ms: int) -> c.AnyCommand:
    stated = line.get("at_ms")
    at_ms = max(at_ms, stated) if isinstance(stated, int) else at_ms
    fields = {"by": "operator", **line, "role": role, "at_ms": at_ms}
    try:
        command: c.AnyCommand = msgspec.convert(fields, c.AnyCommand)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at ")
        raise Mistake(f"{path.strip('`$.')}: {reason}" if path else reason) from None
    return command
