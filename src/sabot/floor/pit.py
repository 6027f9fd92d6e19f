"""A pit: some tables and the house they belong to, as a conversation.

What goes between the streams is what the floor carries: a table's tickets are registered with the house, the house's
options are taken up by the tables. Each stream decides for itself; nothing is decided here.
"""

from typing import Any

import msgspec

from sabot.house import events as house_events
from sabot.house import house
from sabot.house.state import HouseState, evolve
from sabot.rules.mistake import Mistake
from sabot.table.configuration import Configuration, offered_bets, rule_set_of
from sabot.table.conversation import Answer, Conversation
from sabot.table.events import PrintFailed, TicketIssued
from sabot.table.refusal import Refused
from sabot.table.role import Role

HOUSE_VERBS: dict[str, tuple[str, ...]] = {"redeem": ("ticket",), "option": ("option", "choice")}
"""What is said to the house, with its fields."""

_WHO = {"redeem": {Role.CASHIER}, "option": {Role.OPERATOR, Role.CASINO_SUPERVISOR}}


class Pit:
    """The house, and its tables by name."""

    def __init__(self) -> None:
        self.house = HouseState()
        self.history: list[house_events.HouseEvent] = []
        self.tables: dict[str, PitTable] = {}

    def enter(self, configuration: Configuration) -> "PitTable":
        """Set up a table of this house; one with a name that is taken is given the next free number."""
        name, number = configuration.table, 1
        while name in self.tables:
            number += 1
            name = f"{configuration.table}-{number}"
        table = PitTable(self, name, configuration)
        self.tables[name] = table
        offers = {
            rules.option
            for bet, rules in rule_set_of(configuration).bets.items()
            if rules.option and bet in offered_bets(configuration)
        }
        self.apply(house_events.TableEntered(table=name, offers=tuple(sorted(offers))))
        return table

    def apply(self, *events: house_events.HouseEvent) -> None:
        for event in events:
            self.house = evolve(self.house, event)
        self.history += events

    def after(self, table: "PitTable", answer: Answer) -> tuple[object, ...]:
        """Carry what the table did to the house, and what the house then does to its tables."""
        for event in answer.events:
            if isinstance(event, TicketIssued):
                self.apply(*house.register_ticket(self.house, event.ticket, event.cents, table.name, event.station))
            elif isinstance(event, PrintFailed):
                self.apply(*house.void_ticket(self.house, event.ticket, event.fault))
        busy = table.state.coup is not None
        if self.house.tables[table.name].busy is not busy:
            self.apply(house_events.TableBusy(table=table.name, busy=busy))
        return self.change_over(table, house.options_due(self.house))

    def change_over(self, asking: "PitTable", due: tuple[house_events.HouseEvent, ...]) -> tuple[object, ...]:
        """Let every table that offers the bet take the option up; what the asking table did is part of its answer."""
        done: list[object] = []
        self.apply(*due)
        for event in due:
            if isinstance(event, house_events.OptionChanged):
                for name, table in self.tables.items():
                    if event.option in self.house.tables[name].offers:
                        taken = table.take_up(event.option, event.choice)
                        done += taken if table is asking else ()
        return tuple(done)


class PitTable(Conversation):
    """A table of a pit: what is meant for the house goes there, and everything else is the table's own."""

    def __init__(self, pit: Pit, name: str, configuration: Configuration) -> None:
        super().__init__(configuration)
        self.pit, self.name = pit, name

    def answer(self, line: dict[str, Any]) -> Answer:
        verb, by = line.get("do"), line.get("by", "")
        if isinstance(verb, str) and verb in HOUSE_VERBS:
            if not isinstance(by, str):
                return self.shown((), Refused("malformed", "", f"{verb}: by: who gives the command is a word"))
            return self._ask_the_house(line)
        if verb == "leave" and isinstance(line.get("ticket"), str) and line["ticket"] in self.pit.house.tickets:
            self.n += 1
            return self.shown(
                (),
                Refused(
                    "ticket_number",
                    "CROWN 6.7.2",
                    "a ticket needs an unused number of 18 digits; the house knows this one",
                ),
            )
        if verb in ("print_failed", "manual_pay") and self._is_paid(line.get("ticket")):
            self.n += 1
            return self.shown((), Refused("paid_already", "CROWN 6.7.2", "the cage has already paid this ticket"))
        answer = super().answer(line)
        more = self.pit.after(self, answer)
        return self.shown((*answer.events, *more), answer.refusal) if more else answer

    def ticket_number(self) -> str:
        """Of the house's numbers, one that no other table makes."""
        return f"{list(self.pit.tables).index(self.name):06}{self.n:012}"

    def _check_choice(self, option: str, choice: int) -> None:
        """Every table that offers the bet must have the choice, or none of them changes over."""
        for table in self.pit.tables.values():
            terms = table.state.terms
            if terms is not None and option in terms.rule_set.options:
                try:
                    terms.rule_set.choose({option: choice})
                except Mistake as mistake:
                    raise house.NotByTheHouse("configuration", "CROWN 10.1 note *", str(mistake)) from None

    def _is_paid(self, ticket: object) -> bool:
        known = self.pit.house.tickets.get(ticket) if isinstance(ticket, str) else None
        return known is not None and known.status == "paid"

    def take_up(self, option: str, choice: int) -> tuple[object, ...]:
        return super().answer({"do": "take_up_option", "by": "clock", "option": option, "choice": choice}).events

    def _ask_the_house(self, line: dict[str, Any]) -> Answer:
        self.n += 1
        verb, by = line["do"], line.get("by", "operator" if line["do"] == "option" else "")
        fields = {name: line.get(name) for name in HOUSE_VERBS[verb]}
        role = self.role_of(by)
        if role not in _WHO[verb]:
            clause = "CROWN 6.7.2" if verb == "redeem" else "CROWN 10.1 note *"
            return self.shown((), Refused("wrong_role", clause, f"{by} may not do this as {role.in_words}"))
        try:
            if verb == "redeem":
                events = house.redeem(self.pit.house, str(fields["ticket"]), by, line.get("at_ms", self.now_ms))
            else:
                option, choice = msgspec.convert([fields["option"], fields["choice"]], tuple[str, int])
                self._check_choice(option, choice)
                events = house.order_option(self.pit.house, option, choice, by)
        except house.NotByTheHouse as no:
            return self.shown((), Refused(no.code, no.clause, str(no)))
        except msgspec.ValidationError as error:
            return self.shown((), Refused("malformed", "", f"{verb}: {error}"))
        due = tuple(event for event in events if isinstance(event, house_events.OptionChanged))
        said = tuple(event for event in events if event not in due)
        self.pit.apply(*said)
        return self.shown((*said, *due, *self.pit.change_over(self, due)), None)
