"""What one process of a floor opens before it serves, and closes in the opposite order when it stops."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import msgspec
import structlog

from sabot.runtime.draw_key import DrawKey
from sabot.runtime.floor import RunningFloor
from sabot.runtime.school import School
from sabot.runtime.shared_runner import Unreachable
from sabot.runtime.shoe_files import FiledShoes, ShoeFiles, ShoeKey, VirtualShoes
from sabot.runtime.table_runner import RunningTable, TableBacking
from sabot.runtime.virtual_dealer import VirtualDealer
from sabot.table.configuration import rule_set_digest_of
from sabot.web.http.felt_routes import Felts
from sabot.web.http.start_routes import StartBoard
from sabot.web.identity.identities import Identities
from sabot.web.identity.pin import PinHasher
from sabot.web.identity.vault import Unavailable, Vault
from sabot.web.identity.vault_opening import is_database, open_vault_at
from sabot.web.identity.vault_shoes import VaultShoes
from sabot.web.reports.desk import ReportDesk
from sabot.web.reports.keeper import SumKeeper
from sabot.web.serving.file_edits import FileEdits
from sabot.web.serving.floor_file import Floor, address_of, read_secret
from sabot.web.serving.rotation import rotate_when_due
from sabot.web.serving.self_checks import check_disk, check_keys, check_secrets, tell_digests
from sabot.web.serving.signed_journal import open_signed
from sabot.web.socket.entrance import Entrance, FloorDesk

log = structlog.get_logger(__name__)

SWEEP_S = 60.0
UNLOCKINGS_S = 1.0
"""How often the vault is asked whom `sabot staff` has unlocked."""
LEAVE_WITHIN_S = 15.0
"""How long an orderly stop may take. After that an unresponsive journal is left as it is, as after a crash."""


def system_ms() -> int:
    """Milliseconds since 1970 by the clock of the system."""
    return time.time_ns() // 1_000_000


class Premises(msgspec.Struct, frozen=True):
    wanted: Floor
    floor: RunningFloor
    identities: Identities
    vault: Vault
    entrance: Entrance
    dealers: dict[str, VirtualDealer]
    monitoring_token: str
    reports: ReportDesk
    start: StartBoard = msgspec.field(default_factory=StartBoard)
    felts: Felts = {}
    school: School | None = None
    edits: FileEdits | None = None
    """Nothing in a dealer school, whose lessons configure their tables."""

    async def leave(self) -> None:
        """Drain, sign and release the tables, and send devices `bye`; a second call does nothing."""
        if self.floor.is_leaving:
            return
        for dealer in self.dealers.values():
            dealer.stop()
        if self.school is not None:
            self.school.stop()
        try:
            await asyncio.wait_for(self.floor.stop(), LEAVE_WITHIN_S)
        except TimeoutError:
            log.error("the floor could not stop in order: the journal does not answer")  # noqa: TRY400  Expected.


@contextlib.asynccontextmanager
async def opened(
    wanted: Floor, build: str, address: str, wall_ms: Callable[[], int] = system_ms
) -> AsyncIterator[Premises]:
    """Check, open and start everything; `address` is where devices reach this process, `wall_ms` the time of day."""
    file = wanted.file
    tables = [one.configuration for one in wanted.tables]
    check_secrets(file)
    check_keys(wanted)
    check_disk(file)
    tell_digests(build, tables)
    async with contextlib.AsyncExitStack() as closing:
        signed = await open_signed(wanted, address, wall_ms, closing)
        vault = await closing.enter_async_context(await open_vault(wanted, alone=True))
        backing = TableBacking(
            journal=signed.journal,
            owner=address,
            build=build,
            wall_ms=wall_ms,
            signer=signed.signer,
            anchor=signed.raise_anchor,
            now=_monotonic_ms,
        )
        stand_by = [one.configuration.table for one in wanted.tables if one.part.stand_by]
        draws = DrawKey(Path(file.tournaments.draws_key))
        alone, key_file = not wanted.is_shared, signed.key_file
        floor = RunningFloor(backing, tables, alone=alone, stand_by=stand_by, draws=draws, key_file=key_file)
        for sentence in signed.alarms:
            floor.raise_alarm("", sentence)
        identities = Identities(vault, FloorDesk(floor), PinHasher(), wall_ms, file.floor)
        identities.enrolments.tables = {one.table: one for one in tables}
        token = file.monitoring.token_file and read_secret(file.monitoring.token_file, "the monitoring token")
        dealers = await _dealers(wanted, floor, vault)
        reports = ReportDesk(address_of(file.journal))
        school = School(floor, wanted.school.lessons, wanted.school.trainees) if wanted.school else None
        entrance = Entrance(floor, identities)
        edits = FileEdits(floor, identities.enrolments.tables, file) if school is None else None
        premises = Premises(
            wanted, floor, identities, vault, entrance, dealers, token, reports, school=school, edits=edits
        )
        floor.on_serving(_check_rule_set(floor))
        floor.house.listen(identities.listen)
        closing.push_async_callback(identities.settle)
        closing.push_async_callback(_ended, asyncio.create_task(_sweep(identities)))
        await floor.start()
        closing.push_async_callback(premises.leave)
        closing.push_async_callback(reports.close)
        closing.push_async_callback(_ended, asyncio.create_task(_carry_unlockings(identities)))
        closing.push_async_callback(_ended, asyncio.create_task(SumKeeper(floor, reports).keep_for_ever()))
        if premises.edits is not None:
            closing.push_async_callback(_ended, asyncio.create_task(premises.edits.keep_for_ever()))
        rotating = rotate_when_due(floor, file.journal.rotate)
        closing.push_async_callback(_ended, asyncio.create_task(rotating))
        for dealer in premises.dealers.values():
            dealer.start()
        if school is not None:
            school.start()
        yield premises


async def open_vault(wanted: Floor, *, alone: bool = False) -> Vault:
    """The vault of a floor; the process that serves the floor holds it."""
    part = wanted.file.secrets
    return await open_vault_at(address_of(part), alone=alone)


async def _dealers(wanted: Floor, floor: RunningFloor, vault: Vault) -> dict[str, VirtualDealer]:
    virtual = [one for one in wanted.tables if one.part.dealer == "virtual"]
    if not virtual:
        return {}
    shoes = await _shoes(wanted, vault)
    return {
        (name := one.configuration.table): VirtualDealer(floor, name, one.part.crew, one.manner, shoes)
        for one in virtual
    }


async def _shoes(wanted: Floor, vault: Vault) -> VirtualShoes:
    """In files where one process has the floor; beside the secrets, locked alike, where several share it."""
    folder, key = Path(wanted.file.shoes.folder), Path(wanted.file.shoes.key)
    files = ShoeFiles(folder, key)
    if not is_database(wanted.file.secrets.place):
        return FiledShoes(files)
    shoes = VaultShoes(vault, ShoeKey(key), files)
    await shoes.check_key()
    return shoes


def _check_rule_set(floor: RunningFloor) -> Callable[[RunningTable], None]:
    """Raise an alarm when the program's rule set differs from the one that a table was configured with."""

    def check(table: RunningTable) -> None:
        assert table.term is not None
        state = table.term.state
        before, now = state.rule_set_digest, rule_set_digest_of(state.configuration)
        if before != now:
            name = state.configuration.rule_set
            floor.raise_alarm(
                table.name,
                f"this program's rule set {name} has the digest {now[:12]}, and {before[:12]} is on record: a program "
                "with other rules was installed",
            )

    return check


async def _sweep(identities: Identities) -> None:
    while True:
        await asyncio.sleep(SWEEP_S)
        try:
            await identities.sweep()
        except Unavailable as unavailable:
            log.warning("expired sessions and requests were not deleted", why=unavailable.why)


async def _carry_unlockings(identities: Identities) -> None:
    while True:
        await asyncio.sleep(UNLOCKINGS_S)
        try:
            await identities.carry_unlockings()
        except (Unavailable, Unreachable) as error:
            log.warning("an unlocking is not on record yet", why=str(error))


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000
