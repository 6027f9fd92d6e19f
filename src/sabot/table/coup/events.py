"""Wagers, cards, results and settlement."""

from sabot.rules.hand import Side
from sabot.rules.limits import Refunded
from sabot.rules.rule_set import Bet
from sabot.rules.terms import Settlement
from sabot.table.event import Event


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
    hand: Side
    dealer: str
    at_ms: int
    proof: str = ""
    """That it is the next card of a virtual shoe's committed order."""
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
    """An entry is put right, and the hands are read again from the start."""

    place: int
    """Which entry of the coup, counted from 1."""
    position: int
    was: str
    card: str
    cards: tuple[str, ...]
    """The cards of the coup as they then stand."""
    left_over: tuple[str, ...]
    """Cards that were drawn and, the hands being what they are, were never due."""
    reason: str
    by: str
    clause: str


class CardTakenBack(Event, frozen=True, kw_only=True):
    """A card was entered that never left the shoe; the hands are read again from the start."""

    place: int
    position: int
    card: str
    cards: tuple[str, ...]
    left_over: tuple[str, ...]
    dummy: bool
    """Whether the coup is still a dummy coup; one that only this card made a dummy coup is none."""
    reason: str
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
    at_ms: int


CoupEvent = (
    WageringOpened
    | WageringClosed
    | CoupVoided
    | CardDealt
    | CountsAnnounced
    | FaceUpChanged
    | CardAmended
    | CardTakenBack
    | CoupDecided
    | WagersSettled
)
