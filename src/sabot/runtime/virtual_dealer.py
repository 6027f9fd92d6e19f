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
from sabot.floor.stamper import Giver
from sabot.floor.virtual.dealer import Crew, DealerHand, FetchShoe, LostShoe, Manner, Say, cut_places, next_act
from sabot.runtime.floor import RunningFloor
from sabot.runtime.link import LinkFeed, Published
from sabot.runtime.shoe_files import ShoesAway, VirtualShoes
from sabot.runtime.voice import Voice
from sabot.table import acts
from sabot.table.events import Event, ShoeOpened, WagersChanged
from sabot.table.state import Stage, TableState
from sabot.wire.frames import Answer, FloorFrame, Resynchronise, Welcome

log = structlog.get_logger(__name__)

AGAIN_S = 1.0
"""How long it waits before it says again what was refused."""


class VirtualDealer:
    """A link that sits at the table itself."""

    feed: LinkFeed = "appends"

    def __init__(self, floor: RunningFloor, table: str, crew: Crew, manner: Manner, shoes: VirtualShoes) -> None:
        self._table, self._crew, self._shoes = floor.tables[table], crew, shoes
        self._voice = Voice(floor, table, f"virtual-dealer-{table}", lambda: self._later(AGAIN_S, self._think))
        self.manner = manner
        """May be changed at any time, to deal slower or faster."""
        self._hand: DealerHand = None
        self._since_ms = 0
        self._turn: asyncio.TimerHandle | None = None
        self._fetching: asyncio.Task[None] | None = None
        self._forgetting: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Sit down, whenever the table is served here."""
        self._voice.sit_down(self)

    def stop(self) -> None:
        if self._turn is not None:
            self._turn.cancel()
        if self._fetching is not None:
            self._fetching.cancel()
        self._voice.leave(self)

    def tell(self, frame: FloorFrame | Published) -> None:
        match frame:
            case Welcome():
                self._voice.welcomed(frame.epoch)
                self._since_ms = self._table.table_ms
                self._think()
            case Answer():
                self._voice.waits = False
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
        if not self._voice.is_over:
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
        if term is None or self._voice.waits or self._voice.is_over:
            return
        if self._fetching is not None and not self._fetching.done():
            return
        act = self._next_act(term.state)
        if isinstance(act, FetchShoe):
            self._fetching = asyncio.get_running_loop().create_task(self._fetch(act, term.state))
            return
        if act is not None and not isinstance(act.act, acts.Close):  # The owner's own timer closes, at the same moment.
            said, giver = act.act, Giver(act.by, act.second)
            self._later(max(0, act.at_ms - self._table.table_ms) / 1000, lambda: self._voice.say(said, giver))

    def _next_act(self, state: TableState) -> Say | FetchShoe | None:
        """A shoe is cut at a place that is drawn only when the table has its commitment on record.

        So nobody who knows the order chooses the place, and nobody who watches knows it in advance.
        """
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
