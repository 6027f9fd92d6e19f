"""The premises: everything that one process of a floor opens before it serves, and closes in order when it leaves."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import msgspec
import structlog

from sabot.journal.journal import Journal, SignedCheckpoint
from sabot.journal.keys import SigningKey, read_signing_key
from sabot.journal.opening import anchor_of, is_server, open_journal
from sabot.journal.record import Head
from sabot.journal.sqlite import SqliteJournal
from sabot.rules.rule_set_file import digest
from sabot.runtime.floor import RunningFloor
from sabot.runtime.shoe_files import ShoeFiles
from sabot.runtime.table_runner import Backing, RunningTable
from sabot.runtime.virtual_dealer import VirtualDealer
from sabot.table.configuration import rule_set_of
from sabot.web.identity import vault_postgres, vault_sqlite
from sabot.web.identity.identities import Identities
from sabot.web.identity.pin import PinHasher
from sabot.web.identity.vault import Unavailable, Vault
from sabot.web.serving.floor_file import Floor, address_of, read_secret
from sabot.web.serving.self_checks import check_clock, check_disk, check_journal, check_secrets, tell_digests
from sabot.web.socket.entrance import Entrance, FloorDesk

log = structlog.get_logger(__name__)

SWEEP_S = 60.0
LEAVE_WITHIN_S = 15.0
"""How long an orderly stop may take; a journal that does not answer then is left as it is, which is no harm."""


class Premises(msgspec.Struct, frozen=True):
    wanted: Floor
    floor: RunningFloor
    identities: Identities
    vault: Vault
    entrance: Entrance
    dealers: dict[str, VirtualDealer]
    monitoring_token: str

    async def leave(self) -> None:
        """Drain, sign, let go; devices are told goodbye. It is done once, whoever asks first."""
        if self.floor.is_leaving:
            return
        for dealer in self.dealers.values():
            dealer.stop()
        try:
            await asyncio.wait_for(self.floor.stop(), LEAVE_WITHIN_S)
        except TimeoutError:
            log.error("the floor could not be left in order: the journal does not answer")  # noqa: TRY400  No surprise.


@contextlib.asynccontextmanager
async def opened(wanted: Floor, build: str, address: str) -> AsyncIterator[Premises]:
    """Everything checked, open and running; `address` is where devices reach this process."""
    file = wanted.file
    tables = [one.configuration for one in wanted.tables]
    names = [one.table for one in tables]
    check_secrets(file)
    check_disk(file)
    tell_digests(build, tables)
    async with contextlib.AsyncExitStack() as closing:
        key = read_signing_key(Path(file.journal.signing_key)) if file.journal.signing_key else None
        journal = await _journal(wanted, key)
        closing.push_async_callback(journal.close)
        if isinstance(journal, SqliteJournal) and journal.report is not None:
            log.info("the journal is whole", **msgspec.structs.asdict(journal.report))
        await check_journal(journal, names, key, walk=not isinstance(journal, SqliteJournal))
        await check_clock(journal, names, _wall_ms())
        vault = await closing.enter_async_context(await open_vault(wanted))
        backing = Backing(journal, address, build, _monotonic_ms, _wall_ms, key, _raising(wanted))
        stand_by = [one.configuration.table for one in wanted.tables if one.part.stand_by]
        floor = RunningFloor(backing, tables, alone=not wanted.is_shared, stand_by=stand_by)
        identities = Identities(vault, FloorDesk(floor), PinHasher(), _wall_ms, file.floor)
        token = file.monitoring.token_file and read_secret(file.monitoring.token_file, "the monitoring token")
        premises = Premises(
            wanted, floor, identities, vault, Entrance(floor, identities), _dealers(wanted, floor), token
        )
        floor.on_serving(_hold_to_its_rules(floor))
        identities.on_revoked.append(lambda device: floor.disconnect(device, "this device was revoked"))
        floor.desk.listen(identities.listen)
        closing.push_async_callback(identities.settle)
        closing.push_async_callback(_ended, asyncio.create_task(_sweep(identities)))
        await floor.start()
        closing.push_async_callback(premises.leave)
        for dealer in premises.dealers.values():
            dealer.start()
        yield premises


async def _journal(wanted: Floor, key: SigningKey | None) -> Journal:
    part = wanted.file.journal
    ring = () if key is None else tuple(one.key for one in key.ring)
    anchor = Path(part.anchor) if part.anchor else None
    return await open_journal(address_of(part), anchor=anchor, keys=ring)


async def open_vault(wanted: Floor) -> Vault:
    part = wanted.file.secrets
    if is_server(part.place):
        return await vault_postgres.open_vault(address_of(part))
    return await asyncio.to_thread(vault_sqlite.open_vault, Path(part.place))


def _dealers(wanted: Floor, floor: RunningFloor) -> dict[str, VirtualDealer]:
    virtual = [one for one in wanted.tables if one.part.dealer == "virtual"]
    if not virtual:
        return {}
    shoes = ShoeFiles(Path(wanted.file.shoes.folder), Path(wanted.file.shoes.key))
    return {
        (name := one.configuration.table): VirtualDealer(floor.tables[name], one.part.crew, one.manner, shoes)
        for one in virtual
    }


def _raising(wanted: Floor) -> Callable[[Head, SignedCheckpoint | None], None] | None:
    """Raises the anchor of a journal on a server with every checkpoint; a journal in a file raises its own."""
    part = wanted.file.journal
    anchor = anchor_of(part.place, Path(part.anchor) if part.anchor else None, [])
    if anchor is None:
        return None

    def raise_anchor(head: Head, checkpoint: SignedCheckpoint | None) -> None:
        anchor.note(head)
        if checkpoint is not None:
            anchor.note(checkpoint)
        anchor.write()
        if anchor.trouble is not None:
            log.error("the anchor could not be raised", why=anchor.trouble)

    return raise_anchor


def _hold_to_its_rules(floor: RunningFloor) -> Callable[[RunningTable], None]:
    """A table plays by the rules that it was configured with; another text under the same name is an alarm."""

    def look(table: RunningTable) -> None:
        assert table.tenure is not None
        state = table.tenure.state
        if state.configuration is not None and state.rule_set_digest != digest(rule_set_of(state.configuration)):
            floor.raise_alarm(table.name, f"the rule set {state.configuration.rule_set} is not the one on record")

    return look


async def _sweep(identities: Identities) -> None:
    while True:
        await asyncio.sleep(SWEEP_S)
        try:
            await identities.sweep()
        except Unavailable as unavailable:
            log.warning("what expired was not swept out", why=unavailable.why)


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000
