"""Claims, disputes, breaches and complaints.

Each is a patron's, or another person's: `station` alone means who controls it, or controlled it last; `control` names a
session, `patron` a reference, `person` describes somebody who is not known by one (G-141).
"""

from typing import Literal

from sabot.basics.act import Act


class Claim(Act, frozen=True, kw_only=True):
    """A patron claims that a wrong outcome was entered or that something failed."""

    station: str = ""
    coup: int
    text: str
    control: int | None = None
    patron: str = ""


class DecideClaim(Act, frozen=True, kw_only=True):
    """Accept a claim with the clause of its remedy, or reject it with a reason."""

    case: int
    accepted: bool
    remedy: str = ""
    reason: str = ""


class RemedyDone(Act, frozen=True, kw_only=True):
    """Say what was done about an accepted claim, which closes it."""

    case: int
    text: str


class Dispute(Act, frozen=True, kw_only=True):
    station: str = ""
    text: str
    coup: int = 0
    control: int | None = None
    patron: str = ""
    person: str = ""


class DecideDispute(Act, frozen=True, kw_only=True):
    """Decide a dispute finally, with any money that the decision moves."""

    case: int
    decision: str
    adjustments: dict[str, int] = {}
    unresolved: bool = False
    inspector_advised: bool = False


class Breach(Act, frozen=True, kw_only=True):
    """Record that somebody broke a rule: a patron, or a bystander."""

    station: str = ""
    contravened: str
    reason: str
    prohibited_device: bool = False
    control: int | None = None
    patron: str = ""
    person: str = ""


BreachMeasure = Literal["void_wagers", "exclude", "confiscate", "detain"]


class ActOnBreach(Act, frozen=True, kw_only=True):
    """Void wagers, exclude the patron, confiscate the device, or record a detention."""

    case: int
    act: BreachMeasure
    text: str = ""
    coup: int | None = None
    """Whose wagers are void; without it those that lie now, or else those of the coup settled last."""


class EndDetention(Act, frozen=True, kw_only=True):
    """Say who took over a person who was detained, or why the person was let go."""

    case: int
    taken_over_by: str = ""
    ended_ms: int | None = None
    """When it ended; now, unless given."""
    reason: str = ""


class Seize(Act, frozen=True, kw_only=True):
    case: int
    cents: int
    since_ms: int | None = None
    """From when on the device was there; the beginning of the patron's session, unless given."""


class Release(Act, frozen=True, kw_only=True):
    """Pay seized winnings out after all, or forfeit them."""

    case: int
    forfeit: bool = False
    reason: str = ""


class Complaint(Act, frozen=True, kw_only=True):
    """Record a complaint about the conduct of the game."""

    station: str = ""
    text: str
    control: int | None = None
    patron: str = ""
    person: str = ""


class AnswerComplaint(Act, frozen=True, kw_only=True):
    """Record what the person who complained was told."""

    case: int
    text: str


class CloseComplaint(Act, frozen=True, kw_only=True):
    """Close a complaint with what came of it."""

    case: int
    text: str


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
