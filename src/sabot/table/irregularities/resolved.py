"""How long a resolution can be taken back, and what it has moved (G-160)."""

from collections.abc import Sequence

from msgspec.structs import replace

from sabot.ledger.posting import Posting
from sabot.table import events as e
from sabot.table.state import Resolved

_NOT_OF_THE_CARDS: frozenset[type[e.Event]] = frozenset(
    {
        *(e.SignedOn, e.SignedOff, e.SignOnDropped, e.Countersigned, e.DeviceReported, e.IncidentRecorded),
        *(e.ClaimMade, e.DisputeOpened, e.AccountOpened, e.BoughtIn, e.NoteStacked, e.TicketCredited),
        *(e.EscrowDropped, e.NomineeNamed, e.LeaveAsked),
        *(e.DirectedToLeave, e.PaidOut, e.TicketIssued, e.PrintFailed, e.ReleaseHandedBack, e.AccountClosed),
        *(e.AskedToVacate, e.WagersSeen, e.BroughtBack),
        *(e.OwnLimitSet, e.BreakTaken, e.OwnLimitsCarried, e.CheckAcknowledged),
        *(e.AttendantCalled, e.CallAnswered, e.CallEnded),
    }
)
"""What may happen since: people come and go, and accounts are opened and paid."""


def going_on(resolved: Resolved, event: e.Event, moved: Sequence[Posting]) -> Resolved | None:
    """The resolution after one more event: its effects are added up, and any later act on the coup or shoe ends it."""
    if not resolved.follows:
        return resolved if type(event) in _NOT_OF_THE_CARDS else None
    if isinstance(event, e.AccountClosed):  # A patron left with it, and does not come back by taking it back.
        return None
    resolved = replace(resolved, follows=resolved.follows - 1, moved=(*resolved.moved, *moved))
    if not isinstance(event, e.CoupInvalidated):
        return resolved
    corrected = {
        station: one.credited_cents - one.taken_cents - one.from_held_cents
        for station, one in event.adjustments.items()
    }
    return replace(resolved, corrected=corrected, made_invalid=event.coup)
