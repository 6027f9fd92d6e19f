"""Claims, disputes and breaches."""

from typing import Literal

from sabot.table.act import Command


class Claim(Command, frozen=True, kw_only=True, tag="claim"):
    """A patron claims that a wrong outcome was entered or that something failed."""

    station: str
    coup: int
    text: str


class DecideClaim(Command, frozen=True, kw_only=True, tag="decide_claim"):
    """Accept a claim with the clause of its remedy, or reject it with a reason."""

    case: int
    accepted: bool
    remedy: str = ""
    reason: str = ""


class OpenDispute(Command, frozen=True, kw_only=True, tag="dispute"):
    station: str
    text: str


class DecideDispute(Command, frozen=True, kw_only=True, tag="decide_dispute"):
    """Decide a dispute finally, with any money that the decision moves."""

    case: int
    decision: str
    adjustments: dict[str, int] = {}
    unresolved: bool = False
    inspector_advised: bool = False


class RecordBreach(Command, frozen=True, kw_only=True, tag="breach"):
    """Record that a patron broke a rule."""

    station: str
    contravened: str
    reason: str
    prohibited_device: bool = False


class ActOnBreach(Command, frozen=True, kw_only=True, tag="act_on_breach"):
    """Void the wagers, exclude the patron, confiscate the device, or record a detention."""

    case: int
    act: Literal["void_wagers", "exclude", "confiscate", "detain"]
    text: str = ""


class Seize(Command, frozen=True, kw_only=True, tag="seize"):
    case: int
    cents: int


class ReleaseSeized(Command, frozen=True, kw_only=True, tag="release"):
    """Pay seized winnings out after all, or forfeit them."""

    case: int
    forfeit: bool = False
    reason: str = ""


CaseAct = Claim | DecideClaim | OpenDispute | DecideDispute | RecordBreach | ActOnBreach | Seize | ReleaseSeized
