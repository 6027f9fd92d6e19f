"""What an owner knows of its table's shelf: what fell out of the state and is not on it yet, and what is looked for."""

from collections.abc import Mapping

from sabot.floor.records.shelf_reading import KEPT_AT_ONCE, Looking
from sabot.journal.journal import Derived
from sabot.table.history.wanted import Wanted
from sabot.table.refusal import Refused
from sabot.table.state import TableState


class Shelving:
    def __init__(self, fallen: Mapping[str, Derived]) -> None:
        self.unshelved = dict(fallen)
        """Values of durable records by name."""
        self._being_kept: tuple[int, Mapping[str, Derived]] = (0, {})
        """The errand of the newest snapshot, and the values that go on the shelf before it."""
        self.looking = 0
        """The errand of what is looked for, or 0; nothing is decided until it is found."""
        self._asked: list[tuple[str, Wanted]] = []
        """What the act that waits, or the newest that did, has wanted: the key of the act, and each thing."""
        self.unread: dict[str, Refused] = {}
        """By the key of an act, why it is not decided: what it names cannot be read now."""

    def add(self, fallen: Mapping[str, Derived]) -> bool:
        """Take what fell out by records that have become durable; returns whether so much waits that it is kept."""
        self.unshelved.update(fallen)
        return len(self.unshelved) - len(self._being_kept[1]) >= KEPT_AT_ONCE

    def to_keep(self, errand: int) -> Mapping[str, Derived]:
        """What goes on the shelf before the next snapshot."""
        self._being_kept = (errand, dict(self.unshelved))
        return self._being_kept[1]

    def kept(self, errand: int) -> None:
        """These are on the shelf now, as far as nothing newer of the same name has fallen out since."""
        wanted, values = self._being_kept
        if errand != wanted:
            return
        self.unshelved = {name: one for name, one in self.unshelved.items() if values.get(name) is not one}
        self._being_kept = (0, {})

    def turn_away(self, asked_by: str, why: str) -> None:
        """The act that waits names something in a part of the journal that is not here; the others go on."""
        self.looking, self.unread[asked_by] = 0, Refused("part_away", "", why)

    @property
    def wanted(self) -> Wanted:
        """What is looked for."""
        return self._asked[-1][1]

    def was_brought(self, asked_by: str, wanted: Wanted) -> bool:
        """Whether this act has had this brought back already: it is not looked for without end."""
        return (asked_by, wanted) in self._asked

    def look(self, errand: int, asked: tuple[str, Wanted], state: TableState, fallen: Mapping[str, Derived]) -> Looking:
        """Begin to look for what an act wants; `fallen` fell out by records that are being written."""
        self.looking = errand
        self._asked = [one for one in self._asked if one[0] == asked[0]] + [asked]
        return Looking(asked[1], state, {**self.unshelved, **fallen})
