"""Everything that anybody is shown of a table, made and written out as it goes over the wire."""

import msgspec

from sabot.house.state import HouseState
from sabot.table.state import TableState
from sabot.views.audience import Audience, picture
from sabot.views.console import StationConnection, console_view
from sabot.views.display import display_view
from sabot.views.floor import floor_view
from sabot.views.public import public_view
from sabot.views.recall import recall
from sabot.views.scorecard import Scorecard
from sabot.views.station import station_view

_encode = msgspec.json.Encoder(enc_hook=str).encode


def sizes(state: TableState, card: Scorecard, at_ms: int) -> dict[str, int]:
    """How many bytes each audience's whole view has."""
    public = public_view(state, card, at_ms)
    lost = {name: StationConnection(connected=False, seen_ms=at_ms) for name in state.stations}
    shown: dict[str, object] = {
        "display": display_view(public),
        "console": console_view(public),
        "console without stations": console_view(public, lost),
        "floor": floor_view(HouseState(), {"T1": state}),
    }
    for station in state.stations:
        shown[f"station {station}"] = station_view(public, station)
        shown[f"recall {station}"] = recall(card, station, whole=True)
    for audience in Audience:
        shown[f"picture {audience}"] = picture(state, audience, next(iter(state.stations), ""), at_ms)
    return {name: len(_encode(one)) for name, one in shown.items()}
