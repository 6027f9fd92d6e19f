"""A preview of an act that may name something of the past: it is read from the shelf, and nothing is put on record."""

from collections.abc import Mapping
from typing import NamedTuple

from sabot.basics.stamp import Stamp
from sabot.floor.records.shelf_reading import Looking, look_for
from sabot.floor.table_owner.term import BUSY
from sabot.journal.journal import Derived, Journal, PartAway
from sabot.journal.record import Head
from sabot.table.acts import Act
from sabot.table.events import BroughtBack
from sabot.table.evolve import fold
from sabot.table.history.wanted import Elsewhere, Wanted
from sabot.table.preview import Preview, preview
from sabot.table.refusal import Refused
from sabot.table.state import TableState


class Present(NamedTuple):
    state: TableState
    head: Head
    unshelved: Mapping[str, Derived]
    """What fell out of the state and is not on the shelf yet."""


async def foresee(present: Present, act: Act, stamp: Stamp, journal: Journal) -> Preview:
    """As the act itself would be decided, with what it would have brought back."""
    state, head, unshelved = present
    brought: set[Wanted] = set()
    while True:
        try:
            return preview(state, act, stamp)
        except Elsewhere as gone:
            if gone.wanted in brought:
                return Preview(BUSY)
            try:
                found = await look_for(journal, head.stream, head.version, Looking(gone.wanted, state, unshelved))
            except PartAway as away:
                return Preview(Refused("part_away", "", str(away)))
            brought.add(gone.wanted)
            state = fold((BroughtBack(wanted=gone.wanted, found=found),), state)
