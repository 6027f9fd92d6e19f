"""Replays a table's stream: each command is decided again and must give the recorded answer, byte for byte.

Independently of the rules, no coup may be settled twice, the money must add up after every settled coup, and a ticket
may be issued once and paid once. The first record that fails ends the replay of its stream.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from sabot.audit.agreement import ScoreOnRecord
from sabot.audit.chain import is_plain
from sabot.audit.problem import Problem, ProblemKind
from sabot.audit.record_check import STUCK, BadRecord, check_name, is_older_form, other_snapshot, problem_of
from sabot.audit.shelf import Past
from sabot.audit.tickets_in import CreditOnRecord
from sabot.basics.mistake import UNREADABLE
from sabot.floor.records.record_codec import (
    Answered,
    body_decided,
    is_older,
    lines_decided,
    read_act,
    read_act_of,
    read_acts_of,
    read_answer,
    read_events,
    read_happened,
    read_plain_touches,
    sets_a_wager,
    written,
)
from sabot.floor.records.recovery import kept_table
from sabot.journal.journal import Snapshot
from sabot.journal.record import Record, Stored
from sabot.ledger.audit import discrepancy
from sabot.table import events as e
from sabot.table.accounts.state import TableTicketStatus
from sabot.table.decide import decide
from sabot.table.refusal import Refused
from sabot.table.state import UNCONFIGURED, AnyTable, BareTable, TableState, Unconfigured
from sabot.table.wagers.touches import Touches

KEPT_COUPS = 1_000
"""Settled coups whose records are remembered, to name one that is settled again."""


class TableReplay:
    """Replays a table's stream."""

    def __init__(self, stream: str, build: str, snapshots: Sequence[Snapshot] = ()) -> None:
        self.stream, self._snapshots = stream, snapshots
        self.state: AnyTable = UNCONFIGURED
        self.settled: dict[int, int] = {}
        """The newest settled coups, each with the record that settled it, in their order."""
        self._newest_settled = 0
        self.tickets: dict[str, int] = {}
        """Every issued ticket and the record that issued it."""
        self.past = Past(stream)
        self.scored: list[ScoreOnRecord] = []
        """The scores of tournament sessions, with every revision."""
        self.credited: list[CreditOnRecord] = []
        """Every ticket that a station took in."""
        self.older = 0
        """How many decisions of programs of an earlier form were taken as recorded."""
        self.other_rule_sets = 0
        """How often another program configured the table with a rule set of another digest than this program's."""
        self._build, self._recorded_build = build, build
        self._touches: Touches | None = None
        self._needs_release = True
        """Whether a payment by hand names a release of the house; those of earlier forms do not."""

    is_quick = True

    def follow(self, rows: Sequence[Stored], epoch: int) -> int:
        """Take stored records whose bytes are exactly those that the rules give for their commands.

        The first that is otherwise changes nothing; `take` finds out whether anything is wrong.
        """
        place = 0
        while place < len(rows):
            run = _touches_from(rows, place)
            if run > place and self._follow_touches(rows[place:run], epoch):
                place = run
                continue
            for version, key, body, _, _ in rows[place : max(run, place + 1)]:
                if not self._follow(version, epoch, key, body):
                    return place
                place += 1
        return place

    def _follow_touches(self, rows: Sequence[Stored], epoch: int) -> bool:
        """Take a run of touches together, or change nothing and return False, so that they are taken one by one."""
        lines = lines_of(rows)
        if lines is None or type(self.state) is Unconfigured:
            return False
        touches, decided = Touches(self.state), []
        try:
            given = [one for one in read_acts_of(lines) if one is not None]
            for act, stamp in given:
                decision = decide(touches.state, act, stamp)
                decided.append(decision)
                if not (type(decision) is tuple and touches.lay_all(decision)) and type(decision) is not Refused:
                    return False
            if len(given) != len(rows) or lines_decided(epoch, [row[1] for row in rows], given, decided) != lines:
                return False
        except (*STUCK, *UNREADABLE):
            return False
        self._touches, self.state = touches, touches.state
        return True

    def _follow(self, version: int, epoch: int, key: str, body: bytes) -> bool:
        try:
            given = None if is_older(body) else read_act_of(body)
            if given is None:
                return False
            self._needs_release = True
            decision = decide(self.state, *given)
            if body_decided(epoch, key, given, decision) != body:
                return False
            if not isinstance(decision, Refused):
                self._go_on(decision, version)
        except (BadRecord, *STUCK, *UNREADABLE):
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
        state, self._needs_release = self.state, False
        for event in events:
            if type(event) in _LOOKED_AT:
                self._look_at(event, state, version)
            state = self.past.evolve(state, event, version)
        self.state = state

    def begin_from(self, opening: Snapshot) -> bool:
        """Begin from the state that a part of the journal opens with; whether it can be read."""
        kept = kept_table(opening)
        if kept is None or type(kept) is Unconfigured:
            return False
        self.state = kept
        self._newest_settled = max((one.coup for one in kept.played), default=0)
        self.tickets = dict.fromkeys(kept.tickets, 0)
        self.past.begin_from(kept)
        return True

    def was_recorded_by(self, build: str) -> None:
        """Note the program that recorded what follows."""
        self._recorded_build = build

    def take(self, record: Record) -> Problem | None:
        """Take one record, or return what is wrong with it."""
        return problem_of(self._take, record)

    def stand(self, version: int, link: bytes) -> Problem | None:
        """Compare the states that were kept at this record with the one that the records give."""
        return other_snapshot(self._snapshots, (version, link), kept_table, self.state)

    def _take(self, record: Record) -> None:
        answer = read_answer(record)
        if answer.started is not msgspec.UNSET:
            self.was_recorded_by(answer.started.build)
        if answer.act is msgspec.UNSET:
            return  # An owner has taken the stream, and said what it runs.
        is_of_before = is_older_form(record)
        decided = self._recorded if is_of_before else self._decided_again
        self.older += is_of_before
        self._needs_release = not is_of_before
        self.state = self._after(decided(record, answer), record.version)

    def _after(self, events: tuple[e.Event, ...], version: int) -> AnyTable:
        """The state after these events; raises `BadRecord` where one of them must never happen."""
        state = self.state
        for event in events:
            if type(event) in _LOOKED_AT:
                self._look_at(event, state, version)
            state = self.past.evolve(state, event, version)
            if type(event) in _SCORES:
                self.scored += _scored(state, event)
            if type(event) is e.WagersSettled and (wrong := discrepancy(state.ledger, state.meters)):
                raise BadRecord(ProblemKind.MONEY, f"after coup {event.coup} the money does not add up: {wrong}")
        return state

    def _decided_again(self, record: Record, answer: Answered) -> tuple[e.Event, ...]:
        """The events of the record, which are those that the rules give for its command now."""
        given = read_act(answer)
        check_name(record, given.stamp)
        decision = decide(self.state, *given)
        if isinstance(decision, Refused):
            if bytes(answer.refused or b"") != written(decision):
                self._look_at_recorded(record, answer)
                raise BadRecord(
                    ProblemKind.DECISION, self._otherwise(f"refuse it: {decision.text} ({decision.clause})")
                )
            return ()
        if bytes(answer.accepted or b"") != written(decision):
            if (configured := self._configured_by_another(decision, answer)) is not None:
                return configured
            self._look_at_recorded(record, answer)
            names = ", ".join(type(event).__name__ for event in decision)
            raise BadRecord(ProblemKind.DECISION, self._otherwise(f"give {names}"))
        return decision

    def _configured_by_another(self, decision: tuple[e.Event, ...], answer: Answered) -> tuple[e.Event, ...] | None:
        """The recorded events of another program, where they differ in nothing but the digest of the rule set.

        A shipped rule set has another digest as soon as its file has one more line. What the table decides afterwards
        is decided again by this program's rule set, and must be the same.
        """
        if self._recorded_build == self._build or answer.accepted is msgspec.UNSET:
            return None
        recorded = read_events(answer.accepted)
        digests = [one.rule_set_digest for one in recorded if type(one) is e.Configured]
        if not digests or written(_with_digest(decision, digests[0])) != bytes(answer.accepted):
            return None
        self.other_rule_sets += 1
        return recorded

    def _recorded(self, record: Record, answer: Answered) -> tuple[e.Event, ...]:
        """The events of the record, as they are recorded."""
        check_name(record, read_act(answer).stamp)
        return () if answer.accepted is msgspec.UNSET else read_events(answer.accepted)

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
            self._look_at_settled(event.coup, version)
        elif type(event) is e.TicketIssued:
            first = self.tickets.setdefault(event.ticket, version)
            if first != version:
                when = f"after record {first}" if first else "after one of an earlier part"
                raise BadRecord(ProblemKind.TICKET, f"ticket {event.ticket} is issued a second time, {when}")
        elif type(event) is e.TicketCredited:
            self.credited.append(CreditOnRecord(version, event.escrow, event.ticket, event.station, event.cents))
        elif type(event) is e.TicketPaidManually:
            ticket = state.tickets.get(event.ticket)
            if ticket is None or ticket.status is TableTicketStatus.PAID_MANUALLY:
                raise BadRecord(ProblemKind.TICKET, f"ticket {event.ticket} is paid without being owed")
            if self._needs_release and not event.release:
                raise BadRecord(ProblemKind.TICKET, f"ticket {event.ticket} is paid by hand without a release")

    def _look_at_settled(self, coup: int, version: int) -> None:
        """Coups are settled in the order of their numbers, so one above all others was not settled before."""
        if coup <= self._newest_settled and self.settled.get(coup) != version:
            first = self.settled.get(coup)
            when = f"after record {first}" if first else f"after coup {self._newest_settled}"
            raise BadRecord(ProblemKind.SETTLED_TWICE, f"coup {coup} is settled a second time, {when}")
        self.settled[coup] = version
        self._newest_settled = max(coup, self._newest_settled)
        if len(self.settled) > KEPT_COUPS:
            del self.settled[next(iter(self.settled))]

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

    def _follow_touches(self, rows: Sequence[Stored], epoch: int) -> bool:
        lines = lines_of(rows)
        if lines is None or type(self.state) is Unconfigured:
            return False
        touches = Touches(self.state)
        try:
            happened = read_plain_touches(lines, epoch, [row[1] for row in rows])
            if happened is None or not all(map(touches.lay_all, happened)):
                return False
        except (*STUCK, *UNREADABLE):
            return False
        self._touches, self.state = touches, touches.state
        return True

    def _follow(self, version: int, epoch: int, key: str, body: bytes) -> bool:
        try:
            if is_older(body) or not is_plain(epoch, key, body):
                return False
            events, started = read_happened(body)
            if started is not None:
                return False
            self._needs_release = True
            self._go_on(events, version)
        except (BadRecord, *STUCK, *UNREADABLE):
            return False
        return True

    def _take(self, record: Record) -> None:
        answer = read_answer(record)
        if answer.started is not msgspec.UNSET:
            self.was_recorded_by(answer.started.build)
        if answer.act is not msgspec.UNSET:
            self._needs_release = not is_older_form(record)
            self.state = self._after(self._recorded(record, answer), record.version)


def _touches_from(rows: Sequence[Stored], place: int) -> int:
    """The place behind the touches that follow one another from a place on."""
    return next((at for at in range(place, len(rows)) if not sets_a_wager(rows[at][2])), len(rows))


def lines_of(rows: Sequence[Stored]) -> bytes | None:
    """The bodies of records, one in each line; nothing where they cannot be told apart so."""
    lines = b"\n".join((*[row[2] for row in rows], b""))
    return lines if lines.count(b"\n") == len(rows) else None


def _with_digest(events: tuple[e.Event, ...], digest: str) -> tuple[e.Event, ...]:
    """The events as a program would have given them whose rule set has this digest."""
    return tuple(replace(one, rule_set_digest=digest) if type(one) is e.Configured else one for one in events)


_LOOKED_AT = {e.WagersSettled, e.TicketIssued, e.TicketCredited, e.TicketPaidManually}
_SCORES = {e.SessionScored, e.SessionRescored, e.SessionCoupCorrected}


def _scored(state: AnyTable, event: Any) -> Iterator[ScoreOnRecord]:
    """The scores that an event gave or changed."""
    if isinstance(event, e.SessionScored):
        yield ScoreOnRecord(event.sitting, event.counted, event.revision, event.scores)
        return
    assert isinstance(state, TableState)
    session = state.session
    is_on = session is not None and session.sitting == event.sitting
    for score in session.scores if session is not None and is_on else state.kept_sessions[event.sitting].scores:
        if score.revision == event.revision:
            yield ScoreOnRecord(event.sitting, score.counted, score.revision, dict(score.scores))
