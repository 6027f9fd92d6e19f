"""Replays a stream: each command is decided again and must give the recorded answer, byte for byte.

Independently of the rules, no coup may be settled twice, the money must add up after every settled coup, and a ticket
may be issued once and paid once. The first record that fails ends the replay of its stream.
"""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from sabot.audit.chain import is_plain
from sabot.audit.problem import Problem, ProblemKind
from sabot.basics.mistake import Mistake
from sabot.basics.stamp import Stamp
from sabot.floor.records.record_codec import (
    HOUSE,
    Answered,
    body_decided,
    read_act,
    read_act_of,
    read_answer,
    read_events,
    read_happened,
    read_house_act,
    read_house_events,
    written,
)
from sabot.floor.records.recovery import kept_house, kept_table
from sabot.house import events as h
from sabot.house.decide import decide as decide_house
from sabot.house.evolve import evolve as evolve_house
from sabot.house.refusal import HouseRefused
from sabot.house.state import HouseState
from sabot.journal.journal import Snapshot
from sabot.journal.record import Record
from sabot.ledger.audit import discrepancy
from sabot.table import events as e
from sabot.table.accounts.state import TableTicket, TableTicketStatus
from sabot.table.decide import decide
from sabot.table.evolve import evolve
from sabot.table.refusal import Refused
from sabot.table.state import UNCONFIGURED, AnyTable, BareTable, Unconfigured
from sabot.table.wagers.touches import Touches


class _Bad(Exception):
    """The fault of a record; caught where its stream and version are known."""

    def __init__(self, kind: ProblemKind, why: str) -> None:
        super().__init__(why)
        self.kind = kind


class TableReplay:
    """Replays a table's stream."""

    def __init__(self, stream: str, build: str, snapshot: Snapshot | None = None) -> None:
        self.stream, self._snapshot = stream, snapshot
        self.state: AnyTable = UNCONFIGURED
        self.settled: dict[int, int] = {}
        """Every settled coup and the record that settled it."""
        self.tickets: dict[str, int] = {}
        """Every issued ticket and the record that issued it."""
        self._build, self._recorded_build = build, build
        self._touches: Touches | None = None

    def follow(self, version: int, epoch: int, key: str, body: bytes) -> bool:
        """Take a stored record if its bytes are exactly those that the rules give for its command.

        Otherwise change nothing; `take` finds out whether anything is wrong.
        """
        try:
            given = read_act_of(body)
            if given is None:
                return False
            decision = decide(self.state, *given)
            if body_decided(epoch, key, given, decision) != body:
                return False
            if not isinstance(decision, Refused):
                self._go_on(decision, version)
        except (_Bad, *_STUCK, msgspec.DecodeError):
            return False
        return True

    def _go_on(self, events: tuple[e.Event, ...], version: int) -> None:
        """Most records are one change of a wager. A replay needs no earlier state, so they are applied to one copy."""
        if len(events) != 1 or type(events[0]) is not e.WagersChanged or type(self.state) is Unconfigured:
            self.state = self._after(events, version)
            return
        if self._touches is None or self._touches.state is not self.state:
            self._touches = Touches(self.state)
            self.state = self._touches.state
        self._touches.lay(events[0])

    def apply_recorded(self, events: Sequence[e.Event], version: int) -> None:
        """Apply the events of a record that another stretch checks."""
        state = self.state
        for event in events:
            if type(event) in _LOOKED_AT:
                self._look_at(event, state, version)
            state = evolve(state, event)
        self.state = state

    def was_recorded_by(self, build: str) -> None:
        """Note the program that recorded what follows."""
        self._recorded_build = build

    def take(self, record: Record) -> Problem | None:
        """Take one record, or return what is wrong with it."""
        return _problem(self._take, record)

    def stand(self, version: int, link: bytes) -> Problem | None:
        """Compare the snapshot at this record, if there is one, with the state that the records give."""
        return _other_snapshot(self._snapshot, (version, link), kept_table, self.state)

    def _take(self, record: Record) -> None:
        answer = read_answer(record.entry)
        if answer.started is not msgspec.UNSET:
            self.was_recorded_by(answer.started.build)
        if answer.act is msgspec.UNSET:
            return  # An owner has taken the stream, and said what it runs.
        self.state = self._after(self._decided_again(record, answer), record.version)

    def _after(self, events: tuple[e.Event, ...], version: int) -> AnyTable:
        """The state after these events; raises `_Bad` where one of them must never happen."""
        state = self.state
        for event in events:
            if type(event) in _LOOKED_AT:
                self._look_at(event, state, version)
            state = evolve(state, event)
            if type(event) is e.WagersSettled and (wrong := discrepancy(state.ledger, state.meters)):
                raise _Bad(ProblemKind.MONEY, f"after coup {event.coup} the money does not add up: {wrong}")
        return state

    def _decided_again(self, record: Record, answer: Answered) -> tuple[e.Event, ...]:
        """The events of the record, which are those that the rules give for its command now."""
        given = read_act(answer)
        _check_name(record, given.stamp)
        decision = decide(self.state, *given)
        if isinstance(decision, Refused):
            if bytes(answer.refused or b"") != written(decision):
                self._look_at_recorded(record, answer)
                raise _Bad(ProblemKind.DECISION, self._otherwise(f"refuse it: {decision.text} ({decision.clause})"))
            return ()
        if bytes(answer.accepted or b"") != written(decision):
            self._look_at_recorded(record, answer)
            names = ", ".join(type(event).__name__ for event in decision)
            raise _Bad(ProblemKind.DECISION, self._otherwise(f"give {names}"))
        return decision

    def _look_at_recorded(self, record: Record, answer: Answered) -> None:
        """Raise the graver problem, where a record that differs from the rules also settles or pays something twice."""
        if answer.accepted is not msgspec.UNSET:
            for event in read_events(answer.accepted):
                self._look_at(event, self.state, record.version)

    def _otherwise(self, outcome: str) -> str:
        other = (
            "" if self._recorded_build == self._build else f" (it was recorded by program {self._recorded_build[:12]})"
        )
        return f"it says something else than the rules, which {outcome}{other}"

    def _look_at(self, event: e.Event, state: BareTable, version: int) -> None:
        if type(event) is e.WagersSettled:
            first = self.settled.setdefault(event.coup, version)
            if first != version:
                raise _Bad(
                    ProblemKind.SETTLED_TWICE, f"coup {event.coup} is settled a second time, after record {first}"
                )
        elif type(event) is e.TicketIssued:
            first = self.tickets.setdefault(event.ticket, version)
            if first != version:
                raise _Bad(ProblemKind.TICKET, f"ticket {event.ticket} is issued a second time, after record {first}")
        elif type(event) is e.TicketPaidManually:
            ticket = state.tickets.get(event.ticket)
            if ticket is None or ticket.status is TableTicketStatus.PAID_MANUALLY:
                raise _Bad(ProblemKind.TICKET, f"ticket {event.ticket} is paid without being owed")

    def end(self, version: int) -> Problem | None:
        wrong = discrepancy(self.state.ledger, self.state.meters)
        return (
            None
            if wrong is None
            else Problem(self.stream, version, ProblemKind.MONEY, f"the money does not add up: {wrong}")
        )


class Recount(TableReplay):
    """Applies a table's recorded events and checks that they add up; nothing is decided again.

    It finds a coup that is settled twice or money that does not add up, but not a record that merely differs from the
    rules.
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
        _check_name(record, read_act(answer).stamp)
        return () if answer.accepted is msgspec.UNSET else read_events(answer.accepted)


class HouseTicket(msgspec.Struct, frozen=True, gc=False):
    """A ticket in the house's stream, with the versions of its records."""

    table: str
    cents: int
    registered: int
    redeemed: int | None


_LOOKED_AT = {e.WagersSettled, e.TicketIssued, e.TicketPaidManually}


class HouseReplay:
    """Replays the house's stream, and counts for itself how often each ticket and slip was settled."""

    def __init__(self, snapshot: Snapshot | None = None) -> None:
        self.stream, self._snapshot = HOUSE, snapshot
        self.state = HouseState()
        self.registered: dict[str, int] = {}
        self.redeemed: dict[str, int] = {}
        self._slips: dict[str, int] = {}

    def follow(self, version: int, epoch: int, key: str, body: bytes) -> bool:  # noqa: ARG002
        """The house has few records, so there is no fast path."""
        return False

    def take(self, record: Record) -> Problem | None:
        return _problem(self._take, record)

    def stand(self, version: int, link: bytes) -> Problem | None:
        return _other_snapshot(self._snapshot, (version, link), kept_house, self.state)

    def _take(self, record: Record) -> None:
        answer = read_answer(record.entry)
        if answer.act is msgspec.UNSET:
            return
        given = read_house_act(answer)
        _check_name(record, given.stamp)
        decision = decide_house(self.state, *given)
        refused = isinstance(decision, HouseRefused)
        if bytes((answer.refused if refused else answer.accepted) or b"") != written(decision):
            for event in read_house_events(answer):
                self._look_at(event, record.version)
            raise _Bad(ProblemKind.DECISION, "it says something else than the rules of the house give for its command")
        for event in decision.leaves if isinstance(decision, HouseRefused) else decision:
            self._look_at(event, record.version)
            self.state = evolve_house(self.state, event)

    def _look_at(self, event: h.HouseEvent, version: int) -> None:
        if isinstance(event, h.TicketRegistered):
            first = self.registered.setdefault(event.ticket, version)
            if first != version:
                raise _Bad(
                    ProblemKind.TICKET, f"ticket {event.ticket} is registered a second time, after record {first}"
                )
        elif isinstance(event, h.TicketRedeemed):
            first = self.redeemed.setdefault(event.ticket, version)
            known = self.state.tickets.get(event.ticket)
            if first != version:
                raise _Bad(ProblemKind.TICKET, f"ticket {event.ticket} is paid a second time, after record {first}")
            if known is None or known.cents != event.cents:
                raise _Bad(ProblemKind.TICKET, f"ticket {event.ticket} is paid otherwise than it was registered")
        elif isinstance(event, h.SlipTaken | h.SlipPaid):
            self._look_at_slip(event, version)

    def _look_at_slip(self, event: h.SlipTaken | h.SlipPaid, version: int) -> None:
        first = self._slips.setdefault(event.slip, version)
        known = self.state.slips.get(event.slip)
        if first != version:
            raise _Bad(ProblemKind.MONEY, f"slip {event.slip} is settled a second time, after record {first}")
        if known is None or known.cents != event.cents:
            raise _Bad(ProblemKind.MONEY, f"slip {event.slip} is settled otherwise than it was registered")

    def tickets(self) -> dict[str, HouseTicket]:
        known = self.state.tickets
        return {
            number: HouseTicket(known[number].table, known[number].cents, version, self.redeemed.get(number))
            for number, version in self.registered.items()
        }

    def end(self, version: int) -> Problem | None:
        if self.state.ledger.is_balanced:
            return None
        why = "tickets outstanding, cage, tables and tournaments do not add up"
        return Problem(HOUSE, version, ProblemKind.MONEY, why)


_STUCK = (AssertionError, KeyError, IndexError, StopIteration, AttributeError, Mistake)
"""What `evolve` raises for an event that does not fit the state."""


def _problem(take: Callable[[Record], None], record: Record) -> Problem | None:
    """The problem that taking a record raises, with its stream and version."""
    stream, version = record.stream, record.version
    try:
        take(record)
    except _Bad as bad:
        return Problem(stream, version, bad.kind, str(bad))
    except _STUCK as stuck:
        why = f"what it says cannot have happened after what came before it ({stuck})"
        return Problem(stream, version, ProblemKind.IMPOSSIBLE, why)
    except msgspec.DecodeError as error:
        return Problem(stream, version, ProblemKind.DAMAGED, f"its answer cannot be read: {error}")
    return None


def _other_snapshot(
    snapshot: Snapshot | None, place: tuple[int, bytes], read: Callable[[Snapshot], object | None], state: object
) -> Problem | None:
    """The problem of a usable snapshot at this record that differs from the state that the records give.

    A snapshot that does not fit the chain, or cannot be read, is ignored at start-up, and here as well.
    """
    if snapshot is None or (snapshot.version, snapshot.hash) != place:
        return None
    kept = read(snapshot)
    if kept is None or kept == state:
        return None
    why = "the state that was kept after it is not the one that the records come to; drop the snapshot"
    return Problem(snapshot.stream, snapshot.version, ProblemKind.SNAPSHOT, why)


def _check_name(record: Record, stamp: Stamp) -> None:
    """Who did it, who approved it and when stand in the record twice, and must be the same."""
    entry = record.entry
    if (stamp.by, stamp.second, stamp.at_ms) != (entry.actor, entry.second_actor, entry.at_ms):
        raise _Bad(ProblemKind.DECISION, "its actor, its second actor or its time is not the one in its stamp")


def paid_at_both(
    registered: Mapping[str, HouseTicket], issued: Mapping[str, Mapping[str, TableTicket]]
) -> Problem | None:
    """The problem of a ticket that both the cage and a table have paid, or that its table has not issued so."""
    for number, known in registered.items():
        if known.table not in issued:
            continue  # The stream of that table could not be replayed, which is a problem of its own.
        ticket = issued[known.table].get(number)
        if ticket is None or ticket.cents != known.cents:
            why = f"table {known.table} has not issued ticket {number} for {known.cents} cents"
            return Problem(HOUSE, known.registered, ProblemKind.TICKET, why)
        if known.redeemed is not None and ticket.status is TableTicketStatus.PAID_MANUALLY:
            why = f"the cage pays ticket {number}, which table {known.table} has paid by hand"
            return Problem(HOUSE, known.redeemed, ProblemKind.TICKET, why)
    return None
