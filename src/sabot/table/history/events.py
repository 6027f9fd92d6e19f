"""What happens to the past of a table."""

from sabot.table.event import Event
from sabot.table.history.shelved import FromShelf
from sabot.table.history.wanted import Wanted


class BroughtBack(Event, frozen=True, kw_only=True):
    """Something of the past is in the state again, until the next coup is settled or as long as it is open."""

    wanted: Wanted
    found: FromShelf
