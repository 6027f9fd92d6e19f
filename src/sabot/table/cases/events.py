"""Claims, disputes, breaches, complaints."""

from sabot.rules.rule_set import Bet
from sabot.table.cases.acts import BreachMeasure
from sabot.table.corrections.events import Adjustment
from sabot.table.event import Event


class ClaimMade(Event, frozen=True, kw_only=True):
    case: int
    station: str
    coup: int
    text: str
    control: int
    """The control session of the patron who claims."""
    patron: str
    clause: str
    reason: str = ""
    """What the patron touched, where it was not only said in words."""


class ClaimDecided(Event, frozen=True, kw_only=True):
    """A rejected claim is closed; an accepted one when its remedy was performed."""

    case: int
    accepted: bool
    remedy: str
    reason: str
    by: str
    clause: str


class RemedyPerformed(Event, frozen=True, kw_only=True):
    """What an accepted claim led to was done, and the claim is closed."""

    case: int
    remedy: str
    done: str
    by: str
    clause: str


class DisputeOpened(Event, frozen=True, kw_only=True):
    case: int
    station: str
    text: str
    coup: int
    control: int
    patron: str
    person: str
    by: str
    clause: str


class DisputeDecided(Event, frozen=True, kw_only=True):
    case: int
    decision: str
    adjustments: dict[str, int]
    booked: dict[str, Adjustment]
    """How each amount was booked: to the account, or for a patron who has left as payable or uncollected."""
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
    control: int
    """The control session of the patron in breach, or 0 for a bystander."""
    patron: str
    person: str
    by: str
    clause: str


class BreachActed(Event, frozen=True, kw_only=True):
    """A device confiscated, a person detained or sent away: on the case, with no effect on the game."""

    case: int
    act: BreachMeasure
    text: str
    at_ms: int
    by: str
    clause: str


class DetentionEnded(Event, frozen=True, kw_only=True):
    case: int
    taken_over_by: str
    """The authorised person who took over; empty where the person was let go."""
    began_ms: int
    ended_ms: int
    reason: str
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
    """Where the patron plays; empty for one who does not play here now."""
    case: int
    by: str
    clause: str


class WinningsSeized(Event, frozen=True, kw_only=True):
    case: int
    station: str
    control: int
    cents: int
    from_held_cents: int
    from_payable_cents: int
    since_ms: int
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


class ComplaintMade(Event, frozen=True, kw_only=True):
    case: int
    station: str
    text: str
    control: int
    patron: str
    person: str
    by: str
    at_ms: int
    clause: str


class ComplaintAnswered(Event, frozen=True, kw_only=True):
    case: int
    told: str
    by: str
    at_ms: int
    clause: str


class ComplaintClosed(Event, frozen=True, kw_only=True):
    case: int
    outcome: str
    by: str
    at_ms: int
    clause: str


CaseEvent = (
    ClaimMade
    | ClaimDecided
    | RemedyPerformed
    | DisputeOpened
    | DisputeDecided
    | BreachRecorded
    | BreachActed
    | DetentionEnded
    | WagersVoided
    | PatronExcluded
    | WinningsSeized
    | SeizedReleased
    | ComplaintMade
    | ComplaintAnswered
    | ComplaintClosed
)
