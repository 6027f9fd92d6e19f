"""A run of touches on the layouts, for a replay, which never looks back.

A touch changes one station and one purse; to copy all the others with it is most of what it costs. Here they are copied
once for a whole run.
"""

from msgspec.structs import replace

from sabot.ledger.ledger import Ledger
from sabot.table.events import Event, WagersChanged
from sabot.table.state import TableState
from sabot.table.wagers.evolving import laid, touched


class Touches:
    """A table that touches are laid on: its state goes on with each of them, instead of giving way to a new one."""

    def __init__(self, state: TableState) -> None:
        self._purses, self._stations = dict(state.ledger.purses), dict(state.stations)
        ledger = Ledger(self._purses, state.ledger.books, state.ledger.unit)
        self.state = replace(state, ledger=ledger, stations=self._stations)

    def lay_all(self, events: tuple[Event, ...]) -> bool:
        """Lay what one touch came to, which is a change of wagers or nothing; False where it is something else."""
        for event in events:
            if type(event) is not WagersChanged:
                return False
            self.lay(event)
        return True

    def lay(self, event: WagersChanged) -> None:
        """Come to what `evolve` makes of it, or to nothing new where the event does not fit the table."""
        name = event.station
        purse = self._purses[name]
        after = purse.relaid(laid(event))
        self._stations[name] = touched(self._stations[name], purse, event)
        self._purses[name] = after
