"""Brings a replay to the state after a record by applying the recorded events, without deciding or checking them.

Most records change a station's wagers, and the event that closes wagering holds every layout. So where only such
records came before a close without refunds, they are skipped and the layouts are set at once. Skipping loses only the
stations' undo history and when they were last heard, which end when the next coup opens. For the coup under way at the
end the skipped records are applied. The resulting state is exactly the one that applying every event gives.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from sabot.audit.replay import TableReplay
from sabot.floor.records.record_codec import read_happened, sets_a_wager
from sabot.table.events import Event, WageringClosed, WageringOpened


class FastForward:
    """Applies the records before a stretch to its replay."""

    def __init__(self, replay: TableReplay) -> None:
        self._replay = replay
        self._opened = replay.state
        """The exact state when the newest coup was opened."""
        self._since: list[tuple[int, bytes]] = []
        """The records since then."""
        self._only_touches = False
        """Whether they all change wagers only, so that none of them has been applied."""
        self._is_good = True

    def take(self, version: int, body: bytes) -> None:
        if not self._is_good:
            return
        self._since.append((version, body))
        if self._only_touches and sets_a_wager(body):
            return
        try:
            self._apply(version, body)
        except Exception:  # The check of the record itself will find the fault and describe it.
            self._is_good = False

    def finish(self) -> bool:
        """Apply what was skipped since the newest coup was opened; returns whether every record could be applied."""
        if self._is_good:
            self._replay.state = self._opened
            try:
                self._apply_all(self._since)
            except Exception:
                self._is_good = False
        return self._is_good

    def _apply(self, version: int, body: bytes) -> None:
        events, started = read_happened(body)
        replay = self._replay
        if started is not None:
            replay.was_recorded_by(started.build)
        if self._only_touches:
            self._only_touches = False
            if not self._lay(events):
                self._apply_all(self._since[:-1])
        replay.apply_recorded(events, version)
        if events and type(events[-1]) is WageringOpened:
            self._opened, self._since = replay.state, []
            self._only_touches = not any(purse.layout for purse in replay.state.ledger.purses.values())

    def _lay(self, events: Sequence[Event]) -> bool:
        """Set the layouts from the event that closes wagering, if it gave nothing back."""
        if not events or type(events[0]) is not WageringClosed or events[0].refunds:
            return False
        state = self._replay.state
        self._replay.state = replace(state, ledger=state.ledger.relaid(events[0].sealed))
        return True

    def _apply_all(self, records: Sequence[tuple[int, bytes]]) -> None:
        for version, body in records:
            self._replay.apply_recorded(read_happened(body)[0], version)
