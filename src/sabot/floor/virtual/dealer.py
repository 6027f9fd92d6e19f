"""The virtual dealer: from the state of a table and the shoe in hand, what is said to the table next, and when.

It keeps nothing between its acts. What comes next follows from the state alone, so that after a restart it goes on
where the records end, and a person may take any step in its place. It closes the wagering before the first card,
always, and confirms the last card at once (G-119). It needs three names of the table's staff. The rules leave the cut
and the count of the cards to a supervisor, and the end of a shoe out of turn to a Casino Supervisor.

Where it has nothing to say a person is needed (accounts frozen, a table locked, a shoe of real cards) or a patron
(nobody has an account).
"""

import msgspec

from sabot.floor.virtual.shoe import VirtualShoe
from sabot.rules.coup import next_card
from sabot.table import acts
from sabot.table.accounts.deciding import pays_by_ticket
from sabot.table.phase import Phase
from sabot.table.shoe.deciding import CARDS_OF_A_COUP
from sabot.table.state import CardCheck, CoupUnderWay, Stage, TableState


class Crew(msgspec.Struct, frozen=True):
    """In whose names it speaks."""

    dealer: str
    game_supervisor: str
    casino_supervisor: str


class Pace(msgspec.Struct, frozen=True):
    """How long it waits, in milliseconds; the wagering lasts as long as the table's own period."""

    card: int = 900
    coup: int = 4_000
    """From a result to the next opening, so that everybody can see what it brought."""
    shoe: int = 2_000
    """For each step of preparing a shoe."""

    def times(self, factor: float) -> "Pace":
        """Slower or faster; 0 is as fast as the table answers."""
        return Pace(round(self.card * factor), round(self.coup * factor), round(self.shoe * factor))


class Manner(msgspec.Struct, frozen=True):
    pace: Pace = Pace()
    burn_by_face_value: bool = False
    """Whether the patrons of the table have asked for it (CROWN 3.8.2)."""
    cut_at: int | None = None
    """Where the shoe is cut; in the middle where nobody names a place. At a served table a place within `cut_places` is
    drawn once the commitment is on record."""


class Say(msgspec.Struct, frozen=True):
    """Have this person give this act, not before this time."""

    by: str
    act: acts.DeviceAct
    at_ms: int
    second: str = ""
    """Who approves it, where nobody acts alone."""


class FetchShoe(msgspec.Struct, frozen=True):
    """The shoe in hand is not the one that is wanted: shuffle it, or find its file."""

    number: int
    is_new: bool


class LostShoe(msgspec.Struct, frozen=True):
    """What is in hand when the file of a shoe cannot be found or read."""

    number: int
    why: str


DealerHand = VirtualShoe | LostShoe | None


def cut_places(state: TableState) -> range:
    """How many cards may lie before the cut of the shoe at the table."""
    least = state.terms.rule_set.shoe.cut_at_least
    return range(least, state.shoe.cards - least + 1)


def next_act(state: TableState, hand: DealerHand, crew: Crew, manner: Manner, since_ms: int) -> Say | FetchShoe | None:
    """What is to be done next; `since_ms` is when the table last changed at the dealer's word."""
    if _needs_a_person(state):
        return None
    if state.phase is Phase.CLOSED:
        return Say(crew.dealer, _opening(state, crew), since_ms + manner.pace.shoe)
    if state.coup is None and state.shoe.stage in (Stage.NONE, Stage.SPENT):
        return _between_shoes(state, hand, crew, since_ms + manner.pace.shoe)
    if hand is None or hand.number != state.shoe.number:
        return FetchShoe(state.shoe.number, is_new=False)
    return _with_shoe(state, hand, crew, manner, since_ms)


def _needs_a_person(state: TableState) -> bool:
    """A table that stands still, and a shoe of real cards, which only a person can deal."""
    real_cards = state.shoe.stage not in (Stage.NONE, Stage.SPENT) and not state.shoe.commitment
    return bool(state.locked) or state.frozen_at_ms is not None or real_cards


def _with_shoe(
    state: TableState, hand: VirtualShoe | LostShoe, crew: Crew, manner: Manner, since_ms: int
) -> Say | None:
    if isinstance(hand, LostShoe):
        return _given_up(state, hand, crew, since_ms)
    if state.shoe.stage is not Stage.IN_PLAY or state.shoe.burns_due:
        return _preparing(state, hand, crew, manner, since_ms + manner.pace.shoe)
    if state.coup is None:
        return _between_coups(state, crew, since_ms, manner.pace)
    if state.phase is Phase.WAGERING:
        return Say(crew.dealer, acts.Close(), state.coup.deadline_ms)
    return _in_coup(state, state.coup, hand, crew, manner.pace, since_ms)


def _opening(state: TableState, crew: Crew) -> acts.OpenTable | acts.SignOn:
    return acts.OpenTable() if crew.dealer in state.signed_on else acts.SignOn()


def _between_shoes(state: TableState, hand: DealerHand, crew: Crew, at_ms: int) -> Say | FetchShoe:
    """Open the shoe that has ended, then bring in the next; a lost one stays closed, which a check will tell."""
    shoe = state.shoe
    if state.dealer is None:
        return Say(crew.dealer, acts.SignOn(), at_ms)
    if state.cards_checked is not CardCheck.OPENING:
        cards = 52 * state.configuration.decks
        return Say(crew.game_supervisor, acts.CheckCards(cards=cards), at_ms)
    if shoe.commitment and not shoe.opened:
        if hand is None or hand.number < shoe.number:
            return FetchShoe(shoe.number, is_new=False)
        if isinstance(hand, VirtualShoe) and hand.number == shoe.number:
            order, salt = "".join(hand.order), hand.salt.hex()
            return Say(crew.dealer, acts.OpenShoe(order=order, salt=salt), at_ms)
    if not isinstance(hand, VirtualShoe) or hand.number != shoe.number + 1:
        return FetchShoe(shoe.number + 1, is_new=True)
    return Say(crew.dealer, acts.NewShoe(method="virtual", commitment=hand.commitment), at_ms)


def _preparing(state: TableState, shoe: VirtualShoe, crew: Crew, manner: Manner, at_ms: int) -> Say:
    """Cut, then burn: one card face down, or the first shown and as many more as its face value."""
    if state.shoe.stage is Stage.SHUFFLED:
        at = state.shoe.cards // 2 if manner.cut_at is None else manner.cut_at
        return Say(crew.game_supervisor, acts.Cut(at=at), at_ms)
    return Say(crew.dealer, _burning(state, shoe, manner), at_ms)


def _burning(state: TableState, shoe: VirtualShoe, manner: Manner) -> acts.Burn:
    if state.shoe.burns_due:
        return acts.Burn(count=state.shoe.burns_due)
    ways = {one.procedure for one in state.terms.rule_set.shoe.burns}
    if "one" in ways and not (manner.burn_by_face_value and "face value" in ways):
        return acts.Burn()
    card, proof = _next_card(state, shoe)
    return acts.Burn(by_face_value=True, card=card, proof=proof, asked_by="the patrons of the table")


def _between_coups(state: TableState, crew: Crew, since_ms: int, pace: Pace) -> Say | None:
    """Pay who leaves, then open the next coup, as long as there is a patron and the table stays open."""
    for name, station in state.stations.items():
        if station.leaving and state.purse(name).held and not pays_by_ticket(state, name):
            return Say(crew.dealer, acts.Pay(station=name), since_ms)
    at_ms = since_ms + pace.coup
    if state.closure is not None and at_ms >= state.closure.from_ms:
        return None
    if state.shoe.left < CARDS_OF_A_COUP:
        return _ended(crew, "too few cards are left for a coup", at_ms)
    if not any(station.is_open and not station.leaving for station in state.stations.values()):
        return None
    return Say(crew.dealer, acts.Open(), at_ms)


def _in_coup(state: TableState, coup: CoupUnderWay, shoe: VirtualShoe, crew: Crew, pace: Pace, since_ms: int) -> Say:
    """After the close: card by card, with the cutting card where it lies, and the result at once."""
    dealer = crew.dealer
    if state.awaits_confirmation:
        return Say(dealer, acts.ConfirmRecords(), since_ms)
    if state.phase is Phase.NO_MORE_BETS and not coup.sealed and not coup.burned:
        return Say(dealer, acts.Void(), since_ms)
    if next_card(coup.cards) is None:
        return Say(dealer, acts.Confirm(), since_ms)
    if state.shoe.last_coup is None and state.shoe.left <= state.shoe.behind_cutting_card:
        return Say(dealer, acts.CuttingCard(), since_ms)
    card, proof = _next_card(state, shoe)
    return Say(dealer, acts.Card(card=card, proof=proof), since_ms + pace.card)


def _next_card(state: TableState, shoe: VirtualShoe) -> tuple[str, str]:
    """The card that comes next, and its proof."""
    position, cut_at = state.shoe.out + 1, state.shoe.cut_at
    return shoe.card(position, cut_at), shoe.proof_of(position, cut_at)


def _given_up(state: TableState, lost: LostShoe, crew: Crew, at_ms: int) -> Say:
    """Nobody knows the next card: a coup with cards out is a malfunction (CROWN 11.10), and the shoe is ended (3.5.4).

    Without cards out, ending the shoe returns the wagers by itself (G-25).
    """
    if state.phase is Phase.DEALING and state.coup is not None:
        invalid = acts.Invalidate(coup=state.coup.number, cause="malfunction", reason=lost.why)
        return Say(crew.game_supervisor, invalid, at_ms, second=crew.casino_supervisor)
    return _ended(crew, lost.why, at_ms)


def _ended(crew: Crew, why: str, at_ms: int) -> Say:
    return Say(crew.casino_supervisor, acts.OrderShuffle(reason=why), at_ms)
