"""Replaying a stream: each command is decided again and must come to what was recorded, byte for byte.

Besides, whatever the rules say, no coup is settled twice, the money adds up at every settled coup, and a ticket is
issued once and paid once. A record that fails any of it ends the replay of its stream.
"""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from sabot.audit.chain import is_plain
from sabot.audit.problem import Kind, Problem
from sabot.basics.mistake import Mistake
from sabot.floor.records.record_codec import (
    HOUSE,
    Answered,
    body_decided,
    read_answer,
    read_command,
    read_command_of,
    read_events,
    read_happened,
    read_house_command,
    read_house_events,
    written,
)
from sabot.floor.records.recovery import kept_house, kept_table
from sabot.house import events as h
from sabot.house.commands import Command as HouseCommand
from sabot.house.decide import decide as decide_house
from sabot.house.evolve import evolve as evolve_house
from sabot.house.refusal import Refused as HouseRefused
from sabot.house.state import HouseState
from sabot.journal.journal import Snapshot
from sabot.journal.record import Record
from sabot.ledger.audit import discrepancy
from sabot.table import events as e
from sabot.table.acts import Command
from sabot.table.decide import decide
from sabot.table.evolve import evolve
from sabot.table.refusal import Refused
from sabot.table.state import TableState, Ticket
from sabot.table.wagers.touches import Touches


class _Bad(Exception):
    """What is wrong with a record; caught where its place is known."""

    def __init__(self, kind: Kind, why: str) -> None:
        super().__init__(why)
        self.kind = kind


class TableReplay:
    """A table's stream, gone through again."""

    def __init__(self, stream: str, build: str, snapshot: Snapshot | None = None) -> None:
        self.stream, self._snapshot = stream, snapshot
        self.state = TableState()
        self.settled: dict[int, int] = {}
        """Every settled coup and the record that settled it."""
        self.tickets: dict[str, int] = {}
        """Every ticket that was issued and the record that did it."""
        self._build, self._recorded_build = build, build
        self._touches: Touches | None = None

    def follow(self, version: int, epoch: int, key: str, body: bytes) -> bool:
        """Go on by a stored record if it is, to the last byte, the one that the rules give for its command.

        Otherwise nothing has changed, and only `take` can say whether anything is wrong.
        """
        try:
            command = read_command_of(body)
            if command is None:
                return False
            decision = decide(self.state, command)
            if body_decided(epoch, key, command, decision) != body:
                return False
            if not isinstance(decision, Refused):
                self._go_on(decision, version)
        except (_Bad, *_STUCK, msgspec.DecodeError):
            return False
        return True

    def _go_on(self, events: tuple[e.Event, ...], version: int) -> None:
        """Most of all records are of one touch, and a replay never looks back at the table as it was before it."""
        if len(events) != 1 or type(events[0]) is not e.WagersChanged:
            self.state = self._after(events, version)
            return
        if self._touches is None or self._touches.state is not self.state:
            self._touches = Touches(self.state)
            self.state = self._touches.state
        self._touches.lay(events[0])

    def believe(self, events: Sequence[e.Event], version: int) -> None:
        """Go on by what a record says happened, which somebody else decides again."""
        state = self.state
        for event in events:
            if type(event) in _LOOKED_AT:
                self._look_at(event, state, version)
            state = evolve(state, event)
        self.state = state

    def was_recorded_by(self, build: str) -> None:
        """Take note of the program that recorded what comes now."""
        self._recorded_build = build

    def take(self, record: Record) -> Problem | None:
        """Go on by one record, or say what is wrong with it."""
        return _problem(self._take, record)

    def stand(self, version: int, link: bytes) -> Problem | None:
        """Hold the state that was kept here, if one was, against the one that the records come to."""
        return _other_snapshot(self._snapshot, (version, link), kept_table, self.state)

    def _take(self, record: Record) -> None:
        answer = read_answer(record.entry)
        if answer.started is not msgspec.UNSET:
            self.was_recorded_by(answer.started.build)
        if answer.command is msgspec.UNSET:
            return  # An owner has taken the stream, and said what it runs.
        self.state = self._after(self._decided_again(record, answer), record.version)

    def _after(self, events: tuple[e.Event, ...], version: int) -> TableState:
        """The table after these events, none of which is anything that must never happen."""
        state = self.state
        for event in events:
            if type(event) in _LOOKED_AT:
                self._look_at(event, state, version)
            state = evolve(state, event)
            if type(event) is e.WagersSettled and (wrong := discrepancy(state.ledger, state.meters)):
                raise _Bad(Kind.MONEY, f"after coup {event.coup} the money does not add up: {wrong}")
        return state

    def _decided_again(self, record: Record, answer: Answered) -> tuple[e.Event, ...]:
        """The events of the record, which are those that the rules give for its command now."""
        command = read_command(answer.command or msgspec.Raw())
        _check_name(record, command)
        decision = decide(self.state, command)
        if isinstance(decision, Refused):
            if bytes(answer.refused or b"") != written(decision):
                self._look_at_recorded(record, answer)
                raise _Bad(Kind.DECISION, self._otherwise(f"refuse it: {decision.text} ({decision.clause})"))
            return ()
        if bytes(answer.accepted or b"") != written(decision):
            self._look_at_recorded(record, answer)
            names = ", ".join(type(event).__name__ for event in decision)
            raise _Bad(Kind.DECISION, self._otherwise(f"give {names}"))
        return decision

    def _look_at_recorded(self, record: Record, answer: Answered) -> None:
        """A record that the rules do not give may be worse than that; say the worst of it."""
        if answer.accepted is not msgspec.UNSET:
            for event in read_events(answer.accepted):
                self._look_at(event, self.state, record.version)

    def _otherwise(self, outcome: str) -> str:
        other = (
            "" if self._recorded_build == self._build else f" (it was recorded by program {self._recorded_build[:12]})"
        )
        return f"it says something else than the rules, which {outcome}{other}"

    def _look_at(self, event: e.Event, state: TableState, version: int) -> None:
        if type(event) is e.WagersSettled:
            first = self.settled.setdefault(event.coup, version)
            if first != version:
                raise _Bad(Kind.SETTLED_TWICE, f"coup {event.coup} is settled a second time, after record {first}")
        elif type(event) is e.TicketIssued:
            first = self.tickets.setdefault(event.ticket, version)
            if first != version:
                raise _Bad(Kind.TICKET, f"ticket {event.ticket} is issued a second time, after record {first}")
        elif type(event) is e.TicketPaidManually:
            ticket = state.tickets.get(event.ticket)
            if ticket is None or ticket.status == "paid_manually":
                raise _Bad(Kind.TICKET, f"ticket {event.ticket} is paid without being owed")

    def end(self, version: int) -> Problem | None:
        wrong = discrepancy(self.state.ledger, self.state.meters)
        return (
            None if wrong is None else Problem(self.stream, version, Kind.MONEY, f"the money does not add up: {wrong}")
        )


class Recount(TableReplay):
    """A table's stream gone through as it was recorded: what it says happened is added up, and nothing decided again.

    It shows what can never have happened, a coup that is settled twice, money that does not add up; not a record that
    only says something else than the rules.
    """

    def follow(self, version: int, epoch: int, key: str, body: bytes) -> bool:
        try:
            if not is_plain(epoch, key, body):
                return False
            events, started = read_happened(body)
            if started is not None:
                return False
            self._go_on(events, version)
        except (_Bad, *_STUCK, msgspec.DecodeError):
            return False
        return True

    def _decided_again(self, record: Record, answer: Answered) -> tuple[e.Event, ...]:
        _check_name(record, read_command(answer.command or msgspec.Raw()))
        return () if answer.accepted is msgspec.UNSET else read_events(answer.accepted)


class HouseTicket(msgspec.Struct, frozen=True, gc=False):
    """What the house knows of a ticket, and which records say so."""

    table: str
    cents: int
    registered: int
    redeemed: int | None


_LOOKED_AT = {e.WagersSettled, e.TicketIssued, e.TicketPaidManually}


class HouseReplay:
    """The house's stream, gone through again, with a count of its own of what became of each ticket."""

    def __init__(self, snapshot: Snapshot | None = None) -> None:
        self.stream, self._snapshot = HOUSE, snapshot
        self.state = HouseState()
        self.registered: dict[str, int] = {}
        self.redeemed: dict[str, int] = {}

    def follow(self, version: int, epoch: int, key: str, body: bytes) -> bool:  # noqa: ARG002
        """The house has few records, and each of them is looked at closely."""
        return False

    def take(self, record: Record) -> Problem | None:
        return _problem(self._take, record)

    def stand(self, version: int, link: bytes) -> Problem | None:
        return _other_snapshot(self._snapshot, (version, link), kept_house, self.state)

    def _take(self, record: Record) -> None:
        answer = read_answer(record.entry)
        if answer.command is msgspec.UNSET:
            return
        command = read_house_command(answer.command)
        _check_name(record, command)
        decision = decide_house(self.state, command)
        refused = isinstance(decision, HouseRefused)
        if bytes((answer.refused if refused else answer.accepted) or b"") != written(decision):
            for event in read_house_events(answer):
                self._look_at(event, record.version)
            raise _Bad(Kind.DECISION, "it says something else than the rules of the house give for its command")
        for event in decision.leaves if isinstance(decision, HouseRefused) else decision:
            self._look_at(event, record.version)
            self.state = evolve_house(self.state, event)

    def _look_at(self, event: h.HouseEvent, version: int) -> None:
        if isinstance(event, h.TicketRegistered):
            first = self.registered.setdefault(event.ticket, version)
            if first != version:
                raise _Bad(Kind.TICKET, f"ticket {event.ticket} is registered a second time, after record {first}")
        elif isinstance(event, h.TicketRedeemed):
            first = self.redeemed.setdefault(event.ticket, version)
            known = self.state.tickets.get(event.ticket)
            if first != version:
                raise _Bad(Kind.TICKET, f"ticket {event.ticket} is paid a second time, after record {first}")
            if known is None or known.cents != event.cents:
                raise _Bad(Kind.TICKET, f"ticket {event.ticket} is paid otherwise than it was registered")

    def tickets(self) -> dict[str, HouseTicket]:
        known = self.state.tickets
        return {
            number: HouseTicket(known[number].table, known[number].cents, version, self.redeemed.get(number))
            for number, version in self.registered.items()
        }

    def end(self, version: int) -> Problem | None:
        if self.state.ledger.is_balanced:
            return None
        return Problem(HOUSE, version, Kind.MONEY, "tickets outstanding, cage and tables do not add up")


_STUCK = (AssertionError, KeyError, IndexError, StopIteration, AttributeError, Mistake)
"""What a state runs into that an event does not fit."""


def _problem(take: Callable[[Record], None], record: Record) -> Problem | None:
    """What taking a record runs into, with its place."""
    stream, version = record.stream, record.version
    try:
        take(record)
    except _Bad as bad:
        return Problem(stream, version, bad.kind, str(bad))
    except _STUCK as stuck:
        why = f"what it says cannot have happened after what came before it ({stuck})"
        return Problem(stream, version, Kind.IMPOSSIBLE, why)
    except msgspec.DecodeError as error:
        return Problem(stream, version, Kind.DAMAGED, f"its answer cannot be read: {error}")
    return None


def _other_snapshot(
    snapshot: Snapshot | None, place: tuple[int, bytes], read: Callable[[Snapshot], object | None], state: object
) -> Problem | None:
    """A snapshot of this very record that a start would trust, and that is not what the records come to.

    One that does not fit the chain, or cannot be read, is passed over at a start, and so it is here.
    """
    if snapshot is None or (snapshot.version, snapshot.hash) != place:
        return None
    kept = read(snapshot)
    if kept is None or kept == state:
        return None
    why = "the state that was kept after it is not the one that the records come to; drop the snapshot"
    return Problem(snapshot.stream, snapshot.version, Kind.SNAPSHOT, why)


def _check_name(record: Record, command: Command | HouseCommand) -> None:
    """Who did it, who approved it and when stand in the record twice, and must be the same."""
    entry = record.entry
    if (command.by, command.second, command.at_ms) != (entry.actor, entry.second_actor, entry.at_ms):
        raise _Bad(Kind.DECISION, "its actor, its second actor or its time is not the one in its command")


def paid_at_both(registered: Mapping[str, HouseTicket], issued: Mapping[str, Mapping[str, Ticket]]) -> Problem | None:
    """A ticket that the cage has paid and a table paid by hand, or that no table has issued as the house knows it."""
    for number, known in registered.items():
        if known.table not in issued:
            continue  # A table whose stream could not be replayed has its own problem.
        ticket = issued[known.table].get(number)
        if ticket is None or ticket.cents != known.cents:
            why = f"table {known.table} has not issued ticket {number} for {known.cents} cents"
            return Problem(HOUSE, known.registered, Kind.TICKET, why)
        if known.redeemed is not None and ticket.status == "paid_manually":
            why = f"the cage pays ticket {number}, which table {known.table} has paid by hand"
            return Problem(HOUSE, known.redeemed, Kind.TICKET, why)
    return None
