"""A voice at a running table: it gives acts in the names of persons and stations, as their devices would."""

import asyncio
from collections.abc import Callable

import structlog

from sabot.basics.stamp import Stamp, clock_stamp
from sabot.floor.stamper import Admitted, Fresh, Giver, Place, stamp
from sabot.floor.table_owner.messages import Asked, Connected
from sabot.house.refusal import HouseRefused
from sabot.runtime.floor import RunningFloor
from sabot.runtime.link import Link
from sabot.runtime.shared_runner import Unreachable
from sabot.table import acts
from sabot.table.refusal import Refused
from sabot.views.audience import Audience
from sabot.wire.frames import Ask, Hello

log = structlog.get_logger(__name__)


class Voice:
    def __init__(self, floor: RunningFloor, table: str, device: str, not_said: Callable[[], None]) -> None:
        """`not_said` is called where an act did not even reach the table."""
        self._floor, self._table, self.device, self._not_said = floor, floor.tables[table], device, not_said
        self._fresh = Fresh(_no_ticket, floor.backing.build)
        self._epoch = self._n = 0
        self.waits = False
        """Whether an act waits for its answer."""
        self.is_over = False
        self._requesting: asyncio.Task[None] | None = None
        """What the house is asked for before the table."""

    def sit_down(self, link: Link) -> None:
        """Take a place at the table, whenever the table is served here."""
        self._table.hello(Connected(self.device, Audience.CONSOLE, Hello()), link)

    def leave(self, link: Link) -> None:
        self.is_over = True
        self._table.gone(self.device, link)

    def welcomed(self, epoch: int) -> None:
        self._epoch, self._n, self.waits = epoch, 0, False

    def say(self, act: acts.Act, giver: Giver) -> None:
        term = self._table.term
        if term is None or self.is_over:
            return
        director = self._floor.tournaments.director_at(self._table)
        place = Place(self._table.name, term.state, self._floor.house.state, self._table.table_ms, director)
        no_room = self._floor.may_begin() if isinstance(act, acts.Open) else None
        admitted = no_room or stamp(act, giver, place, self._fresh)
        if isinstance(admitted, Refused):
            log.warning("an act got no stamp", device=self.device, table=self._table.name, why=admitted.text)
            self._not_said()
            return
        self.waits = True
        if admitted.request is None:
            self._ask(act, admitted.stamp)
        else:
            self._requesting = asyncio.create_task(self._request(act, admitted, self._epoch))

    async def _request(self, act: acts.Act, admitted: Admitted, epoch: int) -> None:
        """Have the house grant it first, as for anybody who signs on."""
        try:
            decision = await self._floor.house.ask(admitted.request, clock_stamp())  # type: ignore[arg-type]  # There is one.
        except Unreachable as unreachable:
            decision = HouseRefused("not_written", "", str(unreachable))
        if self.is_over or epoch != self._epoch:
            return
        if isinstance(decision, HouseRefused):
            log.warning("the house refused an act", device=self.device, table=self._table.name, why=decision.text)
            self.waits = False
            self._not_said()
        else:
            self._ask(act, admitted.granted(self._floor.house.state))

    def _ask(self, act: acts.Act, given: Stamp) -> None:
        term = self._table.term
        if term is None:
            return
        self._n += 1
        coup = term.state.coup.number if term.state.coup is not None else None
        ask = Ask(epoch=self._epoch, n=self._n, coup=coup, act=act)  # type: ignore[arg-type]  # Who sits in the process may say what no device may.
        self._table.receive(Asked(self.device, ask, given))


def _no_ticket() -> str:
    raise AssertionError("nobody for whom a voice speaks is paid by ticket")
