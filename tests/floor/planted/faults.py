"""The planted faults: what each breaks is one rule of the protocol, and nothing else is changed."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from sabot.floor.simulator.device import SimulatedDevice
from sabot.floor.simulator.robots import Dealer, Patron
from sabot.floor.simulator.store import Store
from sabot.floor.simulator.world import Cast
from sabot.floor.table_owner.devices import Batch, Letter, Reception, Session
from sabot.floor.table_owner.messages import Asked, Written
from sabot.floor.table_owner.opening import Opening
from sabot.floor.table_owner.table_clock import TableClock
from sabot.floor.table_owner.take_over import Taken
from sabot.floor.table_owner.term import Term
from sabot.journal.journal import AppendOutcome, Conflict, Unknown
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Record
from sabot.table import acts
from sabot.wire.frames import Answer, Lost, OwnerFrame


class AnswersTooSoon(Term):
    """Answers before what it answers is durable."""

    def _write(self, batch: Batch) -> None:
        if batch.entries:
            for letter, refusal, _ in batch.answers:
                if letter.device:
                    self._tell(letter.device, Answer(epoch=self.epoch, n=letter.name.n, version=0, refusal=refusal))
        super()._write(batch)


class TakesRepeatsForNew(Term):
    """Knows no repeats, and so has no keys that would show them."""

    repeats = 0

    def _receive(self, session: Session, asked: Asked) -> Reception:
        session.last = max(session.last, asked.ask.n)
        return Reception.NEW

    def _key(self, asked: Asked) -> str:
        self.repeats += 1
        return f"{super()._key(asked)}/{self.repeats}"


class ClosesLate(Term):
    """Stamps what comes in while wagering is open as if it had come in time."""

    def _received_at(self, now: int) -> int:
        due = self._close_due() or self._closing
        return super()._received_at(now) if due is None else min(super()._received_at(now), due[1] - 1)


class TakesUnknownForDone(Term):
    def _is_durable(self, written: Written) -> bool:
        return super()._is_durable(written) or isinstance(written.outcome, Unknown)


class SwallowsConflicts(Term):
    def _is_durable(self, written: Written) -> bool:
        return super()._is_durable(written) or isinstance(written.outcome, Conflict)


class RefusesOffTheRecord(Term):
    """Leaves refusals out of the journal, where nothing fences them."""

    def __init__(self, taken: Taken, clock: TableClock, opening: Opening, errands: Iterable[int]) -> None:
        super().__init__(taken, clock, opening, errands)
        self.refused: dict[str, set[int]] = {}

    def _decide(self, batch: Batch, letter: Letter) -> None:
        decided = len(batch.entries)
        super()._decide(batch, letter)
        refused = batch.answers and batch.answers[-1][1] is not None
        if letter.device and refused and len(batch.entries) > decided:
            batch.entries.pop()
            batch.happened.pop()
            batch.answers[-1] = (letter, batch.answers[-1][1], 0)
            self.refused.setdefault(letter.device, set()).add(letter.name.n)


class ForgetsRefusals(RefusesOffTheRecord):
    """Nor does it remember them, so that a late copy of a refused command is decided anew."""

    def _receive(self, session: Session, asked: Asked) -> Reception:
        refused = self.refused.setdefault(session.device, set())
        if asked.ask.n in refused:
            refused.discard(asked.ask.n)
            return Reception.NEW
        return super()._receive(session, asked)


class BoundToNobody(Term):
    """Takes commands of an earlier owner's time."""

    def ask(self, now: int, asked: Asked) -> None:
        session = self._devices.sessions.get(asked.device)
        if session is not None and asked.ask.epoch < self.epoch:
            self._take_in(now, session, asked)
            return
        super().ask(now, asked)


class AnswersByWatermark(Term):
    """Takes every command up to the last for done."""

    def ask(self, now: int, asked: Asked) -> None:
        session = self._devices.sessions.get(asked.device)
        if session is not None and asked.ask.epoch == self.epoch and asked.ask.n < session.last:
            self._tell(asked.device, Answer(epoch=self.epoch, n=asked.ask.n, version=self.head.version))
            return
        super().ask(now, asked)


class VoidsNothing(Term):
    """Goes on with a coup that was open when the owner before died."""

    def _restart(self, batch: Batch, taken: Taken, at_ms: int) -> None:
        """As if nothing had happened."""


class TrustsTheNewestLease(Term):
    """Takes the time of its own taking for the last sign of life."""

    def _decide(self, batch: Batch, letter: Letter) -> None:
        if isinstance(letter.act, acts.Restart):
            letter = msgspec.structs.replace(letter, act=acts.Restart(last_sign_ms=letter.stamp.at_ms))
        super()._decide(batch, letter)


class BlindJournal(MemoryJournal):
    """Appends behind whatever is there, as an insert without an expected version would."""

    async def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> AppendOutcome:
        head = await self.head(stream)
        if head.version != expected_version and records[0].epoch:
            entries = [record.entry for record in records]
            records = [
                one for record, entry in zip(records, entries, strict=True) for one in head.then(record.epoch, [entry])
            ]
        return await super().append(stream, head.version, records)


class BlindStore(Store):
    journal_kind = BlindJournal


class HeedsAnyRefusal(SimulatedDevice):
    """Listens to the refusals of an owner that is not the newest any more."""

    def _is_heeded(self, message: OwnerFrame) -> bool:
        return _is_refusal(message) or super()._is_heeded(message)

    def _is_of(self, outcome: Answer | Lost) -> bool:
        if _is_refusal(outcome):
            return self.pending is not None and self.pending.ask.n == outcome.n
        return super()._is_of(outcome)


class GulliblePatron(HeedsAnyRefusal, Patron):
    pass


class GullibleDealer(HeedsAnyRefusal, Dealer):
    pass


def _is_refusal(message: object) -> bool:
    return isinstance(message, Answer) and not message.accepted


PLANTED: dict[str, Callable[[], Cast]] = {
    "ack before durable": lambda: Cast(term=AnswersTooSoon),
    "no deduplication": lambda: Cast(term=TakesRepeatsForNew),
    "late close": lambda: Cast(term=ClosesLate),
    "blind append": lambda: Cast(store=BlindStore),
    "unknown treated as ok": lambda: Cast(term=TakesUnknownForDone),
    "conflict swallowed": lambda: Cast(term=SwallowsConflicts),
    "refused duplicate accepted": lambda: Cast(term=ForgetsRefusals),
    "no session binding": lambda: Cast(term=BoundToNobody),
    "watermark ack": lambda: Cast(term=AnswersByWatermark),
    "zombie refusal": lambda: Cast(term=RefusesOffTheRecord, patron=GulliblePatron, dealer=GullibleDealer),
    "no void on take-over": lambda: Cast(term=VoidsNothing),
    "any lease as sign of life": lambda: Cast(term=TrustsTheNewestLease),
}
