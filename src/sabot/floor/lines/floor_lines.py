"""A floor of several tables in one conversation: a line says at which table, or means the first."""

from typing import Any

from msgspec.structs import replace

from sabot.basics.at_once import at_once
from sabot.basics.mistake import Mistake
from sabot.basics.role import Role
from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.reader import HOUSE_VERBS, TOURNAMENT_VERBS
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.table.configuration import Configuration, StationPart

DIRECTORS = {"TD1": (Role.TOURNAMENT_DIRECTOR,), "TD2": (Role.TOURNAMENT_DIRECTOR,), "OP": (Role.OPERATOR,)}
"""Who works on the floor beside the staff of the tables."""


class FloorLines:
    def __init__(self, floor: LineFloor) -> None:
        self.floor = floor
        self.n = max((table.n for table in floor.tables.values()), default=0)
        """The number of the last line, counted over all tables."""

    @property
    def now_ms(self) -> int:
        return max(self.floor.now_ms, *(table.now_ms for table in self.floor.tables.values()))

    @property
    def zone(self) -> str:
        return self._first.zone

    @property
    def _first(self) -> LineTable:
        return next(iter(self.floor.tables.values()))

    def answer(self, line: dict[str, Any]) -> LineAnswer:
        """`ask` for a journal in memory, which never waits."""
        return at_once(self.ask(line))

    async def ask(self, line: dict[str, Any]) -> LineAnswer:
        """Carry out one line at the table that it names; time is the same at all of them."""
        try:
            table = self._table_of(line)
        except Mistake as mistake:
            return self.refuse(mistake)
        own = line if _has_table_of_its_own(line) else {name: said for name, said in line.items() if name != "table"}
        table.catch_up(self.now_ms)
        table.n, self.n = self.n, self.n + 1
        return replace(await table.ask(own), table=table.name)

    def refuse(self, why: Mistake) -> LineAnswer:
        """Answer a line that could not even be read."""
        self._first.n, self.n = self.n, self.n + 1
        return self._first.refuse(why)

    def _table_of(self, line: dict[str, Any]) -> LineTable:
        name = None if _has_table_of_its_own(line) else line.get("table")
        if name is None:
            return self._first
        if not isinstance(name, str) or name not in self.floor.tables:
            raise Mistake(f"there is no table {name!r}; there are {', '.join(self.floor.tables)}")
        return self.floor.tables[name]


def _has_table_of_its_own(line: dict[str, Any]) -> bool:
    """Whether the table is part of what the line says, as in an order to conclude the sitting there."""
    word = line.get("do")
    kind = {**HOUSE_VERBS, **TOURNAMENT_VERBS}.get(word) if isinstance(word, str) else None
    return kind is not None and "table" in kind.__struct_fields__


def floor_configurations(one: Configuration, tables: int, stations: int) -> list[Configuration]:
    """Equal tables T1, T2 and so on with stations A1, A2 and so on, and the staff of a tournament."""
    seats = {f"A{number}": StationPart(approval=f"ATS-{number:02}") for number in range(1, stations + 1)}
    staff = {**one.staff, **DIRECTORS}
    changed = replace(one, stations=seats, staff=staff)
    return [replace(changed, table=f"T{number}") for number in range(1, tables + 1)]
