"""What went wrong at the shoe, and what was done about it."""

from sabot.ledger.posting import Posting
from sabot.rules.hand import Side
from sabot.rules.rule_set import Bet, IrregularityName
from sabot.table.event import Event
from sabot.table.phase import Phase
from sabot.table.role import Role


class FactStated(Event, frozen=True, kw_only=True):
    kind: IrregularityName
    cards: tuple[str, ...]
    hand: Side | None
    reconstructible: bool | None
    order_known: bool | None
    count: int | None = None
    entered: bool = False
    """Whether an amendment found it: the cards had been entered, and left the shoe before any that wait."""
    by: str
    clause: str


class FactResolved(Event, frozen=True, kw_only=True):
    id: str
    text: str
    follows: int = 0
    """How many events after it are its effects; they can be taken back together."""
    role: Role = Role.CASINO_SUPERVISOR
    """The role in which it was chosen, which at least may take it back."""
    by: str
    clause: str


class ResolutionTakenBack(Event, frozen=True, kw_only=True):
    """The fact stands unresolved again, and everything stands as it did before the resolution."""

    id: str
    kind: IrregularityName
    phase: Phase
    """Where the table then is."""
    coup: int | None
    """The coup that is then under way."""
    cards: tuple[str, ...]
    """Its cards."""
    moved: tuple[Posting, ...]
    """What the resolution moved, moved back."""
    corrected: dict[str, int]
    """What each station's meter of corrections changes by."""
    restored: int | None
    """A settled coup that the resolution had made invalid and that counts again."""
    reason: str
    by: str
    clause: str


class FactWithdrawn(Event, frozen=True, kw_only=True):
    """It did not happen after all."""

    kind: IrregularityName
    reason: str
    by: str
    clause: str


class CardsCarried(Event, frozen=True, kw_only=True):
    """Cards left the shoe that belong to no hand of this coup; they wait, in order, for the next."""

    cards: tuple[str | None, ...]
    first: bool = False
    """Whether they left the shoe before those that wait already."""
    clause: str


class CoupReconstructed(Event, frozen=True, kw_only=True):
    """The missing burn is made good: the first cards are burned, and the others fall as many places later."""

    coup: int
    burned: str
    """With blanks between them, where more than one card was left out."""
    still_due: int = 0
    """Cards that are still to be burned before the coup goes on."""
    cards: tuple[str, ...]
    left_over: tuple[str, ...]
    clause: str


class DummyCoupDeclared(Event, frozen=True, kw_only=True):
    """The coup is played without wagers; those on the layout are void and go back."""

    coup: int
    cause: str
    words: str
    refunds: dict[str, dict[Bet, int]]
    refund_clause: str
    counts_as_coup: bool
    """Whether its wagering was opened, so that it counts when the last coup of the shoe is (G-73)."""
    clause: str


IrregularityEvent = (
    FactStated
    | FactResolved
    | ResolutionTakenBack
    | FactWithdrawn
    | CardsCarried
    | CoupReconstructed
    | DummyCoupDeclared
)
