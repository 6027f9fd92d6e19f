"""Slips by which tournaments and the cage pay each other, and the books of a tournament at the house."""

from sabot.house.event import HouseEvent
from sabot.house.state import SlipDirection, SlipPart


class SlipRegistered(HouseEvent, frozen=True, kw_only=True):
    """A slip to be paid is owed from now on."""

    slip: str
    tournament: str
    direction: SlipDirection
    cents: int
    parts: dict[SlipPart, int]
    purpose: str
    entrant: int
    player: str
    expires_ms: int | None
    clause: str


class SlipTaken(HouseEvent, frozen=True, kw_only=True):
    slip: str
    cents: int
    tender: str
    by: str
    at_ms: int
    clause: str


class SlipPaid(HouseEvent, frozen=True, kw_only=True):
    slip: str
    cents: int
    by: str
    second: str
    at_ms: int
    clause: str


class SlipCancelled(HouseEvent, frozen=True, kw_only=True):
    """The tournament has withdrawn it before the cage settled it."""

    slip: str
    cents: int
    clause: str


class SlipHeld(HouseEvent, frozen=True, kw_only=True):
    slip: str
    reason: str
    by: str
    at_ms: int
    clause: str


class SlipReleased(HouseEvent, frozen=True, kw_only=True):
    """The cage may pay it again."""

    slip: str
    reason: str
    expires_ms: int | None
    by: str
    at_ms: int
    clause: str


class SlipForfeited(HouseEvent, frozen=True, kw_only=True):
    """An investigation ended with the house keeping it."""

    slip: str
    cents: int
    reason: str
    by: str
    at_ms: int
    clause: str


class SlipExpired(HouseEvent, frozen=True, kw_only=True):
    slip: str
    cents: int
    at_ms: int
    clause: str


class PoolRaised(HouseEvent, frozen=True, kw_only=True):
    """What the house adds to the prizes of a tournament in all."""

    tournament: str
    cents: int
    clause: str


class StakesSettled(HouseEvent, frozen=True, kw_only=True):
    """What the house won of a cash sitting in all, or lost where it is below zero."""

    tournament: str
    sitting: str
    won_cents: int
    clause: str


class TournamentClosed(HouseEvent, frozen=True, kw_only=True):
    """Its books are closed, and its fees are the house's income."""

    tournament: str
    fees_cents: int
    at_ms: int
    clause: str


SlipEvent = (
    SlipRegistered
    | SlipTaken
    | SlipPaid
    | SlipCancelled
    | SlipHeld
    | SlipReleased
    | SlipForfeited
    | SlipExpired
    | PoolRaised
    | StakesSettled
    | TournamentClosed
)
