"""The coup: opening and closing the wagering, dealing card by card, confirming and settling (CROWN rules 8 to 10)."""

from sabot.basics.money import Cents
from sabot.basics.stamp import Stamp
from sabot.ledger.audit import disagreements, discrepancy
from sabot.rules.cards import CARDS, Card
from sabot.rules.coup import next_card, read_coup
from sabot.rules.hand import Hand
from sabot.rules.limits import recognised
from sabot.rules.rule_set import IrregularityName
from sabot.rules.terms import Outcome, Settlement
from sabot.table import acts
from sabot.table.accounts.deciding import held_for_the_leaving
from sabot.table.chips.deciding import check_counted_for_play
from sabot.table.coup.seal import seal
from sabot.table.events import (
    CardDealt,
    CountsAnnounced,
    CoupDecided,
    CoupVoided,
    DummyCoupDeclared,
    Event,
    FaceUpChanged,
    MinimumChanged,
    OwedCollected,
    SessionPlayed,
    ShoeEnded,
    TableLocked,
    WageringClosed,
    WageringOpened,
    WagersSettled,
)
from sabot.table.evolve import fold
from sabot.table.no import No
from sabot.table.phase import Phase
from sabot.table.refusal import Cause
from sabot.table.sessions.state import SessionStage, SessionState
from sabot.table.shoe.deciding import (
    CARDS_OF_A_COUP,
    check_in_play,
    check_possible,
    check_proved,
    overdue_cutting_card,
)
from sabot.table.signs.posted import is_due
from sabot.table.state import CardCheck, CoupUnderWay, NoticeKind, Stage, TableState

CARDS_OF_THE_INITIAL_DEAL = 4
_DIGITS = "0123456789abcdef"


def open_wagering(state: TableState, _act: acts.Open, stamp: Stamp) -> tuple[Event, ...]:
    if state.phase is not Phase.BETWEEN_COUPS:
        played_by = state.terms.rule_set
        clause = 'CROWN 1.1 "Coup"' if played_by.document == "CROWN" else played_by.confirmation.settled
        raise No(Cause.COUP_IN_PROGRESS, clause=clause)
    if state.dealer is None:
        raise No(Cause.NO_DEALER)
    if state.closure is not None and stamp.at_ms >= state.closure.from_ms:
        raise No(Cause.CLOSING_TIME)
    checked = state.cards_checked is CardCheck.OPENING
    if not checked and state.shoe.stage is Stage.NONE:
        raise No(Cause.CARDS_NOT_CHECKED)
    if state.session is None:
        check_counted_for_play(state)
    else:
        _check_session(state.session, stamp)
    check_in_play(state)
    if not checked:
        raise No(Cause.CARDS_NOT_CHECKED)
    available = state.shoe.left + len(state.shoe.carried)
    if available < CARDS_OF_A_COUP:
        raise No(Cause.TOO_FEW_CARDS, left=available, needed=CARDS_OF_A_COUP)
    wrong = discrepancy(state.ledger, state.meters)
    if wrong is not None:
        return (TableLocked(why=wrong, found=disagreements(state.ledger, state.meters)),)
    rules = state.terms.rule_set.wagering
    opened = WageringOpened(
        coup=state.coups + 1,
        shoe=state.shoe.number,
        at_ms=stamp.at_ms,
        deadline_ms=stamp.at_ms + state.period_ms,
        last_of_shoe=state.shoe.last_coup == state.coups + 1,
        words=rules.opens.words,
        dealer=state.dealer,
        clause=rules.opens.clause,
    )
    return (*_changes_due(state, stamp.at_ms), *overdue_cutting_card(state), opened)


def _check_session(session: SessionState, stamp: Stamp) -> None:
    """Coups and time are left, and the Tournament Director is present (CROWN 12.2.5, G-124)."""
    if session.stage is not SessionStage.OPEN or session.is_over(stamp.at_ms):
        raise No(Cause.SITTING_OVER, sitting=session.sitting, counted=session.counted)
    if not stamp.director:
        raise No(Cause.DIRECTOR_AWAY)


def close_wagering(state: TableState, _act: acts.Close, stamp: Stamp) -> tuple[Event, ...]:
    coup = _wagering(state)
    by_time = stamp.at_ms >= coup.deadline_ms
    return _and_held(state, _closed(state, coup, "timer" if by_time else "dealer", stamp.at_ms, stamp.salts))


def tick(state: TableState, _act: acts.Tick, stamp: Stamp) -> tuple[Event, ...]:
    """The wagering closes at its deadline; a session whose time is up between coups is played (G-124)."""
    coup, session = state.coup, state.session
    if coup is None and session is not None and session.times_out_at(stamp.at_ms):
        over = SessionPlayed(sitting=session.sitting, counted=session.counted, why="time", clause="CROWN 12.2.1(d)")
        return (over,)
    stands_still = state.frozen_at_ms is not None
    if state.phase is not Phase.WAGERING or coup is None or stands_still or stamp.at_ms < coup.deadline_ms:
        return ()
    return _and_held(state, _closed(state, coup, "timer", stamp.at_ms, stamp.salts))


def deal_card(state: TableState, act: acts.Card, stamp: Stamp) -> tuple[Event, ...]:
    coup = state.coup
    _check_confirmed(state)
    if coup is None:
        check_in_play(state)
        raise No(Cause.WAGERING_CLOSED, clause="CROWN 8.1(c)")
    if state.shoe.burns_due:  # A burn that was missed is made good first (CROWN 11.1.1).
        raise No(Cause.BURNS_DUE, due=state.shoe.burns_due)
    closed: tuple[Event, ...] = ()
    if state.phase is Phase.WAGERING:
        by_time = stamp.at_ms >= coup.deadline_ms
        if not by_time and state.terms.rule_set.wagering.first_card_closes is None:
            raise No(Cause.WAGERING_OPEN)
        close = _closed(state, coup, "timer" if by_time else "first_card", stamp.at_ms, stamp.salts)
        closed = _and_held(state, close)
    due = next_card(coup.cards)
    if due is None:
        draws = read_coup(coup.cards).draws
        six = len(coup.cards) == CARDS_OF_A_COUP
        why = "each hand has three cards" if six else "; ".join(draw.reason for draw in draws)
        stated = six and state.terms.rule_set.document == "CROWN"  # Only CROWN 8.4.1 says how many cards a hand has.
        raise No(Cause.CARD_NOT_DUE, clause=None if stated else state.terms.clause_of(draws[1]), why=why)
    _check_next(state, act.card)
    check_proved(state, act.card, state.shoe.out + 1, act.proof)
    after = fold(closed, state)
    dummy = dummy_for_want_of_wagers(after)
    after = fold(dummy, after)
    return (*closed, *dummy, *dealt_to(after, act.card, stamp.by, stamp.at_ms, act.proof))


def dealt_to(state: TableState, notation: str, dealer: str, at_ms: int, proof: str = "") -> tuple[Event, ...]:
    """The card goes to the hand that is due it; after the fourth both counts are announced."""
    assert state.coup is not None
    due = next_card(state.coup.cards)
    assert due is not None
    carried = bool(state.shoe.carried)
    dealt = CardDealt(
        coup=state.coup.number,
        carried=carried,
        shoe=state.shoe.number,
        position=state.shoe.out + 1 - (len(state.shoe.carried) if carried else 0),
        card=CARDS[notation].notation,
        hand=due.side,
        dealer=dealer,
        at_ms=at_ms,
        proof=proof,
        clause=state.terms.clause_of(due),
    )
    cards = (*state.coup.cards, CARDS[notation])
    return (dealt, *counts(state, cards)) if len(cards) == CARDS_OF_THE_INITIAL_DEAL else (dealt,)


def declared_dummy(state: TableState, cause: str, clause: str) -> DummyCoupDeclared:
    """The coup under way becomes a dummy coup, or the next coup is one; wagers on the layout go back (11.8.4)."""
    voids = state.terms.rule_set.voids
    refunds = state.layouts()
    return DummyCoupDeclared(
        coup=state.coup.number if state.coup else state.coups + 1,
        cause=cause,
        words="DUMMY COUP — NO WAGERS",
        refunds=refunds,
        refund_clause=voids.dummy_coup or voids.refund,
        counts_as_coup=state.coup is not None,
        clause=clause,
    )


def dummy_for_want_of_wagers(state: TableState) -> tuple[Event, ...]:
    """Where dummy coups exist, a first card on a coup that nobody wagered on makes it one (CROWN 11.5.2)."""
    coup = state.coup
    dummies = IrregularityName.NO_WAGERS_BUT_CARDS_OUT in state.terms.rule_set.irregularities
    if coup is None or coup.cards or coup.sealed or coup.dummy or not dummies:
        return ()
    return (declared_dummy(state, "no_wagers", "CROWN 11.5.2"),)


def _check_confirmed(state: TableState) -> None:
    if state.awaits_confirmation:
        raise No(Cause.RECORDS_UNCONFIRMED)


def _check_next(state: TableState, notation: str) -> None:
    """A known card that waits comes first, and only it; any other must still be in the shoe (CROWN 11.2)."""
    carried = state.shoe.carried
    if carried and carried[0] is not None:
        if notation not in CARDS or CARDS[notation].notation != carried[0]:
            raise No(Cause.FORCED_CARD, card=carried[0])
        return
    if not carried and state.shoe.left <= 0:
        raise No(Cause.SHOE_EMPTY, clause=state.terms.rule_set.irregularities[IrregularityName.NOT_ENOUGH_CARDS].clause)
    check_possible(state, notation)


def turn_face_up(state: TableState, act: acts.FaceUp, stamp: Stamp) -> tuple[Event, ...]:
    """Face up unless a Game Supervisor decides otherwise; the order of the hands is nobody's to choose (G-28)."""
    if state.phase is Phase.DEALING:
        raise No(Cause.COUP_IN_PROGRESS, clause="CROWN 8.3.3")
    return (FaceUpChanged(face_up=act.up, by=stamp.by, clause="CROWN 8.3.3"),)


def confirm_result(state: TableState, _act: acts.Confirm, stamp: Stamp) -> tuple[Event, ...]:
    """The result and its settlement are one record: nothing is settled twice, and nothing is forgotten (G-119)."""
    coup = state.coup
    if coup is None or state.phase is not Phase.DEALING:
        raise No(Cause.NO_CARD_YET)
    _check_confirmed(state)
    terms = state.terms
    due = next_card(coup.cards)
    if due is not None:
        raise No(Cause.CARD_DUE, clause=terms.clause_of(due), hand=due.side.capitalize(), why=due.reason)
    return settled_events(state, coup, stamp.by, stamp.at_ms)


def settled_events(state: TableState, coup: CoupUnderWay, by: str = "", at_ms: int = 0) -> tuple[Event, ...]:
    """The result, its settlement, and what follows: a dummy coup for cards left over, or the end of the shoe."""
    terms = state.terms
    result = read_coup(coup.cards)
    rulings = terms.rulings(result)
    settlements = {
        station: [rulings[bet].settle(bet, Cents(cents)) for bet, cents in wagers.items()]
        for station, wagers in coup.sealed.items()
    }
    decided = CoupDecided(
        coup=coup.number,
        dummy=coup.dummy,
        shoe=state.shoe.number,
        cards=tuple(card.notation for card in coup.cards),
        player=result.player.title,
        banker=result.banker.title,
        winner=result.winner.value,
        announcement=result.sentence,
        by=by,
        at_ms=at_ms,
        clause=terms.rule_set.confirmation.announced,
    )
    if coup.dummy:
        return (decided, *aftermath(state, (decided,), by, at_ms))
    clause = terms.rule_set.confirmation.settled
    settled = WagersSettled(coup=coup.number, settlements=settlements, clause=clause, at_ms=at_ms)
    events = (decided, settled, *_owed_collected(state, settlements))
    return (*events, *aftermath(state, events, by, at_ms)) if _something_waits(state, coup) else events


def _something_waits(state: TableState, coup: CoupUnderWay) -> bool:
    """Whether a settlement can have an aftermath. Most have none, and then what it comes to need not be worked out."""
    last = state.shoe.last_coup == coup.number
    return last or bool(state.shoe.carried) or any(station.leaving for station in state.stations.values())


def aftermath(state: TableState, events: tuple[Event, ...], by: str, at_ms: int) -> tuple[Event, ...]:
    """What follows when these events end a coup, however they end it.

    What they bring to a patron who is leaving is held with the rest (G-58). The last coup ends the shoe, even
    one that is void after a card; one that is void before any card is replaced by the next, which is then the last
    (G-73). Else known cards that wait open a dummy coup at once, so that nobody wagers on a card that was seen (CROWN
    11.7).
    """
    after = fold(events, state)
    held = held_for_the_leaving(after)
    if after.shoe.stage is not Stage.IN_PLAY:
        return held
    if state.coup is not None and after.shoe.last_coup == state.coup.number:
        clause = "CROWN 3.5.2" if state.terms.rule_set.document == "CROWN" else "G-29"
        ended = ShoeEnded(shoe=state.shoe.number, reason="the last coup is played", by=by, clause=clause)
        return (*held, ended)
    return (*held, *dummy_for_cards_left_over(fold(held, after), by, at_ms))


def dummy_for_cards_left_over(state: TableState, by: str, at_ms: int) -> tuple[Event, ...]:
    """A dummy coup of the known cards that wait, as far as they go; an unseen one among them stops it."""
    if state.coup is not None or not state.shoe.carried or state.shoe.carried[0] is None:
        return ()
    if state.shoe.stage is not Stage.IN_PLAY:
        return ()
    dummy = declared_dummy(state, "cards left over", state.shoe.carried_by)
    events: list[Event] = [dummy]
    after = fold((dummy,), state)
    while after.coup is not None and next_card(after.coup.cards) is not None and after.shoe.carried:
        waiting = after.shoe.carried[0]
        if waiting is None:
            break
        dealt = dealt_to(after, waiting, by, at_ms)
        events += dealt
        after = fold(dealt, after)
    return tuple(events)


def _owed_collected(state: TableState, settlements: dict[str, list[Settlement]]) -> tuple[Event, ...]:
    """What is owed after a correction comes out of what the settlement brings (G-89).

    A stake that comes back may come from a buy-in made while owing, which no debt is taken from.
    """
    if not state.anybody_owes:
        return ()
    events = []
    for station, settled in settlements.items():
        owed = state.owed(station)
        if not owed:
            continue
        brought = sum(one.net_cents + one.stake_cents for one in settled)
        returned = sum(one.stake_cents for one in settled if one.outcome is not Outcome.LOSE)
        if taken := min(owed, brought - min(returned, state.stations[station].brought_while_owing)):
            events.append(OwedCollected(station=station, cents=taken, from_held=False, clause="G-89"))
    return tuple(events)


def void_coup(state: TableState, _act: acts.Void, stamp: Stamp) -> tuple[Event, ...]:
    """Nobody wagered, and neither a burn nor a card: the coup may be voided (CROWN 11.4, G-75)."""
    closed: tuple[Event, ...] = ()
    if state.phase is Phase.WAGERING and state.coup is not None and stamp.at_ms >= state.coup.deadline_ms:
        closed = _and_held(state, _closed(state, state.coup, "timer", stamp.at_ms, {}))
        state = fold(closed, state)
    coup = state.coup
    if coup is None or state.phase is not Phase.NO_MORE_BETS:
        raise No(Cause.WAGERING_OPEN if state.phase is Phase.WAGERING else Cause.COUP_IN_PROGRESS, clause="CROWN 11.4")
    if coup.sealed:
        raise No(Cause.CONFIGURATION, clause="CROWN 11.4", why="wagers stand on this coup")
    if coup.burned:
        raise No(Cause.CONFIGURATION, clause="CROWN 11.5.1", why="a card was burned: it must be a dummy coup")
    voided = CoupVoided(coup=coup.number, reason="no wagers", refunds={}, by=stamp.by, clause="CROWN 11.4")
    return (*closed, voided, *aftermath(state, (voided,), stamp.by, stamp.at_ms))


def counts(state: TableState, cards: tuple[Card, ...]) -> tuple[Event, ...]:
    """With the fourth card both counts are announced, and the first two cards of each hand decide the Pairs."""
    if len(cards) < CARDS_OF_THE_INITIAL_DEAL:
        return ()
    player, banker = Hand.of(cards[0], cards[2]), Hand.of(cards[1], cards[3])
    return (
        CountsAnnounced(
            coup=state.coups,
            player=player.title,
            banker=banker.title,
            player_pair=player.pair.value,
            banker_pair=banker.pair.value,
            clause=state.terms.rule_set.confirmation.counts,
        ),
    )


def _and_held(state: TableState, closed: WageringClosed) -> tuple[Event, ...]:
    """What the close gave back to a leaving patron is held."""
    return (closed, *(held_for_the_leaving(fold((closed,), state)) if closed.refunds else ()))


def _closed(state: TableState, coup: CoupUnderWay, closed_by: str, at_ms: int, salts: dict[str, str]) -> WageringClosed:
    """Drop orphans, test the aggregate, seal what stands (G-31, G-38)."""
    rule_set, needing, aggregate = state.terms.rule_set, state.terms.needing, state.aggregate_minimum
    sealed, refunds = {}, {}
    for station, purse in state.ledger.purses.items():
        if not purse.layout:
            continue
        if not aggregate and needing.isdisjoint(purse.layout):  # Nothing of it can be refunded.
            sealed[station] = dict(purse.layout)
            continue
        standing, returned = recognised(rule_set, purse.layout, aggregate)
        if standing:
            sealed[station] = dict(standing)
        if returned:
            refunds[station] = returned
    if "".join(salts.values()).strip(_DIGITS) or any(len(salt) % 2 for salt in salts.values()):
        raise No(Cause.BAD_SALT)
    set_here = state.session is not None or state.configuration.wagering_period_ms is not None
    own_period = set_here and rule_set.document == "CROWN"
    clauses = {
        "timer": "CROWN 8.1(a)" if own_period else rule_set.wagering.period.clause,
        "dealer": rule_set.wagering.closes.clause,
    }
    return WageringClosed(
        coup=coup.number,
        closed_by=closed_by,
        at_ms=at_ms,
        words=rule_set.wagering.closes.words,
        refunds=refunds,
        sealed=sealed,
        root=seal(sealed, salts),
        clause=clauses.get(closed_by) or rule_set.wagering.first_card_closes or rule_set.wagering.closes.clause,
    )


def _changes_due(state: TableState, at_ms: int) -> tuple[Event, ...]:
    """Signs whose time has come take effect at the first coup opened from then on (CROWN 5 footnote s66(2)).

    None does before every location in use has shown it long enough (G-180), nor in a session, whose limits are its own.
    """
    if state.session is not None:
        return ()
    return tuple(
        MinimumChanged(bet=notice.bet, cents=notice.cents, clause="CROWN 5 footnote s66(2)")
        for notice in state.notices
        if notice.kind is not NoticeKind.CLOSURE and is_due(state, notice, at_ms)
    )


def _wagering(state: TableState) -> CoupUnderWay:
    if state.phase is not Phase.WAGERING or state.coup is None:
        raise No(Cause.WAGERING_CLOSED)
    return state.coup
