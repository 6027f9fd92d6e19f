"""What is posted at a table, and which locations show it: its display and each of its stations (CROWN 5.1, 5.2, G-180).

A location that has told what it shows is held to it: every later sign counts there from when it tells that, too. One
that has told nothing shows a sign from the moment at which it was given.
"""

import hashlib
from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet
from sabot.table.configuration import Configuration
from sabot.table.phase import Phase
from sabot.table.state import Scheduled, TableState

DISPLAY = "display"


_MOST_KNOWN = 256
_KNOWN: dict[int, tuple[object, object, int, str]] = {}
"""The digests made last, by the identity of the limits: every touch asks, and limits hardly ever change."""


def sign_of(state: TableState) -> str:
    """A short digest of the limits in force (CROWN 5.1)."""
    limits, offered, aggregate = state.limits, state.offered, state.aggregate_minimum
    known = _KNOWN.get(id(limits))
    if known is None or known[0] is not limits or known[1] is not offered or known[2] != aggregate:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        known = _KNOWN[id(limits)] = (limits, offered, aggregate, _digest(_limits(state)))
    return known[3]


def posted_of(state: TableState) -> str:
    """The same with the signs that announce something."""
    announced = [(one.kind, one.bet, one.cents, one.from_ms) for one in state.notices]
    return _digest([_limits(state), announced])


def _limits(state: TableState) -> list[object]:
    limits = [(bet, *msgspec.structs.astuple(state.limits[bet])) for bet in sorted(state.offered)]
    return [limits, state.aggregate_minimum]


def _digest(shown: list[object]) -> str:
    return hashlib.sha256(msgspec.json.encode(shown)).hexdigest()[:16]


def shows_limits(state: TableState, location: str) -> bool:
    """Whether the location shows the limits in force."""
    return location not in state.signs or state.signs[location] == sign_of(state)


def is_due(state: TableState, sign: Scheduled, at_ms: int) -> bool:
    """Whether its time has come, and every location that is in use has shown it long enough (s66(2), G-180)."""
    return sign.from_ms <= at_ms and all(shown_long_enough(state, sign, location, at_ms) for location in _in_use(state))


def shown_long_enough(state: TableState, sign: Scheduled, location: str, at_ms: int) -> bool:
    since = sign.late.get(location, sign.shown_ms)
    return since is not None and since + state.figures.notice_ms <= at_ms


def _in_use(state: TableState) -> list[str]:
    """The table itself; under CROWN each open station, too, since it is a location of its own (CROWN 5.2)."""
    if state.terms.rule_set.house_rules is not None:
        return [DISPLAY]
    stations = (name for name, one in state.stations.items() if one.is_open and name not in state.out_of_service)
    return [DISPLAY, *stations]


def seen_from(signs: tuple[Scheduled, ...], location: str, at_ms: int | None) -> tuple[Scheduled, ...]:
    """The signs once a location shows them from a time on, where it did not before; or, with None, shows none."""
    return tuple(
        replace(one, late={**one.late, location: at_ms})
        if at_ms is None or one.late.get(location, at_ms) is None
        else one
        for one in signs
    )


def unseen_at(state: TableState, station: str) -> tuple[Scheduled, ...]:
    """The signs once a station cannot be played at; one that tells what it shows is held to its own word."""
    return state.notices if station in state.signs else seen_from(state.notices, station, None)


def seen_again(state: TableState, at_ms: int) -> tuple[Scheduled, ...]:
    """The signs once a coup is opened: a station that failed before it works again, and shows them from now on."""
    signs = state.notices
    for station in state.stations:
        if station not in state.signs and station not in state.out_of_service:
            signs = seen_from(signs, station, at_ms)
    return signs


def limits_after(state: TableState, wanted: Configuration) -> Mapping[Bet, Limits]:
    """The limits in force once the table is configured so.

    At an open table a minimum that the configuration leaves as it was stays what signs have made of it.
    """
    if state.phase is Phase.CLOSED:
        return wanted.limits
    before = state.configuration.limits
    return {
        bet: replace(limits, minimum=state.limits[bet].minimum)
        if bet in state.limits and bet in before and before[bet].minimum == limits.minimum
        else limits
        for bet, limits in wanted.limits.items()
    }


def aggregate_after(state: TableState, wanted: Configuration) -> int:
    unchanged = wanted.aggregate_minimum == state.configuration.aggregate_minimum
    return state.aggregate_minimum if unchanged and state.phase is not Phase.CLOSED else wanted.aggregate_minimum
