"""Believing: a table brought to where it stood after a record, by what the records say and without deciding anything.

Most records are touches on a layout, and of all the touches of a coup only the outcome lasts: the close says what lies
on every layout. So where nothing but touches came before a close that gave nothing back, they are passed over, and the
layouts are laid at once. What they leave behind otherwise, a station's way back to earlier layouts, is forgotten when
the next coup opens; for the coup that is under way at the end they are made up for. What comes of it is the very same
state, to the last bit.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from sabot.audit.replay import TableReplay
from sabot.floor.records.record_codec import read_happened, sets_a_wager
from sabot.table.events import Event, WageringClosed, WageringOpened


class Believer:
    """Listens to the records before a stretch and tells a replay about them."""

    def __init__(self, replay: TableReplay) -> None:
        self._replay = replay
        self._opened = replay.state
        """The table when the newest coup was opened, to the last bit."""
        self._since: list[tuple[int, bytes]] = []
        """The records since then."""
        self._only_touches = False
        """Whether nothing else has come since then, so that none of them has been told."""
        self._believes = True

    def hear(self, version: int, body: bytes) -> None:
        if not self._believes:
            return
        self._since.append((version, body))
        if self._only_touches and sets_a_wager(body):
            return
        try:
            self._tell(version, body)
        except Exception:  # Whatever it is, whoever decides the record again will find it and say what it is.
            self._believes = False

    def comes_to_the_end(self) -> bool:
        """Make up for what was passed over since the newest coup was opened; says whether all could be believed."""
        if self._believes:
            self._replay.state = self._opened
            try:
                self._tell_all(self._since)
            except Exception:
                self._believes = False
        return self._believes

    def _tell(self, version: int, body: bytes) -> None:
        events, started = read_happened(body)
        replay = self._replay
        if started is not None:
            replay.was_recorded_by(started.build)
        if self._only_touches:
            self._only_touches = False
            if not self._lay(events):
                self._tell_all(self._since[:-1])
        replay.believe(events, version)
        if events and type(events[-1]) is WageringOpened:
            self._opened, self._since = replay.state, []
            self._only_touches = not any(purse.layout for purse in replay.state.ledger.purses.values())

    def _lay(self, events: Sequence[Event]) -> bool:
        """Lay what a close found on the layouts, if this is a close that tells all of it."""
        if not events or type(events[0]) is not WageringClosed or events[0].refunds:
            return False
        state = self._replay.state
        self._replay.state = replace(state, ledger=state.ledger.relaid(events[0].sealed))
        return True

    def _tell_all(self, records: Sequence[tuple[int, bytes]]) -> None:
        for version, body in records:
            self._replay.believe(read_happened(body)[0], version)
