"""The calls for an attendant that nobody has answered, for the console and for the floor."""

from sabot.table.state import TableState
from sabot.views.message import ScreenMessage, say


def call_alarms(state: TableState) -> list[ScreenMessage]:
    """The oldest first."""
    return [say("alarm_called", "G-224", station=name) for name, call in state.calls.items() if not call.answered_by]
