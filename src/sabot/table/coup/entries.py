"""Entries of the coup under way that were wrong: amended, or taken back, before the result is confirmed (G-119).

After either the hands are read again from the start. A card that is then due is asked for. A card that was drawn and
was never due is stated as the fact it is, so that nothing goes on before it has a place (CROWN 11.2, 11.7; G-161).
"""

from sabot.basics.stamp import Stamp
from sabot.rules.cards import CARDS, Card
from sabot.rules.coup import next_card, read_in_shoe_order
from sabot.rules.rule_set import IrregularityName
from sabot.table import acts
from sabot.table.coup.deciding import CARDS_OF_THE_INITIAL_DEAL, aftermath, counts
from sabot.table.coup.evolving import with_its_entries
from sabot.table.events import CardAmended, CardTakenBack, CoupVoided, Event, FactStated
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.shoe.deciding import check_possible
from sabot.table.state import CoupUnderWay, StatedFact, TableState

FOR_WANT_OF_WAGERS = "no_wagers"
"""The cause of a dummy coup that its first card made one (CROWN 11.5.2)."""


def amend_card(state: TableState, act: acts.Amend, stamp: Stamp) -> tuple[Event, ...]:
    stated = state.fact
    state, coup, place = _entry(state, act.place, "no entry is amended")
    earlier = place < len(coup.cards)
    if earlier and not act.reason.strip():
        raise No(Cause.REASON_MISSING, clause="G-161")
    was = coup.cards[place - 1]
    check_possible(state, act.card, taken_back=was.notation)
    cards = (*coup.cards[: place - 1], CARDS[act.card], *coup.cards[place:])
    stands, left_over = _read_again(cards)
    amended = CardAmended(
        place=place,
        position=_position(state, coup, place),
        was=was.notation,
        card=CARDS[act.card].notation,
        cards=_names(stands),
        left_over=_names(left_over),
        reason=act.reason,
        by=stamp.by,
        clause="G-161" if earlier else "G-119",
    )
    return (amended, *_told_again(state, coup, amended, stated))


def take_back_card(state: TableState, act: acts.TakeBackCard, stamp: Stamp) -> tuple[Event, ...]:
    """A dummy coup that was declared for its first card has no cause without it, and is void (CROWN 11.8.2)."""
    stated = state.fact
    state, coup, place = _entry(state, act.place, "no entry is taken back")
    if not act.reason.strip():
        raise No(Cause.REASON_MISSING, clause="G-162")
    was = coup.cards[place - 1]
    only_card = len(coup.cards) == 1
    without_wagers = coup.dummy and coup.dummy_for == FOR_WANT_OF_WAGERS
    stands, left_over = _read_again((*coup.cards[: place - 1], *coup.cards[place:]))
    taken = CardTakenBack(
        place=place,
        position=_position(state, coup, place),
        card=was.notation,
        cards=_names(stands),
        left_over=_names(left_over),
        dummy=coup.dummy and not (only_card and without_wagers and not coup.burned),
        reason=act.reason,
        by=stamp.by,
        clause="G-162",
    )
    if only_card and coup.dummy and not without_wagers:
        void = CoupVoided(coup=coup.number, reason="it has no card", refunds={}, by=stamp.by, clause="G-162")
        return (taken, void, *aftermath(state, (taken, void), stamp.by, stamp.at_ms))
    return (taken, *_told_again(state, coup, taken, stated))


def _entry(state: TableState, place: int | None, what: str) -> tuple[TableState, CoupUnderWay, int]:
    """The table with all its entries, the coup, and the entry that is meant.

    Entries that an amendment found to be never due are entries still. Cards that a virtual shoe's commitment proves
    are the true ones.
    """
    state = with_its_entries(state)
    coup = state.coup
    if coup is None or not coup.cards:
        raise No(Cause.NO_CARD_YET)
    if state.shoe.commitment:
        raise No(Cause.CARDS_COMMITTED, what=what)
    entries = len(coup.cards)
    place = entries if place is None else place
    if not 1 <= place <= entries:
        raise No(Cause.NO_SUCH_ENTRY, place=place, entries=entries)
    return state, coup, place


def _read_again(cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The cards of the coup, and those drawn after it was complete."""
    if next_card(cards) is not None:
        return cards, ()
    coup, left_over = read_in_shoe_order(cards)
    return coup.cards, left_over


def _told_again(
    state: TableState, coup: CoupUnderWay, changed: CardAmended | CardTakenBack, stated: StatedFact | None
) -> tuple[Event, ...]:
    """The counts where they changed, and the fact that cards were drawn that were not due."""
    stands = tuple(CARDS[notation] for notation in changed.cards)
    told = counts(state, stands) if changed.place <= CARDS_OF_THE_INITIAL_DEAL else ()
    if not changed.left_over:
        return told
    return (*told, _never_due(state, coup, changed, stated))


def _never_due(
    state: TableState, coup: CoupUnderWay, changed: CardAmended | CardTakenBack, stated: StatedFact | None
) -> FactStated:
    """The hand is the one that the card was asked for, as the entries then stood."""
    known = state.terms.rule_set.irregularities
    third = IrregularityName.WRONG_THIRD_CARD
    kind = third if third in known else IrregularityName.WRONG_NUMBER_OF_CARDS
    due = next_card(coup.cards[: len(coup.cards) - len(changed.left_over)])
    stated_hand = None if stated is None else stated.hand
    return FactStated(
        kind=kind,
        cards=changed.left_over,
        hand=stated_hand if due is None else due.side,
        reconstructible=None if kind is third else True,
        order_known=None,
        entered=True,
        by=changed.by,
        clause=known[kind].clause,
    )


def _position(state: TableState, coup: CoupUnderWay, place: int) -> int:
    return state.shoe.out - len(state.shoe.carried) - (len(coup.cards) - place)


def _names(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(card.notation for card in cards)
