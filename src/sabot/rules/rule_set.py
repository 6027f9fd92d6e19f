"""A rule set: one version of the game as one approved document states it, as data, every figure with its clause.

These are the parts of a rule set file. `rule_set_file.py` reads and checks one; `shipped.py` has the six that come
with Sabot; `terms.py` combines a rule set with the decks and options of one table.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Literal, NewType

import msgspec

from sabot.basics.mistake import Mistake
from sabot.rules.condition import Condition
from sabot.rules.hand import Side
from sabot.rules.odds import Odds

Bet = NewType("Bet", str)
"""The contingency, such as `tie`. The money on it in one coup is a wager (CROWN 1.4)."""

Clause = NewType("Clause", str)
"""A clause of a document, such as `CROWN 4.11.1`, or one of our readings where the documents are silent, `G-29`."""

_Clause = Annotated[Clause, msgspec.Meta(min_length=3, max_length=80)]
_Words = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
_NAME = r"^[a-z][a-z0-9]*([_-][a-z0-9]+)*$"
_Name = Annotated[str, msgspec.Meta(pattern=_NAME, max_length=40)]
_Count = Annotated[int, msgspec.Meta(ge=1, le=600)]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a rule set file: immutable, and an unknown key is refused."""


class DeckRange(_Part, frozen=True, kw_only=True):
    """How many decks the shoe may hold."""

    minimum: Annotated[int, msgspec.Meta(ge=1, le=12)]
    maximum: Annotated[int, msgspec.Meta(ge=1, le=12)]
    clause: _Clause


class BetOption(_Part, frozen=True, kw_only=True):
    """A choice between pay tables, numbered from 1, that a casino makes once for all its tables (CROWN 10.1 note *)."""

    choices: Annotated[int, msgspec.Meta(ge=2, le=9)]
    clause: _Clause


class PayTableLine(_Part, frozen=True, kw_only=True):
    """One line of a pay table. The first line of a bet whose condition holds decides its wagers."""

    name: _Words
    when: Condition
    clause: _Clause
    result: Literal["win", "push", "lose"] = "win"
    pays: tuple[Odds, ...] = ()
    """The odds before commission: one for all options, or one for each choice of the bet's option."""
    commission: Odds | None = None
    """The part of the winnings that the house keeps, taken before the account is credited (CROWN 4.8.2(a))."""


class ExactDecks(_Part, frozen=True, kw_only=True):
    """The number of decks with which alone a bet may be offered."""

    decks: Annotated[int, msgspec.Meta(ge=1, le=12)]
    clause: _Clause


class Qualifying(_Part, frozen=True, kw_only=True):
    """The bets of which a patron must have a wager on at least one to wager on another bet."""

    bets: tuple[Bet, ...]
    clause: _Clause


class BetRules(_Part, frozen=True, kw_only=True):
    title: _Words
    clause: _Clause
    """The clause that permits the bet."""
    offered: Literal["always", "optional"] = "always"
    option: _Name | None = None
    only_with: ExactDecks | None = None
    needs: Qualifying | None = None
    lines: tuple[PayTableLine, ...]
    otherwise: _Clause
    """The clause by which the bet loses when no line applies."""


class Announcement(_Part, frozen=True, kw_only=True):
    """The words that open or close wagering, and who announces them."""

    words: _Words
    by: Literal["dealer", "station"]
    clause: _Clause


class WageringPeriod(_Part, frozen=True, kw_only=True):
    """How long wagering stays open when the operator has not determined it; None leaves it to the operator."""

    default_seconds: Annotated[int, msgspec.Meta(ge=1, le=600)] | None = None
    clause: _Clause
    countdown: _Clause | None = None
    """The clause that demands a countdown at each station."""


class Wagering(_Part, frozen=True, kw_only=True):
    opens: Announcement
    closes: Announcement
    period: WageringPeriod
    placing: _Clause
    """The clause on how a wager is made."""
    first_card_closes: _Clause | None = None
    """The clause by which the first card closes wagering; where there is none, no card may precede the close."""


class Accounts(_Part, frozen=True, kw_only=True):
    """The clauses by which money enters and leaves a station's account."""

    control: _Clause
    """The clause that gives a patron control of a station."""
    buy_in: _Clause
    note: _Clause
    top_up: _Clause
    leave: _Clause
    directed_to_leave: _Clause
    pay: _Clause
    ticket: _Clause
    manual_payment: _Clause


class Confirmation(_Part, frozen=True, kw_only=True):
    counts: _Clause
    """The clause on announcing both counts after the initial deal."""
    announced: _Clause
    settled: _Clause


class LateWagers(_Part, frozen=True, kw_only=True):
    """The effect of placing, increasing or withdrawing a wager after wagering has closed."""

    placed: Literal["refused"]
    placed_clause: _Clause
    withdrawn: Literal["refused", "stays live"]
    withdrawn_clause: _Clause


class CuttingCardPlace(_Part, frozen=True, kw_only=True):
    """A way to place the cutting card: how many cards lie behind it, with a tolerance where the text leaves one."""

    procedure: _Words
    from_back: _Count
    at_least: _Count
    at_most: _Count
    clause: _Clause


class BurnProcedure(_Part, frozen=True, kw_only=True):
    """Cards taken out of play unseen, or after showing the first."""

    procedure: Literal["one", "face value"]
    clause: _Clause


class ShoeProcedure(_Part, frozen=True, kw_only=True):
    """The procedure of a shoe, from shuffle to last coup."""

    shuffle: _Clause
    cut_at_least: _Count
    """The least number of cards between the supervisor's cut and either end."""
    cut_clause: _Clause
    cutting_card: tuple[CuttingCardPlace, ...]
    burns: tuple[BurnProcedure, ...]
    burn_before_coup: _Clause
    coups_after_cutting_card: Annotated[int, msgspec.Meta(ge=0, le=1)]
    """How many coups follow the one in which the cutting card appears."""
    last_coup: _Clause


class TableFigures(_Part, frozen=True, kw_only=True):
    """Figures of a table's procedure, each with the clause that sets it."""

    most_stations: _Count
    most_stations_clause: _Clause
    notice_minutes: _Count
    """How long a sign is shown before a minimum rises or a table with patrons closes."""
    notice_clause: _Clause
    idle_coups: _Count
    """After so many idle coups with every other seat in use a patron may be asked to vacate."""
    idle_clause: _Clause

    @property
    def notice_ms(self) -> int:
        return self.notice_minutes * 60_000


class Irregularity(_Part, frozen=True, kw_only=True):
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
    clause: _Clause
    may: bool = False
    """True where the effect is at the discretion of `by`; false where it is mandatory."""
    by: Literal["dealer", "game_supervisor", "casino_supervisor"] = "dealer"
    unless: Literal["reconstructible", "order known", "last coup"] | None = None
    only_if: Literal["noticed before the next coup", "during the initial deal"] | None = None
    earlier_results: _Clause | None = None
    """The clause by which earlier results stand."""


class Voids(_Part, frozen=True, kw_only=True):
    """The clauses, or readings, by which the wagers of a void coup are returned."""

    refund: _Clause
    dummy_coup: _Clause | None = None


class VersionNotice(_Part, frozen=True, kw_only=True):
    words: _Words
    clause: _Clause


class Diagrams(_Part, frozen=True, kw_only=True):
    """The arrangement of betting areas on a layout. Our copies lack the documents' pictures, so one arrangement serves
    all diagrams of a document (G-06)."""

    letters: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]+$")]
    """The diagrams among which an operator may choose."""
    rows: tuple[tuple[Bet, ...], ...]
    """Every bet of the set once, row by row as the patron sees them; areas of bets not offered are left out."""
    clause: _Clause


class PlayerRow(_Part, frozen=True, kw_only=True):
    totals: str
    draws: bool
    clause: _Clause


class BankerRow(_Part, frozen=True, kw_only=True):
    """For Banker with one of these counts and a third card of Player's in `given`: the ones on which Banker draws."""

    totals: str
    given: str
    draws_on: str
    clause: _Clause


class TablesInItsOwnWords(_Part, frozen=True, kw_only=True):
    """The document's own statement of the table of play; `drawing.py` proves that it agrees with the tables."""

    initial_deal: dict[Side, _Clause]
    natural: dict[Side, _Clause]
    player: tuple[PlayerRow, ...]
    banker: tuple[BankerRow, ...]


IrregularityName = Literal[
    "missed_burn",
    "missed_burn_in_first_coup",
    "excess_card_unseen",
    "card_on_wrong_hand",
    "no_wagers",
    "no_wagers_but_cards_out",
    "face_up_first_card",
    "face_up_later_card",
    "wrong_third_card",
    "foreign_card",
    "wrong_number_of_cards",
    "simultaneous_cards",
    "shoe_order_altered",
    "not_enough_cards",
    "equipment_malfunction",
    "wrong_outcome_entered",
    "station_fault_before_close",
    "station_fault_after_close",
    "system_fault_before_close",
    "system_fault_after_close",
    "unconfirmed_wagers",
    "commotion",
    "fraud",
]


class RuleSet(_Part, frozen=True, kw_only=True):
    id: _Name
    title: _Words
    operator: _Words
    document: _Words
    """The prefix of the document's clause ids."""
    version: _Words
    effective: dt.date | None = None
    live_table: bool = False
    """Whether the document is for a table with chips on a layout, which needs no stations (G-108)."""
    notice: VersionNotice | None = None
    """Words that every screen of the table must show while this rule set is played."""
    decks: DeckRange
    options: dict[_Name, BetOption] = {}
    bets: dict[Annotated[Bet, msgspec.Meta(pattern=_NAME)], BetRules]
    diagrams: Diagrams | None = None
    """Optional in a casino's own set; without it the areas are in the order of the bets."""
    table_of_play: TablesInItsOwnWords
    wagering: Wagering
    late_wagers: LateWagers
    accounts: Accounts
    confirmation: Confirmation
    shoe: ShoeProcedure
    figures: TableFigures | None = None
    """Optional in a casino's own set; without it those of crown-traditional hold."""
    irregularities: dict[IrregularityName, Irregularity]
    voids: Voids

    def bet(self, name: str) -> BetRules:
        try:
            return self.bets[name]  # type: ignore[index]  # A bet's plain name finds it as well.
        except KeyError:
            raise Mistake(f"{self.id} has no bet {name!r}; its bets are {', '.join(self.bets)}") from None

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
