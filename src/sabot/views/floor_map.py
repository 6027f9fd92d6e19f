"""The live map of the floor: each table with its phase, its countdown, the money on every seat, and its lights.

A page asks for it once a second, so a table's part is made once for each of its states, and a frame holds only the
tables that changed since the frame before.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from sabot.table.phase import Phase
from sabot.table.sessions.standing import is_hidden_coup
from sabot.table.state import TableState
from sabot.views.call_alarms import call_alarms
from sabot.views.floor import TableHead, head_of, table_alarms
from sabot.views.message import ScreenMessage
from sabot.views.shoe_alarms import shoe_alarms

MapLightState = Literal["quiet", "watch", "alarm"]
SeatState = Literal["free", "playing", "leaving", "called", "served", "faulted", "out_of_service"]
STEPS = (5, 20, 100)
"""Where a seat's money counts as more, in multiples of the lowest minimum of the floor."""
_WATCH = frozenset({"alarm_faulted", "alarm_out_of_service", "alarm_float_uncounted", "alarm_cutting_card"})
"""What is to be watched and stops no play; every other alarm needs staff at the table."""


class MapSeat(msgspec.Struct, frozen=True, array_like=True, gc=False):
    station: str
    state: SeatState
    wagered_cents: int | None
    """On the layout now; None where something is, and how much is told after the result."""


class MapLights(msgspec.Struct, frozen=True):
    alarms: MapLightState
    calls: MapLightState
    """An alarm while a call is not answered, to be watched while an attendant is on the way."""
    census: MapLightState
    integrity: MapLightState
    """The worst of the table's lights of integrity."""


class MapTable(TableHead, frozen=True):
    """A table of the map, in a short form."""

    version: int
    """Of the table's newest record."""
    deadline_ms: int | None
    """The end of the wagering period by the table's clock."""
    stands_still: bool
    """Whether a freeze holds the countdown."""
    remaining_ms: int | None
    """What is left of the period while the countdown stands still."""
    in_credits: bool
    minimum_cents: int
    """The largest of the minimums of its bets."""
    wagered_cents: int
    seats: tuple[MapSeat, ...]
    lights: MapLights
    alarms: tuple[ScreenMessage, ...]


class MapFrame(msgspec.Struct, frozen=True):
    run: str
    """The count of marks that `mark` belongs to; a page that has another one is sent everything."""
    mark: int
    at_ms: int
    """Now, by the tables' clock."""
    whole: bool
    """Whether these are all tables."""
    scale_cents: tuple[int, ...]
    """Where the money of a seat counts as more."""
    tables: tuple[MapTable, ...]


def map_table(name: str, version: int, state: TableState, integrity: MapLightState = "quiet") -> MapTable:
    coup, is_open = state.coup, state.phase is Phase.WAGERING
    deadline = coup.deadline_ms if coup is not None and is_open else None
    frozen = state.frozen_at_ms
    stands_still = deadline is not None and frozen is not None
    seats, alarms = _seats(state), table_alarms(state)
    return MapTable(
        *head_of(name, state),
        version=version,
        deadline_ms=deadline,
        stands_still=stands_still,
        remaining_ms=max(0, deadline - frozen) if deadline is not None and frozen is not None else None,
        in_credits=state.session is not None,
        minimum_cents=max((state.limits[bet].minimum for bet in state.offered), default=0),
        wagered_cents=sum(seat.wagered_cents or 0 for seat in seats),
        seats=seats,
        lights=_lights(state, alarms, integrity),
        alarms=alarms,
    )


def scale_of(tables: Iterable[MapTable]) -> tuple[int, ...]:
    """One scale for all tables, so that the same dot is the same money everywhere."""
    lowest = min((one.minimum_cents for one in tables if one.minimum_cents), default=100)
    return tuple(step * lowest for step in STEPS)


def _seats(state: TableState) -> tuple[MapSeat, ...]:
    purses, hidden = state.ledger.purses, is_hidden_coup(state)
    found = []
    for name in state.stations:
        purse = purses.get(name)
        wagered = 0 if purse is None else purse.wagered
        found.append(MapSeat(name, _seat_state(state, name), None if hidden and wagered else wagered))
    return tuple(found)


def _seat_state(state: TableState, name: str) -> SeatState:
    station = state.stations[name]
    call = state.calls.get(name)
    if name in state.faulted:
        return "faulted"
    if name in state.out_of_service:
        return "out_of_service"
    if call is not None:
        return "served" if call.answered_by else "called"
    if not station.is_open:
        return "free"
    return "leaving" if station.leaving or station.directed_to_leave else "playing"


def _lights(state: TableState, alarms: tuple[ScreenMessage, ...], integrity: MapLightState) -> MapLights:
    calls, census = call_alarms(state), shoe_alarms(state)
    others = [one for one in alarms if one not in calls and one not in census]
    answered: MapLightState = "watch" if state.calls else "quiet"
    calling: MapLightState = "alarm" if calls else answered
    return MapLights(alarms=light_of(others), calls=calling, census=light_of(census), integrity=integrity)


def light_of(messages: Iterable[ScreenMessage]) -> MapLightState:
    codes = {one.code for one in messages}
    if not codes:
        return "quiet"
    return "watch" if codes <= _WATCH else "alarm"


class MapEntry(msgspec.Struct, frozen=True):
    """A table's part of the map, and the mark from which on it is new."""

    mark: int
    shown: MapTable


class MapCount(msgspec.Struct, frozen=True):
    """All parts of the map, and the newest mark."""

    mark: int = 0
    entries: Mapping[str, MapEntry] = {}

    def then(self, changed: Iterable[MapTable]) -> "MapCount":
        mark = self.mark + 1
        return MapCount(mark, {**self.entries, **{one.table: MapEntry(mark, one) for one in changed}})

    def frame(self, run: str, after: int, at_ms: int) -> MapFrame:
        """What is new after a mark; everything after 0."""
        scale = scale_of(entry.shown for entry in self.entries.values())
        new = tuple(entry.shown for entry in self.entries.values() if entry.mark > after)
        return MapFrame(run, self.mark, at_ms, not after, scale, new)
