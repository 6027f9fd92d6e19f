"""Acts that might be given: any act, with fields such as the table's state suggests, or not quite such.

The acts are those of `table/rules`, so a new one takes part in every night as soon as it has a rule. A field is filled
by its name where the state suggests a value, and by its type otherwise.
"""

import enum
import types
import typing
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from typing import get_args

import msgspec

from sabot.basics.stamp import Stamp
from sabot.floor.simulator.chance import Chance
from sabot.rules.cards import CARDS
from sabot.rules.hand import Side
from sabot.rules.rule_set import Bet, IrregularityName
from sabot.table import acts
from sabot.table.configuration import CarePart, Configuration
from sabot.table.decide import refusal_to_all
from sabot.table.irregularities.deciding import resolutions
from sabot.table.role import Role
from sabot.table.rules import RULES
from sabot.table.state import TableState

OF_SESSIONS = frozenset({*get_args(acts.TournamentOrder), acts.AgreeToConclude})
NOT_SAID = OF_SESSIONS | {
    *(acts.OpenShoe, acts.ApproveBuild, acts.TakeUpOption, acts.DropSignOn, acts.DropEscrow, acts.BringBack)
}
"""What only a program or a tournament says, or what binds a table to a program that does not run here."""
CHOICES, TRIES = 8, 25
"""How many kinds of acts are looked at, and how often one is filled anew when every role would be refused."""
KINDS: tuple[type[acts.Act], ...] = (*(kind for kind in RULES if kind not in NOT_SAID), *(acts.Fact,) * 4)
AMOUNTS = (500, 2_500, 5_000, 10_000, 50_000, 100_000, -100, 0, 1, 10**12)
COUNTS = (0, 1, 2, 8, 52, 200, 415, 416, 10**9)
WORDS = ("the camera shows it", "the dealer's hand slipped", "CROWN 11.11", "y" * 300, "")
LONG_MS = 3_600_000
_BY_TYPE: dict[object, tuple[object, ...]] = {bool: (False, True), int: COUNTS, type(None): (None,)}


class Moment(msgspec.Struct, frozen=True):
    """A table's state and time, what was done in the night so far, and the chance that fills fields."""

    state: TableState
    at_ms: int
    chance: Chance
    done: Counter[type[acts.Act]]
    focus: str = ""
    """The station that the story is about."""


STORIES: tuple[tuple[type[acts.Act], ...], ...] = (
    (acts.Freeze, acts.Correct, acts.Recalculate, acts.Unfreeze),
    (acts.Leave, acts.Pay, acts.Freeze, acts.Correct, acts.Recalculate, acts.Unfreeze, acts.PayPayable, acts.Waive),
    (acts.Invalidate, acts.PayPayable, acts.Waive),
    (acts.Dispute, acts.Leave, acts.Pay, acts.BuyIn, acts.DecideDispute, acts.PayPayable),
    (acts.Breach, acts.ActOnBreach, acts.Seize, acts.Release),
    (acts.Claim, acts.DecideClaim, acts.RemedyDone),
    (acts.Complaint, acts.AnswerComplaint, acts.CloseComplaint),
    (acts.Fault, acts.Seen, acts.CannotConfirm, acts.ConfirmRecords),
    (acts.Malfunction, acts.Seen, acts.CannotConfirm, acts.ConfirmRecords),
    (acts.Fact, acts.Resolve, acts.Unresolve, acts.Resolve),
    (acts.Amend, acts.Resolve, acts.Unresolve, acts.TakeBackCard),
    (acts.Fault, acts.Seen, acts.Fact, acts.Resolve, acts.Unresolve, acts.WithdrawFact, acts.CannotConfirm),
    (acts.Note, acts.Leave, acts.PrintFailed, acts.ManualPay),
    (acts.Note, acts.Leave, acts.InsertTicket, acts.SetWager, acts.Leave, acts.InsertTicket),
    (acts.BuyIn, acts.CorrectBuyIn),
    (acts.Leave, acts.Stay),
    (acts.OutOfService, acts.MovePatron, acts.BackInService),
    (acts.Notice, acts.WithdrawNotice),
    (acts.CuttingCard, acts.WithdrawCuttingCard),
    (acts.Fill, acts.CountFloat, acts.Credit),
    (acts.SetOwnLimit, acts.SetWager, acts.TakeBreak),
    (acts.CallAttendant, acts.AnswerCall, acts.EndCall),
)
"""Acts that often follow each other; without them a night hardly ever comes to the last act of each."""


def some_act(moment: Moment) -> acts.Act:
    """Of some kinds of acts the one that was done least often in this night and could be done now."""
    kinds = sorted((moment.chance.pick(KINDS) for _ in range(CHOICES)), key=lambda one: moment.done[one])
    found = next((act for kind in kinds if (act := fitting(kind, moment, 4)) is not None), None)
    return _one_of(kinds[0], moment) if found is None or moment.chance.happens(0.2) else found


def fitting(kind: type[acts.Act], moment: Moment, tries: int = TRIES) -> acts.Act | None:
    """An act of this kind that could be done now, where one is found."""
    station = moment.focus or moment.chance.pick(tuple(moment.state.stations))
    for _ in range(tries):
        act = _one_of(kind, moment)
        if refusal_to_all(moment.state, act, _usual_stamp(act, station, moment.at_ms)) is None:
            return act
    return None


def _one_of(kind: type[acts.Act], moment: Moment) -> acts.Act:
    return some_fact(moment) if kind is acts.Fact else filled(kind, moment)


def _usual_stamp(act: acts.Act, station: str, at_ms: int) -> Stamp:
    who = RULES[type(act)].who
    role = next(role for role in (Role.CASINO_SUPERVISOR, Role.STATION, Role.CLOCK, Role.OPERATOR) if role in who)
    return Stamp(by=station, role=role, at_ms=at_ms)


def filled(kind: type[acts.Act], moment: Moment) -> acts.Act:
    """An act of this kind. A field that has a default keeps it half the time."""
    return kind(
        **{
            name: _value(name, hint, moment)
            for name, hint, is_required in _fields(kind)
            if is_required or moment.chance.happens(0.5)
        }
    )


def some_card(moment: Moment) -> str:
    """A card that the shoe may still hold; now and then any card."""
    census, decks = moment.state.shoe.census, moment.state.configuration.decks
    waiting = moment.state.shoe.carried
    if waiting and waiting[0] is not None and moment.chance.happens(0.9):
        return waiting[0]
    card = moment.chance.pick(_CARDS)
    return card if census.get(card, 0) < decks or moment.chance.happens(0.1) else some_card(moment)


_CARDS = tuple(CARDS)


@cache
def _fields(kind: type[acts.Act]) -> tuple[tuple[str, object, bool], ...]:
    """Name and type of each field, and whether it must be said."""
    hints = typing.get_type_hints(kind)
    return tuple((field.name, hints[field.name], field.required) for field in msgspec.structs.fields(kind))


def _value(name: str, hint: object, moment: Moment) -> object:
    if name == "cards" and typing.get_origin(hint) is tuple:
        return _cards(moment)
    if name == "cards" and hint is int:
        return 52 * moment.state.configuration.decks if moment.chance.happens(0.8) else moment.chance.pick(COUNTS)
    suggest = _bet if hint is Bet else _BY_NAME.get(name)
    if suggest is not None:
        return suggest(moment)
    for ending, by_ending in _BY_ENDING.items():
        if name.endswith(ending):
            return by_ending(moment)
    return _by_type(name, hint, moment)


def _by_type(name: str, hint: object, moment: Moment) -> object:
    chance, origin = moment.chance, typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _by_type(name, chance.pick(typing.get_args(hint)), moment)
    if origin in (tuple, dict, frozenset, list, Mapping):
        return {} if origin in (dict, Mapping) else ()
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return chance.pick(tuple(hint))
    return chance.pick(typing.get_args(hint) if origin is typing.Literal else _BY_TYPE.get(hint, WORDS))


def _station(moment: Moment) -> str:
    if moment.focus and moment.chance.happens(0.7):
        return moment.focus
    return "Z9" if moment.chance.happens(0.02) else moment.chance.pick(tuple(moment.state.stations))


def _bet(moment: Moment) -> Bet:
    return moment.chance.pick(tuple(moment.state.terms.bets))


def _coup(moment: Moment) -> int:
    return max(0, moment.state.coups - moment.chance.between(-1, 3))


def _case(moment: Moment) -> int:
    return moment.chance.between(1, moment.state.cases_opened + 1)


def _ticket(moment: Moment) -> str:
    return moment.chance.pick((*moment.state.tickets, "0" * 18))


def _configuration(moment: Moment) -> Configuration:
    """Another configuration that a table might be given; never one without the staff that can end the night."""
    changes: dict[str, object] = moment.chance.pick(
        (
            {},
            {"two_persons": ()},
            {"face_up": False},
            {"wagering_period_ms": 15_000},
            {"care": CarePart(reality_check_minutes=1, limit_delay_hours=0)},
        )
    )
    return msgspec.structs.replace(moment.state.configuration, **changes)


def _control(moment: Moment) -> int | None:
    return moment.chance.pick((None, moment.chance.between(1, moment.state.controls + 1)))


def _cards(moment: Moment) -> tuple[str, ...]:
    """The cards of the newest coup with one of them changed, or some."""
    last = moment.state.put_right_last
    if last is not None and moment.chance.happens(0.5):
        changed = list(last.cards)
        changed[moment.chance.between(0, len(changed) - 1)] = some_card(moment)
        return tuple(changed)
    return tuple(some_card(moment) for _ in range(moment.chance.between(0, 6)))


def _resolution(moment: Moment) -> str:
    fact = moment.state.fact
    known = [one.id for one in resolutions(moment.state, fact)] if fact is not None else []
    return moment.chance.pick((*known, "none"))


def _adjustments(moment: Moment) -> dict[str, int]:
    return {_station(moment): moment.chance.pick((-2_500, 2_500, 10**9))} if moment.chance.happens(0.7) else {}


def _wagers(moment: Moment) -> dict[str, int]:
    return {_bet(moment): 2_500}


def _time(moment: Moment) -> int:
    return max(0, moment.at_ms + moment.chance.pick((-LONG_MS, -5_000, -1, 0, 1_000, LONG_MS)))


_BY_NAME: dict[str, Callable[[Moment], object]] = {
    "station": _station,
    "target": _station,
    "coup": _coup,
    "case": _case,
    "ticket": _ticket,
    "control": _control,
    "card": some_card,
    "cards_checked": lambda moment: moment.chance.pick((None, 52 * moment.state.configuration.decks)),
    "configuration": _configuration,
    "id": _resolution,
    "adjustments": _adjustments,
    "wagers": _wagers,
    "keeps": lambda _: 0,
    "minutes": lambda moment: moment.chance.pick((*moment.state.configuration.care.break_minutes, 0, 1, 240)),
    "patron": lambda moment: moment.chance.pick(("P1", "P2", "P3", "")),
}
_BY_ENDING: dict[str, Callable[[Moment], object]] = {
    "cents": lambda moment: moment.chance.pick(AMOUNTS),
    "_ms": _time,
    "station": _station,
}


def some_fact(moment: Moment) -> acts.Fact:
    """A fact that some rule set knows, which the general filling would hardly ever name."""
    yes_or_no, known = (None, True, False), tuple(moment.state.terms.rule_set.irregularities)
    return acts.Fact(
        kind=moment.chance.pick(known if moment.chance.happens(0.9) else tuple(IrregularityName)),
        cards=tuple(some_card(moment) for _ in range(moment.chance.between(0, 2))),
        hand=moment.chance.pick((None, *Side)),
        reconstructible=moment.chance.pick(yes_or_no),
        order_known=moment.chance.pick(yes_or_no),
    )
