"""A device that follows the views of a table, and what it was shown."""

import msgspec

from sabot.floor.table_owner.messages import Connected
from sabot.views.audience import Audience
from sabot.views.public import Public
from sabot.wire.frames import StalePicture


class Viewer:
    def __init__(self, connected: Connected) -> None:
        self.device, self.audience, self.station = connected.device, connected.audience, connected.station
        self.name = f"station {self.station}" if self.audience is Audience.STATION else f"the {self.audience.value}"
        self.view: msgspec.Struct | None = None
        """What it was shown last, and as of which epoch and version."""
        self.as_of = (0, 0)
        """Only what it was told moves this on, so that coming back tells it nothing of others."""
        self.public: Public | None = None
        """What that was made from; touches since are in the view alone."""
        self.made_ms = 0
        """When its picture was made, by the table's clock; 0 where it has none."""
        self.lost_ms = 0
        """When the device was found to be gone; 0 while it is connected."""
        self.told = 0
        """The version with which it was last sent anything."""
        self.answered = 0
        """The version of the newest answer to an act at a console, which its next view has."""
        self.look = -1
        """The look that its view is as new as."""
        self.shown_s = 0.0
        """When it was last sent anything."""
        self.stale: StalePicture | None = None
        """What it is told of its picture where that is not current, and whether it was told."""
        self.is_told_stale = False
