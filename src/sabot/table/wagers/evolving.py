"""What a touch on the layout changes."""

from msgspec.structs import replace

from sabot.ledger.ledger import Purse
from sabot.table import events as e
from sabot.table.money import laid
from sabot.table.state import (
    KEPT_UNDOS,
    StationState,
    TableState,
)


def wagers_changed(state: TableState, event: e.WagersChanged) -> TableState:
    name, ledger = event.station, state.ledger
    stations = {**state.stations, name: touched(state.stations[name], ledger.purses[name], event)}
    return replace(state, ledger=ledger.relaid({name: laid(event)}), stations=stations)


def touched(station: StationState, purse: Purse, event: e.WagersChanged) -> StationState:
    """The station after a touch: it remembers the layout before it, or forgets the one that it went back to."""
    undo = station.undo[:-1] if event.undoes else (*station.undo, purse.layout)[-KEPT_UNDOS:]
    return replace(station, undo=undo)
