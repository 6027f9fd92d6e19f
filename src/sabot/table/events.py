"""Events: what happened at a table. One frozen class each, in the past tense; the fold of them is the state.

An event holds everything that applying it needs, so that replay asks nothing and checks nothing again. Money events
name the clause by which the money moved. Until release 1.0 the JSON form may change.
"""

import msgspec

from sabot.rules.limits import Refunded
from sabot.rules.odds import Odds
from sabot.rules.rule_set import Bet
from sabot.rules.terms import Settlement
from sabot.table.configuration import Configuration
from sabot.table.role import Role


class Event(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False, tag_field="event", tag=True
):
    pass


class Configured(Event, frozen=True, kw_only=True):
    configuration: Configuration
    rule_set_digest: str


class SignedOn(Event, frozen=True, kw_only=True):
    who: str
    role: Role
    at_ms: int


class SignedOff(Event, frozen=True, kw_only=True):
    who: str


class BuildApproved(Event, frozen=True, kw_only=True):
    build: str
    reference: str
    by: str


class TableOpened(Event, frozen=True, kw_only=True):
    operator: str
    """Whom reports name where a document says House."""
    by: str
    at_ms: int
    rule_set_digest: str
    build: str


class TableClosed(Event, frozen=True, kw_only=True):
    by: str
    at_ms: int


class TableLocked(Event, frozen=True, kw_only=True):
    """The self-audit failed: nothing moves until somebody has found out why."""

    why: str


class NoticeGiven(Event, frozen=True, kw_only=True):
    kind: str
    from_ms: int
    shown_ms: int
    bet: Bet | None = None
    cents: int = 0
    clause: str


class MinimumChanged(Event, frozen=True, kw_only=True):
    bet: Bet | None
    """None for the aggregate minimum."""
    cents: int
    clause: str


class DeviceReported(Event, frozen=True, kw_only=True):
    device: str
    up: bool
    clause: str


class IncidentRecorded(Event, frozen=True, kw_only=True):
    station: str
    text: str
    control: int
    """The control session of the station at the time, or 0."""
    by: str
    clause: str


# The shoe


class CardsChecked(Event, frozen=True, kw_only=True):
    cards: int
    expected: int
    of_each_rank: int | None
    when: str
    by: str
    clause: str


class PackRecorded(Event, frozen=True, kw_only=True):
    pack: str
    stored: str
    by: str
    at_ms: int
    clause: str


class CardsShuffled(Event, frozen=True, kw_only=True):
    shoe: int
    method: str
    pack: str | None
    commitment: str | None
    by: str
    at_ms: int
    clause: str


class ShoeEnded(Event, frozen=True, kw_only=True):
    """No further coup comes from this shoe."""

    shoe: int
    reason: str
    by: str
    clause: str


class CardsReplaced(Event, frozen=True, kw_only=True):
    shoe: int
    reason: str
    cards: str
    pack: str | None
    cards_checked: int | None
    by: str
    clause: str


class CardsCut(Event, frozen=True, kw_only=True):
    at: int
    behind_cutting_card: int
    expected_after: int
    """After how many cards the cutting card is to be expected."""
    by: str
    clause: str


class CardsBurned(Event, frozen=True, kw_only=True):
    """Cards left the shoe unseen, but for a first one that may be shown."""

    shown: str | None
    hidden: int
    still_due: int
    coup: int
    """The coup before which it was done, or 0 at the start of the shoe."""
    left: int
    asked_by: str = ""
    clause: str


class BurnShown(Event, frozen=True, kw_only=True):
    card: str
    asked_by: str
    clause: str


class CuttingCardSeen(Event, frozen=True, kw_only=True):
    position: int
    last_coup: int
    """The number of the coup that is the last of the shoe."""
    clause: str


# Accounts


class AccountOpened(Event, frozen=True, kw_only=True):
    station: str
    patron: str
    control: int
    by: str
    at_ms: int
    clause: str


class BoughtIn(Event, frozen=True, kw_only=True):
    station: str
    cents: int
    tender: str
    reference: str
    clause: str


class NoteStacked(Event, frozen=True, kw_only=True):
    station: str
    cents: int
    at_ms: int
    clause: str


class NomineeNamed(Event, frozen=True, kw_only=True):
    station: str
    control: int
    patron: str
    nominee: str
    clause: str


class LeaveAsked(Event, frozen=True, kw_only=True):
    """The patron leaves: what is free is held for him, and what still runs is settled first."""

    station: str
    held_cents: int
    clause: str


class DirectedToLeave(Event, frozen=True, kw_only=True):
    station: str
    reason: str
    by: str
    clause: str


class BalanceHeld(Event, frozen=True, kw_only=True):
    """After settlement, what a leaving patron's account has come to is held for him."""

    station: str
    cents: int
    clause: str


class PaidOut(Event, frozen=True, kw_only=True):
    station: str
    cents: int
    chips_cents: int
    coin_cents: int
    """The part too small for any chip (G-51)."""
    by: str
    clause: str


class TicketIssued(Event, frozen=True, kw_only=True):
    station: str
    ticket: str
    cents: int
    at_ms: int
    clause: str


class PrintFailed(Event, frozen=True, kw_only=True):
    ticket: str
    fault: str
    clause: str


class TicketPaidManually(Event, frozen=True, kw_only=True):
    ticket: str
    cents: int
    reason: str
    by: str
    clause: str


class AccountClosed(Event, frozen=True, kw_only=True):
    station: str
    clause: str


class AskedToVacate(Event, frozen=True, kw_only=True):
    station: str
    by: str
    clause: str


# Wagers


class WagersChanged(Event, frozen=True, kw_only=True):
    """A station's layout changed; the bets that changed, with what lies on each before and after."""

    station: str
    before: dict[Bet, int]
    after: dict[Bet, int]
    clause: str
    undoes: bool = False
    """Whether it takes back the change before it."""
    returned: dict[Bet, str] = {}
    """Wagers that went back because what qualified them did, with the clause (CROWN 4.11.1)."""
    left_out: dict[Bet, str] = {}
    """What a repeat or a double could not do, and why."""


class WageringOpened(Event, frozen=True, kw_only=True):
    coup: int
    shoe: int
    at_ms: int
    deadline_ms: int
    last_of_shoe: bool
    words: str
    dealer: str
    clause: str


class WageringClosed(Event, frozen=True, kw_only=True):
    """Closed and sealed in one step, before the first card."""

    coup: int
    closed_by: str
    """timer, dealer or first_card."""
    at_ms: int
    words: str
    refunds: dict[str, list[Refunded]]
    """Wagers that were not recognised, by station."""
    sealed: dict[str, dict[Bet, int]]
    root: str
    """The Merkle root over every station's sealed wagers; each receipt proves itself against it."""
    clause: str


class CoupVoided(Event, frozen=True, kw_only=True):
    coup: int
    reason: str
    refunds: dict[str, dict[Bet, int]]
    by: str
    clause: str


class CardDealt(Event, frozen=True, kw_only=True):
    coup: int
    carried: bool = False
    """Whether it had left the shoe before, and waited."""
    shoe: int
    position: int
    card: str
    hand: str
    dealer: str
    at_ms: int
    clause: str


class FactStated(Event, frozen=True, kw_only=True):
    kind: str
    cards: tuple[str, ...]
    hand: str | None
    reconstructible: bool | None
    order_known: bool | None
    by: str
    clause: str


class FactResolved(Event, frozen=True, kw_only=True):
    id: str
    text: str
    by: str
    clause: str


class FactWithdrawn(Event, frozen=True, kw_only=True):
    """It did not happen after all."""

    kind: str
    by: str
    clause: str


class CardsCarried(Event, frozen=True, kw_only=True):
    """Cards left the shoe that belong to no hand of this coup; they wait, in order, for the next."""

    cards: tuple[str | None, ...]
    clause: str


class CoupReconstructed(Event, frozen=True, kw_only=True):
    """The missing burn is made good: the first card is burned, and the others fall one place later."""

    coup: int
    burned: str
    cards: tuple[str, ...]
    left_over: tuple[str, ...]
    clause: str


class DummyCoupDeclared(Event, frozen=True, kw_only=True):
    """The coup is played without wagers; those on the layout are void and go back."""

    coup: int
    cause: str
    words: str
    refunds: dict[str, dict[Bet, int]]
    refund_clause: str
    counts_as_coup: bool
    """Whether its wagering was opened, so that it counts when the last coup of the shoe is (G-73)."""
    clause: str


class Adjustment(msgspec.Struct, frozen=True, gc=False):
    """How one account is brought to where it should stand."""

    change_cents: int
    commission_cents: int
    credited_cents: int
    taken_cents: int
    owed_cents: int
    """What could not be taken: the patron owes it, or it is uncollected if he has left (G-88, G-89)."""
    payable_cents: int
    """What could not be credited, because the patron has left: it waits for him (G-88)."""
    same_patron: bool


class AccountsFrozen(Event, frozen=True, kw_only=True):
    at_ms: int
    by: str
    clause: str


class OutcomeCorrected(Event, frozen=True, kw_only=True):
    coup: int
    was: tuple[str, ...]
    cards: tuple[str, ...]
    left_over: tuple[str, ...]
    """Cards that were drawn and, the hands being what they are, belong to neither."""
    carried: bool
    """Whether they wait to open a dummy coup; once a later coup has begun they stay on record only."""
    announcement: str
    by: str
    clause: str


class CoupRecalculated(Event, frozen=True, kw_only=True):
    coup: int
    settlements: dict[str, list[Settlement]]
    adjustments: dict[str, Adjustment]
    by: str
    clause: str


class AccountsUnfrozen(Event, frozen=True, kw_only=True):
    at_ms: int
    by: str
    clause: str


class CoupInvalidated(Event, frozen=True, kw_only=True):
    """A settled coup counts for nothing: every account stands as if it had not been played."""

    coup: int
    cause: str
    reason: str
    adjustments: dict[str, Adjustment]
    by: str
    clause: str


class OwedCollected(Event, frozen=True, kw_only=True):
    """Taken from what a settlement brought, never from notes or buy-ins."""

    station: str
    cents: int
    clause: str


class OwedUncollected(Event, frozen=True, kw_only=True):
    """A patron left owing: nobody else is charged, and the next patron at the station starts clean (G-88)."""

    station: str
    cents: int
    clause: str


class OwedWaived(Event, frozen=True, kw_only=True):
    station: str
    cents: int
    reason: str
    by: str
    clause: str


class OptionTakenUp(Event, frozen=True, kw_only=True):
    option: str
    choice: int
    clause: str


class ClaimMade(Event, frozen=True, kw_only=True):
    case: int
    station: str
    coup: int
    text: str
    clause: str


class ClaimDecided(Event, frozen=True, kw_only=True):
    case: int
    accepted: bool
    remedy: str
    reason: str
    by: str
    clause: str


class DisputeOpened(Event, frozen=True, kw_only=True):
    case: int
    station: str
    text: str
    by: str
    clause: str


class DisputeDecided(Event, frozen=True, kw_only=True):
    case: int
    decision: str
    adjustments: dict[str, int]
    unresolved: bool
    inspector_advised: bool
    by: str
    clause: str


class BreachRecorded(Event, frozen=True, kw_only=True):
    case: int
    station: str
    contravened: str
    reason: str
    prohibited_device: bool
    by: str
    clause: str


class BreachActed(Event, frozen=True, kw_only=True):
    """A device confiscated, a person detained: on the case, with no effect on the game."""

    case: int
    act: str
    text: str
    by: str
    clause: str


class WagersVoided(Event, frozen=True, kw_only=True):
    """One station's wagers of a coup are void and go back."""

    station: str
    coup: int
    wagers: dict[Bet, int]
    reason: str
    by: str
    clause: str


class PatronExcluded(Event, frozen=True, kw_only=True):
    station: str
    case: int
    by: str
    clause: str


class WinningsSeized(Event, frozen=True, kw_only=True):
    case: int
    station: str
    cents: int
    from_held_cents: int
    by: str
    clause: str


class SeizedReleased(Event, frozen=True, kw_only=True):
    case: int
    station: str
    cents: int
    forfeit: bool
    reason: str
    by: str
    clause: str


class StationFaulted(Event, frozen=True, kw_only=True):
    station: str
    coup: int
    before_close: bool
    fault: str
    by: str
    clause: str


class SystemRestarted(Event, frozen=True, kw_only=True):
    last_sign_ms: int
    at_ms: int
    awaits_confirmation: bool
    clause: str


class RecordsConfirmed(Event, frozen=True, kw_only=True):
    station: str
    coup: int
    by: str
    clause: str


class WagersReversed(Event, frozen=True, kw_only=True):
    """A station's settled wagers could not be confirmed: its part of the settlement is undone."""

    station: str
    coup: int
    settlements: dict[str, list[Settlement]]
    """What stays settled."""
    adjustments: dict[str, Adjustment]
    by: str
    clause: str


class CountsAnnounced(Event, frozen=True, kw_only=True):
    """The initial deal is out: both counts are announced, and the Pair bets are decided."""

    coup: int
    player: str
    banker: str
    player_pair: str
    banker_pair: str
    clause: str


class FaceUpChanged(Event, frozen=True, kw_only=True):
    face_up: bool
    by: str
    clause: str


class CardAmended(Event, frozen=True, kw_only=True):
    position: int
    was: str
    card: str
    by: str
    clause: str


class CoupDecided(Event, frozen=True, kw_only=True):
    coup: int
    dummy: bool = False
    shoe: int
    cards: tuple[str, ...]
    player: str
    """The hand's count in the game's own words."""
    banker: str
    winner: str
    announcement: str
    by: str
    at_ms: int
    clause: str


class WagersSettled(Event, frozen=True, kw_only=True):
    coup: int
    settlements: dict[str, list[Settlement]]
    """Every sealed wager, by station."""
    clause: str


AnyEvent = (
    Configured
    | SignedOn
    | SignedOff
    | BuildApproved
    | TableOpened
    | TableClosed
    | TableLocked
    | NoticeGiven
    | MinimumChanged
    | DeviceReported
    | IncidentRecorded
    | CardsChecked
    | PackRecorded
    | CardsShuffled
    | ShoeEnded
    | CardsReplaced
    | CardsCut
    | CardsBurned
    | BurnShown
    | CuttingCardSeen
    | AccountOpened
    | BoughtIn
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
    | AccountsFrozen
    | OutcomeCorrected
    | CoupRecalculated
    | AccountsUnfrozen
    | CoupInvalidated
    | OwedCollected
    | OwedUncollected
    | OwedWaived
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
