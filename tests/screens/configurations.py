"""Tables for the pages, with wagering periods that a test does not have to wait for."""

from typing import Any

import msgspec

from sabot.table.configuration import Configuration
from sabot.table.fixtures import fixture


def crown(**changes: Any) -> Configuration:
    """The rulebook's CROWN table."""
    table = fixture("crown")
    staff: Any = {**table.staff, "OP1": ("operator",), "TD1": ("tournament_director",)}
    return msgspec.structs.replace(table, wagering_period_ms=600_000, staff=staff, **changes)


def singapore(**changes: Any) -> Configuration:
    """A table where a patron at the table leaves with a ticket."""
    table = fixture("singapore")
    return msgspec.structs.replace(table, **{"wagering_period_ms": 600_000, **changes})
