"""Events: what happened at a table. One frozen class each, in the past tense; the fold of them is the state.

An event holds everything that applying it needs, so that replay asks nothing and checks nothing again. Money events
name the clause by which the money moved. Until release 1.0 the JSON form may change.
"""

import msgspec

from sabot.rules.odds import Odds
from sabot.table.events.accounts import (
    AccountClosed,
    AccountOpened,
    AskedToVacate,
    BalanceHeld,
    BoughtIn,
    BuyInDeferred,
    DirectedToLeave,
    LeaveAsked,
    NomineeNamed,
    NoteStacked,
    PaidOut,
    PrintFailed,
    TicketIssued,
    TicketPaidManually,
)
from sabot.table.events.base import Event
from sabot.table.events.cases import (
    BreachActed,
    BreachRecorded,
    ClaimDecided,
    ClaimMade,
    DisputeDecided,
    DisputeOpened,
    PatronExcluded,
    SeizedReleased,
    WagersVoided,
    WinningsSeized,
)
from sabot.table.events.corrections import (
    AccountsFrozen,
    AccountsUnfrozen,
    Adjustment,
    CoupInvalidated,
    CoupRecalculated,
    OutcomeCorrected,
    OwedCollected,
    OwedUncollected,
    OwedWaived,
    PayablePaid,
)
from sabot.table.events.coup import (
    CardAmended,
    CardDealt,
    CountsAnnounced,
    CoupDecided,
    CoupVoided,
    FaceUpChanged,
    WageringClosed,
    WageringOpened,
    WagersChanged,
    WagersSettled,
)
from sabot.table.events.faults import (
    RecordsConfirmed,
    StationFaulted,
    SystemRestarted,
    WagersReversed,
    WagersSeen,
)
from sabot.table.events.irregularities import (
    CardsCarried,
    CoupReconstructed,
    DummyCoupDeclared,
    FactResolved,
    FactStated,
    FactWithdrawn,
)
from sabot.table.events.opening import (
    BuildApproved,
    Configured,
    Countersigned,
    DeviceReported,
    GamingDayEnded,
    IncidentRecorded,
    MinimumChanged,
    NoticeGiven,
    OptionTakenUp,
    SignedOff,
    SignedOn,
    TableClosed,
    TableLocked,
    TableOpened,
)
from sabot.table.events.shoe import (
    BurnShown,
    CardsBurned,
    CardsChecked,
    CardsCut,
    CardsReplaced,
    CardsShuffled,
    CuttingCardSeen,
    PackRecorded,
    ShoeEnded,
    ShoeOpened,
)

__all__ = [
    "AccountClosed",
    "AccountOpened",
    "AccountsFrozen",
    "AccountsUnfrozen",
    "Adjustment",
    "AnyEvent",
    "AskedToVacate",
    "BalanceHeld",
    "BoughtIn",
    "BreachActed",
    "BreachRecorded",
    "BuildApproved",
    "BurnShown",
    "BuyInDeferred",
    "CardAmended",
    "CardDealt",
    "CardsBurned",
    "CardsCarried",
    "CardsChecked",
    "CardsCut",
    "CardsReplaced",
    "CardsShuffled",
    "ClaimDecided",
    "ClaimMade",
    "Configured",
    "Countersigned",
    "CountsAnnounced",
    "CoupDecided",
    "CoupInvalidated",
    "CoupRecalculated",
    "CoupReconstructed",
    "CoupVoided",
    "CuttingCardSeen",
    "DeviceReported",
    "DirectedToLeave",
    "DisputeDecided",
    "DisputeOpened",
    "DummyCoupDeclared",
    "Event",
    "FaceUpChanged",
    "FactResolved",
    "FactStated",
    "FactWithdrawn",
    "GamingDayEnded",
    "IncidentRecorded",
    "LeaveAsked",
    "MinimumChanged",
    "NomineeNamed",
    "NoteStacked",
    "NoticeGiven",
    "OptionTakenUp",
    "OutcomeCorrected",
    "OwedCollected",
    "OwedUncollected",
    "OwedWaived",
    "PackRecorded",
    "PaidOut",
    "PatronExcluded",
    "PayablePaid",
    "PrintFailed",
    "RecordsConfirmed",
    "SeizedReleased",
    "ShoeEnded",
    "ShoeOpened",
    "SignedOff",
    "SignedOn",
    "StationFaulted",
    "SystemRestarted",
    "TableClosed",
    "TableLocked",
    "TableOpened",
    "TicketIssued",
    "TicketPaidManually",
    "WageringClosed",
    "WageringOpened",
    "WagersChanged",
    "WagersReversed",
    "WagersSeen",
    "WagersSettled",
    "WagersVoided",
    "WinningsSeized",
    "read_event",
    "schema",
    "write_event",
]

AnyEvent = (
    Configured
    | SignedOn
    | SignedOff
    | Countersigned
    | BuildApproved
    | TableOpened
    | TableClosed
    | TableLocked
    | GamingDayEnded
    | NoticeGiven
    | MinimumChanged
    | DeviceReported
    | IncidentRecorded
    | CardsChecked
    | PackRecorded
    | CardsShuffled
    | ShoeEnded
    | ShoeOpened
    | CardsReplaced
    | CardsCut
    | CardsBurned
    | BurnShown
    | CuttingCardSeen
    | AccountOpened
    | BoughtIn
    | BuyInDeferred
    | NoteStacked
    | NomineeNamed
    | LeaveAsked
    | DirectedToLeave
    | BalanceHeld
    | PaidOut
    | TicketIssued
    | PrintFailed
    | TicketPaidManually
    | AccountClosed
    | AskedToVacate
    | WagersChanged
    | WageringOpened
    | WageringClosed
    | CoupVoided
    | CardDealt
    | ClaimMade
    | ClaimDecided
    | DisputeOpened
    | DisputeDecided
    | BreachRecorded
    | BreachActed
    | WagersVoided
    | PatronExcluded
    | WinningsSeized
    | SeizedReleased
    | StationFaulted
    | SystemRestarted
    | RecordsConfirmed
    | WagersReversed
    | WagersSeen
    | AccountsFrozen
    | OutcomeCorrected
    | CoupRecalculated
    | AccountsUnfrozen
    | CoupInvalidated
    | OwedCollected
    | OwedUncollected
    | OwedWaived
    | PayablePaid
    | OptionTakenUp
    | FactStated
    | FactResolved
    | FactWithdrawn
    | CardsCarried
    | CoupReconstructed
    | DummyCoupDeclared
    | CountsAnnounced
    | FaceUpChanged
    | CardAmended
    | CoupDecided
    | WagersSettled
)
"""Every event, as one type to decode into."""


def _written(value: object) -> object:
    if isinstance(value, Odds):
        return str(value)
    raise NotImplementedError(f"an event holds no {type(value).__name__}")


def _read(wanted: type, value: object) -> object:
    if wanted is Odds and isinstance(value, str):
        return Odds.read(value)
    raise NotImplementedError(f"an event holds no {wanted.__name__}")


_encode = msgspec.json.Encoder(enc_hook=_written).encode
_decode = msgspec.json.Decoder(AnyEvent, dec_hook=_read).decode


def write_event(event: Event) -> bytes:
    """An event's JSON form."""
    return _encode(event)


def read_event(text: bytes) -> Event:
    event: Event = _decode(text)
    return event


def schema() -> dict[str, object]:
    """The JSON Schema of events; generated, never written by hand."""
    return msgspec.json.schema(AnyEvent, schema_hook=lambda _: {"type": "string", "description": "exact odds, 19/20"})
