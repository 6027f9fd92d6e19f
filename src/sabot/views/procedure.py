"""Guidance for the dealer: the steps from an empty table to a shoe in play, and the next step in a coup."""

from collections.abc import Iterator
from typing import Protocol

import msgspec

from sabot.basics.act import verb as verb_of_act
from sabot.rules.coup import next_card, read_coup
from sabot.table import acts
from sabot.table.chips.state import FloatMoment
from sabot.table.phase import Phase
from sabot.table.rules import RULES
from sabot.table.sessions.state import SessionStage
from sabot.table.state import CardCheck, Stage, TableState
from sabot.views.coup_shown import Cards, reason_of
from sabot.views.message import ScreenMessage, say
from sabot.views.public import Clock
from sabot.views.table_session import TableSession
from sabot.views.tournament_board import TournamentBoard


class ProcedureStep(msgspec.Struct, frozen=True):
    verb: str
    done: bool
    next: bool
    roles: tuple[str, ...]
    message: ScreenMessage


class Guidance(msgspec.Struct, frozen=True):
    """The next thing to do."""

    verb: str
    """The verb of the command; empty where it is not the dealer's to act."""
    message: ScreenMessage
    announce: ScreenMessage | None
    """What the dealer says aloud."""


class GuidanceGround(Protocol):
    """What guidance rests on beside the state; the public sections of a view have it."""

    @property
    def clock(self) -> Clock: ...

    @property
    def cards(self) -> Cards | None: ...

    @property
    def session(self) -> TableSession | None: ...

    @property
    def board(self) -> TournamentBoard | None: ...


def procedure_of(state: TableState) -> tuple[ProcedureStep, ...]:
    steps: list[ProcedureStep] = []
    for kind, done, clause in _steps(state):
        verb = verb_of_act(kind)
        roles = tuple(sorted(role.value for role in RULES[kind].who))
        is_next = not done and all(step.done for step in steps)
        steps.append(ProcedureStep(verb, done, is_next, roles, say(f"step_{verb}", clause)))
    return tuple(steps)


def _steps(state: TableState) -> Iterator[tuple[type[acts.Act], bool, str]]:
    shoe, rules = state.shoe, state.terms.rule_set.shoe
    in_hand = shoe.stage not in (Stage.NONE, Stage.SPENT)
    yield acts.SignOn, state.dealer is not None, state.cites('CROWN 1.1 "Dealer"')
    yield acts.OpenTable, state.phase is not Phase.CLOSED, state.cites("CROWN 2.2")
    yield acts.CheckCards, state.cards_checked is CardCheck.OPENING, state.cites("CROWN 3.4")
    if state.configuration.counts_float:
        yield acts.CountFloat, state.chip_float.counted is not FloatMoment.NONE, state.cites("G-192")
    yield acts.NewShoe, in_hand, rules.shuffle
    yield acts.Cut, in_hand and shoe.stage is not Stage.SHUFFLED, rules.cut_clause
    yield acts.Burn, shoe.stage is Stage.IN_PLAY and not shoe.burns_due, rules.burns[0].clause


def guidance_of(state: TableState, public: GuidanceGround) -> Guidance:
    return next(_most_pressing_first(state, public))


def _most_pressing_first(state: TableState, public: GuidanceGround) -> Iterator[Guidance]:
    if state.locked:
        yield Guidance("", say("guide_locked", state.cites("CROWN 1.6")), None)
    if state.frozen_at_ms is not None:
        verb = "recalculate" if state.correction else "correct"
        yield Guidance(verb, say(f"guide_{verb}", state.cites("CROWN 11.11")), None)
    if state.awaits_confirmation:
        yield Guidance("confirm_records", say("guide_confirm_records", state.cites("CROWN 11.15(b)")), None)
    if state.fact is not None:
        yield Guidance("resolve", say("guide_resolve", state.cites("CROWN 11.8.2")), None)
    if state.coup is not None:
        yield _in_the_coup(state, public)
    for step in procedure_of(state):
        if step.next:
            yield Guidance(step.verb, step.message, None)
    if state.reserved is not None:
        yield from _for_a_tournament(state, public)
    if state.closure is not None and public.clock.at_ms >= state.closure.from_ms:
        yield Guidance("close_table", say("guide_closing_time", state.cites("CROWN 13.7")), None)
    opens = state.terms.rule_set.wagering.opens
    yield Guidance("open", say("guide_open", opens.clause), say("place_your_bets", opens.clause, words=opens.words))


def _for_a_tournament(state: TableState, public: GuidanceGround) -> Iterator[Guidance]:
    """Why no coup opens: no session is on, its last coup is played, or no director is there (CROWN 12.2.5)."""
    session = state.session
    if session is None:
        yield Guidance("", say("guide_reserved", "CROWN 12.3.2"), None)
    elif session.stage is not SessionStage.OPEN or session.is_over(public.clock.at_ms):
        yield Guidance("", say("guide_session_played", "CROWN 12.2.1(d)"), None)
    elif public.session is not None and public.board is not None and not public.session.director:
        yield Guidance("", say("guide_director_away", "CROWN 12.2.5"), None)


def _in_the_coup(state: TableState, public: GuidanceGround) -> Guidance:
    coup, terms = state.coup, state.terms
    assert coup is not None
    closes = terms.rule_set.wagering.closes
    if state.phase is Phase.WAGERING:
        return Guidance(
            "close", say("guide_close", closes.clause), say("no_more_bets", closes.clause, words=closes.words)
        )
    if state.shoe.burns_due:  # Of a burn that was missed and is made good.
        return Guidance("burn", say("step_burn", terms.rule_set.shoe.burns[0].clause), None)
    due = next_card(coup.cards)
    if due is not None and not coup.cards and not coup.dummy and not coup.sealed and not coup.burned:
        return Guidance("void", say("guide_void", state.cites("CROWN 11.4")), None)
    if due is not None:
        why = reason_of(due, terms)
        return Guidance("card", why, _counts(public) if len(coup.cards) >= 4 else None)
    result = read_coup(coup.cards).sentence
    announced = terms.rule_set.confirmation.announced
    return Guidance("confirm", say("guide_confirm", announced, result=result), say("announce", announced, words=result))


def _counts(public: GuidanceGround) -> ScreenMessage | None:
    """After the initial deal both counts are announced (CROWN 8.3.4)."""
    cards = public.cards
    if cards is None:
        return None
    return say("counts", "", player=cards.player.title, banker=cards.banker.title)
