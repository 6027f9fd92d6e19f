"""Claims, disputes, breaches and complaints.

Each is a patron's, or another person's: `station` alone means who controls it, or controlled it last; `control` names a
session, `patron` a reference, `person` describes a person who is not known by one (G-141).
"""

import enum
from typing import Literal

from sabot.basics.act import Act
from sabot.basics.bounds import AmountSaid, CountSaid, NameSaid, TextSaid, TimeSaid


class ClaimReason(enum.StrEnum):
    """What a patron can touch instead of writing."""

    WRONG_CARD = "wrong_card"
    WRONG_TOTAL = "wrong_total"
    WRONG_PAYMENT = "wrong_payment"
    WAGER_NOT_TAKEN = "wager_not_taken"
    OTHER = "other"


class Claim(Act, frozen=True, kw_only=True):
    """A patron claims that a wrong outcome was entered or that something failed."""

    station: NameSaid = ""
    coup: CountSaid
    text: TextSaid = ""
    reason: ClaimReason | None = None
    control: CountSaid | None = None
    patron: NameSaid = ""


class DecideClaim(Act, frozen=True, kw_only=True):
    """Accept a claim with the clause of its remedy, or reject it with a reason."""

    case: CountSaid
    accepted: bool
    remedy: NameSaid = ""
    reason: TextSaid = ""


class RemedyDone(Act, frozen=True, kw_only=True):
    """Say what was done about an accepted claim, which closes it."""

    case: CountSaid
    text: TextSaid


class Dispute(Act, frozen=True, kw_only=True):
    station: NameSaid = ""
    text: TextSaid
    coup: CountSaid = 0
    control: CountSaid | None = None
    patron: NameSaid = ""
    person: TextSaid = ""


class DecideDispute(Act, frozen=True, kw_only=True):
    """Decide a dispute finally, with any money that the decision moves."""

    case: CountSaid
    decision: TextSaid
    adjustments: dict[NameSaid, AmountSaid] = {}
    unresolved: bool = False
    inspector_advised: bool = False


class Breach(Act, frozen=True, kw_only=True):
    """Record a breach of the rules by a patron or a bystander."""

    station: NameSaid = ""
    contravened: NameSaid
    reason: TextSaid
    prohibited_device: bool = False
    control: CountSaid | None = None
    patron: NameSaid = ""
    person: TextSaid = ""


BreachMeasure = Literal["void_wagers", "exclude", "confiscate", "detain"]


class ActOnBreach(Act, frozen=True, kw_only=True):
    """Void wagers, exclude the patron, confiscate the device, or record a detention."""

    case: CountSaid
    act: BreachMeasure
    text: TextSaid = ""
    coup: CountSaid | None = None
    """Whose wagers are void; without it those that lie now, or else those of the coup settled last."""


class EndDetention(Act, frozen=True, kw_only=True):
    """Say who took over a person who was detained, or why the person was let go."""

    case: CountSaid
    taken_over_by: TextSaid = ""
    ended_ms: TimeSaid | None = None
    """When it ended; now, unless given."""
    reason: TextSaid = ""


class Seize(Act, frozen=True, kw_only=True):
    case: CountSaid
    cents: AmountSaid
    since_ms: TimeSaid | None = None
    """From when on the device was there; the beginning of the patron's session, unless given."""


class Release(Act, frozen=True, kw_only=True):
    """Pay seized winnings out after all, or forfeit them."""

    case: CountSaid
    forfeit: bool = False
    reason: TextSaid = ""


class Complaint(Act, frozen=True, kw_only=True):
    """Record a complaint about the conduct of the game."""

    station: NameSaid = ""
    text: TextSaid
    control: CountSaid | None = None
    patron: NameSaid = ""
    person: TextSaid = ""


class AnswerComplaint(Act, frozen=True, kw_only=True):
    """Record what the person who complained was told."""

    case: CountSaid
    text: TextSaid


class CloseComplaint(Act, frozen=True, kw_only=True):
    """Close a complaint with what came of it."""

    case: CountSaid
    text: TextSaid


CaseAct = (
    Claim
    | DecideClaim
    | RemedyDone
    | Dispute
    | DecideDispute
    | Breach
    | ActOnBreach
    | EndDetention
    | Seize
    | Release
    | Complaint
    | AnswerComplaint
    | CloseComplaint
)
