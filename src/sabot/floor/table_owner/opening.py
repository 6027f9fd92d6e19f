"""What an owner brings to each of its terms."""

from collections.abc import Callable

import msgspec

from sabot.floor.records.record_codec import Started
from sabot.floor.table_owner.table_clock import JournalClock, TableClock
from sabot.table.configuration import Configuration
from sabot.table.history.state import KEPT_COUPS


class Opening(msgspec.Struct, frozen=True):
    owner: str
    started: Started
    configuration: Configuration
    """For a table that has none yet."""
    salt: Callable[[str], str]
    """Draws sixteen random bytes in hexadecimal for a station's seal."""
    keeps: int = KEPT_COUPS
    """How many of the newest coups a table's state keeps."""
    clock: Callable[[int, int, int], TableClock] = JournalClock
