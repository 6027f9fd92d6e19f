"""Claims, disputes, breaches."""

from sabot.rules.rule_set import Bet
from sabot.table.cases.acts import BreachMeasure
from sabot.table.event import Event


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
    control: int
    """The control session of the patron in breach."""
    by: str
    clause: str


class BreachActed(Event, frozen=True, kw_only=True):
    """A device confiscated, a person detained: on the case, with no effect on the game."""

    case: int
    act: BreachMeasure
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


CaseEvent = (
    ClaimMade
    | ClaimDecided
    | DisputeOpened
    | DisputeDecided
    | BreachRecorded
    | BreachActed
    | WagersVoided
    | PatronExcluded
    | WinningsSeized
    | SeizedReleased
)
