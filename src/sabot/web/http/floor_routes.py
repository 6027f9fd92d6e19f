"""The HTTP operations of a floor: commands to the house, what the floor shows, and looking things up."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from sabot.audit.excerpt import Line, Wanted, check_there, excerpt, facts_of
from sabot.audit.stats import StreamStats, stats
from sabot.audit.story import Told, tell
from sabot.basics.mistake import Mistake
from sabot.basics.role import Role, in_words
from sabot.floor.authority import Signed, stamp_for_the_house
from sabot.floor.records.record_codec import table_stream
from sabot.floor.records.recovery import recall_table
from sabot.house.events import AnyHouseEvent
from sabot.house.refusal import Refused as HouseRefused
from sabot.runtime.floor import RunningFloor
from sabot.runtime.house_runner import Unreachable
from sabot.runtime.table_runner import RunningTable
from sabot.table.refusal import Refused
from sabot.table.state import TableState
from sabot.views.floor import FloorView, floor_view
from sabot.views.recall import Recall, recall
from sabot.web.http.operation import Call, Operation
from sabot.web.http.refusal import Cause, passed_on, refusal
from sabot.web.http.table_report import TableReport, table_report
from sabot.web.identity.identities import Identities
from sabot.wire.spoken import HouseCommand, fields_of

OVERSEERS = frozenset({Role.OPERATOR, Role.GAME_SUPERVISOR, Role.CASINO_SUPERVISOR, Role.INSPECTOR})
"""Who may see all tables, and look things up."""
MOST_LINES = 1_000
_Whole = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Done(msgspec.Struct, frozen=True):
    """What a command to the house led to."""

    events: tuple[AnyHouseEvent, ...]


class Owner(msgspec.Struct, frozen=True):
    table: str
    owner: str
    """Where devices of the table connect; nothing while nobody owns it."""
    here: bool


class Recalling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    station: str
    whole: bool = False
    """Whether also before the present patron came."""


class Looking(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to look for in a table's records; what is not given does not limit it."""

    coup: _Whole | None = None
    station: str | None = None
    from_ms: _Whole | None = None
    to_ms: _Whole | None = None
    after: _Whole = 0
    """Records above this version only."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_LINES)] = 100


class Period(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    from_ms: _Whole | None = None
    to_ms: _Whole | None = None


class RecordTold(msgspec.Struct, frozen=True):
    """A record in words, with the postings it made and the hash it carries."""

    version: int
    epoch: int
    coup: int
    hash: str
    told: Told


class FloorRoutes:
    def __init__(self, floor: RunningFloor, identities: Identities) -> None:
        self._floor, self._identities = floor, identities

    def operations(self) -> tuple[Operation, ...]:
        seen_by_overseers: dict[str, Any] = {"staff": True, "refuses": (Cause.WRONG_ROLE, Cause.NO_SUCH_PATH)}
        return (
            Operation("POST", "/api/house", "Ask something of the house.", self.ask_the_house, body=HouseCommand,
                      answer=Done, staff=True,
                      refuses=(Cause.WRONG_ROLE, Cause.APPROVAL_OVER, Cause.NOT_A_CONSOLE)),
            Operation("GET", "/api/floor", "Show all tables, staff, devices and tickets.", self.show_floor,
                      answer=FloorView, staff=True, refuses=(Cause.WRONG_ROLE,)),
            Operation("GET", "/api/owner/{table}", "Say which process a table's devices connect to.", self.owner,
                      answer=Owner, refuses=(Cause.NO_SUCH_PATH,)),
            Operation("GET", "/api/tables/{table}/recall", "Recall the last coups at a station, step by step.",
                      self.recall, answer=Recall, query=Recalling, **seen_by_overseers),
            Operation("GET", "/api/tables/{table}/records", "Look records of a table up, told in words.",
                      self.records, answer=tuple[RecordTold, ...], query=Looking, **seen_by_overseers),
            Operation("GET", "/api/tables/{table}/figures", "Add up what a table's records say.",
                      self.figures, answer=StreamStats, query=Looking, **seen_by_overseers),
            Operation("GET", "/api/tables/{table}/report", "Report a table's business over a period.",
                      self.report, answer=TableReport, query=Period, **seen_by_overseers),
        )  # fmt: skip

    async def ask_the_house(self, call: Call) -> Done:
        verb = str(type(call.body).__struct_config__.tag)
        second = await self._identities.sessions.second(call.second, call.staff, verb)
        desk = self._identities.desk
        line = {"do": verb, **msgspec.to_builtins(fields_of(call.body))}
        signed = Signed(call.staff.person, second)
        command = stamp_for_the_house(line, signed, desk.state, desk.signed_on, self._identities.now_ms())
        if isinstance(command, Refused):
            raise passed_on(command)
        try:
            decision = await desk.ask(command)
        except Unreachable:
            raise refusal(Cause.UNAVAILABLE) from None
        if isinstance(decision, HouseRefused):
            raise passed_on(decision)
        return Done(decision)  # type: ignore[arg-type]  # Events of the house are these kinds.

    async def show_floor(self, call: Call) -> FloorView:
        self._check_overseer(call)
        return floor_view(self._floor.desk.state, await self._states())

    async def owner(self, call: Call) -> Owner:
        table = self._table(call)
        holder = table.holder
        if not holder:
            lease = await self._floor.backing.journal.lease(table_stream(table.name))
            holder = "" if lease is None or lease.expires_ms <= lease.renewed_ms else lease.owner
        return Owner(table.name, holder, table.tenure is not None)

    async def recall(self, call: Call) -> Recall:
        self._check_overseer(call)
        wanted: Recalling = call.query
        table = self._table(call)
        if table.tenure is None or wanted.station not in table.tenure.state.stations:
            raise refusal(Cause.NO_SUCH_PATH)
        return recall(table.viewing.card, wanted.station, whole=wanted.whole)

    async def records(self, call: Call) -> tuple[RecordTold, ...]:
        told: list[RecordTold] = []
        station = call.query.station
        async for line in excerpt(self._floor.backing.journal, *await self._wanted(call)):
            told.append(_told(line, station))
            if len(told) >= call.query.limit:
                break
        return tuple(told)

    async def figures(self, call: Call) -> StreamStats:
        stream, wanted = await self._wanted(call)
        return await stats(self._floor.backing.journal, stream, wanted)

    async def report(self, call: Call) -> TableReport:
        self._check_overseer(call)
        backing, period = self._floor.backing, Wanted(from_ms=call.query.from_ms, to_ms=call.query.to_ms)
        return await table_report(
            backing.journal, self._table(call).name, period, backing.build, self._identities.now_ms()
        )

    async def _wanted(self, call: Call) -> tuple[str, Wanted]:
        self._check_overseer(call)
        asked: Looking = call.query
        wanted = Wanted(asked.coup, asked.station, asked.from_ms, asked.to_ms, asked.after)
        name = self._table(call).name
        try:
            check_there(await facts_of(self._floor.backing.journal, name), name, wanted)
        except Mistake as mistake:
            raise refusal(Cause.MALFORMED, why=mistake) from None
        return table_stream(name), wanted

    async def _states(self) -> Mapping[str, TableState]:
        """Every table as it stands; one that is served elsewhere, as its records leave it."""
        backing, states = self._floor.backing, {}
        for name, table in self._floor.tables.items():
            if table.tenure is not None:
                states[name] = table.tenure.state
            else:
                states[name] = (await recall_table(backing.journal, table_stream(name), backing.build)).state
        return states

    def _table(self, call: Call) -> RunningTable:
        table = self._floor.tables.get(call.path["table"])
        if table is None:
            raise refusal(Cause.NO_SUCH_PATH)
        return table

    def _check_overseer(self, call: Call) -> None:
        if not OVERSEERS.intersection(self._identities.sessions.roles(call.staff)):
            raise refusal(Cause.WRONG_ROLE, needed=in_words(OVERSEERS))


def _told(line: Line, station: str | None) -> RecordTold:
    return RecordTold(line.version, line.epoch, line.coup, line.hash, tell(line, station))
