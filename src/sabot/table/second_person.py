"""The second person: what a table's configuration lets nobody do alone, and who may approve it (G-92, G-99).

What needs approval is told by what would happen, not by the verb, since a void after the first card has several verbs.
"""

from collections.abc import Callable, Collection, Mapping

from sabot.basics.stamp import Stamp
from sabot.table.configuration import TwoPersonAct
from sabot.table.corrections.deciding import CAUSES
from sabot.table.events import (
    BuyInCorrected,
    ChipsCredited,
    ChipsFilled,
    Configured,
    Countersigned,
    CoupInvalidated,
    CoupVoided,
    DifferenceBooked,
    DummyCoupDeclared,
    Event,
    FloatCounted,
    MinimumChanged,
    NoticeGiven,
    NoticeWithdrawn,
    OutcomeCorrected,
    OwedWaived,
    PaidByHand,
    ResolutionTakenBack,
    TableClosed,
    TableUnlocked,
    TicketPaidManually,
    WagersReversed,
    WagersVoided,
    WaitingBuyInCorrected,
)
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.role import GAME_SUPERVISOR_OR_ABOVE, Role, in_words
from sabot.table.state import NoticeKind, TableState


def approved(state: TableState, stamp: Stamp, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The same events, and the approval where one is given; refused where one is due and not given."""
    due = state.configuration.two_persons
    always = next((_ALWAYS[type(event)] for event in events if type(event) in _ALWAYS), None)
    if not due and always is None and not stamp.second and not state.locked:
        return events
    if stamp.second:
        check_second(stamp, state.signed_on, state.configuration.staff)
    act = always or _act(state, due, events)
    if act is None:
        return events
    if not stamp.second:
        clause = "G-92" if act == "correct" else None
        raise No(Cause.SECOND_PERSON_DUE, clause=clause, needed=in_words(GAME_SUPERVISOR_OR_ABOVE))
    return (*events, Countersigned(act=act, by=stamp.by, second=stamp.second, clause="G-99"))


def approval_due(state: TableState, events: tuple[Event, ...]) -> str | None:
    """What these events amount to of that for which the table wants two persons."""
    return _act(state, state.configuration.two_persons, events)


def _act(state: TableState, due: Collection[TwoPersonAct], events: tuple[Event, ...]) -> str | None:
    """Which of the acts that are due two persons these events amount to; to have fewer of them due is one too.

    At a locked table whatever books, pays or closes is for two, whatever the operator chose (G-153).
    """
    if state.locked and any(isinstance(event, _AT_A_LOCKED_TABLE) for event in events):
        return "locked"
    for event in events:
        if isinstance(event, Configured) and not set(due) <= set(event.configuration.two_persons):
            return "two_persons"
    return next((act for act in due if any(_IS[act](state, event) for event in events)), None)


_AT_A_LOCKED_TABLE = (DifferenceBooked, PaidByHand, TableUnlocked, TableClosed)


def check_second(stamp: Stamp, signed_on: Mapping[str, Role], staff: Mapping[str, tuple[Role, ...]]) -> None:
    second = stamp.second
    if second == stamp.by:
        raise No(Cause.SAME_PERSON, who=second)
    roles = (signed_on[second],) if second in signed_on else staff.get(second, ())
    if not GAME_SUPERVISOR_OR_ABOVE.intersection(roles):
        raise No(Cause.SECOND_ROLE, who=second, needed=in_words(GAME_SUPERVISOR_OR_ABOVE))


def _voids_after_a_card(state: TableState, event: Event) -> bool:
    """A void of all wagers or of one station's, and what undoes settled ones otherwise than by `invalidate` (G-151).

    To take a void back counts, too. A dummy coup that follows a settlement is another coup, and voids nothing.
    """
    if isinstance(event, ResolutionTakenBack):
        return bool(event.moved)
    if isinstance(event, WagersReversed) or (isinstance(event, CoupInvalidated) and event.cause not in CAUSES):
        return True
    if not isinstance(event, CoupVoided | DummyCoupDeclared | WagersVoided) or state.coup is None:
        return False
    return bool(state.coup.cards) and event.coup == state.coup.number


def _invalidates(_state: TableState, event: Event) -> bool:
    """The coup under way that is made invalid is void, by one of the clauses that let a coup be made invalid."""
    if isinstance(event, CoupVoided):
        return event.clause in {clause for clause, _ in CAUSES.values()}
    return isinstance(event, CoupInvalidated)


def _changes_limits(state: TableState, event: Event) -> bool:
    if isinstance(event, Configured):
        wanted, now = event.configuration, state.configuration
        return (wanted.limits, wanted.aggregate_minimum) != (now.limits, now.aggregate_minimum)
    if isinstance(event, NoticeGiven | NoticeWithdrawn):
        return event.kind is not NoticeKind.CLOSURE
    return isinstance(event, MinimumChanged)


_ALWAYS: dict[type[Event], str] = {ChipsFilled: "fill", ChipsCredited: "credit", FloatCounted: "count_float"}
"""Chips in the rack are never moved or counted by one person, whatever the configuration says (G-191, G-192)."""
_IS: dict[TwoPersonAct, Callable[[TableState, Event], bool]] = {
    "correct": lambda _, event: isinstance(event, OutcomeCorrected),
    "void": _voids_after_a_card,
    "invalidate": _invalidates,
    "manual_pay": lambda _, event: isinstance(event, TicketPaidManually),
    "waive": lambda _, event: isinstance(event, OwedWaived),
    "limits": _changes_limits,
    "correct_buy_in": lambda _, event: isinstance(event, BuyInCorrected | WaitingBuyInCorrected),
}
