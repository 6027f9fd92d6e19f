"""What an accepted claim leads to, and when it is done: the claim is open until then (CROWN 11.12, G-147)."""

from collections.abc import Iterator

from sabot.basics.stamp import Stamp
from sabot.table.cases.state import Case, CaseKind
from sabot.table.events import (
    CoupInvalidated,
    CoupRecalculated,
    CoupVoided,
    Event,
    RecordsConfirmed,
    RemedyPerformed,
    WagersReversed,
    WagersVoided,
)
from sabot.table.state import TableState

REMEDIES = frozenset({"CROWN 11.10", "CROWN 11.11", "CROWN 11.14", "CROWN 11.15"})
"""What an accepted claim may lead to."""
_FAULTS = frozenset({"CROWN 11.14", "CROWN 11.15"})
_PERFORMS: dict[type[Event], frozenset[str]] = {
    CoupRecalculated: frozenset({"CROWN 11.11"}),
    CoupInvalidated: frozenset({"CROWN 11.10", "CROWN 11.11"}),
    CoupVoided: frozenset({"CROWN 11.10", "CROWN 11.15"}),
    RecordsConfirmed: _FAULTS,
    WagersVoided: _FAULTS,
    WagersReversed: _FAULTS,
}
"""Which remedies an event performs for the claims about its coup."""


def with_remedies(state: TableState, stamp: Stamp, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The same events, and for each accepted claim whose remedy they perform, that it is performed."""
    if not any(case.remedy and not case.closed for case in state.cases.values()):
        return events
    return (*events, *_performed(state, stamp, events))


def _performed(state: TableState, stamp: Stamp, events: tuple[Event, ...]) -> Iterator[Event]:
    for number, case in state.cases.items():
        if case.kind is not CaseKind.CLAIM or case.closed or not case.remedy:
            continue
        done = next((event for event in events if _is_remedy(state, case, event)), None)
        if done is not None:
            verb = type(done).__name__
            yield RemedyPerformed(case=number, remedy=case.remedy, done=verb, by=stamp.by, clause="CROWN 11.12")


def _is_remedy(state: TableState, case: Case, event: Event) -> bool:
    remedies = {state.cites(clause) for clause in _PERFORMS.get(type(event), ())}
    if case.remedy not in remedies or not case.coup or getattr(event, "coup", 0) != case.coup:
        return False
    return getattr(event, "station", "") in ("", case.station)
