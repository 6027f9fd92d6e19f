"""What a touch on the layout changes."""

from collections.abc import Mapping

from msgspec.structs import replace

from sabot.ledger.ledger import Purse
from sabot.rules.rule_set import Bet
from sabot.table import events as e
from sabot.table.accounts.state import StationState
from sabot.table.state import KEPT_UNDOS, TableState


def wagers_changed(state: TableState, event: e.WagersChanged) -> TableState:
    name, ledger = event.station, state.ledger
    stations = {**state.stations, name: touched(state.stations[name], ledger.purses[name], event)}
    return replace(state, ledger=ledger.relaid({name: laid(event)}), stations=stations)


def laid(event: e.WagersChanged) -> Mapping[Bet, int]:
    """What lies on the bets that changed, in the order of the postings.

    Chips come off before others go on, so that a moved stack never overdraws the account.
    """
    after, before = event.after, event.before
    if len(after) == 1:
        return after
    return {bet: after[bet] for _, bet in sorted((after[bet] - before[bet], bet) for bet in after)}


def touched(station: StationState, purse: Purse, event: e.WagersChanged) -> StationState:
    """The station after a touch. It keeps the layout before it, or drops the one that it went back to."""
    undo = station.undo[:-1] if event.undoes else (*station.undo, purse.layout)[-KEPT_UNDOS:]
    return replace(station, undo=undo, wagered_ms=event.at_ms or station.wagered_ms)
