"""A running floor: the tables of one process, the house, and what goes between them.

Between the streams there is no transaction. What a table did is carried to the house, and what the house decided to the
tables, at least once; both take a repetition for what it is.
"""

import asyncio
import contextlib
import math
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping

import structlog

from sabot.basics.stamp import Stamp, Stamped, clock_stamp
from sabot.floor.exchange.house_to_table import TAKEN_UP_WITHIN_MS, Grants, following, granted, not_taken_up
from sabot.floor.exchange.table_to_house import entering, staff_to_house, tickets_to_house
from sabot.floor.shared_owner.kinds import HOUSE_KIND
from sabot.house.acts import HouseAct
from sabot.house.events import DeviceRevoked, HouseEvent, SignOnAnnounced, TableBusy, TicketEscrowed
from sabot.runtime.draw_key import DrawKey
from sabot.runtime.key_file import KeyFile
from sabot.runtime.shared_runner import HouseRunner, SharedRunner, TournamentRunner, Unreachable
from sabot.runtime.signing import FloorSigning
from sabot.runtime.table_runner import RunningTable, TableBacking
from sabot.runtime.tournaments import RunningTournaments
from sabot.table.configuration import Configuration
from sabot.table.refusal import Refused
from sabot.views.tournament_board import TournamentBoard

log = structlog.get_logger(__name__)

WATCH_S = 1.0
"""How often a process looks at its journal's trouble and room."""
LOOK_AT_HOUSE_S = 0.1
"""How often a process looks for what others have told the house: one indexed query each time."""
HOUSE_TRUSTED_S = 5.0
"""How long a process that shares its floor trusts a list of devices and staff that it could not read anew."""
HOUSE_UNKNOWN = f"the house could not be read for {HOUSE_TRUSTED_S:.0f} seconds; no device is served until it can"
REVOKED = "this device was revoked"
TELL_AGAIN_S = 0.5
"""How long news waits before the house is told again."""
KEPT_ALARMS = 200
ALARMS_OF_A_DEVICE, ALARMED_WITHIN_S = 5, 600.0
"""How many alarms the words of one device raise within so long; further ones are only counted, so that no device buries
what others have raised."""
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
        key_file: KeyFile | None = None,
    ) -> None:
        """`alone` says that no other process writes to this journal; `stand_by` names the tables that are another's as
        long as there is one; `draws` is the key behind the draws of tournaments; `key_file` is where the signing key
        may be replaced."""
        self.backing = backing
        self.house: HouseRunner = SharedRunner(HOUSE_KIND, backing.journal, backing.wall_ms, lambda: backing.why_not)
        self.signing = None if backing.signer is None else FloorSigning(self, backing.signer, key_file)
        self._configurations = {one.table: one for one in tables}
        self.tables: Mapping[str, RunningTable] = {
            name: RunningTable(one, backing, self) for name, one in self._configurations.items()
        }
        self.tournaments = RunningTournaments(self, draws, alone=alone)
        self.alarms: deque[tuple[int, str, str]] = deque(maxlen=KEPT_ALARMS)
        """When, which table, and what, newest last."""
        self._raised_by: dict[str, list[float]] = {}
        """When the words of each device raised its last alarms; only devices that are enrolled come so far."""
        self.house_trusted_s = math.inf if alone else HOUSE_TRUSTED_S
        """How old what is known of the house may be. Who is alone has written everything in it."""
        self.taken_up_within_s = TAKEN_UP_WITHIN_MS / 1_000
        self._alone, self._stand_by = alone, frozenset(stand_by)
        self._later: list[asyncio.TimerHandle] = []
        self.is_leaving = False
        self._news: asyncio.Queue[Stamped[HouseAct]] = asyncio.Queue()
        self._workers: list[asyncio.Task[None]] = []
        self._hear_serving: list[Callable[[RunningTable], None]] = []
        self._hear_house_unknown: list[Callable[[str], None]] = []

    async def start(self) -> None:
        """Read what the house knows, tell it of the tables, and try to take them; it goes on trying by itself."""
        await self.house.open()
        self.house.listen(self._house_changed)
        if self.signing is not None:
            await self.signing.look()
            self._workers.append(asyncio.create_task(self.signing.sign_for_ever()))
        if self.backing.why_not is None:
            await self._enter_tables()
        else:
            self._workers.append(asyncio.create_task(self._enter_tables_later()))
        await self.tournaments.start()
        self._workers += [asyncio.create_task(self._carry_news()), asyncio.create_task(self._watch_journal())]
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
        with contextlib.suppress(Unreachable):
            await self.house.catch_up()
        await self.house.stop()
        if self.signing is not None:
            await self.signing.sign_all()

    async def _enter_tables(self) -> None:
        for name, configuration in self._configurations.items():
            await self.house.ask(entering(name, configuration), clock_stamp())

    async def _enter_tables_later(self) -> None:
        """Nothing is written before the ring on record knows our key."""
        while self.backing.why_not is not None:
            await asyncio.sleep(LOOK_AT_HOUSE_S)
        await self._enter_tables()

    @property
    def is_shared(self) -> bool:
        """Whether other processes may have tables of this floor."""
        return not self._alone

    @property
    def is_ready(self) -> bool:
        """Whether this process may own tables, and each has an owner here or is known to have one elsewhere."""
        may_own = not self.is_leaving and self.backing.why_not is None and self.trusts_house
        unserved = ("", self.backing.owner)  # A table that was just taken here is not served before that is on record.
        return may_own and all(table.term is not None or table.holder not in unserved for table in self.tables.values())

    @property
    def trusts_house(self) -> bool:
        """Whether the house is known as it is; another process may have revoked a device that is shown here."""
        return time.monotonic() - self.house.known_at <= self.house_trusted_s

    async def read_house(self) -> None:
        """Know what other processes have told the house up to now; raises `Unreachable` where that cannot be read."""
        if not self._alone:
            await self.house.catch_up()

    def on_house_unknown(self, hear: Callable[[str], None]) -> None:
        """Hear when the house could not be read for too long, with why in one sentence."""
        self._hear_house_unknown.append(hear)

    def may_begin(self) -> Refused | None:
        """Why no coup can be opened now, where the journal is short of room."""
        shortage = self.backing.journal.shortage()
        return None if shortage is None else Refused("no_room", "", f"no coup is opened: {shortage}")

    def on_serving(self, hear: Callable[[RunningTable], None]) -> None:
        """Hear of every table that this process begins to serve."""
        self._hear_serving.append(hear)

    # What tables say

    def tell_house(self, act: HouseAct, stamp: Stamp) -> None:
        self._news.put_nowait(Stamped(act, stamp))

    def raise_alarm(self, table: str, text: str, device: str = "") -> None:
        """`device` is named where its own words raise the alarm."""
        self.backing.counters.alarms[table] += 1
        if device and self._has_raised_enough(device):
            return
        log.error("alarm", table=table, text=text)
        self.alarms.append((self.backing.wall_ms(), table, text))

    def _has_raised_enough(self, device: str) -> bool:
        now = time.monotonic()
        raised = [at for at in self._raised_by.get(device, ()) if now - at < ALARMED_WITHIN_S]
        if len(raised) >= ALARMS_OF_A_DEVICE:
            return True
        self._raised_by[device] = [*raised, now]
        return False

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

    def tournament_runners(self) -> list[TournamentRunner]:
        return self.tournaments.runners()

    def tournament_may_move(self) -> None:
        self.tournaments.wake()

    def patron_came(self, table: RunningTable) -> None:
        asyncio.get_running_loop().call_soon(self._follow, table)

    # What the house says

    def _house_changed(self, events: tuple[HouseEvent, ...]) -> None:
        """That a table is busy, or no longer, concerns that table alone; and every coup makes it twice."""
        for event in events:
            if isinstance(event, DeviceRevoked):
                self._retire(event.device)
        busy = [event.table for event in events if isinstance(event, TableBusy)]
        if len(busy) < len(events):
            self.tournaments.wake()
        was_granted = {event.table for event in events if isinstance(event, SignOnAnnounced | TicketEscrowed)}
        for name, table in self.tables.items():
            if len(busy) < len(events) or name in busy:
                self._follow(table)
            if name in was_granted:
                self._follow_later(table)

    def _follow_later(self, table: RunningTable) -> None:
        """Look again when what was granted so far must have come, so that nothing stays granted for ever."""
        if self.is_leaving:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._later = [one for one in self._later if one.when() > now and not one.cancelled()]
        self._later.append(loop.call_later(self.taken_up_within_s, self._drop_lost, table, granted(self.house.state)))

    def _drop_lost(self, table: RunningTable, newest: Grants) -> None:
        if table.term is not None:
            for act, stamp in not_taken_up(self.house.state, table.name, table.term.state, newest, table.table_ms):
                table.carry(act, stamp)

    def _retire(self, device: str) -> None:
        """End what hangs on a revoked enrolment; one that has followed already goes on."""
        known = self.house.state.devices[device]
        current = "" if known.revoked else known.enrolment_of(device)
        for table in self.tables.values():
            table.retire(device, current, REVOKED)

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
                await self._tell_until_heard(act, stamp)
            finally:
                self._news.task_done()

    async def _tell_until_heard(self, act: HouseAct, stamp: Stamp) -> None:
        """Tell it again as long as the house cannot write it down: a ticket that was paid must not stay unknown there
        until the table has another owner."""
        while True:
            try:
                await self.house.ask(act, stamp)
            except Unreachable as unreachable:
                log.warning("the house could not be told yet", do=act.verb, why=str(unreachable))
                if self.is_leaving:  # The next owner of the table tells it.
                    return
                await asyncio.sleep(TELL_AGAIN_S)
            except Exception:
                log.exception("the house could not be told", do=act.verb)
                return
            else:
                return

    async def _watch_journal(self) -> None:
        """Raise an alarm whenever the journal is in trouble or short of room, and for every new reason."""
        journal, known = self.backing.journal, frozenset[str]()
        while True:
            now = frozenset(filter(None, (journal.trouble, journal.shortage())))
            for reason in now - known:
                self.raise_alarm("", reason)
            if known and not now:
                log.info("the journal is well again")
            known = now
            await asyncio.sleep(WATCH_S)

    async def _look_at_house(self) -> None:
        told = False
        while True:
            await asyncio.sleep(LOOK_AT_HOUSE_S)
            if not self.trusts_house and not told:
                self.raise_alarm("", HOUSE_UNKNOWN)
                for hear in self._hear_house_unknown:
                    hear(HOUSE_UNKNOWN)
            told = not self.trusts_house
            self.house.look()
