"""What is due: the one thing, or the few things, that a dealer should do now, each with its clause.

The table's guidance says what the procedure wants; a staged thing wants the act that the table has for it. Whether an
act can be given at all, and by which clause, is asked of the table's own decisions, so nothing is right here that the
table would refuse.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.school.lesson import CashLaid, Misread, StagedFact, StationFails
from sabot.school.room import roles_of, symbol, symbols
from sabot.school.scene import Scene, drawn, fact_of, is_over, misread_now, waiting, wrong_entries
from sabot.school.words import Said, say
from sabot.table import acts
from sabot.table.cases.state import CaseKind
from sabot.table.decide import foreseen
from sabot.table.event import Event
from sabot.table.evolve import fold
from sabot.table.faults.records import confirmation_list
from sabot.table.irregularities.deciding import resolutions
from sabot.table.phase import Phase
from sabot.table.refusal import Refused
from sabot.table.role import at_least
from sabot.table.state import TableState
from sabot.views.coup_shown import Cards, cards_of
from sabot.views.procedure import guidance_of, procedure_of
from sabot.views.public import Clock, clock_of

REMEDY = "CROWN 11.11"
"""The remedy of a claim that a wrong outcome was entered."""


class DueAct(msgspec.Struct, frozen=True, kw_only=True):
    """An act that should be given now."""

    act: acts.Act
    """The act in full, as a dealer without a mistake gives it."""
    clause: str
    roles: frozenset[Role]
    """Who may give it."""
    said: Said
    """What should be done, in words."""
    key: str
    """Names the question, so that it is marked once."""
    mends: bool = False
    """Whether it only puts an own mistake right, for which there is no mark."""

    @property
    def verb(self) -> str:
        return self.act.verb


class _Ground(NamedTuple):
    """What guidance rests on at a table that plays for no tournament."""

    clock: Clock
    cards: Cards | None
    session: None = None
    board: None = None


class Now(NamedTuple):
    """A moment at a table of the school."""

    scene: Scene
    state: TableState
    at_ms: int

    def would(self, act: acts.Act, state: TableState | None = None) -> tuple[Event, ...] | Refused:
        """What the act causes where a person gives it who may: who that is, is another question."""
        anybody = Stamp(by=self.scene.trainee.dealer, role=Role.CASINO_SUPERVISOR, at_ms=self.at_ms)
        return foreseen(state or self.state, act, anybody)

    def due(self, act: acts.Act, said: Said, *, key: str = "", mends: bool = False) -> Iterator[DueAct]:
        """The act as due, unless the table would refuse it from everybody."""
        found = self.would(act)
        if isinstance(found, Refused):
            return
        cited = (getattr(event, "clause", "") for event in found)
        clause = said.clause or self.state.cites(next((clause for clause in cited if clause), ""))
        yield DueAct(
            act=act,
            clause=clause,
            roles=roles_of(act),
            said=msgspec.structs.replace(said, clause=clause),
            key=f"{self.state.coups}/{act.verb}/{key}",
            mends=mends,
        )


def dues(scene: Scene, state: TableState, at_ms: int) -> tuple[DueAct, ...]:
    """What is due now. Any of them is right; nothing is, while a colleague deals and after the last coup."""
    now, deals = Now(scene, state, at_ms), scene.lesson.dealt_before
    if state.locked or (0 < scene.opened <= deals and state.coup is not None):
        return ()
    if state.dealer is None:
        return tuple(now.due(acts.SignOn(), say("do_sign_on", procedure_of(state)[0].message.clause)))
    for urgent in _urgent(now):
        return (urgent,)
    asked, in_a_coup = [*_asked(now)], state.coup is not None
    pressing = [one for one, can_wait in asked if not (can_wait and in_a_coup)]
    if pressing:
        return tuple(pressing)
    if is_over(scene, state) or scene.opened < deals or misread_now(scene, state) is not None:
        return ()
    return (*guided(now), *(one for one, _ in asked))


# What comes before everything else


def _urgent(now: Now) -> Iterator[DueAct]:
    state = now.state
    if state.frozen_at_ms is not None:
        yield from _frozen(now)
    if state.fact is not None:
        yield from _fact_open(now)
    if state.awaits_confirmation:
        yield from now.due(acts.ConfirmRecords(), say("do_confirm_records"))
    for line in confirmation_list(state):
        act = acts.ConfirmRecords(station=line.station, coup=line.coup)
        yield from now.due(act, say("do_confirm_records"), key=line.station)
    for place, true in wrong_entries(now.scene, state):
        amend = acts.Amend(card=true, place=place, reason="misread")
        said = say("do_amend", place=place, card=symbol(true))
        yield from now.due(amend, said, key=str(place), mends=not _was_misread(now))


def _was_misread(now: Now) -> bool:
    """Whether the school staged the wrong entry of this coup, so that mending it earns a mark."""
    scene, coup = now.scene, now.state.coup
    staged = (one for place, one in enumerate(scene.lesson.happens) if place in scene.acted)
    here = coup is not None and coup.number == scene.newest
    return here and any(isinstance(one, Misread) and one.coup == scene.opened for one in staged)


def _frozen(now: Now) -> Iterator[DueAct]:
    if now.state.correction is not None:
        yield from now.due(acts.Recalculate(), say("do_recalculate"))
        return
    for coup, true in now.scene.wrong.items():
        said = say("do_correct", coup=coup, cards=symbols(true))
        yield from now.due(acts.Correct(coup=coup, cards=true), said, key=str(coup))
    yield from now.due(acts.Unfreeze(), say("do_unfreeze"))


def _fact_open(now: Now) -> Iterator[DueAct]:
    """Of a true fact any lawful way is right; another one is taken back."""
    fact = now.state.fact
    assert fact is not None
    if not now.scene.fact_is_true:
        yield from now.due(acts.WithdrawFact(reason="not so"), say("do_withdraw_fact"), mends=True)
        return
    for way in resolutions(now.state, fact):
        for due in now.due(acts.Resolve(id=way.id), say("do_resolve", way.clause), key=fact.kind):
            yield msgspec.structs.replace(due, roles=at_least(way.by))


# What is asked of the dealer beside the coup


def _asked(now: Now) -> Iterator[tuple[DueAct, bool]]:
    """With whether it can wait until the coup is over."""
    for place, staged in waiting(now.scene, now.state):
        if isinstance(staged, StagedFact):
            fact = fact_of(now.scene, now.state, staged)
            found = now.due(fact, say("do_fact", fact=staged.kind), key=f"{staged.kind}{place}")
        elif isinstance(staged, StationFails):
            said = say("do_fault", station=staged.station)
            found = now.due(acts.Fault(station=staged.station), said, key=staged.station)
        elif isinstance(staged, CashLaid):
            said = say("do_buy_in", station=staged.station, cash_cents=staged.cents)
            found = now.due(acts.BuyIn(station=staged.station, cents=staged.cents), said, key=staged.station)
        else:
            continue
        yield from ((one, isinstance(staged, CashLaid)) for one in found)
    yield from ((one, False) for one in _wrong_coups(now))
    yield from ((one, True) for one in _of_patrons(now))


def _wrong_coups(now: Now) -> Iterator[DueAct]:
    """A freeze is due where the table could put the coup right under it."""
    for coup, true in now.scene.wrong.items():
        frozen = now.would(acts.Freeze())
        if isinstance(frozen, Refused):
            continue
        if not isinstance(now.would(acts.Correct(coup=coup, cards=true), fold(frozen, now.state)), Refused):
            yield from now.due(acts.Freeze(), say("do_freeze", coup=coup), key=str(coup))


def _of_patrons(now: Now) -> Iterator[DueAct]:
    state = now.state
    for name, station in state.stations.items():
        if station.is_open and station.leaving:
            yield from now.due(acts.Pay(station=name), say("do_pay", station=name), key=name)
    for number, case in state.cases.items():
        if case.kind is CaseKind.CLAIM and not case.closed:
            yield from _claim(now, number)
    for name, call in state.calls.items():
        if call.answered_by:
            yield from now.due(acts.EndCall(station=name), say("do_end_call", station=name), key=name)
        else:
            yield from now.due(acts.AnswerCall(station=name), say("do_answer_call", station=name), key=name)


def _claim(now: Now, number: int) -> Iterator[DueAct]:
    """It is accepted if the coup stood on other cards than lay when it was made; else it is rejected with a reason."""
    case, scene = now.state.cases[number], now.scene
    if case.remedy:
        if case.coup not in scene.wrong:  # Else the correction is its remedy.
            done = acts.RemedyDone(case=number, text="corrected")
            yield from now.due(done, say("do_remedy_done", case=number), key=str(number))
        return
    if scene.claims.get(number, False):
        remedy = now.state.cites(REMEDY)
        act, code = acts.DecideClaim(case=number, accepted=True, remedy=remedy), "do_accept_claim"
    else:
        act, code = acts.DecideClaim(case=number, accepted=False, reason="the cards were as entered"), "do_reject_claim"
    yield from now.due(act, say(code, station=case.station, coup=case.coup), key=str(number))


# What the procedure wants


def guided(now: Now) -> Iterator[DueAct]:
    """The next step of the procedure, as the console's guidance says it, with the card that lies."""
    state = now.state
    guidance = guidance_of(state, _Ground(clock_of(state, now.at_ms), cards_of(state)))
    if guidance.verb == "card":
        yield from _next_card(now, guidance.message.clause)
        return
    act = act_of_step(guidance.verb, state)
    if act is not None:
        yield from now.due(act, say(f"do_{guidance.verb}", guidance.message.clause))
    if state.phase is Phase.WAGERING and state.terms.rule_set.wagering.first_card_closes is not None:
        yield from _next_card(now, state.terms.rule_set.wagering.first_card_closes)


def _next_card(now: Now, clause: str) -> Iterator[DueAct]:
    """The card that lies, or the one that by the trainee's own words is out, where the table takes no other."""
    place = len(now.state.coup.cards) + 1 if now.state.coup else 1
    forced = (card for card in now.state.shoe.carried[:1] if card is not None)
    for card in (*drawn(now.scene, now.state, 1), *forced):
        for due in now.due(acts.Card(card=card), say("do_card", clause, card=symbol(card)), key=str(place)):
            yield due
            return


def act_of_step(verb: str, state: TableState) -> acts.Act | None:
    """The act in full of a step of the procedure."""
    whole = 52 * state.configuration.decks
    given: dict[str, acts.Act] = {
        "sign_on": acts.SignOn(),
        "open_table": acts.OpenTable(),
        "check_cards": acts.CheckCards(cards=whole),
        "new_shoe": acts.NewShoe(),
        "cut": acts.Cut(at=whole // 4),
        "burn": acts.Burn(),
        "open": acts.Open(),
        "close": acts.Close(),
        "void": acts.Void(),
        "confirm": acts.Confirm(),
    }
    return given.get(verb)
