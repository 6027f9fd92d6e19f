"""Carries the edits of tables' files into effect, and says of each when that is.

A floor of one process applies its files at every start, and with `sabot serve apply`. Where several processes share a
floor, a copy that was forgotten would undo what another has applied, so a start only says what differs.
"""

import asyncio
from collections.abc import Iterator, Mapping

import msgspec
import structlog

from sabot.basics.role import Role
from sabot.basics.stamp import clock_stamp, operator_stamp
from sabot.floor.exchange.table_to_house import entering
from sabot.floor.table_edits import EditPlan, TableEdit, When, is_on_record, plan_edits, plan_staff
from sabot.house.acts import Appoint, Dismiss
from sabot.house.refusal import HouseRefused
from sabot.runtime.floor import RunningFloor
from sabot.runtime.shared_runner import Unreachable
from sabot.runtime.table_runner import RunningTable
from sabot.table import acts
from sabot.table.configuration import Configuration
from sabot.web.serving.floor_file import FloorFile

log = structlog.get_logger(__name__)

LOOK_S = 1.0
"""How often a table with edits that wait is looked at."""
RECORDED_S = 2.0
"""How long an edit may take to be on record before a later look tries it again."""
TAKEN_OFF = "no longer on the staff list of any table's file"
AT_A_START = "the floor's file is read when the process starts"
NEVER: dict[str, tuple[When, str]] = {
    "floor": ("not by this file", "every device proves its key to this name, which never changes"),
}
SHARED = "several processes share this floor: make the file the same on all machines, then give `sabot serve apply`"


class FileEdits:
    def __init__(self, floor: RunningFloor, wanted: Mapping[str, Configuration], file: FloorFile) -> None:
        """`file` is the floor's file as it was read at the start."""
        self._floor, self._wanted, self._file = floor, dict(wanted), file
        self._may_apply = not floor.is_shared
        self._told: dict[str, tuple[TableEdit, ...]] = {}
        self._looking = asyncio.Lock()
        """Two orders at once, or an order beside the steady look, would each apply the same edit."""

    async def keep_for_ever(self) -> None:
        """Apply what may take effect, now and whenever a table has come so far; say each thing once."""
        while True:
            for table in self._floor.tables.values():
                await self._look(table)
            await asyncio.sleep(LOOK_S)

    def of_the_floor(self, file: FloorFile | None) -> dict[str, tuple[TableEdit, ...]]:
        """What edits of the floor's own file come to, under the floor's name."""
        edits = () if file is None else tuple(floor_edits(self._file, file))
        return {self._file.floor: edits} if edits else {}

    async def apply(self, wanted: Mapping[str, Configuration]) -> dict[str, tuple[TableEdit, ...]]:
        """Take the files as they are now; returns what each edit comes to, by table."""
        self._wanted, self._may_apply = dict(wanted), True
        self._told.clear()
        edits = {}
        for table in self._floor.tables.values():
            if table.name in self._wanted and (plan := await self._look(table)) is not None:
                edits[table.name] = plan.edits
        return edits

    async def _look(self, table: RunningTable) -> EditPlan | None:
        async with self._looking:
            return await self._look_alone(table)

    async def _look_alone(self, table: RunningTable) -> EditPlan | None:
        wanted = self._wanted.get(table.name)
        if wanted is None or table.term is None:
            return None
        plan = plan_edits(table.term.state, wanted, table.table_ms)
        self._tell(table.name, plan)
        if plan.target is not None and self._may_apply:
            await self._tell_house(table, plan.target)
            await self._configure(table, plan.target)
        return plan

    async def _configure(self, table: RunningTable, target: Configuration) -> None:
        """Until it is on record, so that the next look does not give the same act again. What was refused meanwhile,
        since a coup was opened or the table went to another process, is tried by a later look."""
        table.carry(acts.Configure(configuration=target), operator_stamp(table.table_ms))
        try:
            async with asyncio.timeout(RECORDED_S):
                while table.term is not None and not is_on_record(table.term.state, target):
                    await asyncio.sleep(RECORDED_S / 100)
        except TimeoutError:
            log.warning("an edit of the table's file is not on record yet", table=table.name)

    def _tell(self, table: str, plan: EditPlan) -> None:
        if self._told.get(table, ()) == plan.edits:
            return
        for edit in plan.edits:
            if edit in self._told.get(table, ()):
                continue
            if edit.when == "now" and self._may_apply:
                log.info("an edit of the table's file takes effect", table=table, key=edit.key, text=edit.sentence)
            else:
                why = edit.why if self._may_apply else SHARED
                log.warning("an edit of the table's file waits", table=table, key=edit.key, when=edit.when, why=why)
        self._told[table] = plan.edits

    async def _tell_house(self, table: RunningTable, target: Configuration) -> None:
        """The house first, so that nobody is at a table without being on its list."""
        try:
            await self._floor.house.ask(entering(table.name, target), clock_stamp())
            await self._appoint(table, target)
        except Unreachable as unreachable:
            log.warning("the house could not be told yet", why=str(unreachable))

    async def _appoint(self, table: RunningTable, target: Configuration) -> None:
        if table.term is None:  # It went to another process while the house was asked.
            return
        present = table.term.state.configuration.staff
        if present == target.staff:
            return
        elsewhere = [
            one.term.state.configuration.staff
            for name, one in self._floor.tables.items()
            if name != table.name and one.term is not None
        ]
        before, after = _roles([present, *elsewhere]), _roles([target.staff, *elsewhere])
        house = {person: tuple(roles) for person, roles in self._floor.house.state.staff.items()}
        for edit in plan_staff(house, before, after):
            if edit.why_not:
                log.warning("a person is not appointed", person=edit.person, why=edit.why_not)
                continue
            act = (
                Appoint(person=edit.person, roles=tuple(map(Role, edit.roles)))
                if edit.roles
                else Dismiss(person=edit.person, reason=TAKEN_OFF)
            )
            decision = await self._floor.house.ask(act, operator_stamp())
            if isinstance(decision, HouseRefused):
                log.warning("a person is not appointed", person=edit.person, why=decision.text)


def floor_edits(present: FloorFile, wanted: FloorFile) -> Iterator[TableEdit]:
    """Every key of the floor's file is read at a start, and counts until the process ends."""
    for key in FloorFile.__struct_fields__:
        before, after = getattr(present, key), getattr(wanted, key)
        if isinstance(before, msgspec.Struct):
            for name in before.__struct_fields__:
                yield from _of_a_key(f"{key}.{name}", getattr(before, name), getattr(after, name))
        else:
            yield from _of_a_key(key, before, after)


def _of_a_key(key: str, before: object, after: object) -> Iterator[TableEdit]:
    if before != after:
        when, why = NEVER.get(key, ("at the next start", AT_A_START))
        said = [msgspec.json.encode(value).decode() for value in (before, after)]
        yield TableEdit(key=key, before=said[0], after=said[1], when=when, why=why)


def _roles(lists: list[dict[str, tuple[Role, ...]]]) -> dict[str, set[str]]:
    roles: dict[str, set[str]] = {}
    for one in lists:
        for person, given in one.items():
            roles.setdefault(person, set()).update(role.value for role in given)
    return roles
