"""What a station does with its wagers."""

from typing import get_args

from sabot.basics.act import Act
from sabot.basics.bounds import AmountSaid, NameSaid
from sabot.rules.rule_set import Bet


class SetWager(Act, frozen=True, kw_only=True):
    """Make the wager on a bet this much; the result is the permitted wager that it comes to."""

    station: NameSaid = ""
    bet: Bet
    cents: AmountSaid


class Move(Act, frozen=True, kw_only=True):
    station: NameSaid = ""
    source: Bet
    target: Bet


class Undo(Act, frozen=True, kw_only=True):
    station: NameSaid = ""


class Clear(Act, frozen=True, kw_only=True):
    station: NameSaid = ""


class Repeat(Act, frozen=True, kw_only=True):
    station: NameSaid = ""


class Double(Act, frozen=True, kw_only=True):
    station: NameSaid = ""


class Lay(Act, frozen=True, kw_only=True):
    """Make the whole layout this, or leave it as it is: for what a patron has saved or ordered ahead."""

    station: NameSaid = ""
    wagers: dict[Bet, AmountSaid]


WagerAct = SetWager | Move | Undo | Clear | Repeat | Double | Lay
TOUCHES: frozenset[type[Act]] = frozenset(get_args(WagerAct))
"""What a patron does to the chips on the layout."""
