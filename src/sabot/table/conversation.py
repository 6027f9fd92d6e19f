"""A conversation with a table: one line in, one answer out. `sabot table` and the scenarios speak through it.

What a floor would draw from the operating system (salts, ticket numbers) is made here from the count of lines, so that
the same script always gets the same answers.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from sabot.basics.mistake import Mistake, told_of
from sabot.rules.coup import next_card
from sabot.table import acts as c
from sabot.table.configuration import Configuration, read_configuration
from sabot.table.decide import RULES, decide
from sabot.table.events import Event, FactStated
from sabot.table.evolve import evolve
from sabot.table.faults.deciding import OnRecord, confirmation_list
from sabot.table.irregularities.deciding import Resolution, resolutions
from sabot.table.phase import Phase
from sabot.table.refusal import Refused
from sabot.table.role import Role
from sabot.table.shorthand import OWN_ACTS
from sabot.table.state import TableState

VERBS: dict[str, type[c.Command]] = {str(kind.__struct_config__.tag): kind for kind in RULES}


class NextCard(msgspec.Struct, frozen=True):
    hand: str
    reason: str


class Answer(msgspec.Struct, frozen=True):
    n: int
    ok: bool
    refusal: Refused | None
    events: tuple[object, ...]
    """The table's events, and the house's where the line concerned it."""
    phase: Phase
    balances: dict[str, int]
    layout: dict[str, dict[str, int]]
    held: dict[str, int]
    owed: dict[str, int]
    next: NextCard | None
    deadline_ms: int | None
    resolutions: list[Resolution] | msgspec.UnsetType = msgspec.UNSET
    """The lawful resolutions of a fact, in the answer to the line that stated it."""
    confirmation: list[OnRecord] | msgspec.UnsetType = msgspec.UNSET
    """The wagers to confirm from the records after a failure, as long as there are any."""


class Record(msgspec.Struct, frozen=True):
    """What is kept of every command, accepted or refused: who, in which role, when, and what came of it."""

    n: int
    do: str
    by: str
    role: Role
    at_ms: int
    command: c.Command
    """The command as the table decided it: what the line left out is filled in."""
    refusal: Refused | None
    events: tuple[Event, ...]


class Conversation:
    """Holds the state between lines; everything it decides, the table decides."""

    def __init__(self, configuration: Configuration | None = None) -> None:
        self.state = TableState()
        self.history: list[Event] = []
        self.records: list[Record] = []
        self.now_ms = 0
        self.n = 0
        self.build = ""
        """The digest of the running program, for whoever opens the table without naming it."""
        if configuration is not None:
            command = c.Configure(by="operator", role=Role.OPERATOR, at_ms=0, configuration=configuration)
            decision = self._decide(command)
            if isinstance(decision, Refused):
                raise Mistake(f"configuration: {decision.text} ({decision.clause})")

    def go_on_from(self, state: TableState, n: int, now_ms: int) -> None:
        """Take the conversation up where its records leave it."""
        self.state, self.n, self.now_ms = state, n, now_ms

    def answer(self, line: dict[str, Any]) -> Answer:
        """Carry out one line; a line that is no command at all is refused as malformed."""
        self.n += 1
        try:
            command = self._command(line)
        except Mistake as mistake:
            return self.shown((), Refused("malformed", "", str(mistake)))
        if command.at_ms < self.now_ms:  # The mailbox's order is the order of time; nothing arrives in the past.
            command = msgspec.structs.replace(command, at_ms=self.now_ms)
        self.now_ms = command.at_ms
        decision = self._decide(command)
        return self.shown((), decision) if isinstance(decision, Refused) else self.shown(decision, None)

    def _decide(self, command: c.Command) -> tuple[Event, ...] | Refused:
        decision = decide(self.state, command)
        refusal, events = (decision, ()) if isinstance(decision, Refused) else (None, decision)
        verb = str(type(command).__struct_config__.tag)
        self.records.append(Record(self.n, verb, command.by, command.role, command.at_ms, command, refusal, events))
        self._apply(events)
        return decision

    def take_as_given(self, *events: Event) -> None:
        """Start from a history that nobody wants to play through."""
        self._apply(events)

    def _apply(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self.state = evolve(self.state, event)
        self.history += events

    def shown(self, events: tuple[object, ...], refusal: Refused | None) -> Answer:
        state = self.state
        cards = state.coup.cards if state.coup else None
        stated = any(isinstance(event, FactStated) for event in events)
        due = next_card(cards) if cards is not None and state.phase is not Phase.WAGERING else None
        purses = {name: state.purse(name) for name in state.stations}
        return Answer(
            n=self.n,
            ok=refusal is None,
            refusal=refusal,
            events=events,
            phase=state.phase,
            balances={name: purse.balance for name, purse in purses.items()},
            layout={name: dict(purse.layout) for name, purse in purses.items() if purse.layout},
            held={name: purse.held for name, purse in purses.items() if purse.held},
            owed={name: owed for name in state.stations if (owed := state.owed(name))},
            next=None if due is None else NextCard(due.side, due.reason),
            deadline_ms=state.coup.deadline_ms if state.coup and state.phase is Phase.WAGERING else None,
            resolutions=resolutions(state, state.fact) if state.fact and stated else msgspec.UNSET,
            confirmation=confirmation_list(state) or msgspec.UNSET,
        )

    def _command(self, line: dict[str, Any]) -> c.Command:
        verb = line.get("do")
        kind = VERBS.get(verb) if isinstance(verb, str) else None
        if kind is None:
            raise Mistake(f"there is no verb {verb!r}; the verbs are {', '.join(VERBS)}")
        fields = {name: value for name, value in line.items() if name != "do"}
        fields.setdefault("at_ms", self.now_ms)
        if "by" not in fields:
            fields["by"] = self._usual(kind, fields)
        if not isinstance(fields["by"], str):
            raise Mistake("by: who gives the command is a word")
        fields.setdefault("role", self.role_of(fields["by"]))
        self._fill_in(kind, fields)
        try:
            return msgspec.convert({**fields, "do": verb}, kind)
        except msgspec.ValidationError as error:
            raise Mistake(f"{verb}: {told_of(error)}") from None

    def _fill_in(self, kind: type[c.Command], fields: dict[str, Any]) -> None:
        by = fields["by"]
        if "station" in kind.__struct_fields__ and by in self.state.stations:
            fields.setdefault("station", by)
        if "salts" in kind.__struct_fields__ and self.state.phase is Phase.WAGERING:  # Only a close needs them.
            fields.setdefault("salts", {name: self._salt(name) for name in self.state.stations})
        if kind is c.Leave:
            fields.setdefault("ticket", self.ticket_number())
        if kind is c.OpenTable:
            fields.setdefault("build", self.build)
        if kind is c.GiveNotice:
            fields.setdefault("from_ms", fields["at_ms"])
        if kind is c.Configure:
            fields["configuration"] = wanted_configuration(self.state, fields.pop("set", None), fields)

    def ticket_number(self) -> str:
        return f"{self.n:018}"

    def _salt(self, station: str) -> str:
        return hashlib.sha256(f"{self.n}:{station}".encode()).hexdigest()[:32]

    def _usual(self, kind: type[c.Command], fields: dict[str, Any]) -> str:
        """Who gives a command when the line does not say."""
        if kind is c.Tick:
            return "clock"
        if kind is c.Configure:
            return "operator"
        tag = str(kind.__struct_config__.tag)
        if tag in OWN_ACTS and isinstance(fields.get("station"), str):
            return str(fields["station"])
        raise Mistake("by: the line does not say who gives the command")

    def role_of(self, by: str) -> Role:
        if by in self.state.stations:
            return Role.STATION
        if by in ("clock", "operator"):
            return Role(by)
        signed_on = self.state.signed_on.get(by)
        if signed_on is not None:
            return signed_on
        listed = self.state.configuration.staff.get(by, ()) if self.state.configuration else ()
        return listed[0] if listed else Role.DEALER


def wanted_configuration(state: TableState, changes: object, fields: Mapping[str, Any]) -> Configuration:
    """The configuration that a line asks for: a whole one, or the present one with some keys changed."""
    if changes is not None and not isinstance(changes, dict):
        raise Mistake("configure: set: needs an object of keys to change")
    if changes is not None and state.configuration is not None:
        return read_configuration({**msgspec.to_builtins(state.configuration, enc_hook=str), **changes})
    return read_configuration(fields.get("configuration"))
