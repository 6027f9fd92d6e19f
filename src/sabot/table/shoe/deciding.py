"""The shoe at the table: check, shuffle, cut, burn, cutting card, last coup, replacement (CROWN rule 3)."""

from collections.abc import Iterable

from msgspec.structs import replace

from sabot.basics.mistake import Mistake
from sabot.basics.stamp import Stamp
from sabot.rules.cards import CARDS, card
from sabot.rules.rule_set import ShoeProcedure as ShoeRules
from sabot.table import acts
from sabot.table.accounts.deciding import held_for_the_leaving
from sabot.table.events import (
    BurnShown,
    CardsBurned,
    CardsChecked,
    CardsCut,
    CardsReplaced,
    CardsShuffled,
    CoupVoided,
    CuttingCardOverdue,
    CuttingCardSeen,
    CuttingCardWithdrawn,
    Event,
    PackRecorded,
    ShoeEnded,
    ShoeOpened,
    ShoeRecounted,
)
from sabot.table.evolve import fold
from sabot.table.irregularities.taking_back import resolved_by_the_end
from sabot.table.no import No
from sabot.table.phase import Phase
from sabot.table.refusal import Cause
from sabot.table.role import GAME_SUPERVISOR_OR_ABOVE, Role, in_words
from sabot.table.shoe.commitment import is_commitment, place_of, proves, wrong_with_opening
from sabot.table.state import CardCheck, Stage, TableState, seen

CARDS_OF_A_COUP = 6
"""No coup takes more (CROWN 8.4.1)."""
LEAST_OF_A_COUP = 4
"""No coup takes fewer (CROWN 8.3.3)."""
WITHDRAWN_BY = "G-173"


def check_cards(state: TableState, act: acts.CheckCards, stamp: Stamp) -> tuple[Event, ...]:
    """A wrong count is recorded as it was found; it is for a supervisor to act on."""
    _check_no_coup(state)
    rest = act.when == "rest"
    if rest and state.shoe.stage in (Stage.NONE, Stage.SPENT):
        raise No(Cause.NO_SHOE, why="there is no rest to check")
    expected = state.shoe.left if rest else 52 * state.configuration.decks
    clause = "CROWN 3.4" if _rules(state).shuffle != "G-29" else "G-29"
    return (
        CardsChecked(
            cards=act.cards,
            expected=expected,
            of_each_rank=act.of_each_rank,
            when=CardCheck(act.when),
            by=stamp.by,
            clause=clause,
        ),
    )


def record_pack(state: TableState, act: acts.Pack, stamp: Stamp) -> tuple[Event, ...]:
    clause = "CROWN 3.6" if _rules(state).shuffle != "G-29" else "G-29"
    return (PackRecorded(pack=act.pack, stored=act.stored, by=stamp.by, at_ms=stamp.at_ms, clause=clause),)


def new_shoe(state: TableState, act: acts.NewShoe, stamp: Stamp) -> tuple[Event, ...]:
    _check_no_coup(state)
    if state.shoe.stage is Stage.IN_PLAY:
        raise No(Cause.SHOE_IN_PLAY)
    if (act.method == "pre-shuffled") != (act.pack is not None) or (
        act.pack is not None and act.pack not in state.packs
    ):
        raise No(Cause.UNKNOWN_PACK, pack=act.pack or "without a name")
    if act.method == "virtual" and not is_commitment(act.commitment or ""):
        raise No(Cause.COMMITMENT_MISSING)
    return (
        CardsShuffled(
            shoe=state.shoe.number + 1,
            method=act.method,
            pack=act.pack,
            commitment=act.commitment,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause=_rules(state).shuffle,
        ),
    )


def open_shoe(state: TableState, act: acts.OpenShoe, stamp: Stamp) -> tuple[Event, ...]:
    """The order may be seen only when no card of the shoe can be wagered on any more."""
    shoe = state.shoe
    if not shoe.commitment:
        raise No(Cause.NOT_TO_BE_OPENED, why="this shoe has no commitment")
    if shoe.stage is not Stage.SPENT or state.coup is not None:
        raise No(Cause.NOT_TO_BE_OPENED, why="this one has not ended")
    if shoe.opened:
        raise No(Cause.NOT_TO_BE_OPENED, why="this one has been opened")
    wrong = wrong_with_opening(shoe.commitment, shoe.cards // 52, act.order, act.salt)
    if wrong is not None:
        raise No(Cause.WRONG_OPENING, shoe=shoe.number, why=wrong)
    clause = _rules(state).shuffle
    return (ShoeOpened(shoe=shoe.number, order=act.order, salt=act.salt, by=stamp.by, clause=clause),)


def order_shuffle(state: TableState, act: acts.OrderShuffle, stamp: Stamp) -> tuple[Event, ...]:
    """A coup with a card dealt is finished first; one without returns its wagers (G-25)."""
    if not act.reason.strip():
        raise No(Cause.REASON_MISSING)
    if state.shoe.stage in (Stage.NONE, Stage.SPENT):
        raise No(Cause.NO_SHOE, why="there is nothing to end")
    if state.phase is Phase.DEALING:
        raise No(Cause.COUP_IN_PROGRESS)
    clause = clause_of_order(act)
    ended = ShoeEnded(shoe=state.shoe.number, reason=act.reason, by=stamp.by, clause=clause)
    stated = resolved_by_the_end(state, stamp, "shuffle", "The shoe ends: all cards go to the shuffle.", clause)
    if state.coup is None:
        return (*stated, ended)
    refunds = state.layouts()
    voided = CoupVoided(
        coup=state.coup.number,
        reason=act.reason,
        refunds=refunds,
        by=stamp.by,
        clause="G-25",
    )
    return (*stated, voided, *held_for_the_leaving(fold((voided,), state)), ended)


def clause_of_order(act: acts.OrderShuffle) -> str:
    return "CROWN 3.5.3" if act.abnormal else "CROWN 3.5.4"


def replace_cards(state: TableState, act: acts.ReplaceCards, stamp: Stamp) -> tuple[Event, ...]:
    """After the last coup a Game Supervisor may have all cards replaced; unfit ones a Casino Supervisor, any time."""
    clause = "CROWN 3.11" if act.unfit else "CROWN 3.10"
    if act.unfit and stamp.role is not Role.CASINO_SUPERVISOR:
        raise No(Cause.WRONG_ROLE, clause=clause, needed="Casino Supervisor", role=stamp.role.in_words)
    if not act.reason.strip():
        raise No(Cause.REASON_MISSING, clause=clause)
    if state.phase in (Phase.NO_MORE_BETS, Phase.DEALING, Phase.WAGERING):
        raise No(Cause.HAND_IN_PROGRESS)
    if not act.unfit and state.shoe.stage is not Stage.SPENT:
        raise No(Cause.NOT_AFTER_LAST_COUP)
    if not act.unfit and act.cards_checked is None:
        raise No(Cause.OLD_CARDS_UNCHECKED)
    if state.shoe.replaced:
        raise No(Cause.REPLACED_ALREADY)
    named = " ".join(_replaced(state, act)) if act.unfit else ""
    return (
        CardsReplaced(
            shoe=state.shoe.number,
            reason=act.reason,
            cards=named,
            pack=act.pack,
            cards_checked=act.cards_checked,
            by=stamp.by,
            clause=clause,
        ),
    )


def _replaced(state: TableState, act: acts.ReplaceCards) -> list[str]:
    """The named cards; no more of a kind than the decks hold, whenever they were replaced."""
    decks, exchanged = state.configuration.decks, dict(state.shoe.exchanged)
    names = []
    for notation in act.cards.replace(",", " ").split():
        name = _name(notation)
        exchanged[name] = exchanged.get(name, 0) + 1
        if exchanged[name] > decks:
            raise No(Cause.NOT_A_CARD, why=f"{decks} decks hold {decks} {name}, and {exchanged[name]} are replaced")
        names.append(name)
    if names and state.shoe.commitment:
        raise No(Cause.CARDS_COMMITTED, what="none of them is replaced alone")
    return names


def cut(state: TableState, act: acts.Cut, stamp: Stamp) -> tuple[Event, ...]:
    rules, shoe = _rules(state), state.shoe
    if shoe.stage is not Stage.SHUFFLED:
        raise No(Cause.NOT_SHUFFLED)
    if not rules.cut_at_least <= act.at <= shoe.cards - rules.cut_at_least:
        raise No(Cause.CUT_TOO_NEAR, least=rules.cut_at_least, at=act.at, cards=shoe.cards)
    placing = rules.cutting_card[state.configuration.cutting_card - 1]
    behind = placing.from_back if act.from_back is None else act.from_back
    if not placing.at_least <= behind <= placing.at_most:
        raise No(
            Cause.CUTTING_CARD_PLACE, clause=placing.clause, least=placing.at_least, most=placing.at_most, at=behind
        )
    return (
        CardsCut(
            at=act.at,
            behind_cutting_card=behind,
            expected_after=shoe.cards - behind,
            by=stamp.by,
            clause=rules.cut_clause,
        ),
    )


def burn(state: TableState, act: acts.Burn, _stamp: Stamp) -> tuple[Event, ...]:
    """After the cut, one card or a shown card and its face value; later, one card before a coup."""
    if state.shoe.stage is Stage.IN_PLAY and not state.shoe.burns_due:
        return _burn_before_coup(state, act)
    return _burn_at_the_start(state, act)


def show_burn(state: TableState, act: acts.ShowBurn, _stamp: Stamp) -> tuple[Event, ...]:
    if not state.shoe.hidden_burn:
        raise No(Cause.NO_BURN_TO_SHOW)
    if not act.asked_by.strip():
        raise No(Cause.NOBODY_ASKED, clause="CROWN 3.8.1")
    check_possible(state, act.card)
    check_proved(state, act.card, 1, act.proof)
    clause = next(one.clause for one in _rules(state).burns if one.procedure == "one")
    name = CARDS[act.card].notation
    return (BurnShown(card=name, asked_by=act.asked_by, proof=act.proof, clause=clause),)


def see_cutting_card(state: TableState, act: acts.CuttingCard, stamp: Stamp) -> tuple[Event, ...]:  # noqa: ARG001
    """In a coup, one more follows it; between coups, the next is the last (G-18, G-19)."""
    check_in_play(state)
    if state.shoe.last_coup is not None:
        raise No(Cause.CUTTING_CARD_TWICE)
    rules, to_come = _rules(state), _rules(state).coups_after_cutting_card
    if state.coup is None:
        to_come = max(1, to_come)
    elif not state.coup.cards and state.configuration.cutting_card_first == "last":
        to_come = 0
    return (CuttingCardSeen(position=state.shoe.out, last_coup=state.coups + to_come, clause=rules.last_coup),)


def withdraw_cutting_card(state: TableState, act: acts.WithdrawCuttingCard, stamp: Stamp) -> tuple[Event, ...]:
    """The person who entered it by mistake takes it back; once a further coup was opened, a supervisor does (G-173)."""
    check_in_play(state)
    shoe = state.shoe
    if shoe.last_coup is None:
        raise No(Cause.NO_CUTTING_CARD)
    if not act.reason.strip():
        raise No(Cause.REASON_MISSING, clause=WITHDRAWN_BY)
    if state.coups > shoe.cutting_card_coup and stamp.role not in GAME_SUPERVISOR_OR_ABOVE:
        needed = in_words(GAME_SUPERVISOR_OR_ABOVE)
        raise No(Cause.WRONG_ROLE, clause=WITHDRAWN_BY, needed=needed, role=stamp.role.in_words)
    return (CuttingCardWithdrawn(shoe=shoe.number, reason=act.reason, by=stamp.by, clause=WITHDRAWN_BY),)


def overdue_cutting_card(state: TableState) -> tuple[Event, ...]:
    """A warning, once for a shoe, when the place of the cutting card was passed by a coup's cards (G-172)."""
    shoe = state.shoe
    expected_after = shoe.cards - shoe.behind_cutting_card
    if shoe.overdue or shoe.last_coup is not None or shoe.out < expected_after + LEAST_OF_A_COUP:
        return ()
    clause = _rules(state).last_coup
    return (CuttingCardOverdue(shoe=shoe.number, out=shoe.out, expected_after=expected_after, clause=clause),)


def recounted(state: TableState, left: int, clause: str) -> tuple[Event, ...]:
    """The count as it is in the dealer's hand, where it differs."""
    shoe = state.shoe
    if left == shoe.left:
        return ()
    return (ShoeRecounted(shoe=shoe.number, was=shoe.left, left=left, by="", clause=clause),)


def check_in_play(state: TableState) -> None:
    """Refuse what needs a shoe that is shuffled, cut and burned, naming what is still to be done."""
    stage = state.shoe.stage
    if stage is Stage.NONE:
        raise No(Cause.NO_SHOE, why="shuffle, cut and burn")
    if stage is Stage.SHUFFLED:
        raise No(Cause.NOT_CUT)
    if stage is Stage.CUT:
        raise No(Cause.NOT_BURNED)
    if state.shoe.burns_due:
        raise No(Cause.BURNS_DUE, due=state.shoe.burns_due)
    if stage is Stage.SPENT:
        why, clause = state.shoe.ended
        raise No(Cause.LAST_COUP_PLAYED, why=why, clause=clause)


def check_possible(state: TableState, notation: str, *, taken_back: str | None = None) -> None:
    """Refuse what is no card, or a copy more than the decks hold (G-30)."""
    name = _name(notation)
    copies = state.shoe.census.get(name, 0) - (1 if taken_back == name else 0)
    if copies >= state.configuration.decks:
        raise No(Cause.IMPOSSIBLE_CARD, card=name, copies=copies)


def check_proved(state: TableState, notation: str, position: int, proof: str) -> None:
    """Refuse a card of a virtual shoe that is not shown to lie at this position of the committed order."""
    shoe, name = state.shoe, CARDS[notation].notation
    if not shoe.commitment and proof:
        raise No(Cause.NOT_PROVED, card=name, position=position, why="the shoe is not committed to any order")
    place = place_of(position, shoe.cut_at, shoe.cards)
    if shoe.commitment and not proves(shoe.commitment, place, shoe.cards, name, proof):
        why = "the proof does not lead to the commitment" if proof else "a virtual shoe's card comes with its proof"
        raise No(Cause.NOT_PROVED, card=name, position=position, why=why)


def check_possible_together(state: TableState, cards: Iterable[str], taken_back: Iterable[str] = ()) -> None:
    """The same for several cards at once, in place of an entry of others that is taken back."""
    shoe = state.shoe
    for notation in taken_back:
        shoe = replace(shoe, census=seen(shoe, notation, -1))
    for notation in cards:
        check_possible(replace(state, shoe=shoe), notation)
        shoe = replace(shoe, census=seen(shoe, notation))


def _burn_at_the_start(state: TableState, act: acts.Burn) -> tuple[Event, ...]:
    rules, shoe = _rules(state), state.shoe
    if shoe.stage in (Stage.NONE, Stage.SPENT):
        raise No(Cause.NOT_SHUFFLED)
    if shoe.stage is Stage.SHUFFLED:
        raise No(Cause.NOT_CUT)
    if shoe.burns_due:
        if not 1 <= act.count <= shoe.burns_due or act.card is not None:
            raise No(Cause.BURN_COUNT, due=shoe.burns_due, count=act.count)
        clause = next(one.clause for one in rules.burns if one.procedure == "face value")
        return (_burned(state, None, act.count, shoe.burns_due - act.count, 0, clause),)
    if act.count != 1:
        raise No(Cause.BURN_COUNT, due=1, count=act.count)
    wanted = "face value" if act.by_face_value else "one"
    procedure = next(one for one in rules.burns if one.procedure == wanted)
    clause = procedure.clause
    if procedure.on_request and not act.asked_by.strip():
        raise No(Cause.NOBODY_ASKED)
    if act.card is None:
        if act.by_face_value:
            raise No(Cause.NOT_A_CARD, why="the first card is shown when cards are burned by its face value")
        return (_burned(state, None, 1, 0, 0, clause),)
    check_possible(state, act.card)
    check_proved(state, act.card, 1, act.proof)
    due = CARDS[act.card].rank.burn_value if act.by_face_value else 0
    burned = _burned(state, act.card, 0, due, 0, clause)
    return (replace(burned, asked_by=act.asked_by, proof=act.proof),)


def _burn_before_coup(state: TableState, act: acts.Burn) -> tuple[Event, ...]:
    if state.phase is Phase.DEALING:
        raise No(Cause.COUP_IN_PROGRESS, clause=_rules(state).burn_before_coup)
    if act.count != 1:
        raise No(Cause.BURN_COUNT, due=1, count=act.count)
    if state.coup is not None and state.coup.burned:
        raise No(Cause.BURNED_ALREADY)
    if state.coup is None:
        raise No(Cause.WAGERING_CLOSED, clause="CROWN 8.3.2")
    if state.shoe.carried:
        raise No(Cause.FORCED_CARD, card=state.shoe.carried[0] or "the card drawn in excess", clause="G-111")
    last = state.shoe.last_coup
    needed = CARDS_OF_A_COUP if last is None or last == state.coups else 2 * CARDS_OF_A_COUP
    if state.shoe.left - 1 < needed:
        raise No(Cause.TOO_FEW_CARDS, left=state.shoe.left - 1, needed=needed)
    if act.card is not None:
        check_possible(state, act.card)
        check_proved(state, act.card, state.shoe.out + 1, act.proof)
    hidden = 0 if act.card else 1
    burned = _burned(state, act.card, hidden, 0, state.coup.number, _rules(state).burn_before_coup)
    return (replace(burned, proof=act.proof if act.card else ""),)


def _burned(state: TableState, shown: str | None, hidden: int, due: int, coup: int, clause: str) -> CardsBurned:
    name = None if shown is None else CARDS[shown].notation
    left = state.shoe.left - hidden - (1 if shown else 0)
    return CardsBurned(shown=name, hidden=hidden, still_due=due, coup=coup, left=left, clause=clause)


def _name(notation: str) -> str:
    try:
        return card(notation).notation
    except Mistake as mistake:
        raise No(Cause.NOT_A_CARD, why=mistake) from None


def _check_no_coup(state: TableState) -> None:
    if state.coup is not None:
        raise No(Cause.COUP_IN_PROGRESS)


def _rules(state: TableState) -> ShoeRules:
    return state.terms.rule_set.shoe
