"""The owner of one table, without any input or output: a time and a message go in, effects come out.

An owner is a candidate until it has taken the table; then it serves, for the length of a term. When it cannot be sure
that what it decided is durable, or finds that another owner has taken the table, it drops the term with everything in
it. It sends no answers and is a candidate again. Its devices say hello to the next owner.

`now` is a clock in milliseconds that only counts on; it need not agree with anybody else's.
"""

from collections.abc import Callable
from itertools import count
from typing import Any

from sabot.floor.records.record_codec import HandedOver
from sabot.floor.table_owner.clock_watch import JUMP_MS, ClockWatch
from sabot.floor.table_owner.effects import Disconnect, LookAtHead, OwnerEffect, ReleaseLease, Renew, Take, Vouch, Wake
from sabot.floor.table_owner.messages import (
    Asked,
    Carried,
    Connected,
    Found,
    Gone,
    HandOver,
    HeadSeen,
    KeepTable,
    LookedFor,
    OwnerMessage,
    Renewed,
    SaveState,
    SnapshotKept,
    Start,
    Stop,
    Took,
    Woken,
    Written,
)
from sabot.floor.table_owner.opening import Opening
from sabot.floor.table_owner.take_over import Taken
from sabot.floor.table_owner.term import Term
from sabot.journal.journal import Lease, SignedCheckpoint
from sabot.table.faults.acts import WatchedClock
from sabot.table.faults.deciding import RENEWAL_MS

LEASE_MS = 2_000
RETRY_MS = 1_000
"""How long a candidate waits before it tries again: with the lease it makes up the time of a take-over."""
HANDED_OVER_MS = 10_000
"""How long a table that was handed over is left to others: if nobody takes it, it comes back."""
SILENT_MS = 1_000
"""How long an append may take before patrons who are wagering are told that they wait for the journal."""


class Owner:
    def __init__(
        self,
        opening: Opening,
        is_signed_by_us: Callable[[SignedCheckpoint], bool] = lambda _: False,
        term: type[Term] = Term,
    ) -> None:
        self._opening, self._is_signed_by_us, self._new_term = opening, is_signed_by_us, term
        self._errands = count(1)
        self.term: Term | None = None
        """The term under way, if any."""
        self._held: Lease | None = None
        """A lease that the last term left behind."""
        self._holder = ""
        """Who is known to own the table."""
        self._taking = (0, 0)
        """The errand of the taking under way, or 0, and when it was asked for."""
        self._since = 0
        """The errand that brought the term; what was asked for before it is forgotten."""
        self._retry_at: int | None = None
        self._renew_at = 0
        self._renewing = (0, 0)
        """The newest renewal, and when it was asked for."""
        self._watches: dict[WatchedClock, ClockWatch] = {}
        self._waiting = (0, 0)
        """The append that is being watched, and since when."""
        self._wake_at: int | None = None
        self._leaving = False
        self._handing_over: HandOver | None = None
        self._effects: list[OwnerEffect] = []
        self._takes: dict[type, Callable[[int, Any], None]] = {
            Start: self._start,
            Stop: self._stop,
            HandOver: self._hand_over,
            KeepTable: self._keep,
            Took: self._took,
            Written: self._written,
            Renewed: self._renewed,
            Found: self._found,
            LookedFor: self._looked_for,
            SnapshotKept: self._snapshot_kept,
            SaveState: self._save_state,
            HeadSeen: self._head_seen,
            Woken: self._woken,
            Connected: self._connected,
            Asked: self._asked,
            Gone: self._gone,
            Carried: self._carried,
        }

    @property
    def holder(self) -> str:
        """Who is known to own the table, or nothing."""
        return self._holder

    def handle(self, now: int, message: OwnerMessage) -> list[OwnerEffect]:
        self._takes[type(message)](now, message)
        if self._handing_over is not None:
            self._go_on_handing_over(now, self._handing_over)
        if self._leaving and self.term is not None and self.term.is_idle:
            self._leave(self.term)
        self._collect()
        if type(message) is not Asked:  # An act that only waits changes nothing that the clock must look at.
            self._see_to_the_alarm_clock()
        effects, self._effects = self._effects, []
        return effects

    # Becoming the owner, and ceasing to be

    def _start(self, now: int, _: Start) -> None:
        self._leaving, self._handing_over = False, None
        if self.term is None and not self._taking[0]:
            self._try(now)

    def _try(self, now: int) -> None:
        self._taking, self._retry_at = (next(self._errands), now), None
        self._effects.append(Take(self._taking[0], self._held))
        self._held = None

    def _took(self, now: int, took: Took) -> None:
        errand, asked = self._taking
        if took.errand != errand:
            return
        self._taking = (0, 0)
        taken = took.taken
        if not isinstance(taken, Taken):
            self._holder = taken.holder.owner if taken.holder else ""
            left, self._handing_over = self._handing_over, None
            self._retry_at = None if self._leaving or (left and left.for_good) else now + RETRY_MS
            return
        self._holder, self._since = self._opening.owner, took.errand
        lease, not_before_ms = taken.ownership.lease, max(taken.at_ms, taken.last_sign_ms)
        clock = self._opening.clock(asked, lease.renewed_ms, not_before_ms)
        self.term = self._new_term(taken, clock, self._opening, self._errands)
        self._renew_at, self._renewing = _next_renewal(now), (0, 0)
        self._watches = {"journal": ClockWatch(asked, lease.renewed_ms)}
        self.term.begin(now, taken, self._opening)
        if clock.follows_journal and not_before_ms - lease.renewed_ms > JUMP_MS:
            self.term.clock_jumped(now, "journal", lease.renewed_ms - not_before_ms)

    def _written(self, now: int, written: Written) -> None:
        if self.term is not None and not self.term.written(written):
            self._fall(now)

    def _renewed(self, now: int, renewed: Renewed) -> None:
        term = self.term
        if term is None or renewed.errand < self._since:
            return
        if renewed.lease is None:
            self._fall(now)
        elif renewed.lease.epoch == term.lease.epoch:
            term.lease = renewed.lease
            errand, asked = self._renewing
            if renewed.errand == errand:
                self._look_at_clock(now, asked, "journal", renewed.lease.renewed_ms)
                self._look_at_clock(now, asked, "machine", renewed.wall_ms)

    def _look_at_clock(self, now: int, asked: int, clock: WatchedClock, shown_ms: int | None) -> None:
        """A jump is on record at once: what a sign of life says of a failure depends on it (CROWN 11.15)."""
        if shown_ms is None or self.term is None or not self.term.clock.follows_journal:
            return
        watch = self._watches.setdefault(clock, ClockWatch(now, shown_ms))
        by_ms = watch.jump(asked, now, shown_ms)
        if by_ms:
            self.term.clock_jumped(now, clock, by_ms)

    def _head_seen(self, now: int, seen: HeadSeen) -> None:
        if self.term is not None and seen.errand > self._since and seen.head.epoch != self.term.epoch:
            self._fall(now)

    def _fall(self, now: int) -> None:
        """Forget everything. Nobody is answered; the devices come back to the next owner."""
        term = self.term
        assert term is not None
        self.term, self._held, self._holder = None, term.lease, ""
        self._effects += [Disconnect(device, "say hello again", "") for device in term.devices]
        if not self._leaving:
            self._try(now)

    def _stop(self, _: int, __: Stop) -> None:
        self._leaving, self._retry_at = True, None

    def _leave(self, term: Term, why: str = "the owner leaves", to: str = "") -> None:
        """Everything is written: leave it in order, so that the next owner goes on exactly here."""
        term.save()
        self._collect()
        self._effects += [Disconnect(device, why, to) for device in term.devices]
        self._effects += [Vouch(term.head), ReleaseLease(term.lease)]
        self.term, self._holder = None, to

    def _hand_over(self, _: int, asked: HandOver) -> None:
        """A candidate has nothing to hand over, and tries no more where it is asked to leave for good."""
        if self.term is not None or self._taking[0]:
            self._handing_over = asked
        elif asked.for_good:
            self._retry_at = None

    def _keep(self, _: int, __: KeepTable) -> None:
        self._handing_over = None
        if self.term is not None:
            self.term.keep()

    def _go_on_handing_over(self, now: int, asked: HandOver) -> None:
        """Between two coups: say on record who asked for it, then let go."""
        term = self.term
        if term is None or not term.is_serving:
            return
        term.open_no_coup()
        if not term.is_between_coups:
            return
        if not term.has_handed_over:
            term.hand_over(now, HandedOver(asked.to, asked.by))
        elif term.is_idle:
            self._leave(term, "the table has moved", asked.to)
            self._handing_over = None
            self._retry_at = None if asked.for_good or self._leaving else now + HANDED_OVER_MS

    # While serving

    def _woken(self, now: int, _: Woken) -> None:
        self._wake_at = None
        term = self.term
        if term is not None:
            term.check_time(now)
            self._watch_the_journal(now, term)
            if now >= self._renew_at:
                self._renew_at, self._renewing = _next_renewal(now), (next(self._errands), now)
                self._effects.append(Renew(self._renewing[0], term.lease))
        elif self._retry_at is not None and now >= self._retry_at:
            self._try(now)

    def _watch_the_journal(self, now: int, term: Term) -> None:
        append, since = self._waiting
        if term.append != append:
            self._waiting = (term.append, now)
        elif append and since + SILENT_MS <= now:
            self._waiting = (append, now)
            term.pause()

    def _connected(self, now: int, connected: Connected) -> None:
        term = self._serving(connected.device)
        if term is None:
            return
        if connected.hello.epoch > term.epoch:  # A lease does not tell who appended to the table last.
            disconnect = Disconnect(connected.device, "ask who owns the table", "")
            self._effects += [disconnect, LookAtHead(next(self._errands))]
            return
        term.hello(now, connected, proves_more=self._proves_more(connected, term))

    def _proves_more(self, connected: Connected, term: Term) -> bool:
        signed = connected.proof
        if signed is None or signed.head.stream != term.head.stream or signed.head.version <= term.head.version:
            return False
        return signed.head.epoch <= term.epoch and self._is_signed_by_us(signed)

    def _asked(self, now: int, asked: Asked) -> None:
        term = self._serving(asked.device)
        if term is not None:
            term.ask(now, asked)

    def _serving(self, device: str) -> Term | None:
        """The term, if it can serve a device; otherwise the device is sent away."""
        if self.term is not None and self.term.is_serving and not self._leaving:
            return self.term
        self._effects.append(Disconnect(device, "ask who owns the table", self._holder))
        return None

    def _found(self, now: int, found: Found) -> None:
        if self.term is not None:
            self.term.found(now, found)

    def _looked_for(self, now: int, looked_for: LookedFor) -> None:
        if self.term is not None and not self.term.looked_for(looked_for):
            self._fall(now)

    def _save_state(self, _: int, __: SaveState) -> None:
        if self.term is not None and self.term.is_serving:
            self.term.save()

    def _snapshot_kept(self, _: int, kept: SnapshotKept) -> None:
        if self.term is not None:
            self.term.shelf.kept(kept.errand)

    def _gone(self, _: int, gone: Gone) -> None:
        if self.term is not None:
            self.term.gone(gone)

    def _carried(self, now: int, carried: Carried) -> None:
        """A candidate leaves it to the owner, which hears of it too or catches up later."""
        if self.term is not None and self.term.is_serving:
            self.term.carried(now, carried.act, carried.stamp)

    # Effects

    def _collect(self) -> None:
        term = self.term
        if term is not None and term.effects:
            self._effects += term.effects
            term.effects.clear()

    def _see_to_the_alarm_clock(self) -> None:
        due = self._retry_at
        if self.term is not None:
            closes_at = self.term.closes_at()
            due = self._renew_at if closes_at is None else min(self._renew_at, closes_at)
        if due is not None and due != self._wake_at:
            self._wake_at = due
            self._effects.append(Wake(due))


def _next_renewal(now: int) -> int:
    """The next moment of renewals: all owners on one clock have the same, so that a process renews its leases at once.

    No two renewals of a lease are further apart than `RENEWAL_MS`, on which the time of a failure rests (CROWN 11.15).
    """
    return now - now % RENEWAL_MS + RENEWAL_MS
