"""The virtual dealer at a running table: it sees what is durable, and asks like any other device.

It speaks in the names of its crew, from its own place at the table. What it says next follows from the table's state
alone, so after a restart, or when a person has done a step for it, it goes on from there.
"""

import asyncio
import secrets
from collections.abc import Sequence
from typing import Any

import msgspec
import structlog

from sabot.basics.mistake import Mistake
from sabot.basics.stamp import Stamp, clock_stamp
from sabot.floor.stamper import Admitted, Fresh, Giver, Place, stamp
from sabot.floor.table_owner.messages import Asked, Connected
from sabot.floor.virtual.dealer import Crew, DealerHand, FetchShoe, LostShoe, Manner, Say, cut_places, next_act
from sabot.house.refusal import HouseRefused
from sabot.runtime.floor import RunningFloor
from sabot.runtime.link import LinkFeed, Published
from sabot.runtime.shared_runner import Unreachable
from sabot.runtime.shoe_files import ShoesAway, VirtualShoes
from sabot.table import acts
from sabot.table.events import Event, ShoeOpened, WagersChanged
from sabot.table.refusal import Refused
from sabot.table.state import Stage, TableState
from sabot.views.audience import Audience
from sabot.wire.frames import Answer, Ask, FloorFrame, Hello, Resynchronise, Welcome

log = structlog.get_logger(__name__)

AGAIN_S = 1.0
"""How long it waits before it says again what was refused."""


class VirtualDealer:
    """A link that sits at the table itself."""

    feed: LinkFeed = "appends"

    def __init__(self, floor: RunningFloor, table: str, crew: Crew, manner: Manner, shoes: VirtualShoes) -> None:
        self._floor, self._table, self._crew, self._shoes = floor, floor.tables[table], crew, shoes
        self._fresh = Fresh(_no_ticket, floor.backing.build)
        self.manner = manner
        """May be changed at any time, to deal slower or faster."""
        self._device = f"virtual-dealer-{table}"
        self._hand: DealerHand = None
        self._epoch = self._n = 0
        self._waits = False
        self._since_ms = 0
        self._turn: asyncio.TimerHandle | None = None
        self._fetching: asyncio.Task[None] | None = None
        self._forgetting: set[asyncio.Task[None]] = set()
        self._ended = False
        self._requesting: asyncio.Task[None] | None = None
        """What the house is asked for before the table."""

    def start(self) -> None:
        """Sit down, whenever the table is served here."""
        self._table.hello(Connected(self._device, Audience.CONSOLE, Hello()), self)

    def stop(self) -> None:
        self._ended = True
        if self._turn is not None:
            self._turn.cancel()
        if self._fetching is not None:
            self._fetching.cancel()
        self._table.gone(self._device, self)

    def tell(self, frame: FloorFrame | Published) -> None:
        match frame:
            case Welcome():
                self._epoch, self._n, self._waits = frame.epoch, 0, False
                self._since_ms = self._table.table_ms
                self._think()
            case Answer():
                self._waits = False
                if frame.refusal is not None:
                    log.warning("the virtual dealer was refused", table=self._table.name, why=frame.refusal.text)
                    self._later(AGAIN_S, self._think)
            case Resynchronise():
                self.start()
            case Published():
                self._see([event for happening in frame.happenings for event in happening.events])
            case _:
                pass

    def end(self, why: str, owner: str = "") -> None:  # noqa: ARG002
        """The table is not served here for now: come back when it may be."""
        if not self._ended:
            self._later(AGAIN_S, self.start)

    def _see(self, events: Sequence[Event]) -> None:
        """Touches on the layout are nothing to a dealer."""
        for event in events:
            if type(event) is ShoeOpened:
                task = asyncio.get_running_loop().create_task(self._forget(event.shoe))
                self._forgetting.add(task)
                task.add_done_callback(self._forgetting.discard)
        if not all(type(event) is WagersChanged for event in events):
            self._since_ms = self._table.table_ms
            self._think()

    def _think(self) -> None:
        term = self._table.term
        if term is None or self._waits or self._ended:
            return
        if self._fetching is not None and not self._fetching.done():
            return
        act = self._next_act(term.state)
        if isinstance(act, FetchShoe):
            self._fetching = asyncio.get_running_loop().create_task(self._fetch(act, term.state))
            return
        if act is not None and not isinstance(act.act, acts.Close):  # The owner's own timer closes, at the same moment.
            say = act
            self._later(max(0, act.at_ms - self._table.table_ms) / 1000, lambda: self._say(say))

    def _next_act(self, state: TableState) -> Say | FetchShoe | None:
        """A shoe is cut where chance says, drawn only when the table has its commitment on record: nobody who knows the
        order chooses the place, and nobody who watches knows it beforehand."""
        manner = self.manner
        if manner.cut_at is None and state.shoe.stage is Stage.SHUFFLED:
            manner = msgspec.structs.replace(manner, cut_at=secrets.choice(cut_places(state)))
        return next_act(state, self._hand, self._crew, manner, self._since_ms)

    def _later(self, seconds: float, do: Any) -> None:
        if self._turn is not None:
            self._turn.cancel()
        self._turn = asyncio.get_running_loop().call_later(seconds, do)

    async def _fetch(self, wanted: FetchShoe, state: TableState) -> None:
        """Take the shoe in hand and go on; where its place does not answer, ask again."""
        name = self._table.name
        try:
            if wanted.is_new:
                self._hand = await self._shoes.new(name, wanted.number, state.configuration.decks)
            else:
                self._hand = await self._shoes.find(name, wanted.number, state.shoe.commitment)
        except (ShoesAway, OSError) as away:  # Too few descriptors or too little disk: the shoe is not lost for that.
            log.warning("a virtual shoe must wait", table=name, shoe=wanted.number, why=str(away))
            self._later(AGAIN_S, self._think)
            return
        except Mistake as error:
            log.error("a virtual shoe is lost", table=name, shoe=wanted.number, why=str(error))  # noqa: TRY400
            self._hand = LostShoe(wanted.number, str(error))
        self._fetching = None
        self._think()

    async def _forget(self, number: int) -> None:
        """One that stays because its place is away goes with the next."""
        try:
            await self._shoes.forget(self._table.name, number)
        except ShoesAway as away:
            log.warning("a virtual shoe was not deleted", table=self._table.name, shoe=number, why=str(away))

    def _say(self, say: Say) -> None:
        term = self._table.term
        if term is None or self._ended:
            return
        director = self._floor.tournaments.director_at(self._table)
        place = Place(self._table.name, term.state, self._floor.house.state, self._table.table_ms, director)
        no_room = self._floor.may_begin() if isinstance(say.act, acts.Open) else None
        admitted = no_room or stamp(say.act, Giver(say.by, say.second), place, self._fresh)
        if isinstance(admitted, Refused):
            log.warning("the virtual dealer got no stamp", table=self._table.name, why=admitted.text)
            self._later(AGAIN_S, self._think)
            return
        self._waits = True
        if admitted.request is None:
            self._ask(say, admitted.stamp)
        else:
            self._requesting = asyncio.create_task(self._request(say, admitted, self._epoch))

    async def _request(self, say: Say, admitted: Admitted, epoch: int) -> None:
        """Have the house grant it first, as for anybody who signs on."""
        try:
            decision = await self._floor.house.ask(admitted.request, clock_stamp())  # type: ignore[arg-type]  # There is one.
        except Unreachable as unreachable:
            decision = HouseRefused("not_written", "", str(unreachable))
        if self._ended or epoch != self._epoch:
            return
        if isinstance(decision, HouseRefused):
            log.warning("the house refused the virtual dealer", table=self._table.name, why=decision.text)
            self._waits = False
            self._later(AGAIN_S, self._think)
        else:
            self._ask(say, admitted.granted(self._floor.house.state))

    def _ask(self, say: Say, stamp: Stamp) -> None:
        term = self._table.term
        if term is None:
            return
        self._n += 1
        coup = term.state.coup.number if term.state.coup is not None else None
        ask = Ask(epoch=self._epoch, n=self._n, coup=coup, act=say.act)
        self._table.receive(Asked(self._device, ask, stamp))


def _no_ticket() -> str:
    raise AssertionError("a dealer's crew leaves no station")
