"""Counts what a stream holds: records, coups, money, refusals."""

from collections import Counter
from collections.abc import Mapping

import msgspec

from sabot.audit.excerpt import ExcerptFilter, ExcerptLine, OwnerRecord, excerpt
from sabot.audit.kept_sums import ALWAYS_MS, SumReader
from sabot.audit.period_sum import PeriodSum
from sabot.journal.journal import ReadableJournal
from sabot.rules.terms import Outcome
from sabot.table import events as e

OF_AN_OWNER = frozenset(OwnerRecord)
"""Records of no act: an owner's taking, what it runs, and its handing over."""


class StreamStats(msgspec.Struct, frozen=True):
    stream: str
    records: int
    accepted: int
    refused: int
    owners: int
    checkpoints: int
    signed_to: int
    """The version of the newest checkpoint; with 0 nobody vouches for any of it."""
    from_ms: int
    to_ms: int
    coups: int
    """Coups settled for money; a corrected one counts once."""
    voided: int
    turnover_cents: int
    """Stakes of the coups as they were first settled."""
    win_cents: int
    """The house's win, commission included."""
    commission_cents: int
    came_in_cents: int
    paid_out_cents: int
    won: dict[str, int]
    """Wagers on each bet that won, lost or pushed, by bet.outcome."""
    refusals: dict[str, int]
    """The number of refusals for each cause, the most frequent first."""
    events: dict[str, int]


async def stats(journal: ReadableJournal, stream: str, wanted: ExcerptFilter) -> StreamStats:
    """Of a period, from the sums that are kept; of a coup, of a station or by versions, from the records themselves."""
    number, signed_to = await journal.vouched(stream)
    if wanted == ExcerptFilter(from_ms=wanted.from_ms, to_ms=wanted.to_ms):
        to_ms = ALWAYS_MS if wanted.to_ms is None else wanted.to_ms
        return _of_sum(stream, await SumReader(journal, stream).between(wanted.from_ms or 0, to_ms), number, signed_to)
    counting = _Counting()
    async for line in excerpt(journal, stream, wanted):
        counting.take(line)
    return counting.stats(stream, number, signed_to)


def _of_sum(stream: str, one: PeriodSum, checkpoints: int, signed_to: int) -> StreamStats:
    return StreamStats(
        stream=stream,
        records=one.records,
        accepted=one.accepted,
        refused=sum(one.refusals.values()),
        owners=one.owners,
        checkpoints=checkpoints,
        signed_to=signed_to,
        from_ms=one.from_ms,
        to_ms=one.to_ms,
        coups=one.coups,
        voided=one.voided,
        turnover_cents=one.turnover,
        win_cents=one.win,
        commission_cents=one.commission,
        came_in_cents=one.came_in,
        paid_out_cents=one.paid_out,
        won=dict(sorted(one.won.items())),
        refusals=_most_common(one.refusals),
        events=_most_common(one.events),
    )


def _most_common(counted: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counted.items(), key=lambda one: (-one[1], one[0])))


class _Counting:
    """Counts records that were chosen one by one."""

    def __init__(self) -> None:
        self._count: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()
        self._refusals: Counter[str] = Counter()
        self._events: Counter[str] = Counter()
        self._from_ms: int | None = None
        self._to_ms = 0

    def take(self, line: ExcerptLine) -> None:
        self._count["records"] += 1
        self._count["owners"] += line.verb == OwnerRecord.TAKEN
        if line.verb not in OF_AN_OWNER:
            self._from_ms = line.at_ms if self._from_ms is None else self._from_ms
            self._to_ms = line.at_ms
            if line.refused is not None:
                self._refusals[line.refused.code] += 1
            else:
                self._count["accepted"] += 1
        in_credits = any(isinstance(event, e.SessionScored) for event in line.events)
        for event in line.events:
            self._events[type(event).__name__] += 1
            if not (in_credits and isinstance(event, e.WagersSettled)):
                _count(event, self._count, self._outcomes)

    def stats(self, stream: str, checkpoints: int, signed_to: int) -> StreamStats:
        count = self._count
        return StreamStats(
            stream=stream,
            records=count["records"],
            accepted=count["accepted"],
            refused=self._refusals.total(),
            owners=count["owners"],
            checkpoints=checkpoints,
            signed_to=signed_to,
            from_ms=self._from_ms or 0,
            to_ms=self._to_ms,
            coups=count["coups"],
            voided=count["voided"],
            turnover_cents=count["turnover"],
            win_cents=count["win"],
            commission_cents=count["commission"],
            came_in_cents=count["came_in"],
            paid_out_cents=count["paid_out"],
            won=dict(sorted(self._outcomes.items())),
            refusals=_most_common(self._refusals),
            events=_most_common(self._events),
        )


def _count(event: object, count: Counter[str], outcomes: Counter[str]) -> None:
    if isinstance(event, e.WagersSettled):
        count["coups"] += 1
        for settled in event.settlements.values():
            for one in settled:
                count["turnover"] += one.stake_cents
                count["win"] -= one.net_cents
                count["commission"] += one.commission_cents
                outcomes[f"{one.bet}.{Outcome(one.outcome).value}"] += 1
    elif isinstance(event, e.CoupVoided):
        count["voided"] += 1
    elif isinstance(event, e.ResolutionTakenBack) and event.id == "void" and event.coup is not None:
        count["voided"] -= 1
    elif isinstance(event, e.BoughtIn | e.NoteStacked | e.TicketCredited):
        count["came_in"] += event.cents
    elif isinstance(event, e.BuyInCorrected):
        count["came_in"] += event.cents - event.was_cents
    elif isinstance(event, e.PaidOut | e.TicketIssued):
        count["paid_out"] += event.cents
