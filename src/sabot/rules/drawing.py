"""Checks each document's own statement of the table of play against the tables, cell by cell, and finds its clauses."""

from collections.abc import Iterator, Sized
from functools import lru_cache

from sabot.rules.hand import Side
from sabot.rules.part import Clause
from sabot.rules.rule_set import TablesInItsOwnWords
from sabot.rules.table_of_play import NO_CARD, TABLE_1, TABLE_2, Cell

REACHABLE_TOTALS = range(8)
"""With eight or nine on either hand the rows do not apply: a natural has ended the drawing."""

COLUMNS = range(11)


def clauses_by_cell(tables: TablesInItsOwnWords) -> dict[Cell, Clause]:
    """The clause for every reachable cell of the table of play."""
    cells = {Cell("deal", side): clause for side, clause in tables.initial_deal.items()}
    cells |= {Cell("natural", side): clause for side, clause in tables.natural.items()}
    for total in REACHABLE_TOTALS:
        cells[Cell("table", Side.PLAYER, total)] = _player(tables, total)[1]
        for column in COLUMNS:
            cells[Cell("table", Side.BANKER, total, column)] = _banker(tables, total, column)[1]
    return cells


def disagreements(tables: TablesInItsOwnWords) -> Iterator[tuple[str, str]]:
    """Where a document's statement leaves a cell open or differs from the tables; nowhere for the five documents."""
    for key, sides in (("initial_deal", tables.initial_deal), ("natural", tables.natural)):
        for side in Side:
            if side not in sides:
                yield key, f"names no clause for {side.capitalize()}"
    try:
        for total in REACHABLE_TOTALS:
            draws = TABLE_1[total] == "D"
            if _player(tables, total)[0] is not draws:
                yield "player", f"Player {'draws' if draws else 'stands'} on {total} in the table of play"
            for column in COLUMNS:
                draws = TABLE_2[total][column] == "D"
                if _banker(tables, total, column)[0] is not draws:
                    where = "when Player took no card" if column == NO_CARD else f"when Player drew {column - 1} points"
                    yield "banker", f"Banker {'draws' if draws else 'stands'} on {total} {where} in the table of play"
    except _UnreadableRow as problem:
        yield problem.key, str(problem)


class _UnreadableRow(ValueError):
    def __init__(self, key: str, reason: str) -> None:
        super().__init__(reason)
        self.key = key


def _player(tables: TablesInItsOwnWords, total: int) -> tuple[bool, Clause]:
    rows = [row for row in tables.player if total + 1 in _columns("player", row.totals)]
    if len(rows) != 1:
        raise _UnreadableRow("player", f"{_many(rows)} what Player does on {total}")
    return rows[0].draws, rows[0].clause


def _banker(tables: TablesInItsOwnWords, total: int, column: int) -> tuple[bool, Clause]:
    rows = [
        row
        for row in tables.banker
        if total + 1 in _columns("banker", row.totals) and column in _columns("banker", row.given)
    ]
    if len(rows) != 1:
        where = "no card" if column == NO_CARD else f"a third card of {column - 1} points"
        raise _UnreadableRow("banker", f"{_many(rows)} what Banker does on {total} after {where}")
    return column in _columns("banker", rows[0].draws_on), rows[0].clause


def _many(rows: Sized) -> str:
    return "more than one row says" if len(rows) else "no row says"


@lru_cache(maxsize=256)
def _columns(key: str, written: str) -> frozenset[int]:
    """Read `none 2-7 9` into columns of TABLE_2: 0 for none, n + 1 for n points.

    Every cell asks every row, so each text is read once.
    """
    columns: set[int] = set()
    for word in written.split():
        first, _, last = word.partition("-")
        if word == "none":
            columns.add(NO_CARD)
        elif first.isdigit() and (last or first).isdigit() and int(first) <= int(last or first) <= 9:
            columns.update(range(int(first) + 1, int(last or first) + 2))
        else:
            raise _UnreadableRow(key, f"{word!r} is neither a count, a range of counts nor 'none'")
    return frozenset(columns)
