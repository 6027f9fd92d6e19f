"""The owner of one table, without any input or output: a time and a message go in, effects come out.

An owner is a candidate until it has taken the table; then it serves, for the length of a tenure. When it cannot be sure
that what it decided is durable, or finds that somebody else has taken the table, it drops the tenure with everything in
it, answers nobody, and is a candidate again: its devices say hello to whoever owns the table then.

`now` is a clock in milliseconds that only counts on; it need not agree with anybody else's.
"""

from collections.abc import Callable
from itertools import count
from typing import Any

from sabot.floor.table_owner.effects import Disconnect, Effect, LookAtHead, Release, Renew, Take, Vouch, Wake
from sabot.floor.table_owner.messages import (
    Ask,
    Carried,
    Found,
    Gone,
    HeadSeen,
    Hello,
    Message,
    Renewed,
    Start,
    Stop,
    Took,
    Woken,
    Written,
)
from sabot.floor.table_owner.table_clock import Timekeeper
from sabot.floor.table_owner.take_over import Taken
from sabot.floor.table_owner.term import Opening, Tenure
from sabot.journal.journal import Lease, SignedCheckpoint
from sabot.table.faults.deciding import RENEWAL_MS

LEASE_MS = 2_000
RETRY_MS = 1_000
"""How long a candidate waits before it tries again: with the lease it makes up the time of a take-over."""


SILENT_MS = 1_000
"""How long an append may take before patrons who are wagering are told that they wait for the journal."""


def _nothing_is_proved(_: SignedCheckpoint) -> bool:
    return False


class Owner:
    tenure_kind: type[Tenure] = Tenure

    def __init__(
        self, opening: Opening, is_signed_by_us: Callable[[SignedCheckpoint], bool] = _nothing_is_proved
    ) -> None:
        self._opening, self._is_signed_by_us = opening, is_signed_by_us
        self._errands = count(1)
        self._tenure: Tenure | None = None
        self._held: Lease | None = None
        """A lease that the last tenure left behind."""
        self._holder = ""
        """Who is known to own the table."""
        self._taking = (0, 0)
        """The errand of the taking under way, or 0, and when it was asked for."""
        self._since = 0
        """The errand that brought the tenure; what was asked for before it is forgotten."""
        self._retry_at: int | None = None
        self._renew_at = 0
        self._waiting = (0, 0)
        """The append that is being watched, and since when."""
        self._wake_at: int | None = None
        self._leaving = False
        self._effects: list[Effect] = []
        self._takes: dict[type, Callable[[int, Any], None]] = {
            Start: self._start,
            Stop: self._stop,
            Took: self._took,
            Written: self._written,
            Renewed: self._renewed,
            Found: self._found,
            HeadSeen: self._head_seen,
            Woken: self._woken,
            Hello: self._hello,
            Ask: self._ask,
            Gone: self._gone,
            Carried: self._carried,
        }

    @property
    def tenure(self) -> Tenure | None:
        """The time at the table that is not over yet, for whoever wants to look."""
        return self._tenure

    @property
    def holder(self) -> str:
        """Who is known to own the table, or nothing."""
        return self._holder

    def handle(self, now: int, message: Message) -> list[Effect]:
        self._takes[type(message)](now, message)
        if self._leaving and self._tenure is not None and self._tenure.is_idle:
            self._leave(self._tenure)
        self._collect()
        if type(message) is not Ask:  # What is only asked changes nothing that the clock must look at.
            self._see_to_the_alarm_clock()
        effects, self._effects = self._effects, []
        return effects

    # Becoming the owner, and ceasing to be

    def _start(self, now: int, _: Start) -> None:
        self._leaving = False
        if self._tenure is None and not self._taking[0]:
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
            self._retry_at = None if self._leaving else now + RETRY_MS
            return
        self._holder, self._since = self._opening.owner, took.errand
        lease = taken.ownership.lease
        clock = Timekeeper(asked, lease.renewed_ms, max(taken.at_ms, taken.last_sign_ms))
        self._tenure = self.tenure_kind(taken, clock, self._opening, self._errands)
        self._renew_at = now + RENEWAL_MS
        self._tenure.begin(now, taken, self._opening)

    def _written(self, now: int, written: Written) -> None:
        if self._tenure is not None and not self._tenure.written(written):
            self._fall(now)

    def _renewed(self, now: int, renewed: Renewed) -> None:
        tenure = self._tenure
        if tenure is None or renewed.errand < self._since:
            return
        if renewed.lease is None:
            self._fall(now)
        elif renewed.lease.epoch == tenure.lease.epoch:
            tenure.lease = renewed.lease

    def _head_seen(self, now: int, seen: HeadSeen) -> None:
        if self._tenure is not None and seen.errand > self._since and seen.head.epoch != self._tenure.epoch:
            self._fall(now)

    def _fall(self, now: int) -> None:
        """Forget everything. Nobody is answered; the devices come back to whoever owns the table then."""
        tenure = self._tenure
        assert tenure is not None
        self._tenure, self._held, self._holder = None, tenure.lease, ""
        self._effects += [Disconnect(device, "say hello again", "") for device in tenure.devices]
        if not self._leaving:
            self._try(now)

    def _stop(self, _: int, __: Stop) -> None:
        self._leaving, self._retry_at = True, None

    def _leave(self, tenure: Tenure) -> None:
        """Everything is written: leave it in order, so that the next owner goes on exactly here."""
        tenure.save()
        self._collect()
        self._effects += [Disconnect(device, "the owner leaves", "") for device in tenure.devices]
        self._effects += [Vouch(tenure.head), Release(tenure.lease)]
        self._tenure, self._holder = None, ""

    # While serving

    def _woken(self, now: int, woken: Woken) -> None:
        self._wake_at = None
        tenure = self._tenure
        if tenure is not None:
            tenure.check_time(now, woken.salts)
            self._watch_the_journal(now, tenure)
            if now >= self._renew_at:
                self._renew_at = now + RENEWAL_MS
                self._effects.append(Renew(next(self._errands), tenure.lease))
        elif self._retry_at is not None and now >= self._retry_at:
            self._try(now)

    def _watch_the_journal(self, now: int, tenure: Tenure) -> None:
        append, since = self._waiting
        if tenure.append != append:
            self._waiting = (tenure.append, now)
        elif append and since + SILENT_MS <= now:
            self._waiting = (append, now)
            tenure.pause()

    def _hello(self, now: int, hello: Hello) -> None:
        tenure = self._serving(hello.device)
        if tenure is None:
            return
        if (
            hello.epoch > tenure.epoch
        ):  # The lease does not tell: whoever holds it may have been overtaken at the table.
            disconnect = Disconnect(hello.device, "ask who owns the table", "")
            self._effects += [disconnect, LookAtHead(next(self._errands))]
            return
        tenure.hello(now, hello, proves_more=self._proves_more(hello, tenure))

    def _proves_more(self, hello: Hello, tenure: Tenure) -> bool:
        signed = hello.checkpoint
        if signed is None or signed.head.stream != tenure.head.stream or signed.head.version <= tenure.head.version:
            return False
        return signed.head.epoch <= tenure.epoch and self._is_signed_by_us(signed)

    def _ask(self, now: int, asked: Ask) -> None:
        tenure = self._serving(asked.device)
        if tenure is not None:
            tenure.ask(now, asked)

    def _serving(self, device: str) -> Tenure | None:
        """The tenure, if it can serve a device; otherwise the device is sent away."""
        if self._tenure is not None and self._tenure.is_serving and not self._leaving:
            return self._tenure
        self._effects.append(Disconnect(device, "ask who owns the table", self._holder))
        return None

    def _found(self, now: int, found: Found) -> None:
        if self._tenure is not None:
            self._tenure.found(now, found)

    def _gone(self, _: int, gone: Gone) -> None:
        if self._tenure is not None:
            self._tenure.gone(gone.device)

    def _carried(self, now: int, carried: Carried) -> None:
        """Whoever does not own the table leaves it to the owner, who hears of it too or catches up later."""
        if self._tenure is not None and self._tenure.is_serving:
            self._tenure.carried(now, carried.command)

    # Effects

    def _collect(self) -> None:
        if self._tenure is not None:
            self._effects += self._tenure.effects
            self._tenure.effects.clear()

    def _see_to_the_alarm_clock(self) -> None:
        due = self._retry_at
        if self._tenure is not None:
            closes_at = self._tenure.closes_at()
            due = self._renew_at if closes_at is None else min(self._renew_at, closes_at)
        if due is not None and due != self._wake_at:
            self._wake_at = due
            self._effects.append(Wake(due))
