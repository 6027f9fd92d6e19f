"""The open cases of a table, as its console lists them."""

import msgspec

from sabot.table.cases.state import Case, CaseKind
from sabot.table.state import TableState
from sabot.views.message import cut

MOST_TOLD = 3
"""The newest words to a person who complained; the records have the others."""


class CaseShown(msgspec.Struct, frozen=True):
    case: int
    kind: CaseKind
    station: str
    coup: int
    """Which coup a claim is about, or 0."""
    reason: str
    """What the patron touched when claiming, or nothing."""
    text: str
    prohibited_device: bool
    seized_cents: int
    control: int
    """The control session of its patron, or 0."""
    patron: str
    person: str
    remedy: str
    """What an accepted claim still waits for."""
    detained_ms: int | None
    told: tuple[str, ...]


def open_cases(state: TableState) -> list[tuple[int, Case]]:
    return [(number, case) for number, case in state.cases.items() if not case.closed]


def case_shown(number: int, case: Case) -> CaseShown:
    return CaseShown(
        case=number,
        kind=case.kind,
        station=case.station,
        coup=case.coup,
        reason=case.reason,
        text=cut(case.text),
        prohibited_device=case.prohibited_device,
        seized_cents=case.seized,
        control=case.control,
        patron=case.patron,
        person=cut(case.person),
        remedy=case.remedy,
        detained_ms=case.detained_ms,
        told=tuple(cut(text) for text in case.told[-MOST_TOLD:]),
    )
