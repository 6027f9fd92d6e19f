"""What a station does with its wagers."""

from sabot.basics.act import Act
from sabot.rules.rule_set import Bet


class SetWager(Act, frozen=True, kw_only=True):
    """Make the wager on a bet this much; the result is the permitted wager that it comes to."""

    station: str = ""
    bet: Bet
    cents: int


class Move(Act, frozen=True, kw_only=True):
    station: str = ""
    source: Bet
    target: Bet


class Undo(Act, frozen=True, kw_only=True):
    station: str = ""


class Clear(Act, frozen=True, kw_only=True):
    station: str = ""


class Repeat(Act, frozen=True, kw_only=True):
    station: str = ""


class Double(Act, frozen=True, kw_only=True):
    station: str = ""


WagerAct = SetWager | Move | Undo | Clear | Repeat | Double
