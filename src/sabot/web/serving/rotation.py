"""Rotates the journal of a running floor: when it is told to, and at the roll of the gaming day or the month.

The tables play on. What they write while the parts are exchanged is acknowledged when it stands in the new part.
"""

import asyncio
from typing import Literal

import structlog

from sabot.audit.gaming_days import day_of
from sabot.audit.rotation_plan import rotation_plan
from sabot.floor.records.record_codec import HOUSE
from sabot.journal.journal import Journal, Unusable
from sabot.journal.parts import PartSeal, read_seal
from sabot.runtime.floor import RunningFloor

log = structlog.get_logger(__name__)

Rotates = Literal["never", "day", "month"]
LOOK_S = 2.0
"""How often the calendar is looked at."""
TRY_AGAIN_S = 300.0
"""How long after a rotation that could not be done it is tried again."""
_MONTH = len("2026-01")


async def rotate_journal(floor: RunningFloor) -> PartSeal:
    """Seal the open part, and go on in a new one; raises `Unusable` where that cannot be done now."""
    signer, journal = floor.backing.signer, floor.backing.journal
    if signer is None:
        raise Unusable("the journal is not rotated: a part is sealed with a signature, and this floor signs nothing")
    if signer.why_not is not None:
        raise Unusable(f"the journal is not rotated: {signer.why_not}")
    await asyncio.gather(*(table.save() for table in floor.tables.values()))
    plan = await rotation_plan(journal, signer.key, floor.backing.wall_ms())
    seal = await journal.rotate(plan)
    log.info("the journal goes on in a new part", sealed=seal.number, digest=seal.digest)
    return seal


async def rotate_when_due(floor: RunningFloor, rotates: Rotates) -> None:
    """Rotate at every roll of the gaming day or month, as long as the floor runs."""
    if rotates == "never" or floor.is_shared or floor.backing.signer is None:
        return
    said, begun_ms = "", await _begun_ms(floor.backing.journal)
    while True:
        await asyncio.sleep(TRY_AGAIN_S if said else LOOK_S)
        try:
            if begun_ms is None:
                begun_ms = await _begun_ms(floor.backing.journal)
            elif _is_past(floor, rotates, begun_ms):
                await rotate_journal(floor)
                begun_ms = floor.backing.wall_ms()
            said = ""
        except Unusable as unusable:
            said = str(unusable)
            floor.raise_alarm("", said)
        except Exception:
            said = "the journal could not be rotated"
            log.exception(said)


def _is_past(floor: RunningFloor, rotates: Rotates, begun_ms: int) -> bool:
    """Whether the open part was begun on an earlier gaming day, or in an earlier month, than it is now."""
    table = next((one.term.state.configuration for one in floor.tables.values() if one.term is not None), None)
    if table is None:
        return False
    moments = (begun_ms, floor.backing.wall_ms())
    days = [day_of(at_ms, table.time_zone, table.gaming_day_starts) for at_ms in moments]
    begun, now = days if rotates == "day" else [day[:_MONTH] for day in days]
    return begun < now


async def _begun_ms(journal: Journal) -> int | None:
    """When the open part was begun; nothing where nothing is recorded."""
    for part in await journal.parts(newest=1):
        said = None if part.before is None else read_seal(part.before)
        if said is not None:
            return said.at_ms
    async for record in journal.read(HOUSE, 0, 1):
        return record.entry.at_ms
    return None
