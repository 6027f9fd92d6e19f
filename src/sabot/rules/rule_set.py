"""A rule set: one version of the game as one approved document states it, as data, every figure with its clause.

These are the parts of a rule set file. `rule_set_file.py` reads and checks one; `shipped.py` has the six that come
with Sabot; `terms.py` combines a rule set with the decks and options of one table.
"""

import datetime as dt
import enum
from collections.abc import Mapping
from typing import Annotated, Literal, NewType

import msgspec

from sabot.basics.mistake import Mistake
from sabot.rules.aspect import Aspect, union
from sabot.rules.condition import Condition
from sabot.rules.hand import Side
from sabot.rules.house_rule import HouseRules, TableFigures
from sabot.rules.odds import Odds
from sabot.rules.part import NAME, CheckedClause, Clause, Count, Identifier, Part, Words

Bet = NewType("Bet", str)
"""The contingency, such as `tie`. The money on it in one coup is a wager (CROWN 1.4)."""


class DeckRange(Part, frozen=True, kw_only=True):
    """How many decks the shoe may hold."""

    minimum: Annotated[int, msgspec.Meta(ge=1, le=12)]
    maximum: Annotated[int, msgspec.Meta(ge=1, le=12)]
    clause: CheckedClause


class BetOption(Part, frozen=True, kw_only=True):
    """A choice between pay tables, numbered from 1, that a casino makes once for all its tables (CROWN 10.1 note *)."""

    choices: Annotated[int, msgspec.Meta(ge=2, le=9)]
    clause: CheckedClause


class PayTableLine(Part, frozen=True, kw_only=True):
    """One line of a pay table. The first line of a bet whose condition holds decides its wagers."""

    name: Words
    when: Condition
    clause: CheckedClause
    result: Literal["win", "push", "lose"] = "win"
    pays: tuple[Odds, ...] = ()
    """The odds before commission: one for all options, or one for each choice of the bet's option."""
    commission: Odds | None = None
    """The part of the winnings that the house keeps, taken before the account is credited (CROWN 4.8.2(a))."""


class ExactDecks(Part, frozen=True, kw_only=True):
    """The number of decks with which alone a bet may be offered."""

    decks: Annotated[int, msgspec.Meta(ge=1, le=12)]
    clause: CheckedClause


class Qualifying(Part, frozen=True, kw_only=True):
    """The bets of which a patron must have a wager on at least one to wager on another bet."""

    bets: tuple[Bet, ...]
    clause: CheckedClause


class OtherHalf(Part, frozen=True, kw_only=True):
    """The bet without which another is not offered: the two are the halves of one side wager."""

    bet: Bet
    clause: CheckedClause


class BetRules(Part, frozen=True, kw_only=True):
    title: Words
    clause: CheckedClause
    """The clause that permits the bet."""
    offered: Literal["always", "optional"] = "always"
    option: Identifier | None = None
    only_with: ExactDecks | None = None
    needs: Qualifying | None = None
    beside: OtherHalf | None = None
    lines: tuple[PayTableLine, ...]
    otherwise: CheckedClause
    """The clause by which the bet loses when no line applies."""

    @property
    def aspect(self) -> Aspect:
        """The parts of a coup that it depends on."""
        return union(line.when.aspect for line in self.lines)

    @property
    def asks_for_suits(self) -> bool:
        """Whether it tells mixed, coloured and perfect pairs apart."""
        return any(line.when.asks_for_suits for line in self.lines)


class Announcement(Part, frozen=True, kw_only=True):
    """The words that open or close wagering, and who announces them."""

    words: Words
    by: Literal["dealer", "station"]
    clause: CheckedClause


class WageringPeriod(Part, frozen=True, kw_only=True):
    """How long wagering stays open when the operator has not determined it; no seconds leave it to the operator."""

    default_seconds: Annotated[int, msgspec.Meta(ge=1, le=600)] | None = None
    clause: CheckedClause
    countdown: CheckedClause | None = None
    """The clause that demands a countdown at each station."""


class Wagering(Part, frozen=True, kw_only=True):
    opens: Announcement
    closes: Announcement
    period: WageringPeriod
    placing: CheckedClause
    """The clause on how a wager is made."""
    first_card_closes: CheckedClause | None = None
    """The clause by which the first card closes wagering; where there is none, no card may precede the close."""


class TicketsIn(Part, frozen=True, kw_only=True):
    """Whether a station's acceptor takes tickets in, or only the cage pays them."""

    taken: bool
    clause: CheckedClause


class Accounts(Part, frozen=True, kw_only=True):
    """The clauses by which money enters and leaves a station's account."""

    control: CheckedClause
    """The clause that gives a patron control of a station."""
    buy_in: CheckedClause
    note: CheckedClause
    top_up: CheckedClause
    leave: CheckedClause
    directed_to_leave: CheckedClause
    pay: CheckedClause
    ticket: CheckedClause
    manual_payment: CheckedClause
    tickets_in: TicketsIn = TicketsIn(taken=False, clause=Clause("G-62"))


class Confirmation(Part, frozen=True, kw_only=True):
    counts: CheckedClause
    """The clause on announcing both counts after the initial deal."""
    announced: CheckedClause
    settled: CheckedClause


class LateWagers(Part, frozen=True, kw_only=True):
    """The effect of placing, increasing or withdrawing a wager after wagering has closed."""

    placed: Literal["refused"]
    placed_clause: CheckedClause
    withdrawn: Literal["refused", "stays live"]
    withdrawn_clause: CheckedClause


class CuttingCardPlace(Part, frozen=True, kw_only=True):
    """A way to place the cutting card: how many cards lie behind it, with a tolerance where the text leaves one."""

    procedure: Words
    from_back: Count
    at_least: Count
    at_most: Count
    clause: CheckedClause


class BurnProcedure(Part, frozen=True, kw_only=True):
    """Cards taken out of play unseen, or after showing the first."""

    procedure: Literal["one", "face value"]
    clause: CheckedClause
    on_request: bool = False
    """Whether it is done only where a patron asks for it."""


class ShoeProcedure(Part, frozen=True, kw_only=True):
    """The procedure of a shoe, from shuffle to last coup."""

    shuffle: CheckedClause
    cut_at_least: Count
    """The least number of cards between the supervisor's cut and either end."""
    cut_clause: CheckedClause
    cutting_card: tuple[CuttingCardPlace, ...]
    burns: tuple[BurnProcedure, ...]
    burn_before_coup: CheckedClause
    coups_after_cutting_card: Annotated[int, msgspec.Meta(ge=0, le=1)]
    """How many coups follow the one in which the cutting card appears."""
    last_coup: CheckedClause


class Irregularity(Part, frozen=True, kw_only=True):
    """The effect that the document gives an irregularity."""

    effect: Literal[
        "void",
        "dummy coup",
        "play on",
        "reconstruct",
        "next coup starts with it",
        "read in shoe order",
        "recalculate",
        "confirm from records",
        "decision",
    ]
    clause: CheckedClause
    by: Literal["dealer", "game_supervisor", "casino_supervisor"] = "dealer"
    """The least role that may choose it."""
    unless: Literal["reconstructible", "order known", "last coup"] | None = None
    """What spares the coup the effect; where nothing does, it makes no difference what is known."""
    only_if: Literal["noticed before the next coup", "during the initial deal"] | None = None
    """When the effect reaches the coup: settled, until the next begins; or while its first four cards come."""


class Voids(Part, frozen=True, kw_only=True):
    """The clauses, or readings, by which the wagers of a void coup are returned."""

    refund: CheckedClause
    dummy_coup: CheckedClause | None = None


class VersionNotice(Part, frozen=True, kw_only=True):
    words: Words
    clause: CheckedClause


class Diagrams(Part, frozen=True, kw_only=True):
    """The arrangement of betting areas on a layout. Our copies lack the documents' pictures, so one arrangement serves
    all diagrams of a document (G-06)."""

    letters: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]+$")]
    """The diagrams among which an operator may choose."""
    rows: tuple[tuple[Bet, ...], ...]
    """Every bet of the set once, row by row as the patron sees them; areas of bets not offered are left out."""
    clause: CheckedClause


class PlayerRow(Part, frozen=True, kw_only=True):
    totals: str
    draws: bool
    clause: CheckedClause


class BankerRow(Part, frozen=True, kw_only=True):
    """For Banker with one of these counts and a third card of Player's in `given`: the ones on which Banker draws."""

    totals: str
    given: str
    draws_on: str
    clause: CheckedClause


class TablesInItsOwnWords(Part, frozen=True, kw_only=True):
    """The document's own statement of the table of play; `drawing.py` proves that it agrees with the tables."""

    initial_deal: dict[Side, CheckedClause]
    natural: dict[Side, CheckedClause]
    player: tuple[PlayerRow, ...]
    banker: tuple[BankerRow, ...]


class IrregularityName(enum.StrEnum):
    MISSED_BURN = "missed_burn"
    MISSED_BURN_IN_FIRST_COUP = "missed_burn_in_first_coup"
    EXCESS_CARD_UNSEEN = "excess_card_unseen"
    CARD_ON_WRONG_HAND = "card_on_wrong_hand"
    NO_WAGERS = "no_wagers"
    NO_WAGERS_BUT_CARDS_OUT = "no_wagers_but_cards_out"
    FACE_UP_FIRST_CARD = "face_up_first_card"
    FACE_UP_LATER_CARD = "face_up_later_card"
    WRONG_THIRD_CARD = "wrong_third_card"
    FOREIGN_CARD = "foreign_card"
    WRONG_NUMBER_OF_CARDS = "wrong_number_of_cards"
    SIMULTANEOUS_CARDS = "simultaneous_cards"
    SHOE_ORDER_ALTERED = "shoe_order_altered"
    NOT_ENOUGH_CARDS = "not_enough_cards"
    EQUIPMENT_MALFUNCTION = "equipment_malfunction"
    WRONG_OUTCOME_ENTERED = "wrong_outcome_entered"
    STATION_FAULT_BEFORE_CLOSE = "station_fault_before_close"
    STATION_FAULT_AFTER_CLOSE = "station_fault_after_close"
    SYSTEM_FAULT_BEFORE_CLOSE = "system_fault_before_close"
    SYSTEM_FAULT_AFTER_CLOSE = "system_fault_after_close"
    UNCONFIRMED_WAGERS = "unconfirmed_wagers"
    COMMOTION = "commotion"
    FRAUD = "fraud"


class Source(enum.StrEnum):
    """Who says what a clause says."""

    DOCUMENT = "document"
    HOUSE_RULE = "house rule"
    READING = "reading"


class RuleSet(Part, frozen=True, kw_only=True):
    id: Identifier
    title: Words
    operator: Words
    document: Words
    """The prefix of the document's clause ids."""
    version: Words
    effective: dt.date | None = None
    live_table: bool = False
    """Whether the document is for a table with chips on a layout, which needs no stations (G-108)."""
    notice: VersionNotice | None = None
    """Words that every screen of the table must show while this rule set is played."""
    decks: DeckRange
    options: dict[Identifier, BetOption] = {}
    bets: dict[Annotated[Bet, msgspec.Meta(pattern=NAME)], BetRules]
    diagrams: Diagrams | None = None
    """Optional in a casino's own set; without it the areas are in the order of the bets."""
    table_of_play: TablesInItsOwnWords
    wagering: Wagering
    late_wagers: LateWagers
    accounts: Accounts
    confirmation: Confirmation
    shoe: ShoeProcedure
    figures: TableFigures | None = None
    """Optional in a casino's own set; without it those of the house rules hold, or of crown-traditional."""
    house_rules: HouseRules | None = None
    """The operator's own procedure where the document is silent; a file may give the id of shipped ones."""
    irregularities: dict[IrregularityName, Irregularity]
    voids: Voids

    def bet(self, name: str) -> BetRules:
        try:
            return self.bets[name]  # type: ignore[index]  # A bet's plain name finds it as well.
        except KeyError:
            raise Mistake(f"{self.id} has no bet {name!r}; its bets are {', '.join(self.bets)}") from None

    def cites(self, clause: str) -> str:
        """The clause as it is cited at a table under this rule set."""
        return clause if self.house_rules is None else self.house_rules.cite(clause)

    def source_of(self, clause: str) -> Source:
        """Whether the document says it, the operator's own procedure, or a reading of ours."""
        if clause.startswith("G-"):
            return Source.READING
        own = self.house_rules is not None and clause.startswith(f"{self.house_rules.document} ")
        return Source.HOUSE_RULE if own else Source.DOCUMENT

    def check_decks(self, decks: int) -> None:
        if not self.decks.minimum <= decks <= self.decks.maximum:
            raise Mistake(
                f"{self.id} is played with {self.decks.minimum} to {self.decks.maximum} decks, "
                f"not {decks} ({self.decks.clause})"
            )

    def choose(self, options: Mapping[str, int]) -> dict[str, int]:
        """The option chosen for each optioned side bet, 1 where nothing was chosen."""
        for name, choice in options.items():
            if name not in self.options:
                raise Mistake(f"{self.id} has no option {name!r}")
            choices = self.options[name].choices
            if not 1 <= choice <= choices:
                clause = self.options[name].clause
                raise Mistake(f"{self.id} has options 1 to {choices} for {name}, not {choice} ({clause})")
        return {name: options.get(name, 1) for name in self.options}
