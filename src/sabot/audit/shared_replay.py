"""Replays the streams that processes share, the house's and the tournaments': each act is decided again.

Each must give the recorded answer, byte for byte. These streams have few records, so nothing is taken as recorded.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from sabot.audit.agreement import NoteOnRecord, SlipOnRecord
from sabot.audit.papers import Papers
from sabot.audit.problem import Problem, ProblemKind
from sabot.audit.record_check import BadRecord, check_name, is_older_form, other_snapshot, problem_of
from sabot.audit.tickets_in import Escrows, InEscrowOnRecord
from sabot.floor.records.record_codec import (
    HOUSE,
    Answered,
    read_answer,
    read_house_act,
    read_house_decision,
    read_house_events,
    read_tournament_act,
    read_tournament_decision,
    table_stream,
    tournament_stream,
    written,
)
from sabot.floor.records.recovery import kept_house, kept_tournament
from sabot.floor.shared_owner.kinds import HouseDecision, TournamentDecision
from sabot.house import events as h
from sabot.house.refusal import HouseRefused
from sabot.house.state import HouseState
from sabot.journal.journal import Snapshot
from sabot.journal.record import Record, Stored
from sabot.table.accounts.state import TableTicket, TableTicketStatus
from sabot.tournament import events as t
from sabot.tournament.decide import decide as decide_tournament
from sabot.tournament.evolve import fold as fold_tournament
from sabot.tournament.refusal import TournamentRefused
from sabot.tournament.state import TournamentState


class HouseTicket(msgspec.Struct, frozen=True, gc=False):
    """A ticket in the house's stream, with the versions of its records."""

    table: str
    cents: int
    registered: int
    redeemed: int | None
    released: dict[int, int] = {}
    """Every release to its table, with the version of its record."""


_SETTLED = frozenset({"taken", "paid", "forfeited", "cancelled"})


class HouseReplay:
    """Replays the house's stream, and counts for itself how often each ticket and slip was settled."""

    def __init__(self, snapshots: Sequence[Snapshot] = ()) -> None:
        self.stream, self._snapshots = HOUSE, snapshots
        self.state = HouseState()
        self.registered: dict[str, int] = {}
        self.redeemed: dict[str, int] = {}
        self.older = 0
        """How many decisions of programs of an earlier form were taken as recorded."""
        self._released: dict[str, dict[int, int]] = {}
        self._escrowed: dict[int, InEscrowOnRecord] = {}
        self._escrows_before = 0
        self._slips: dict[str, int] = {}
        self._slips_registered: dict[str, int] = {}
        self._papers = Papers()

    is_quick = False
    """The house has few records, so there is no fast path."""

    def follow(self, rows: Sequence[Stored], epoch: int) -> int:  # noqa: ARG002
        return 0

    def take(self, record: Record) -> Problem | None:
        return problem_of(self._take, record)

    def stand(self, version: int, link: bytes) -> Problem | None:
        return other_snapshot(self._snapshots, (version, link), kept_house, self.state)

    def begin_from(self, opening: Snapshot) -> bool:
        """Begin from the state that a part of the journal opens with; whether it can be read."""
        kept = kept_house(opening)
        if kept is not None:
            self.state, self._escrows_before = kept, kept.escrows
            self._papers.begin_from(kept)
        return kept is not None

    def _take(self, record: Record) -> None:
        answer = read_answer(record)
        if answer.act is msgspec.UNSET:
            return
        given = read_house_act(answer)
        check_name(record, given.stamp)
        self.older += is_older_form(record)
        decision = read_house_decision(answer) if is_older_form(record) else self._decided_again(record, answer)
        for event in decision.leaves if isinstance(decision, HouseRefused) else decision:
            self._look_at(event, record.version)
            self.state = self._papers.evolve(self.state, event)

    def _decided_again(self, record: Record, answer: Answered) -> HouseDecision:
        decision = self._papers.decide(self.state, read_house_act(answer))
        refused = isinstance(decision, HouseRefused)
        if bytes((answer.refused if refused else answer.accepted) or b"") != written(decision):
            for event in read_house_events(answer):
                self._look_at(event, record.version)
            raise BadRecord(
                ProblemKind.DECISION, "it says something else than the rules of the house give for its command"
            )
        return decision

    def _look_at(self, event: h.HouseEvent, version: int) -> None:
        if isinstance(event, h.TicketRegistered):
            first = self.registered.setdefault(event.ticket, version)
            if first != version:
                raise BadRecord(
                    ProblemKind.TICKET, f"ticket {event.ticket} is registered a second time, after record {first}"
                )
        elif isinstance(event, h.TicketRedeemed | h.TicketTakenIn):
            first = self.redeemed.setdefault(event.ticket, version)
            known = self.state.tickets.get(event.ticket)
            if first != version:
                raise BadRecord(
                    ProblemKind.TICKET, f"ticket {event.ticket} is paid a second time, after record {first}"
                )
            if known is None or known.cents != event.cents:
                raise BadRecord(ProblemKind.TICKET, f"ticket {event.ticket} is paid otherwise than it was registered")
        elif isinstance(event, h.TicketReleased):
            self._released.setdefault(event.ticket, {})[event.release] = version
        elif isinstance(event, h.TicketEscrowed):
            place = InEscrowOnRecord(event.ticket, event.table, event.station, event.cents)
            self._escrowed[event.escrow] = place
        elif isinstance(event, h.SlipRegistered):
            self._slips_registered.setdefault(event.slip, version)
        elif isinstance(event, h.SlipTaken | h.SlipPaid):
            self._look_at_slip(event, version)

    def _look_at_slip(self, event: h.SlipTaken | h.SlipPaid, version: int) -> None:
        first = self._slips.setdefault(event.slip, version)
        known = self.state.slips.get(event.slip)
        if first != version:
            raise BadRecord(ProblemKind.MONEY, f"slip {event.slip} is settled a second time, after record {first}")
        if known is None or known.cents != event.cents:
            raise BadRecord(ProblemKind.MONEY, f"slip {event.slip} is settled otherwise than it was registered")

    def tickets(self) -> dict[str, HouseTicket]:
        known = self._papers.tickets(self.state)
        return {
            number: HouseTicket(
                *(known[number].table, known[number].cents, version, self.redeemed.get(number)),
                self._released.get(number, {}),
            )
            for number, version in self.registered.items()
        }

    @property
    def escrows(self) -> Escrows:
        return Escrows(self._escrows_before, self._escrowed)

    def named(self) -> tuple[str, ...]:
        """The streams of every table and tournament that the house was ever told of."""
        return (*map(table_stream, self.state.tables), *map(tournament_stream, self.state.tournaments))

    def slips(self) -> dict[str, SlipOnRecord]:
        """Every slip that was registered, with what became of it."""
        return {
            number: SlipOnRecord(
                version=self._slips_registered[number],
                direction=one.direction.value,
                cents=one.cents,
                parts={part.value: cents for part, cents in one.parts.items()},
                entrant=one.entrant,
                player=one.player,
                purpose=one.purpose,
                settled=one.status.value if one.status in _SETTLED else "",
            )
            for number, one in self._papers.slips(self.state).items()
            if number in self._slips_registered
        }

    def end(self, version: int) -> Problem | None:
        if self.state.ledger.is_balanced:
            return None
        why = "tickets outstanding, cage, tables and tournaments do not add up"
        return Problem(HOUSE, version, ProblemKind.MONEY, why)


class TournamentReplay:
    """Replays a tournament's stream. It has no money of its own: its slips are the house's."""

    def __init__(self, stream: str, snapshots: Sequence[Snapshot] = ()) -> None:
        self.stream, self._snapshots = stream, snapshots
        self.state = TournamentState()
        self.older = 0
        """How many decisions of programs of an earlier form were taken as recorded."""
        self.notes: list[NoteOnRecord] = []
        """Every note of scores."""
        self.slips: dict[str, SlipOnRecord] = {}
        """Every slip that was raised, with what was noted of it."""

    is_quick = False
    """A tournament has few records, so there is no fast path."""

    def follow(self, rows: Sequence[Stored], epoch: int) -> int:  # noqa: ARG002
        return 0

    def take(self, record: Record) -> Problem | None:
        return problem_of(self._take, record)

    def stand(self, version: int, link: bytes) -> Problem | None:
        return other_snapshot(self._snapshots, (version, link), kept_tournament, self.state)

    def begin_from(self, opening: Snapshot) -> bool:
        """Begin from the state that a part of the journal opens with; whether it can be read."""
        kept = kept_tournament(opening)
        self.state = self.state if kept is None else kept
        return kept is not None

    def _take(self, record: Record) -> None:
        answer = read_answer(record)
        if answer.act is msgspec.UNSET:
            return
        given = read_tournament_act(answer)
        check_name(record, given.stamp)
        self.older += is_older_form(record)
        decision = read_tournament_decision(answer) if is_older_form(record) else self._decided_again(answer)
        if not isinstance(decision, TournamentRefused):
            for event in decision:
                self._note(event, record.version)
            self.state = fold_tournament(decision, self.state)

    def _decided_again(self, answer: Answered) -> TournamentDecision:
        decision = decide_tournament(self.state, *read_tournament_act(answer))
        refused = isinstance(decision, TournamentRefused)
        if bytes((answer.refused if refused else answer.accepted) or b"") != written(decision):
            raise BadRecord(
                ProblemKind.DECISION, "it says something else than the rules of the tournament give for its command"
            )
        return decision

    def _note(self, event: t.TournamentEvent, version: int) -> None:
        """Keep what the other streams must bear out."""
        if isinstance(event, t.ScoreNoted):
            scores = {one.counted: dict(one.scores) for one in event.scores}
            self.notes.append(NoteOnRecord(version, event.table, event.sitting, event.revision, scores))
        elif isinstance(event, t.SlipRaised):
            parts = {part: cents for part, cents in event.parts.items() if cents}
            self.slips[event.slip] = SlipOnRecord(
                *(version, event.direction, event.cents, parts, event.entrant, event.player, event.purpose)
            )
        elif isinstance(event, t.SlipNoted):
            known = self.slips.get(event.slip)  # One that was raised in an earlier part of the journal is not known.
            if known is not None:
                self.slips[event.slip] = replace(known, settled=event.settled, settled_version=version)

    def end(self, version: int) -> Problem | None:  # noqa: ARG002
        return None


def paid_at_both(
    registered: Mapping[str, HouseTicket], issued: Mapping[str, Mapping[str, TableTicket]], *, is_whole: bool
) -> Problem | None:
    """The problem of a ticket that both the cage and a table have paid, or that its table has not issued so.

    A payment by hand names a release of the house's record, but in the records of earlier forms; a table pays a ticket
    once, so it uses a release once.
    `is_whole` says that the house wrote nothing since it was read, so that every release is known.
    """
    for number, known in registered.items():
        if known.table not in issued:
            continue  # The stream of that table could not be replayed, which is a problem of its own.
        ticket = issued[known.table].get(number)
        if ticket is None or ticket.cents != known.cents:
            why = f"table {known.table} has not issued ticket {number} for {known.cents} cents"
            return Problem(HOUSE, known.registered, ProblemKind.TICKET, why)
        if ticket.status is not TableTicketStatus.PAID_MANUALLY:
            continue
        if is_whole and ticket.release and ticket.release not in known.released:
            why = f"table {known.table} has paid ticket {number} by hand on a release that the house has not given"
            return Problem(HOUSE, known.registered, ProblemKind.TICKET, why)
        if known.redeemed is not None:
            why = f"the cage pays ticket {number}, which table {known.table} has paid by hand"
            return Problem(HOUSE, known.redeemed, ProblemKind.TICKET, why)
    return None
