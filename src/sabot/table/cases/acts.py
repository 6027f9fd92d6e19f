"""Claims, disputes and breaches."""

from typing import Literal

from sabot.basics.act import Act


class Claim(Act, frozen=True, kw_only=True):
    """A patron claims that a wrong outcome was entered or that something failed."""

    station: str = ""
    coup: int
    text: str


class DecideClaim(Act, frozen=True, kw_only=True):
    """Accept a claim with the clause of its remedy, or reject it with a reason."""

    case: int
    accepted: bool
    remedy: str = ""
    reason: str = ""


class Dispute(Act, frozen=True, kw_only=True):
    station: str
    text: str


class DecideDispute(Act, frozen=True, kw_only=True):
    """Decide a dispute finally, with any money that the decision moves."""

    case: int
    decision: str
    adjustments: dict[str, int] = {}
    unresolved: bool = False
    inspector_advised: bool = False


class Breach(Act, frozen=True, kw_only=True):
    """Record that a patron broke a rule."""

    station: str
    contravened: str
    reason: str
    prohibited_device: bool = False


BreachMeasure = Literal["void_wagers", "exclude", "confiscate", "detain"]


class ActOnBreach(Act, frozen=True, kw_only=True):
    """Void the wagers, exclude the patron, confiscate the device, or record a detention."""

    case: int
    act: BreachMeasure
    text: str = ""


class Seize(Act, frozen=True, kw_only=True):
    case: int
    cents: int


class Release(Act, frozen=True, kw_only=True):
    """Pay seized winnings out after all, or forfeit them."""

    case: int
    forfeit: bool = False
    reason: str = ""


CaseAct = Claim | DecideClaim | Dispute | DecideDispute | Breach | ActOnBreach | Seize | Release
