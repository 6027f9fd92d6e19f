"""Robots at stations over the wire. Each keeps its own account of what it asked for and what it was told."""

import asyncio
import contextlib
import random
import time
from collections.abc import Sequence

import msgspec

from sabot.client.connection import Identity, Settings
from sabot.client.outcome import DeviceTurnedAway, FellBehind
from sabot.client.protocol import ActOutcome
from sabot.client.station import Station
from sabot.ledger.ledger import Purse
from sabot.rules.rule_set import Bet
from sabot.table.acts import SetWager
from sabot.table.phase import Phase
from sabot.wire.frames import Answer

STAKES: dict[str, Sequence[int]] = {"player": (2_500, 5_000), "banker": (2_500, 5_000), "tie": (500, 1_000)}
"""Cents that each bet pays out to the cent, by the rules that the oracle knows."""
AGAIN_S = 0.5


class OutcomeUnknown(msgspec.Struct, frozen=True):
    """The connection ended for good before the outcome was told."""

    why: str


class RobotTouch(msgspec.Struct):
    """One command, and what became of it as far as the station knows."""

    coup: int
    bet: str
    cents: int
    sent_s: float
    outcome: ActOutcome | OutcomeUnknown | None = None
    told_s: float = 0.0

    @property
    def is_taken(self) -> bool:
        return isinstance(self.outcome, Answer) and self.outcome.accepted


class Player:
    """A patron who sets a wager or two in each coup, for ever, over as many connections as that takes."""

    def __init__(self, urls: Sequence[str], identity: Identity, table: str, station: str, seed: int) -> None:
        self.table, self.name, self.device = table, station, identity.device
        self._urls, self._identity = urls, identity
        self._chance = random.Random(f"{table} {station} {seed}")  # noqa: S311  The same wagers for the same seed.
        self._coup = 0
        self.touches: list[RobotTouch] = []
        self.connections = 0
        self.station: Station | None = None

    @property
    def waits(self) -> bool:
        """Whether a command of it is under way."""
        return bool(self.touches) and self.touches[-1].outcome is None

    def shown(self) -> Purse | None:
        """What the station shows of its purse."""
        if self.station is None or not self.station.in_touch or not self.station.version:
            return None
        return self.station.mirror.board.purse

    async def play(self) -> None:
        first, *others = self._urls
        while True:
            settings = Settings(feed="events", others=tuple(others), open_within_s=None)
            with contextlib.suppress(DeviceTurnedAway, FellBehind):
                async with Station(first, self._identity, settings) as station:
                    self.station = station
                    self.connections += 1
                    await self._sit(station)
            self.station = None
            await asyncio.sleep(AGAIN_S)

    async def _sit(self, station: Station) -> None:
        with station.follow() as following:
            await self._act(station)
            async for _ in following:
                await self._act(station)

    async def _act(self, station: Station) -> None:
        board = station.mirror.board
        if board.phase is not Phase.WAGERING or board.coup == self._coup:
            return
        self._coup = board.coup
        for bet in self._chance.sample(sorted(STAKES), self._chance.choice((1, 1, 2))):
            if (board.phase, board.coup) != (Phase.WAGERING, self._coup):
                return
            await self._touch(station, bet, self._chance.choice(STAKES[bet]))

    async def _touch(self, station: Station, bet: str, cents: int) -> None:
        touch = RobotTouch(self._coup, bet, cents, time.monotonic())
        self.touches.append(touch)
        try:
            touch.outcome = await station.outcome_of(SetWager(bet=Bet(bet), cents=cents))
        except DeviceTurnedAway as away:
            touch.outcome = OutcomeUnknown(str(away))
            raise
        finally:
            touch.told_s = time.monotonic()
