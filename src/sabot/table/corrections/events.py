"""Outcomes put right, and what is owed after it."""

import msgspec

from sabot.rules.terms import Settlement
from sabot.table.event import Event


class Adjustment(msgspec.Struct, frozen=True, gc=False):
    """How one account is brought to where it should stand."""

    change_cents: int
    commission_cents: int
    credited_cents: int
    taken_cents: int
    from_held_cents: int
    """What was taken from the balance that is held for a leaving patron."""
    set_off_cents: int
    """What cancels an earlier correction's remainder: less is owed or uncollected, or less is payable."""
    owed_cents: int
    """What could not be taken: the patron owes it, or it is uncollected after leaving (G-88, G-89)."""
    payable_cents: int
    """What could not be credited, because the patron has left: it is payable (G-88)."""
    control: int
    """The control session that had the wagers."""
    same_patron: bool
    """Whether that patron is still in control of the station."""
    moved_to: str = ""
    """The station that the patron was moved to since, where the amounts are booked."""


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
    """Taken from what a settlement brought, or at cash-out; never from notes or buy-ins that came after the debt."""

    station: str
    cents: int
    from_held: bool
    """Whether it is taken from the balance that is being paid out."""
    clause: str


class OwedUncollected(Event, frozen=True, kw_only=True):
    """A patron left owing: no other patron is charged, and the next patron at the station starts clean (G-88)."""

    station: str
    control: int
    cents: int
    clause: str


class OwedWaived(Event, frozen=True, kw_only=True):
    station: str
    cents: int
    reason: str
    by: str
    clause: str


class PayablePaid(Event, frozen=True, kw_only=True):
    """A patron who had left got what a correction found (G-88)."""

    station: str
    control: int
    cents: int
    chips_cents: int
    coin_cents: int
    at_cage: bool
    """Whether the cage paid it, and not the dealer."""
    by: str
    clause: str


class BuyInCorrected(Event, frozen=True, kw_only=True):
    """A buy-in stands as it was tendered, and not as it was keyed: the tender's box, meters and account follow."""

    buy_in: int
    station: str
    was_cents: int
    was_tender: str
    cents: int
    tender: str
    adjustment: Adjustment
    reason: str
    by: str
    clause: str


class WaitingBuyInCorrected(Event, frozen=True, kw_only=True):
    """The same of a buy-in that waits until the accounts are no longer frozen; nothing has been booked of it."""

    place: int
    """Its place among those that wait, from 0."""
    station: str
    was_cents: int
    was_tender: str
    cents: int
    tender: str
    reason: str
    by: str
    clause: str


CorrectionEvent = (
    AccountsFrozen
    | OutcomeCorrected
    | CoupRecalculated
    | AccountsUnfrozen
    | CoupInvalidated
    | OwedCollected
    | OwedUncollected
    | OwedWaived
    | PayablePaid
    | BuyInCorrected
    | WaitingBuyInCorrected
)
