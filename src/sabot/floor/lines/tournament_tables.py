"""Equal tables for a tournament, and who works there beside the staff of a table."""

from msgspec.structs import replace

from sabot.basics.role import Role
from sabot.table.configuration import Configuration, StationPart

DIRECTORS = {"TD1": (Role.TOURNAMENT_DIRECTOR,), "TD2": (Role.TOURNAMENT_DIRECTOR,), "OP": (Role.OPERATOR,)}
"""Who works on the floor beside the staff of the tables."""


def equal_tables(one: Configuration, tables: int, stations: int) -> list[Configuration]:
    """Tables T1, T2 and so on with stations A1, A2 and so on, which play the same (CROWN 12.1.1)."""
    seats = {f"A{number}": StationPart(approval=f"ATS-{number:02}") for number in range(1, stations + 1)}
    changed = replace(one, stations=seats, staff={**one.staff, **DIRECTORS})
    return [replace(changed, table=f"T{number}") for number in range(1, tables + 1)]
