"""A coup: the cards as they left the shoe, read through the table of play into two hands and a result."""

import enum
from collections.abc import Sequence

import msgspec

from sabot.basics.mistake import Mistake
from sabot.rules.cards import Card, write_cards
from sabot.rules.hand import Hand, Pair
from sabot.rules.table_of_play import BANKER_DECISIONS, INITIAL_DEAL, NO_CARD, PLAYER_DECISIONS, Decision


class Winner(enum.StrEnum):
    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


class Coup(msgspec.Struct, frozen=True, gc=False):
    """One round with exactly one Player hand and one Banker hand (CROWN 1.1 "Coup")."""

    player: Hand
    banker: Hand
    winner: Winner
    margin: int
    """The difference between the counts; zero in a tie."""
    draws: tuple[Decision, Decision]
    """Why Player, and then Banker, did or did not take a third card."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in shoe order."""
        (p1, p2, *p3), (b1, b2, *b3) = self.player.cards, self.banker.cards
        return (p1, b1, p2, b2, *p3, *b3)

    @property
    def same_pair(self) -> bool:
        """Whether both hands start with a pair, and of one rank."""
        player, banker = self.player, self.banker
        return Pair.NONE not in (player.pair, banker.pair) and player.cards[0].rank is banker.cards[0].rank

    @property
    def sentence(self) -> str:
        """The result as the Dealer announces it (CROWN 8.4.2)."""
        if self.winner is Winner.TIE:
            return f"Tie at {self.player.title}"
        high, low = max(self.player.total, self.banker.total), min(self.player.total, self.banker.total)
        return f"{self.winner.capitalize()} wins {high} to {low}"


class TooFewCards(Mistake):
    """The coup is not complete: a card is due."""

    def __init__(self, sentence: str, due: Decision) -> None:
        super().__init__(sentence)
        self.due = due


def read_in_shoe_order(cards: Sequence[Card]) -> tuple[Coup, tuple[Card, ...]]:
    """Read cards in the order drawn, whichever hand they were laid on; return the coup and the cards left over.

    A card belongs to the hand that was due one when it left the shoe. This one reading serves every dealing error of
    CROWN 11.3 and 11.7, and of MBS 5.2 and RWS 5.1.2 when the cards can be reconstructed. When Player should have
    stood, Banker's column is "no card", whatever card was wrongly shown to Player (G-68).
    """
    due = next_card(cards)
    if due is not None:
        raise _too_few(len(cards), due)
    player_draw, banker_draw = _draws(cards)
    assert banker_draw is not None, "no card is due"
    p1, b1, p2, b2, *thirds = cards
    left_over = iter(thirds)
    player = Hand.of(p1, p2, next(left_over)) if player_draw.drawn else Hand.of(p1, p2)
    banker = Hand.of(b1, b2, next(left_over)) if banker_draw.drawn else Hand.of(b1, b2)

    lead = player.total - banker.total
    winner = Winner.PLAYER if lead > 0 else Winner.BANKER if lead < 0 else Winner.TIE
    return Coup(player, banker, winner, abs(lead), (player_draw, banker_draw)), tuple(left_over)


def read_coup(cards: Sequence[Card]) -> Coup:
    """Read cards that must make exactly one complete coup."""
    coup, left_over = read_in_shoe_order(cards)
    if left_over:
        place = len(cards) - len(left_over) + 1
        raise Mistake(
            f"card {place}, {left_over[0]}, belongs to no hand: {coup.draws[0].reason}; {coup.draws[1].reason}"
            if len(cards) <= 6
            else f"a coup has at most six cards, and {len(cards)} were given: {write_cards(cards)}"
        )
    return coup


def next_card(cards: Sequence[Card]) -> Decision | None:
    """Which hand the next card goes to and why, while a coup is being dealt; None when the coup is complete."""
    dealt = len(cards)
    if dealt < len(INITIAL_DEAL):
        return INITIAL_DEAL[dealt]
    player_draw, banker_draw = _draws(cards)
    if banker_draw is None:
        return player_draw
    return banker_draw if banker_draw.drawn and dealt == len(INITIAL_DEAL) + player_draw.drawn else None


def _draws(cards: Sequence[Card]) -> tuple[Decision, Decision | None]:
    """Whether Player and Banker take a third card; of Banker that is open while Player's is due."""
    player_total, banker_total = (cards[0].points + cards[2].points) % 10, (cards[1].points + cards[3].points) % 10
    player_draw = PLAYER_DECISIONS[player_total][banker_total]
    if not player_draw.drawn:
        return player_draw, BANKER_DECISIONS[player_total][banker_total][NO_CARD]
    if len(cards) == len(INITIAL_DEAL):
        return player_draw, None
    return player_draw, BANKER_DECISIONS[player_total][banker_total][cards[4].points + 1]


def _too_few(dealt: int, due: Decision) -> TooFewCards:
    if dealt >= len(INITIAL_DEAL):
        return TooFewCards(f"card {dealt + 1} is missing: {due.reason}", due)
    there_are = "there is only 1" if dealt == 1 else f"there are only {dealt}"
    return TooFewCards(f"a coup starts with four cards, and {there_are}", due)
