"""The state of one tournament, as one value. Nothing that follows from other parts is stored: no rank, no standing."""

import enum
from collections.abc import Mapping

import msgspec

from sabot.basics.growing_list import GrowingList
from sabot.basics.persistent_map import PersistentMap
from sabot.tournament.acts import SeatTold
from sabot.tournament.conditions.parts import Conditions, RoundPart
from sabot.tournament.events import Placed, PrizeAwarded, SeatAllotted
from sabot.tournament.phase import TournamentPhase


class EntrantStatus(enum.StrEnum):
    REGISTERED = "registered"
    """The fee is not paid yet."""
    WAITING = "waiting"
    """An alternate."""
    ENTERED = "entered"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"
    SEATED = "seated"
    PLAYING = "playing"
    BUST = "bust"
    THROUGH = "through"
    ELIMINATED = "eliminated"
    BOUGHT_BACK = "bought_back"
    ABSENT = "absent"
    RETIRED = "retired"
    DISQUALIFIED = "disqualified"
    EXCLUDED = "excluded"
    PLACED = "placed"


OUT = frozenset(
    {
        EntrantStatus.WITHDRAWN,
        EntrantStatus.LAPSED,
        EntrantStatus.ELIMINATED,
        EntrantStatus.ABSENT,
        EntrantStatus.RETIRED,
        EntrantStatus.DISQUALIFIED,
        EntrantStatus.EXCLUDED,
    }
)
"""Who sits in no later session, unless a paid buy-back or an admitted place is on record."""


class SavedConditions(msgspec.Struct, frozen=True, gc=False):
    version: int
    digest: str
    conditions: Conditions
    opens_ms: int
    closes_ms: int
    withdraw_free_until_ms: int
    starts_ms: Mapping[str, tuple[int, ...]]
    approval: str = ""
    """The reference of the written approval, or nothing."""
    dated: str = ""
    after_entry: bool = False
    """Whether it was approved after entry opened, so that who entered before may withdraw free (G-134)."""
    called_before: int = 0
    """How many sessions had been called when it was approved."""


class SlipStatus(enum.StrEnum):
    RAISED = "raised"
    WITHDRAWN = "withdrawn"
    """By the tournament; the house may have settled it before."""
    TAKEN = "taken"
    PAID = "paid"
    FORFEITED = "forfeited"
    EXPIRED = "expired"
    """Nobody came for it in time; a supervisor may let the cage pay it after all."""
    CANCELLED = "cancelled"
    """By the house, as the tournament asked."""


class TournamentSlip(msgspec.Struct, frozen=True, gc=False):
    direction: str
    cents: int
    parts: Mapping[str, int]
    entrant: int
    player: str
    purpose: str
    of: str = ""
    """The round of a buy-in or a buy-back; the slip that a refund gives back."""
    status: SlipStatus = SlipStatus.RAISED
    tender: str = ""
    refunded: bool = False
    """Whether a slip was raised that gives it back, whole or in part."""


class Entrant(msgspec.Struct, frozen=True, gc=False):
    player: str
    form_digest: str
    criteria: tuple[str, ...]
    status: EntrantStatus
    history: tuple[tuple[EntrantStatus, int], ...] = ()
    """Every earlier status with the version of the stream's time at which it ended, in milliseconds."""
    briefed: int = 0
    """The newest version of the conditions on which the entrant was briefed."""
    signed: int = 0
    entered_version: int = 0
    """The version that held when the entrant entered."""
    buy_backs: int = 0
    substitute: str = ""
    substitute_until: str = ""
    slips: tuple[str, ...] = ()


class SittingState(enum.StrEnum):
    PLANNED = "planned"
    CALLED = "called"
    OPEN = "open"
    PLAYED = "played"
    CLOSED = "closed"
    ABANDONED = "abandoned"


SITTING_OVER = frozenset({SittingState.CLOSED, SittingState.ABANDONED})
"""Nobody sits there any more."""


class Sitting(msgspec.Struct, frozen=True, gc=False):
    """One table in one session."""

    round: str
    session: int
    table: str
    seats: Mapping[str, SeatAllotted]
    """By station."""
    state: SittingState = SittingState.CALLED
    why: str = ""
    """What the table waits for."""
    counted: int = 0
    left: int | None = None
    revision: int = 0
    scores: GrowingList[Mapping[int, int]] = GrowingList()
    """By entrant's number, after each counted coup; the first is after the first."""
    told: Mapping[str, SeatTold] = {}
    """What the table tells of each station."""
    claims_open: bool = False
    orders: tuple["SeatOrder", ...] = ()
    """What the table is asked to do for seats, in their order."""
    conclusion: tuple[int, int, bool] | None = None
    """An early conclusion that was ordered: the order's number, the counted coups, and whether by agreement."""
    closing: int = 0
    """The number of the order to close it, once there is one."""
    stood_for: str = ""
    """The sitting that it goes on or plays again."""
    called_ms: int = 0


class SeatOrder(msgspec.Struct, frozen=True, gc=False):
    order: int
    kind: str
    """`admit` or `close`."""
    station: str
    seat: SeatAllotted | None = None
    penalty: bool = False
    reason: str = ""


class PlayOff(msgspec.Struct, frozen=True, gc=False):
    number: int
    entrants: tuple[int, ...]
    places: int
    done: bool = False


class RoundProgress(msgspec.Struct, frozen=True, gc=False):
    """What became of a round so far."""

    drawn: tuple[Placed, ...] | None = None
    commitment: str = ""
    seed: str = ""
    words: str = ""
    starts_ms: Mapping[int, int] = {}
    """Altered starts, by session."""
    called: frozenset[int] = frozenset()
    ended: frozenset[int] = frozenset()
    play_offs: tuple[PlayOff, ...] = ()
    broken: tuple[tuple[int, ...], ...] = ()
    """Ties that were broken, each in its order."""
    confirmed: bool = False
    through: Mapping[str, tuple[int, ...]] = {}
    eliminated: tuple[int, ...] = ()
    ranked: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    wild_cards: tuple[int, ...] = ()
    """The order in which wild cards were drawn, where a draw gives them (G-139)."""

    @property
    def begun(self) -> bool:
        """Whether its seats are drawn, so that nobody can join it in the ordinary way."""
        return self.drawn is not None or bool(self.called)


class DesignatedTable(msgspec.Struct, frozen=True, gc=False):
    stations: tuple[str, ...]
    state: str = "designated"
    """`designated`, `waiting`, `reserved` or `releasing`."""
    why: str = ""


class TournamentState(msgspec.Struct, frozen=True, gc=False):
    tournament: str = ""
    name: str = ""
    phase: TournamentPhase = TournamentPhase.DRAFT
    versions: tuple[SavedConditions, ...] = ()
    """Every version that stands, oldest first."""
    saved: int = 0
    """The highest number that a version ever had; a number is used once."""
    director: str = ""
    present: str = ""
    """The director or deputy who is present, or nobody."""
    signatures: bool | None = None
    """What the Director requires, where it differs from the conditions (CROWN 12.2.4)."""
    entry_opened: bool = False
    entrants: PersistentMap[Entrant] = PersistentMap()
    """By number, written as digits."""
    players: PersistentMap[int] = PersistentMap()
    """The newest entrant number of each player."""
    slips: PersistentMap[TournamentSlip] = PersistentMap()
    unsettled: PersistentMap[int] = PersistentMap()
    """The slips of which the house has not said what became of them, with their cents; the others need no look."""
    tables: Mapping[str, DesignatedTable] = {}
    commitments: Mapping[str, str] = {}
    """Published and not yet opened, by label."""
    committed: Mapping[str, int] = {}
    """How often a commitment was published under each label: every one has a seed of its own."""
    rounds: Mapping[str, RoundProgress] = {}
    sittings: Mapping[str, Sitting] = {}
    orders: int = 0
    """How many orders to tables were given."""
    on: tuple[str, int] | None = None
    """The session that is on: round and number."""
    pool_cents: int = 0
    house_adds_cents: int = 0
    prizes: tuple[PrizeAwarded, ...] = ()
    stakes: Mapping[str, int] = {}
    """What the house won of each cash sitting that is closed."""
    books_closed: bool = False

    @property
    def newest(self) -> SavedConditions | None:
        return self.versions[-1] if self.versions else None

    @property
    def approved(self) -> SavedConditions | None:
        """The newest version that is approved."""
        return next((one for one in reversed(self.versions) if one.approval), None)

    @property
    def plays_by(self) -> SavedConditions:
        """The version that holds: the newest approved one, or before any approval the newest."""
        held = self.approved or self.newest
        assert held is not None, "a tournament without conditions was asked for them"
        return held

    @property
    def conditions(self) -> Conditions:
        return self.plays_by.conditions

    @property
    def sessions_called(self) -> int:
        return sum(len(one.called) for one in self.rounds.values())

    def entrant(self, number: int) -> Entrant | None:
        return self.entrants.get(str(number))

    def round(self, name: str) -> RoundPart | None:
        return next((one for one in self.conditions.rounds if one.name == name), None)

    def progress(self, name: str) -> RoundProgress:
        return self.rounds.get(name, RoundProgress())
