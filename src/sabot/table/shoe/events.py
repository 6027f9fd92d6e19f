"""The shoe, from check to replacement."""

from sabot.table.event import Event
from sabot.table.shoe.acts import ShuffleMethod
from sabot.table.state import CardCheck


class CardsChecked(Event, frozen=True, kw_only=True):
    cards: int
    expected: int
    of_each_rank: int | None
    when: CardCheck
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
    method: ShuffleMethod
    pack: str | None
    commitment: str | None
    by: str
    at_ms: int
    clause: str


class ShoeOpened(Event, frozen=True, kw_only=True):
    """A virtual shoe's order and salt, which come to the commitment that it published before the first wager."""

    shoe: int
    order: str
    salt: str
    by: str
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
    carried: bool = False
    """Whether the shown card waited for the next coup, so that it had left the shoe before."""
    asked_by: str = ""
    proof: str = ""
    clause: str


class BurnShown(Event, frozen=True, kw_only=True):
    card: str
    asked_by: str
    proof: str = ""
    clause: str


class CuttingCardSeen(Event, frozen=True, kw_only=True):
    position: int
    last_coup: int
    """The number of the coup that is the last of the shoe."""
    clause: str


class CuttingCardWithdrawn(Event, frozen=True, kw_only=True):
    """The cutting card had not appeared after all."""

    shoe: int
    reason: str
    by: str
    clause: str


class CuttingCardOverdue(Event, frozen=True, kw_only=True):
    """The cutting card should have appeared, by the count of the cards; told once for each shoe."""

    shoe: int
    out: int
    expected_after: int
    clause: str


class ShoeRecounted(Event, frozen=True, kw_only=True):
    """The shoe in the dealer's hand is right and the count was not."""

    shoe: int
    was: int
    left: int
    by: str
    clause: str


class CardsDoubted(Event, frozen=True, kw_only=True):
    """The cards are checked, or replaced, before the next coup."""

    shoe: int
    reason: str
    by: str
    clause: str


ShoeEvent = (
    CardsChecked
    | PackRecorded
    | CardsShuffled
    | ShoeOpened
    | ShoeEnded
    | CardsReplaced
    | CardsCut
    | CardsBurned
    | BurnShown
    | CuttingCardSeen
    | CuttingCardWithdrawn
    | CuttingCardOverdue
    | ShoeRecounted
    | CardsDoubted
)
