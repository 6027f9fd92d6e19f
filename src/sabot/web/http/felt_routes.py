"""The felt of tables without real cards, which a demo deals; other tables have none."""

from collections.abc import Callable, Mapping

from sabot.runtime.floor import RunningFloor
from sabot.table.state import TableState
from sabot.views.felt import Felt
from sabot.web.http.operation import AnyOperation, BareCall, Operation
from sabot.web.http.refusal import WebCause, refusal

Felts = dict[str, Callable[[TableState], Felt]]
"""By table, what lies on its felt."""


class FeltRoutes:
    def __init__(self, floor: RunningFloor, felts: Mapping[str, Callable[[TableState], Felt]]) -> None:
        self._floor, self._felts = floor, felts

    def operations(self) -> tuple[AnyOperation, ...]:
        return (
            Operation("GET", "/api/tables/{table}/felt", "Show what lies on the felt of a demo's table.", self.felt,
                      answer=Felt, refuses=(WebCause.NO_SUCH_PATH,)),
        )  # fmt: skip

    async def felt(self, call: BareCall) -> Felt:
        name = call.path["table"]
        table, shown = self._floor.tables.get(name), self._felts.get(name)
        if table is None or table.term is None or shown is None:
            raise refusal(WebCause.NO_SUCH_PATH)
        return shown(table.term.state)
