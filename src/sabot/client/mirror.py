"""The state of a table as a device has received it: the sections of its view, or the board that events make."""

from typing import Any, TypeVar

import msgspec

from sabot.client.protocol import News
from sabot.views.event_board import EventBoard
from sabot.wire.frames import Paused, StalePicture, Told, ViewFrame, Welcome

_View = TypeVar("_View", bound=msgspec.Struct)


class Mirror:
    def __init__(self, station: str = "") -> None:
        self.station = station
        self.view: dict[str, Any] = {}
        """By section as it came over the wire, for a device that follows views."""
        self.board = EventBoard()
        """For a device that follows events."""
        self.paused = False
        """Whether the table waits for the journal; the next frame ends it."""
        self.stale: StalePicture | None = None
        """That the view is the last sound one and not current; a device that lays chips waits meanwhile."""

    def show(self, news: News) -> None:
        self.paused = isinstance(news, Paused)
        if isinstance(news, Welcome | ViewFrame):
            self.stale = news.stale
        match news:
            case Welcome():
                self._start_over(news)
            case Told():
                self.board.tell(news.events, news.purse)
            case ViewFrame():
                self.view.update(news.changed)

    def _start_over(self, welcome: Welcome) -> None:
        if welcome.whole:
            self.view.clear()
        self.view.update(welcome.view or {})
        if welcome.picture is not None:
            self.board.show(welcome.picture, self.station)
        for told in welcome.missed:
            self.board.tell(told.events, told.purse)

    def view_as(self, kind: type[_View]) -> _View:
        """The whole view as its struct."""
        return msgspec.convert(self.view, kind)

    @property
    def coup(self) -> int:
        """The newest coup that is known, under way or over."""
        phase = self.view.get("phase")
        return self.board.coup if phase is None else int(phase["coup"])

    @property
    def phase(self) -> str:
        phase = self.view.get("phase")
        return self.board.phase.value if phase is None else str(phase["phase"])

    @property
    def frozen(self) -> bool:
        """Whether the accounts of the table are frozen."""
        phase = self.view.get("phase")
        return self.board.frozen if phase is None else bool(phase["frozen"])
