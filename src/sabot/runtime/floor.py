"""A running floor: the tables of one process, the house, and what goes between them.

Between the streams there is no transaction. What a table did is carried to the house, and what the house decided to the
tables, at least once; both take a repetition for what it is.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping

import structlog

from sabot.basics.stamp import Stamp, Stamped, clock_stamp
from sabot.floor.exchange.house_to_table import TAKEN_UP_WITHIN_MS, following
from sabot.floor.exchange.table_to_house import entering, staff_to_house, tickets_to_house
from sabot.floor.shared_owner.kinds import HOUSE_KIND
from sabot.house.acts import HouseAct
from sabot.house.events import HouseEvent, SignOnAnnounced, TableBusy
from sabot.runtime.draw_key import DrawKey
from sabot.runtime.shared_runner import HouseRunner, SharedRunner
from sabot.runtime.table_runner import RunningTable, TableBacking
from sabot.runtime.tournaments import RunningTournaments
from sabot.table.configuration import Configuration
from sabot.views.tournament_board import TournamentBoard

log = structlog.get_logger(__name__)

LOOK_AT_HOUSE_S = 0.5
"""How often a process looks for what others have told the house."""
TELL_AGAIN_S = 0.5
"""How long news waits that the house could not be told."""
KEPT_ALARMS = 200
STAND_BY_S = 3.0
"""How long a table is left to another process at the start: longer than a lease and a try last."""


class RunningFloor:
    def __init__(
        self,
        backing: TableBacking,
        tables: Iterable[Configuration],
        *,
        alone: bool = True,
        stand_by: Collection[str] = (),
        draws: DrawKey | None = None,
    ) -> None:
        """`alone` says that no other process writes to this journal; `stand_by` names the tables that are another's as
        long as there is one; `draws` is the key behind the draws of tournaments."""
        self.backing = backing
        self.house: HouseRunner = SharedRunner(HOUSE_KIND, backing.journal, backing.build, backing.wall_ms)
        self._configurations = {one.table: one for one in tables}
        self.tables: Mapping[str, RunningTable] = {
            name: RunningTable(one, backing, self) for name, one in self._configurations.items()
        }
        self.tournaments = RunningTournaments(self, draws, alone=alone)
        self.alarms: deque[tuple[int, str, str]] = deque(maxlen=KEPT_ALARMS)
        """When, which table, and what, newest last."""
        self._alone, self._stand_by = alone, frozenset(stand_by)
        self._later: list[asyncio.TimerHandle] = []
        self.is_leaving = False
        self._news: asyncio.Queue[Stamped[HouseAct]] = asyncio.Queue()
        self._workers: list[asyncio.Task[None]] = []
        self._hear_serving: list[Callable[[RunningTable], None]] = []

    async def start(self) -> None:
        """Read what the house knows, tell it of the tables, and try to take them; it goes on trying by itself."""
        await self.house.open()
        self.house.listen(self._house_changed)
        for name, configuration in self._configurations.items():
            await self.house.ask(entering(name, configuration), clock_stamp())
        await self.tournaments.start()
        self._workers.append(asyncio.create_task(self._carry_news()))
        if not self._alone:
            self._workers.append(asyncio.create_task(self._look_at_house()))
        loop = asyncio.get_running_loop()
        for table in self.tables.values():
            if table.name in self._stand_by:
                self._later.append(loop.call_later(STAND_BY_S, table.start))
            else:
                table.start()

    async def stop(self) -> None:
        """Let every table finish what waits, carry the last news to the house, and let go."""
        self.is_leaving = True
        for start in self._later:
            start.cancel()
        await self.tournaments.stop()
        await asyncio.gather(*(table.stop() for table in self.tables.values()))
        await self._news.join()
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        await self.house.stop()

    @property
    def is_ready(self) -> bool:
        """Whether every table of this floor has an owner here, or is known to have one elsewhere."""
        return not self.is_leaving and all(table.term is not None or table.holder for table in self.tables.values())

    def on_serving(self, hear: Callable[[RunningTable], None]) -> None:
        """Hear of every table that this process begins to serve."""
        self._hear_serving.append(hear)

    def disconnect(self, device: str, why: str) -> None:
        """End the connections of a device, at whatever table it sits."""
        for table in self.tables.values():
            table.disconnect(device, why)

    # What tables say

    def tell_house(self, act: HouseAct, stamp: Stamp) -> None:
        self._news.put_nowait(Stamped(act, stamp))

    def raise_alarm(self, table: str, text: str) -> None:
        log.error("alarm", table=table, text=text)
        self.backing.counters.alarms[table] += 1
        self.alarms.append((self.backing.wall_ms(), table, text))

    async def read_house(self) -> None:
        """Read what other processes have written to the house, where there are others."""
        if not self._alone:
            await self.house.catch_up()

    def begin_serving(self, table: RunningTable) -> None:
        """What the owner before could not tell or do is derived from what the house and the table say."""
        if table.term is not None:
            for act in tickets_to_house(self.house.state, table.name, table.term.state):
                self.tell_house(act, clock_stamp())
        self._follow(table)
        self._follow_later(table)
        for hear in self._hear_serving:
            hear(table)

    def board_of(self, tournament: str) -> TournamentBoard | None:
        return self.tournaments.board_of(tournament)

    def tournament_may_move(self) -> None:
        self.tournaments.wake()

    def patron_came(self, table: RunningTable) -> None:
        asyncio.get_running_loop().call_soon(self._follow, table)

    # What the house says

    def _house_changed(self, events: tuple[HouseEvent, ...]) -> None:
        """That a table is busy, or no longer, concerns that table alone; and every coup makes it twice."""
        busy = [event.table for event in events if isinstance(event, TableBusy)]
        if len(busy) < len(events):
            self.tournaments.wake()
        announced = {event.table for event in events if isinstance(event, SignOnAnnounced)}
        for name, table in self.tables.items():
            if len(busy) < len(events) or name in busy:
                self._follow(table)
            if name in announced:
                self._follow_later(table)

    def _follow_later(self, table: RunningTable) -> None:
        """Look again when a sign-on that was announced must have come, so that none stays announced for ever."""
        if self.is_leaving:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._later = [one for one in self._later if one.when() > now and not one.cancelled()]
        self._later.append(loop.call_later(TAKEN_UP_WITHIN_MS / 1000 + 1, self._follow, table))

    def _follow(self, table: RunningTable) -> None:
        if table.term is not None:
            for told in staff_to_house(self.house.state, table.name, table.term.state):
                self.tell_house(told, clock_stamp())
            for act, stamp in following(self.house.state, table.name, table.term.state, table.table_ms):
                table.carry(act, stamp)

    async def _carry_news(self) -> None:
        while True:
            act, stamp = await self._news.get()
            try:
                while not await self._is_told(act, stamp) and not self.is_leaving:
                    await asyncio.sleep(TELL_AGAIN_S)
            finally:
                self._news.task_done()

    async def _is_told(self, act: HouseAct, stamp: Stamp) -> bool:
        """News is told in its order until the house has it; what is left at the end, the next owner derives."""
        try:
            await self.house.ask(act, stamp)
        except Exception:
            log.exception("the house could not be told", do=act.verb)
            return False
        return True

    async def _look_at_house(self) -> None:
        while True:
            await asyncio.sleep(LOOK_AT_HOUSE_S)
            self.house.look()
