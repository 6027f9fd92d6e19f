"""Counts what a stream holds: records, coups, money, refusals."""

from collections import Counter

import msgspec

from sabot.audit.excerpt import ExcerptFilter, OwnerRecord, excerpt
from sabot.journal.journal import ReadableJournal
from sabot.rules.terms import Outcome
from sabot.table import events as e

OF_AN_OWNER = frozenset(OwnerRecord)
"""Records of no act: an owner's taking, and what it runs."""


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
    count: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    events: Counter[str] = Counter()
    first_ms: int | None = None
    last_ms = 0
    async for line in excerpt(journal, stream, wanted):
        count["records"] += 1
        count["owners"] += line.verb == OwnerRecord.TAKEN
        is_act = line.verb not in OF_AN_OWNER
        if line.refused is not None:
            refusals[line.refused.code] += 1
        elif is_act:
            count["accepted"] += 1
        if is_act:
            first_ms, last_ms = line.at_ms if first_ms is None else first_ms, line.at_ms
        in_credits = any(isinstance(event, e.SessionScored) for event in line.events)
        for event in line.events:
            events[type(event).__name__] += 1
            if not (in_credits and isinstance(event, e.WagersSettled)):
                _count(event, count, outcomes)
    checkpoints, signed_to = 0, 0
    async for one in journal.newest_checkpoints(stream):
        checkpoints, signed_to = checkpoints + 1, max(signed_to, one.head.version)
    return StreamStats(
        stream=stream,
        records=count["records"],
        accepted=count["accepted"],
        refused=refusals.total(),
        owners=count["owners"],
        checkpoints=checkpoints,
        signed_to=signed_to,
        from_ms=first_ms or 0,
        to_ms=last_ms,
        coups=count["coups"],
        voided=count["voided"],
        turnover_cents=count["turnover"],
        win_cents=count["win"],
        commission_cents=count["commission"],
        came_in_cents=count["came_in"],
        paid_out_cents=count["paid_out"],
        won=dict(sorted(outcomes.items())),
        refusals=dict(refusals.most_common()),
        events=dict(events.most_common()),
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
    elif isinstance(event, e.BoughtIn | e.NoteStacked):
        count["came_in"] += event.cents
    elif isinstance(event, e.BuyInCorrected):
        count["came_in"] += event.cents - event.was_cents
    elif isinstance(event, e.PaidOut | e.TicketIssued):
        count["paid_out"] += event.cents
