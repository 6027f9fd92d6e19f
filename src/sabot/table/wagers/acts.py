"""What a station does with its wagers."""

from sabot.rules.rule_set import Bet
from sabot.table.act import Command


class SetWager(Command, frozen=True, kw_only=True, tag="set_wager"):
    """Make the wager on a bet this much; the result is the permitted wager that it comes to."""

    station: str
    bet: Bet
    cents: int


class MoveWager(Command, frozen=True, kw_only=True, tag="move"):
    station: str
    source: Bet
    target: Bet


class Undo(Command, frozen=True, kw_only=True, tag="undo"):
    station: str


class Clear(Command, frozen=True, kw_only=True, tag="clear"):
    station: str


class Repeat(Command, frozen=True, kw_only=True, tag="repeat"):
    station: str


class Double(Command, frozen=True, kw_only=True, tag="double"):
    station: str


WagerAct = SetWager | MoveWager | Undo | Clear | Repeat | Double
