"""The coup on the screens: its two hands, the card that is due, and the result."""

from collections.abc import Sequence

import msgspec

from sabot.basics.figures import Figure
from sabot.rules.cards import CARDS, Card
from sabot.rules.coup import Winner, next_card, read_coup
from sabot.rules.hand import Hand, Pair, Side
from sabot.rules.table_of_play import NO_CARD, Decision
from sabot.rules.terms import Terms
from sabot.table.phase import Phase
from sabot.table.state import TableState
from sabot.views.message import ScreenMessage, say
from sabot.views.scorecard import Decided


class HandView(msgspec.Struct, frozen=True):
    cards: tuple[str, ...]
    points: int | None
    """The count, once there is a card."""
    title: str
    """The count in the game's own words: `7`, or `Baccarat (0)`."""
    natural: bool
    pair: str


class Due(msgspec.Struct, frozen=True):
    """The hand that the next card goes to, and why."""

    hand: Side
    reason: ScreenMessage


class Cards(msgspec.Struct, frozen=True):
    """The coup under way."""

    coup: int
    dummy: bool
    player: HandView
    banker: HandView
    due: Due | None
    complete: bool
    """Whether only the confirmation of the result is missing."""


class ResultShown(msgspec.Struct, frozen=True):
    """The newest result, shown until the next."""

    coup: int
    shoe: int
    winner: str
    player: HandView
    banker: HandView
    announcement: ScreenMessage
    dummy: bool
    corrected: bool
    invalid: bool


def cards_of(state: TableState) -> Cards | None:
    coup = state.coup
    if coup is None:
        return None
    due = next_card(coup.cards) if state.phase is not Phase.WAGERING else None
    player, banker = _hands(coup.cards)
    return Cards(
        coup=coup.number,
        dummy=coup.dummy,
        player=player,
        banker=banker,
        due=None if due is None else Due(due.side, reason_of(due, state.terms)),
        complete=len(coup.cards) >= 4 and next_card(coup.cards) is None,
    )


def result_of(decided: Decided | None, clause: str) -> ResultShown | None:
    if decided is None:
        return None
    cards = [CARDS[notation] for notation in decided.cards]
    coup = read_coup(cards)
    code = "tie" if coup.winner is Winner.TIE else f"{coup.winner.value}_wins"
    high, low = max(coup.player.total, coup.banker.total), min(coup.player.total, coup.banker.total)
    player, banker = _hands(cards)
    return ResultShown(
        coup=decided.coup,
        shoe=decided.shoe,
        winner=coup.winner.value,
        player=player,
        banker=banker,
        announcement=say(code, clause, high=high, low=low),
        dummy=decided.dummy,
        corrected=decided.corrected,
        invalid=decided.invalid,
    )


def reason_of(due: Decision, terms: Terms) -> ScreenMessage:
    """Why a hand draws: its cell in the table of play as a code with values, and in words."""
    cell = due.cell
    values: dict[str, Figure] = {"hand": due.side.value, "total": cell.total}
    if cell.rule == "deal":
        code, values = "initial_deal", {"hand": due.side.value}
    elif due.side == "banker" and cell.column != NO_CARD:
        code, values = "banker_draws_on", {**values, "third": cell.column - 1}
    else:
        code = f"{due.side.value}_draws"
    return ScreenMessage(code, f"{due.side.capitalize()} draws: {due.reason}", terms.clause_of(due), values)


def _hands(cards: Sequence[Card]) -> tuple[HandView, HandView]:
    """Both hands, read in shoe order: Player and Banker alternate for four cards, then third cards as they are due."""
    player, banker = list(cards[0:4:2]), list(cards[1:4:2])
    for place in range(4, len(cards)):
        due = next_card(cards[:place])
        assert due is not None, "every card of a coup was due"
        (player if due.side == "player" else banker).append(cards[place])
    return _hand(player), _hand(banker)


def _hand(cards: list[Card]) -> HandView:
    notations = tuple(card.notation for card in cards)
    if len(cards) < 2:
        points = cards[0].points if cards else None
        return HandView(notations, points, "" if points is None else str(points), natural=False, pair=Pair.NONE.value)
    hand = Hand.of(*cards)
    return HandView(notations, hand.total, hand.title, hand.natural, hand.pair.value)
