"""Coups as the watch sees them, dealt from cards in a known order."""

from collections.abc import Mapping, Sequence

from sabot.integrity.seen import CoupSeen
from sabot.odds.composition import Composition
from sabot.rules import shipped
from sabot.rules.cards import DECK, Card
from sabot.rules.coup import next_card, read_coup
from sabot.rules.rule_set import Bet
from sabot.rules.terms import Terms

TERMS = Terms(shipped.rule_set("crown-traditional"))
PLACE = {card: place for place, card in enumerate(DECK)}

Stakes = Mapping[str, Mapping[str, int]]


def hands(order: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of the coup that opens an order of cards."""
    drawn = 4
    while next_card(order[:drawn]) is not None:
        drawn += 1
    return tuple(order[:drawn])


def nets_of(stakes: Stakes, cards: Sequence[Card], terms: Terms = TERMS) -> dict[str, dict[str, int]]:
    coup = read_coup(cards)
    return {
        seat: {one.bet: one.net_cents for one in terms.settle({Bet(bet): cents for bet, cents in wagers.items()}, coup)}
        for seat, wagers in stakes.items()
    }


def seen(
    stakes: Stakes, cards: Sequence[Card], unseen: Composition | None, *, number: int = 1, dealer: str = "D1"
) -> CoupSeen:
    return CoupSeen(
        table="T1",
        coup=number,
        shoe=1,
        at_ms=number * 40_000,
        dealer=dealer,
        confirmed_by=dealer,
        terms=TERMS,
        unseen=unseen,
        cards=tuple(PLACE[card] for card in cards),
        stakes=stakes,
        nets=nets_of(stakes, cards),
    )


def play_shoe(order: Sequence[Card], stakes: Stakes, *, coups: int, first: int = 1) -> list[CoupSeen]:
    """Coups from the top of a shoe that holds exactly these cards."""
    found, at, unseen = list[CoupSeen](), 0, Composition.of(order)
    for number in range(first, first + coups):
        cards = hands(order[at : at + 6])
        found.append(seen(stakes, cards, unseen, number=number))
        at, unseen = at + len(cards), unseen.without(cards)
    return found
