"""The world of one scenario: what was given, what was done, and what came of it."""

from dataclasses import dataclass, field

from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.floor_lines import FloorLines
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.rules.coup import Coup
from sabot.rules.hand import Hand, Side
from sabot.rules.rule_set import Bet
from sabot.rules.shipped import rule_set
from sabot.rules.table_of_play import Decision
from sabot.rules.terms import Settlement, Terms
from sabot.table.configuration import Configuration
from sabot.views.console import StationConnection


@dataclass
class World:
    """What one scenario has built up so far under one rule set; each `when` starts from what was given."""

    rule_set: str
    usual: Configuration | None = None
    """The configuration that its table comes with; the rulebook's usual one unless given."""
    decks: int = 8
    options: dict[str, int] = field(default_factory=dict)
    wagers: dict[Bet, int] = field(default_factory=dict)
    hand: Hand | None = None
    coup: Coup | None = None
    guided: bool = False
    next: Decision | None = None
    settled: dict[Bet, Settlement] = field(default_factory=dict)
    refusal: str | None = None
    refusal_clause: str | None = None
    floor: LineFloor = field(default_factory=LineFloor)
    talk: LineTable | None = None
    """The table, once something has been said to it; it lives through the whole scenario."""
    other: LineTable | None = None
    """A second table, where the scenario needs one."""
    lines: FloorLines | None = None
    """The conversation of a floor of several tables, where tournaments are played; `talk` is one of the tables."""
    money: dict[str, bytes] = field(default_factory=dict)
    """The money of a table as it was noted, by the table's name."""
    answer: LineAnswer | None = None
    connections: dict[str, StationConnection] = field(default_factory=dict)
    """What the floor keeps about the devices that are connected."""

    @property
    def terms(self) -> Terms:
        return Terms(rule_set(self.rule_set), self.decks, self.options)

    def own_rule(self, clause: str) -> str:
        """`HOUSE 4.1` is that rule of the house rules of this rule set."""
        house = rule_set(self.rule_set).house_rules
        return clause.replace("HOUSE", house.document, 1) if house and clause.startswith("HOUSE ") else clause

    def forget_what_came_of_it(self) -> None:
        """What an earlier act led to must not stand in for what this one does."""
        self.hand, self.coup, self.guided, self.next = None, None, False, None
        self.settled = {}

    def settle(self, coup: Coup) -> None:
        self.coup = coup
        self.settled = {settlement.bet: settlement for settlement in self.terms.settle(self.wagers, coup)}

    def hand_of(self, side: str) -> Hand:
        assert self.coup is not None, "no coup has been dealt"
        return self.coup.player if side == Side.PLAYER else self.coup.banker

    def settlement(self, bet: str) -> Settlement:
        assert Bet(bet) in self.settled, f"nothing was settled on {bet}"
        return self.settled[Bet(bet)]
