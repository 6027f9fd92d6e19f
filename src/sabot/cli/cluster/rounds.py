"""The rounds of the drill: hurt, wait for the next acknowledged wager, heal, and compare."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from statistics import median

import msgspec

from sabot.cli.cluster.faults import inflict
from sabot.cli.cluster.floor import PIT, STATIONS, DrillFloor
from sabot.cli.cluster.nodes import Nodes
from sabot.cli.cluster.oracle import Checked, TableOracle, told
from sabot.journal.journal import Unusable
from sabot.journal.opening import open_to_read

PATIENCE_S = 120.0
AIM_S = 25.0
QUIET_S = 4.0
"""The longest time from a sound floor to the next fault, drawn so that faults meet every part of a coup."""


class RoundReport(msgspec.Struct, frozen=True):
    number: int
    fault: str
    node: str
    stood_still_s: float | None
    """From the fault until a wager that was sent after it was acknowledged, at the slowest table."""
    rejoined_s: float | None
    """From healing until the cluster was whole again."""
    acknowledged: int
    lost: int
    doubled: int
    wrong: int
    purses: int
    treated: tuple[str, ...]
    """How the coups under way were treated (CROWN 11.15)."""
    said: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        timely = self.stood_still_s is not None and self.rejoined_s is not None
        return timely and not (self.lost or self.doubled or self.wrong)


class ClusterReport(msgspec.Struct, frozen=True):
    seed: int
    tables: int
    stations: int
    rounds: tuple[RoundReport, ...]
    acknowledged: int
    lost: int
    doubled: int
    wrong: int
    unknown: int
    purses: int
    stood_still_p50_s: float | None
    stood_still_worst_s: float | None
    rejoined_worst_s: float | None
    processes_restarted: int
    verified: bool
    said: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return self.verified and not self.said and all(one.ok for one in self.rounds)


class ClusterDrill:
    def __init__(self, folder: Path, nodes: Nodes, tables: int, seed: int) -> None:
        self.nodes, self.seed = nodes, seed
        self.floor = DrillFloor(folder / "floor", nodes, tables)
        self._oracles = [TableOracle(table, STATIONS) for table in self.floor.tables]
        self._chance = random.Random(seed)  # noqa: S311  The same faults at the same moments for the same seed.
        self.total = Checked()

    async def play(self, faults: Sequence[str]) -> AsyncIterator[RoundReport]:
        """Each fault in turn, and a last look when every station has heard what became of its touch."""
        await self.floor.set_up(self.seed)
        async with self.floor.running():
            if await self._next_wager(time.monotonic()) is None:
                raise Unusable(f"the floor does not begin to play; its logs are in {self.floor.folder}")
            self.total += await self._compared()
            for number, fault in enumerate(faults, 1):
                yield await self._round(number, fault)
            await self._all_told()
            self.total += await self._compared()

    async def _round(self, number: int, fault: str) -> RoundReport:
        await asyncio.sleep(self._chance.uniform(0.0, QUIET_S))
        hurt = await inflict(self.nodes, fault)
        hurt_s = time.monotonic()
        stood_still = await self._next_wager(hurt_s)
        await asyncio.to_thread(hurt.heal)
        healed_s = time.monotonic()
        whole = await self.nodes.until_whole(PATIENCE_S)
        rejoined = time.monotonic() - healed_s if whole else None
        await self._next_wager(time.monotonic())
        await self._all_told()
        found = await self._compared()
        self.total += found
        return RoundReport(
            number=number,
            fault=fault,
            node=hurt.node,
            stood_still_s=None if stood_still is None else round(stood_still, 1),
            rejoined_s=None if rejoined is None else round(rejoined, 1),
            acknowledged=found.acknowledged,
            lost=len(found.lost),
            doubled=len(found.doubled),
            wrong=len(found.wrong),
            purses=found.purses,
            treated=tuple(found.restarts),
            said=tuple(told(found)),
        )

    async def _next_wager(self, since_s: float) -> float | None:
        """The time until every table has acknowledged a wager that was sent since then."""
        while (slowest := self._slowest(since_s)) is None:
            if time.monotonic() - since_s > PATIENCE_S:
                return None
            await asyncio.sleep(0.05)
        return slowest

    def _slowest(self, since_s: float) -> float | None:
        first: dict[str, float] = {}
        for player in self.floor.players:
            for touch in player.touches[-4:]:
                if touch.sent_s >= since_s and touch.is_taken:
                    taken_s = touch.told_s - since_s
                    first[player.table] = min(taken_s, first.get(player.table, taken_s))
        return max(first.values()) if len(first) == len(self.floor.tables) else None

    async def _all_told(self) -> None:
        """Until nobody waits for an answer from before now."""
        waiting = [player.touches[-1] for player in self.floor.players if player.waits]
        until_s = time.monotonic() + PATIENCE_S
        while any(touch.outcome is None for touch in waiting) and time.monotonic() < until_s:
            await asyncio.sleep(0.05)

    async def _compared(self) -> Checked:
        """With the records as they are now; a cluster that has just changed its leader is asked again."""
        until_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                return await self._looked_at()
            except Unusable:
                if time.monotonic() > until_s:
                    raise
                await asyncio.sleep(1.0)

    async def _looked_at(self) -> Checked:
        found = Checked()
        journal = await open_to_read(self.nodes.with_password(PIT))
        try:
            for oracle in self._oracles:
                seated = [player for player in self.floor.players if player.table == oracle.table]
                found += await oracle.check(journal, seated)
        finally:
            await journal.close()
        return found


def summed_up(drill: ClusterDrill, rounds: Sequence[RoundReport], *, verified: bool) -> ClusterReport:
    stood = [one.stood_still_s for one in rounds if one.stood_still_s is not None]
    rejoined = [one.rejoined_s for one in rounds if one.rejoined_s is not None]
    total = drill.total
    return ClusterReport(
        seed=drill.seed,
        tables=len(drill.floor.tables),
        stations=len(STATIONS),
        rounds=tuple(rounds),
        acknowledged=total.acknowledged,
        lost=len(total.lost),
        doubled=len(total.doubled),
        wrong=len(total.wrong),
        unknown=total.unknown,
        purses=total.purses,
        stood_still_p50_s=round(median(stood), 1) if stood else None,
        stood_still_worst_s=max(stood, default=None),
        rejoined_worst_s=max(rejoined, default=None),
        processes_restarted=drill.floor.restarts,
        verified=verified,
        said=tuple(told(total)),
    )
