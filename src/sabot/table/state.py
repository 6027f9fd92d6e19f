"""The state of a table: everything that is true of it now, as one value.

Balances are in the ledger and nowhere else. What follows from other parts (the hand that is due a card, whether a
station is open) is worked out, not stored.
"""

import enum
from collections.abc import Mapping
from typing import final

import msgspec

from sabot.ledger.account import CHIP_RACK, AccountKind, owed_by
from sabot.ledger.ledger import Ledger, Purse
from sabot.ledger.meters import Meters
from sabot.ledger.posting import Posting
from sabot.rules.cards import CARDS, Card
from sabot.rules.hand import Side
from sabot.rules.house_rule import TableFigures
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet, IrregularityName
from sabot.rules.shipped import figures_of
from sabot.rules.terms import Settlement, Terms
from sabot.table.accounts.state import ControlSession, Deferred, StationEscrow, StationState, TableTicket, Tendered
from sabot.table.care.state import AttendantCall, LeftCare
from sabot.table.cases.state import Case
from sabot.table.chips.state import ChipFloat, FloatMoment
from sabot.table.configuration import Configuration
from sabot.table.history.state import Fallen
from sabot.table.history.wanted import Wanted
from sabot.table.phase import Phase
from sabot.table.role import Role
from sabot.table.sessions.state import KeptSession, Reservation, SessionState

KEPT_UNDOS = 10


class Stage(enum.StrEnum):
    """How far a shoe is from shuffle to last coup."""

    NONE = "none"
    SHUFFLED = "shuffled"
    CUT = "cut"
    IN_PLAY = "in_play"
    SPENT = "spent"
    """The last coup is played, or the shoe was ended."""


class CardCheck(enum.StrEnum):
    """The newest check of the cards that lets the table go on."""

    NONE = ""
    OPENING = "opening"
    CLOSING = "closing"
    REST = "rest"
    """Of the cards that are still in the shoe."""


class NoticeKind(enum.StrEnum):
    MINIMUM = "minimum"
    AGGREGATE_MINIMUM = "aggregate_minimum"
    CLOSURE = "closure"


class ShoeState(msgspec.Struct, frozen=True, gc=False):
    number: int = 0
    stage: Stage = Stage.NONE
    cards: int = 0
    out: int = 0
    """Cards that have left it, burned ones included."""
    census: Mapping[str, int] = {}
    """How often each known card has left it."""
    hidden_burn: bool = False
    """Whether a single burn card lies face down and could still be shown."""
    burns_due: int = 0
    behind_cutting_card: int = 0
    last_coup: int | None = None
    """The number of its last coup, once the cutting card has shown."""
    ended: tuple[str, str] = ("", "")
    """Why it ended, and by which clause it must be shuffled."""
    replaced: bool = False
    carried: tuple[str | None, ...] = ()
    """Cards that have left the shoe and wait for the next coup, in order; None is one that nobody has seen."""
    carried_by: str = ""
    """The clause by which they wait."""
    coups_dealt: int = 0
    commitment: str = ""
    """What a virtual shoe has published about its order; other shoes have none."""
    cut_at: int = 0
    opened: bool = False
    """Whether its order has been opened."""
    unseen_burns: int = 0
    """Cards of the burn at its start that nobody has seen: so many may have been left out (CROWN 11.1)."""
    exchanged: Mapping[str, int] = {}
    """Cards of it that were replaced like for like, and how many of each (CROWN 3.11)."""
    cutting_card_coup: int = 0
    """The newest coup when the cutting card was entered."""
    overdue: bool = False
    """Whether it was told that the cutting card should have appeared."""
    missing: int = 0
    """How many cards fewer were found in it than were counted."""

    @property
    def left(self) -> int:
        return self.cards - self.out


class StatedFact(msgspec.Struct, frozen=True, gc=False):
    """What physically happened, as the dealer stated it."""

    kind: IrregularityName
    cards: tuple[str, ...]
    hand: Side | None
    reconstructible: bool | None
    order_known: bool | None
    count: int | None = None
    entered: bool = False
    """Whether an amendment found it: the cards had been entered, and left the shoe before any that wait."""


class Played(msgspec.Struct, frozen=True, gc=False):
    """A coup that is over, as it was last settled; a corrected one stands again behind its first version."""

    coup: int
    shoe: int
    cards: tuple[str, ...]
    settlements: Mapping[str, list[Settlement]]
    controls: Mapping[str, int]
    """Whose wagers they were: the control session of each station at the time."""
    terms: Terms
    """The terms it was played by, which a later correction must use again."""
    invalid: bool = False
    left_over: tuple[str, ...] = ()
    """Cards that were drawn in it and that by a correction fall to nobody, where no later coup could take them."""
    proved: bool = False
    """Whether its cards are proved by the commitment of a virtual shoe."""
    at_ms: int = 0
    """When it was settled."""
    session: str = ""
    """The sitting of a tournament whose coup it was; its amounts are then credits."""


class ShownWagers(msgspec.Struct, frozen=True, gc=False):
    """What a station told of the wagers it shows."""

    accepted: bool
    agrees: bool
    """Whether they are those on record."""


class Doubt(msgspec.Struct, frozen=True, gc=False):
    """A station's wagers of a coup that are to be confirmed from the records (CROWN 11.14(b), 11.15(b))."""

    coup: int
    station: str
    declared: bool = False
    """Whether a failure was declared; what a station shows is told before that, too."""
    told: ShownWagers | None = None

    @property
    def contradicted(self) -> bool:
        """Whether the station shows other wagers than the records hold: only then they may be unable to confirm."""
        return self.told is not None and not self.told.agrees


class NewestPeriod(msgspec.Struct, frozen=True, gc=False):
    """The wagering period of the newest coup that had one."""

    coup: int
    opened_ms: int
    ended_ms: int | None = None
    """None until it has ended, and where the coup was void before."""


class CoupUnderWay(msgspec.Struct, frozen=True, gc=False):
    number: int
    deadline_ms: int
    cards: tuple[Card, ...] = ()
    burned: bool = False
    dummy: bool = False
    """Whether it is played without wagers, to keep the order of the cards (CROWN 11.8)."""
    dummy_for: str = ""
    """Why it is."""
    sealed: Mapping[str, Mapping[Bet, int]] = {}
    shown: Mapping[str, ShownWagers] = {}
    """What stations show of their wagers, as far as they have told since no more could be placed."""
    root: str = ""
    closed_by: str = ""
    closed_at_ms: int | None = None
    could_wager: tuple[int, ...] = ()
    """The control sessions of the patrons who could wager when the wagering closed."""
    void: tuple[int, ...] = ()
    """The control sessions of the patrons whose wagers in this coup are void."""
    waited: tuple[str | None, ...] = ()
    """Those of its first cards that had waited for it, as they were known then."""

    @property
    def had_wagering(self) -> bool:
        """A dummy coup that follows another coup at once has no wagering period."""
        return self.deadline_ms > 0


class Resolved(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The newest resolution of a fact, with what stood before it, until something else happens to the coup or shoe."""

    fact: StatedFact
    id: str
    role: Role
    """The role in which it was chosen."""
    follows: int
    """How many events are still to come that are its effects."""
    phase: Phase
    coup: CoupUnderWay | None
    coups: int
    shoe: ShoeState
    cards_checked: CardCheck
    awaits_confirmation: bool
    controls: Mapping[str, int]
    """The control session of each station at the time."""
    moved: tuple[Posting, ...] = ()
    """What it moved."""
    corrected: Mapping[str, int] = {}
    """What it changed in the meters of corrections, by station."""
    made_invalid: int | None = None
    """The settled coup that it made invalid."""
    doubts: tuple[Doubt, ...] = ()
    """What was to be confirmed from the records; a coup that it made void has nothing to confirm."""


class Scheduled(msgspec.Struct, frozen=True, gc=False):
    """A sign that is being shown: a minimum that will rise, or the closing of the table."""

    kind: NoticeKind
    from_ms: int
    bet: Bet | None
    cents: int
    shown_ms: int
    """Since when."""
    late: Mapping[str, int | None] = {}
    """Locations that show it since another time, or, with None, do not show it yet."""


class BareTable(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What there is to tell of every table: who is at it, and its books."""

    phase: Phase = Phase.CLOSED
    signed_on: Mapping[str, Role] = {}
    sign_ons: Mapping[str, int] = {}
    """Everybody's newest sign-on by the house's number, whether it still holds, is over or was dropped."""
    shoe: ShoeState = ShoeState()
    coups: int = 0
    """The number of the newest coup, under way or over; it counts on through all shoes."""
    stations: Mapping[str, StationState] = {}
    ledger: Ledger = Ledger()
    meters: Mapping[str, Meters] = {}
    tickets: Mapping[str, TableTicket] = {}
    escrows: Mapping[str, StationEscrow] = {}
    """By station, the newest escrow of a ticket put in there that is over (G-235)."""
    played: tuple[Played, ...] = ()
    """The newest settled coups and those that something open names, each once, in the order in which they were settled
    or put right last (`table/history/falling.py`)."""

    @property
    def put_right_last(self) -> Played | None:
        """The coup that was settled or put right last."""
        return self.played[-1] if self.played else None

    def purse(self, station: str) -> Purse:
        return self.ledger.purse(station)

    def layouts(self) -> dict[str, dict[Bet, int]]:
        """What lies on the layout of each station that has wagers: what a void coup gives back."""
        return {name: dict(purse.layout) for name, purse in self.ledger.purses.items() if purse.layout}

    def owed(self, station: str) -> int:
        return self.ledger.balance(owed_by(station))

    @property
    def money_ledger(self) -> Ledger:
        """The ledger of money, also while a tournament's session is played in credits."""
        return self.ledger

    @property
    def money_meters(self) -> Mapping[str, Meters]:
        return self.meters

    @property
    def dealer(self) -> str | None:
        """The person signed on to run the game: a dealer, or a supervisor instead (CROWN 1.2)."""
        for wanted in (Role.DEALER, Role.GAME_SUPERVISOR, Role.CASINO_SUPERVISOR):
            for who, role in self.signed_on.items():
                if role is wanted:
                    return who
        return None


@final
class Unconfigured(BareTable, frozen=True, gc=False):
    """A table before its first configuration, which is the first thing that happens to it."""


UNCONFIGURED = Unconfigured()


class TableState(BareTable, frozen=True, gc=False, kw_only=True):
    configuration: Configuration
    terms: Terms
    rule_set_digest: str = ""
    offered: frozenset[Bet] = frozenset()
    limits: Mapping[Bet, Limits] = {}
    minimums: Mapping[Bet, int] = {}
    """The newest minimum of every bet that ever had one: a bet that is offered again has not forgotten it (G-39)."""
    aggregate_minimum: int = 0
    locked: str = ""
    """Why the table locked itself, if it did."""
    approved_builds: frozenset[str] = frozenset()
    notices: tuple[Scheduled, ...] = ()
    signs: Mapping[str, str] = {}
    """Of the locations that have told: a digest of the limits that each shows, or nothing where it shows none."""
    down: frozenset[str] = frozenset()
    face_up: bool = True
    cards_checked: CardCheck = CardCheck.NONE
    packs: frozenset[str] = frozenset()
    days_ended_with: int = 0
    """The last coup of the gaming day before; what lies before it only a Casino Supervisor corrects (G-91)."""
    day_ended: str = ""
    """The date of that gaming day, once one has ended here."""
    coup: CoupUnderWay | None = None
    fact: StatedFact | None = None
    """What the dealer stated last, until it is resolved or withdrawn."""
    resolved: Resolved | None = None
    """The newest resolution, while it can be taken back."""
    controls: int = 0
    sessions: Mapping[int, ControlSession] = {}
    """Control sessions, so that a patron who has left is still known; older ones fall out."""
    last_result: str = ""
    cases: Mapping[int, Case] = {}
    cases_opened: int = 0
    faulted: frozenset[str] = frozenset()
    """Stations that failed in this coup."""
    out_of_service: frozenset[str] = frozenset()
    """Stations that take no buy-in and no wager until they are put back."""
    moved: Mapping[int, str] = {}
    """Where patrons went on who were moved, by control session: what belongs to them is booked there."""
    calls: Mapping[str, AttendantCall] = {}
    """Stations that have called for an attendant."""
    left_care: tuple[LeftCare, ...] = ()
    """What patrons who have left had set for their own play, the newest last."""
    awaits_confirmation: bool = False
    journal_ahead_ms: int = 0
    """How far the clock of the leases was put forward under the owner at work, negative where it was put back."""
    """Whether the dealer must confirm the wagers from the records after a restart."""
    period: NewestPeriod | None = None
    doubts: tuple[Doubt, ...] = ()
    """What is to be confirmed from the records; it stays when the next coup opens (G-151)."""
    frozen_at_ms: int | None = None
    correction: tuple[int, tuple[str, ...], tuple[str, ...]] | None = None
    """A coup, its true cards and those that fell to nobody, between the correction and the recalculation."""
    deferred: tuple[Deferred, ...] = ()
    """Buy-ins that are credited when the accounts are no longer frozen, in the order in which they came (G-60)."""
    buy_ins: Mapping[int, Tendered] = {}
    """Buy-ins that were credited, numbered from 1, so that one that was keyed wrong can be put right (G-190)."""
    buy_ins_made: int = 0
    chip_float: ChipFloat = ChipFloat()
    slips: tuple[str, ...] = ()
    """The newest slips of fills and credits, each used once."""
    reserved: Reservation | None = None
    """The tournament for which the table takes no cash play (CROWN 12.3.2)."""
    session: SessionState | None = None
    """The tournament's session that is on; ledger, meters and limits are its own then, and the money is put aside."""
    kept_sessions: Mapping[str, KeptSession] = {}
    """Sessions that were played here, by sitting."""
    keeps: int = 0
    """How many of the newest coups the state keeps; with 0 all of them, as before any program bounded it."""
    fallen: Fallen = Fallen()
    looked_for: tuple[Wanted, ...] = ()
    """What was looked for beside the records since the last coup was settled, whether or not it was found."""

    @property
    def money_ledger(self) -> Ledger:
        return self.ledger if self.session is None else self.session.money.ledger

    @property
    def money_meters(self) -> Mapping[str, Meters]:
        return self.meters if self.session is None else self.session.money.meters

    @property
    def period_ms(self) -> int:
        """How long the wagering of a coup is open."""
        return self.configuration.period_ms if self.session is None else self.session.terms.period_ms

    @property
    def rack_cents(self) -> int:
        """The chips that lie in the rack by the books."""
        return self.money_ledger.balance(CHIP_RACK)

    @property
    def float_is_counted(self) -> bool:
        """Whether it was counted since the table closed last, and no chip has come or gone since then."""
        counted = self.chip_float
        return counted.counted is not FloatMoment.NONE and counted.counted_cents == self.rack_cents

    def has_shoe_of(self, played: Played) -> bool:
        """Whether the cards of that coup came from the shoe on the table; closing the table took it away."""
        return played.shoe == self.shoe.number and self.shoe.stage is not Stage.NONE

    def is_seat(self, station: str) -> bool:
        """Whether it is a seat at the table: not a remote station, nor one that nobody could use (G-185)."""
        if station in self.out_of_service or station in self.faulted:
            return False
        return not self.configuration.stations[station].remote

    @property
    def anybody_owes(self) -> bool:
        return any(cents for account, cents in self.ledger.books.items() if account.kind is AccountKind.OWED)

    def payable(self, station: str) -> dict[int, int]:
        """What waits for patrons who have left this station, by control session (G-88)."""
        return {
            int(account.part): cents
            for account, cents in self.ledger.books.items()
            if account.kind is AccountKind.PAYABLE and account.station == station and cents
        }

    @property
    def figures(self) -> TableFigures:
        """The figures of the table's procedure."""
        return figures_of(self.terms.rule_set)

    def cites(self, clause: str) -> str:
        """The clause as it is cited at this table: the house's own rule where its document has none."""
        return self.terms.rule_set.cites(clause)

    @property
    def closure(self) -> Scheduled | None:
        """The sign that tells when the table closes, if one is shown."""
        return next((notice for notice in self.notices if notice.kind is NoticeKind.CLOSURE), None)


AnyTable = TableState | Unconfigured


def seen(shoe: ShoeState, notation: str, copies: int = 1) -> Mapping[str, int]:
    """The census after a known card left the shoe, or, with -1, after an entry of it was taken back."""
    name = CARDS[notation].notation
    return {**shoe.census, name: shoe.census.get(name, 0) + copies}
