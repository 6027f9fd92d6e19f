"""A pit: some tables and the house they belong to, as a conversation.

What goes between the streams is what the floor carries: a table's tickets and exclusions to the house, the house's
options, exclusions and dismissals to the tables. Whoever carries a command stamps it with what the other side has to
say about it: a person's role, whether a patron is excluded. Each stream decides for itself; nothing is decided here.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from sabot.basics.mistake import Mistake, told_of
from sabot.basics.role import Role
from sabot.floor.competing import TOURNAMENT_VERBS, Tournaments
from sabot.floor.exchange.house_to_table import entering, following
from sabot.floor.exchange.table_to_house import news
from sabot.floor.stamping import (
    Place,
    check_approving,
    check_asking,
    check_signing_on,
    check_ticket,
    is_excluded,
    role_at_the_house,
    ticket_request,
)
from sabot.house import commands as c
from sabot.house.decide import RULES, decide
from sabot.house.events import HouseEvent
from sabot.house.evolve import evolve
from sabot.house.refusal import Cause, No
from sabot.house.refusal import Refused as HouseRefused
from sabot.house.state import HouseState
from sabot.table.acts import Command, Restart
from sabot.table.configuration import Configuration
from sabot.table.conversation import Answer, Conversation
from sabot.table.events import Configured, Event
from sabot.table.refusal import Refused
from sabot.table.state import TableState

HOUSE_VERBS: dict[str, tuple[str, ...]] = {
    "configure_house": ("ticket_validity_days",),
    "option": ("option", "choice"),
    "appoint": ("person", "roles"),
    "dismiss": ("person", "reason"),
    "lock_out": ("person", "failures"),
    "unlock": ("person", "reason"),
    "enrol": ("device", "kind", "key", "approval"),
    "revoke": ("device", "reason"),
    "exclude": ("patron", "reason"),
    "readmit": ("patron", "reason"),
    "printed": ("ticket",),
    "redeem": ("ticket",),
    "void_ticket": ("ticket", "reason"),
    "reinstate": ("ticket", "reason"),
    "expire": (),
    "open_day": ("date",),
    "close_day": (),
}
"""What is said to the house, with its fields in the order people say them."""

BESIDE_THE_TABLE = {**HOUSE_VERBS, **TOURNAMENT_VERBS}
"""What is said in the conversation of a table and is not for the table."""

COMMANDS: dict[str, type[c.Command]] = {str(kind.__struct_config__.tag): kind for kind in RULES}
_DESK = {"option": "operator", "configure_house": "operator"}
"""Who gives these when the line does not say."""


class HouseRecord(NamedTuple):
    """What is kept of a command that the house decided."""

    command: c.Command
    decision: tuple[HouseEvent, ...] | HouseRefused


class Pit:
    """The house, and its tables by name."""

    def __init__(self, house: HouseState | None = None, now_ms: int = 0) -> None:
        self.house = house or HouseState()
        self.history: list[HouseEvent] = []
        self.records: list[HouseRecord] = []
        self.tables: dict[str, PitTable] = {}
        self.tournaments: Tournaments | None = Tournaments()
        """None where everything is recorded: tournaments have no stream in a journal, and nothing goes unrecorded."""
        self.now_ms = now_ms

    def enter(self, configuration: Configuration) -> "PitTable":
        """Set up a table of this house; one with a name that is taken is given the next free number."""
        name, number = configuration.table, 1
        while name in self.tables:
            number += 1
            name = f"{configuration.table}-{number}"
        table = PitTable(self, name, configuration)
        if not self.house.tables:
            self.carry(
                c.ConfigureHouse(
                    by="operator",
                    role=Role.OPERATOR,
                    at_ms=0,
                    time_zone=configuration.time_zone,
                    gaming_day_starts=configuration.gaming_day_starts,
                )
            )
        self.tables[name] = table
        self.take_in(table, configuration, 0)
        return table

    def bring_back(self, name: str, state: TableState, n: int, now_ms: int, lately: Iterable[Event] = ()) -> "PitTable":
        """A table of this house that was played before, where its records leave it.

        Whoever served it before has failed, so a coup under way is void or to be confirmed (CROWN 11.15, 11.16).

        Between the streams there is no transaction, so the house may have missed what the table did last, and the table
        what the house did: `lately` is told again, and twice does no harm.
        """
        assert state.configuration is not None, "a table that was played is configured"
        table = PitTable(self, name, None)
        table.go_on_from(state, n, now_ms)
        self.now_ms = max(self.now_ms, now_ms)
        self.tables[name] = table
        if name not in self.house.tables:
            self.take_in(table, state.configuration, now_ms)
        for command in [news(name, event, state, now_ms) for event in lately]:
            if command is not None:
                self.carry(command)
        self.after(table, table.shown(table.restart(), None), now_ms)
        table.follow(now_ms)
        return table

    def take_in(self, table: "PitTable", configuration: Configuration, at_ms: int) -> tuple[object, ...]:
        """Tell the house what a table offers and who works there; the table plays by the house's options."""
        for command in entering(self.house, table.name, configuration, at_ms):
            self.carry(command)
        return table.follow(at_ms)

    def ask(self, command: c.Command) -> tuple[HouseEvent, ...] | HouseRefused:
        """Have the house decide, and keep what happened; a refusal too may leave something on record."""
        self.now_ms = max(self.now_ms, command.at_ms)  # Its mailbox too has one order, whichever table speaks.
        command = msgspec.structs.replace(command, at_ms=self.now_ms)
        decision = decide(self.house, command)
        events = decision.leaves if isinstance(decision, HouseRefused) else decision
        for event in events:
            self.house = evolve(self.house, event)
        self.history += events
        if events or command.by != "clock":  # News that changed nothing is no news.
            self.records.append(HouseRecord(command, decision))
        return decision

    def carry(self, command: c.Command) -> tuple[HouseEvent, ...]:
        """Tell the house what a table has done; a repetition it refuses changes nothing."""
        decision = self.ask(command)
        return () if isinstance(decision, HouseRefused) else decision

    def after(self, table: "PitTable", answer: Answer, at_ms: int) -> tuple[object, ...]:
        """Carry what the table did to the house, and what the house then does to its tables."""
        done: list[object] = []
        for event in answer.events:
            if isinstance(event, Configured):
                done += self.take_in(table, event.configuration, at_ms)
            elif (command := news(table.name, event, table.state, at_ms)) is not None:
                self.carry(command)
        busy = table.state.coup is not None
        told = self.carry(c.TellBusy(by="clock", role=Role.CLOCK, at_ms=at_ms, table=table.name, busy=busy))
        done += table.follow(at_ms) if answer.events else ()
        return (*done, *self.spread(table, told, at_ms))

    def spread(self, asking: "PitTable", events: tuple[HouseEvent, ...], at_ms: int) -> tuple[object, ...]:
        """Let every table do what follows for it from the house's events; the asking table's part is returned."""
        done: list[object] = []
        for table in self.tables.values() if events else ():
            followed = table.follow(at_ms)
            done += followed if table is asking else ()
        return tuple(done)

    def role_of(self, person: str, kind: type[c.Command]) -> Role | None:
        """The role in which a person asks the house; of several tables the first counts."""
        first_come = reversed(self.tables.values())
        signed_on = {who: role for table in first_come for who, role in table.state.signed_on.items()}
        return role_at_the_house(self.house, person, signed_on, kind)


class PitTable(Conversation):
    """A table of a pit: what is meant for the house goes there, and everything else is the table's own."""

    def __init__(self, pit: Pit, name: str, configuration: Configuration | None) -> None:
        super().__init__(configuration)
        self.pit, self.name = pit, name

    def answer(self, line: dict[str, Any]) -> Answer:
        verb, at_ms = line.get("do"), self._time(line)
        if isinstance(verb, str) and verb in TOURNAMENT_VERBS:
            return self._ask_a_tournament(line, at_ms)
        if isinstance(verb, str) and verb in HOUSE_VERBS:
            return self._ask_the_house(line, verb, at_ms)
        stamped = self._stamped(line, at_ms)
        if isinstance(stamped, HouseRefused):
            self.n += 1
            return self._said_no(stamped)
        answer = super().answer(stamped)
        more = self.pit.after(self, answer, at_ms)
        return self.shown((*answer.events, *more), answer.refusal) if more else answer

    def ticket_number(self) -> str:
        """Of the house's numbers, one that no other table makes."""
        return f"{list(self.pit.house.tables).index(self.name):06}{self.n:012}"

    def restart(self) -> tuple[object, ...]:
        """The last line was the last sign of life: at this table time passes only from line to line."""
        now_ms = self.now_ms
        return self._carried([Restart(by="clock", role=Role.CLOCK, at_ms=now_ms, last_sign_ms=now_ms)])

    def follow(self, at_ms: int) -> tuple[object, ...]:
        """Do what follows from what the house has decided."""
        return self._carried(following(self.pit.house, self.name, self.state, at_ms))

    def _carried(self, commands: Iterable[Command]) -> tuple[object, ...]:
        """Have the table do what follows from the house's record; it is not a line of the conversation."""
        done: list[object] = []
        n, self.n = self.n, self.n + 1  # Its record must not pass for that of the line.
        for command in commands:
            self.now_ms = max(self.now_ms, command.at_ms)
            decision = self._decide(msgspec.structs.replace(command, at_ms=self.now_ms))
            done += () if isinstance(decision, Refused) else decision
        self.n = n
        return tuple(done)

    def _time(self, line: Mapping[str, Any]) -> int:
        """The mailbox's order is the order of time; nothing arrives in the past."""
        at_ms = line.get("at_ms")
        return max(at_ms, self.now_ms) if isinstance(at_ms, int) else self.now_ms

    def _stamped(self, line: dict[str, Any], at_ms: int) -> dict[str, Any] | HouseRefused:
        """A line for the table with what the house has to say about it, or the house's refusal."""
        verb, place = line.get("do"), Place(self.name, self.state, self.pit.house, at_ms)
        try:
            self._check_on_staff(line, place)
            if verb in ("print_failed", "manual_pay") and isinstance(line.get("ticket"), str):
                check_ticket(place, line["ticket"])
        except No as no:
            return no.refused
        if verb in ("buy_in", "nominee"):
            named = [one for one in (line.get("patron"), line.get("nominee")) if isinstance(one, str)]
            return {**line, "excluded": is_excluded(place, str(line.get("station")), named)}
        return self._with_ticket(line, place) if verb == "leave" else line

    def _check_on_staff(self, line: Mapping[str, Any], place: Place) -> None:
        by, second = line.get("by"), line.get("second")
        if isinstance(by, str) and line.get("do") == "sign_on":
            check_signing_on(place, by, line.get("as_role"))
        elif isinstance(by, str):
            check_asking(place, by, line.get("role") or self.role_of(by))
        if isinstance(second, str):
            check_approving(place, second)

    def _with_ticket(self, line: dict[str, Any], place: Place) -> dict[str, Any] | HouseRefused:
        """Keep a number with the house before a station that pays by ticket uses it."""
        self.n += 1
        number = line.get("ticket", self.ticket_number())
        self.n -= 1
        station = line.get("station", line.get("by"))
        if not isinstance(station, str) or not isinstance(number, str):
            return line
        request = ticket_request(place, station, number)
        if request is None:
            return line
        decision = self.pit.ask(request)
        return decision if isinstance(decision, HouseRefused) else {**line, "ticket": number}

    def _ask_the_house(self, line: dict[str, Any], verb: str, at_ms: int) -> Answer:
        self.n += 1
        try:
            command = self._house_command(line, verb, at_ms)
            if isinstance(command, c.OrderOption):
                self._check_choice(command.option, command.choice)
        except Mistake as mistake:
            return self.shown((), Refused("malformed", "", f"{verb}: {mistake}"))
        except No as no:
            return self._said_no(no.refused)
        self.now_ms = command.at_ms
        decision = self.pit.ask(command)
        if isinstance(decision, HouseRefused):
            return self._said_no(decision)
        return self.shown((*decision, *self.pit.spread(self, decision, at_ms)), None)

    def _ask_a_tournament(self, line: dict[str, Any], at_ms: int) -> Answer:
        self.n += 1
        if self.pit.tournaments is None:
            sentence = "a recorded house keeps no tournaments: they have no stream in the journal"
            return self.shown((), Refused("not_recorded", 'CROWN 1.1 "tournament"', sentence))
        by = line.get("by", "operator")
        role = self.role_of(by) if isinstance(by, str) else Role.DEALER
        decision = self.pit.tournaments.answer(line, role, at_ms)
        return self.shown((), decision) if isinstance(decision, Refused) else self.shown(decision, None)

    def _house_command(self, line: dict[str, Any], verb: str, at_ms: int) -> c.Command:
        kind = COMMANDS[verb]
        by, second = line.get("by", _DESK.get(verb, "")), line.get("second", "")
        if not isinstance(by, str) or not isinstance(second, str):
            raise Mistake("by: who gives the command, and who approves it, is a word")
        fields = {**line, "by": by, "second": second}
        if type(line.get("at_ms", 0)) is int:  # Anything else is refused below, where it is named.
            fields["at_ms"] = at_ms
        fields["role"] = self._house_role(by, line.get("role"), kind)
        fields["second_role"] = self.pit.role_of(second, kind) if second else None
        if "table" in kind.__struct_fields__:
            fields.setdefault("table", self.name)
        try:
            return msgspec.convert(fields, kind)
        except msgspec.ValidationError as error:
            raise Mistake(told_of(error)) from None

    def _house_role(self, by: str, stated: object, kind: type[c.Command]) -> object:
        if by in self.state.stations:
            return Role.STATION
        if by in ("clock", "operator"):
            return Role(by)
        signed_on = any(by in table.state.signed_on for table in self.pit.tables.values())
        if stated is not None and not signed_on:
            return stated
        return self.pit.role_of(by, kind) or Role.DEALER

    def _check_choice(self, option: str, choice: int) -> None:
        """Every table that offers the bet must have the choice, or none of them changes over."""
        for name, table in self.pit.tables.items():
            if table.state.terms is not None and option in self.pit.house.tables[name].offers:
                try:
                    table.state.terms.rule_set.choose({option: choice})
                except Mistake as mistake:
                    raise No(Cause.NO_SUCH_CHOICE, why=mistake) from None

    def _said_no(self, no: HouseRefused) -> Answer:
        return self.shown(no.leaves, Refused(no.code, no.clause, no.text, no.alarm))
