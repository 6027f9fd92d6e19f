"""The table of play: who takes a third card.

The two tables below are CROWN's Table 1 and Table 2 as printed. The other four documents state the same rules in
other words; each rule set file has its own document's statement as data, and loading it proves that they agree.

A decision is one cell of these tables, made once at import with its reason in words. It has no clause, because each
document numbers its table differently: the rule set gives the clause of a decision's cell.
"""

from typing import Final, Literal

import msgspec

from sabot.rules.hand import Side

TABLE_1: Final = "DDDDDDSSNN"
"""Player, by the count of the first two cards 0 to 9: Draw, Stand, or Natural, when neither hand draws."""

TABLE_2: Final = (
    # Player's third card:
    # none, then 0 to 9      Banker's count
    "D" "DDDDDDDDDD",  # 0
    "D" "DDDDDDDDDD",  # 1
    "D" "DDDDDDDDDD",  # 2
    "D" "DDDDDDDDSD",  # 3
    "D" "SSDDDDDDSS",  # 4
    "D" "SSSSDDDDSS",  # 5
    "S" "SSSSSSDDSS",  # 6
    "S" "SSSSSSSSSS",  # 7
    "S" "SSSSSSSSSS",  # 8
    "S" "SSSSSSSSSS",  # 9
)  # fmt: skip
"""Banker, by the count of the first two cards and the points of Player's third card: Draw or Stand."""

NO_CARD: Final = 0
"""The column of TABLE_2 for a Player hand that stood; a third card of n points is column n + 1."""


class Cell(msgspec.Struct, frozen=True, cache_hash=True):
    """A place in the tables, for which a rule set gives a clause."""

    rule: Literal["deal", "natural", "table"]
    side: Side
    total: int = 0
    column: int = NO_CARD


class Decision(msgspec.Struct, frozen=True):
    """Whether a hand takes a card, and why."""

    side: Side
    drawn: bool
    reason: str
    cell: Cell


def _initial_card(number: int, side: Side) -> Decision:
    ordinal = ("first", "second", "third", "fourth")[number]
    reason = f"the {ordinal} card of a coup is {side.capitalize()}'s"
    return Decision(side, drawn=True, reason=reason, cell=Cell("deal", side))


def _natural(side: Side, player_total: int, banker_total: int) -> Decision:
    """A natural on either hand ends the drawing for both (CROWN 9.1, MBS 3.9.1, RWS 3.6; G-15)."""
    holder = Side.PLAYER if TABLE_1[player_total] == "N" else Side.BANKER
    total = player_total if holder is Side.PLAYER else banker_total
    if player_total >= 8 and banker_total >= 8:
        reason = f"both hands have a natural, {player_total} and {banker_total}, so neither draws"
    elif holder is side:
        reason = f"{side.capitalize()} has a natural {total}, so neither hand draws"
    else:
        reason = f"{holder.capitalize()} has a natural {total}, so {side.capitalize()} does not draw"
    return Decision(side, drawn=False, reason=reason, cell=Cell("natural", holder))


def _player(player_total: int, banker_total: int) -> Decision:
    if player_total >= 8 or banker_total >= 8:
        return _natural(Side.PLAYER, player_total, banker_total)
    drawn = TABLE_1[player_total] == "D"
    reason = f"Player has {player_total} and {'draws' if drawn else 'stands'}"
    return Decision(Side.PLAYER, drawn, reason, Cell("table", Side.PLAYER, player_total))


def _banker(player_total: int, banker_total: int, column: int) -> Decision:
    if player_total >= 8 or banker_total >= 8:
        return _natural(Side.BANKER, player_total, banker_total)
    drawn = TABLE_2[banker_total][column] == "D"
    because = "Player took no card" if column == NO_CARD else f"Player's third card counts {column - 1}"
    reason = f"Banker has {banker_total} and {because}: Banker {'draws' if drawn else 'stands'}"
    return Decision(Side.BANKER, drawn, reason, Cell("table", Side.BANKER, banker_total, column))


INITIAL_DEAL: Final = tuple(
    _initial_card(number, side) for number, side in enumerate((Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER))
)
"""The first and third cards are Player's, the second and fourth Banker's (CROWN 8.3.3, MBS 3.7, RWS 3.4)."""

PLAYER_DECISIONS: Final = tuple(tuple(_player(player, banker) for banker in range(10)) for player in range(10))
"""By Player's and Banker's counts after four cards."""

BANKER_DECISIONS: Final = tuple(
    tuple(tuple(_banker(player, banker, column) for column in range(11)) for banker in range(10))
    for player in range(10)
)
"""By Player's and Banker's counts after four cards and the column of Player's third card."""
