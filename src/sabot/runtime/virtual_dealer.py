"""The virtual dealer at a running table: it sees what is durable, and asks like any other device.

It speaks in the names of its crew, from its own place at the table. What it says next follows from the table's state
alone, so after a restart, or when a person has done a step for it, it goes on from there.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import structlog

from sabot.basics.mistake import Mistake
from sabot.basics.role import Role
from sabot.floor.table_owner.messages import Answer, Ask, Hello, Name, Resynchronise, Welcome
from sabot.floor.virtual.dealer import Crew, FetchShoe, Hand, Lost, Manner, Say, next_act
from sabot.runtime.link import Feed, Published, Telling
from sabot.runtime.shoe_files import ShoeFiles
from sabot.runtime.table_runner import RunningTable
from sabot.table import acts as c
from sabot.table.decide import RULES
from sabot.table.events import Event, ShoeOpened, WagersChanged
from sabot.table.state import TableState
from sabot.views.audience import Audience

log = structlog.get_logger(__name__)

KINDS: dict[str, type[c.Command]] = {str(kind.__struct_config__.tag): kind for kind in RULES}
AGAIN_S = 1.0
"""How long it waits before it says again what was refused."""


class VirtualDealer:
    """A link that sits at the table itself."""

    feed: Feed = "appends"

    def __init__(self, table: RunningTable, crew: Crew, manner: Manner, shoes: ShoeFiles) -> None:
        self._table, self._crew, self._shoes = table, crew, shoes
        self.manner = manner
        """May be changed at any time, to deal slower or faster."""
        self._device = f"virtual-dealer-{table.name}"
        self._hand: Hand = None
        self._epoch = self._n = 0
        self._waits = False
        self._since_ms = 0
        self._turn: asyncio.TimerHandle | None = None
        self._ended = False

    def start(self) -> None:
        """Sit down, whenever the table is served here."""
        self._table.hello(Hello(device=self._device, audience=Audience.CONSOLE), self)

    def stop(self) -> None:
        self._ended = True
        if self._turn is not None:
            self._turn.cancel()
        self._table.gone(self._device, self)

    def tell(self, telling: Telling) -> None:
        match telling:
            case Welcome():
                self._epoch, self._n, self._waits = telling.epoch, 0, False
                self._since_ms = self._table.table_ms
                self._think()
            case Answer():
                self._waits = False
                if telling.refusal is not None:
                    log.warning("the virtual dealer was refused", table=self._table.name, why=telling.refusal.text)
                    self._later(AGAIN_S, self._think)
            case Resynchronise():
                self.start()
            case Published():
                self._see([event for happening in telling.happenings for event in happening.events])
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
                self._shoes.forget(self._table.name, event.shoe)
        if not all(type(event) is WagersChanged for event in events):
            self._since_ms = self._table.table_ms
            self._think()

    def _think(self) -> None:
        tenure = self._table.tenure
        if tenure is None or self._waits or self._ended:
            return
        act = next_act(tenure.state, self._hand, self._crew, self.manner, self._since_ms)
        while isinstance(act, FetchShoe):
            self._hand = self._fetch(act, tenure.state)
            act = next_act(tenure.state, self._hand, self._crew, self.manner, self._since_ms)
        if act is not None and act.line["do"] != "close":  # The owner's own timer closes, at the same moment.
            say = act
            self._later(max(0, act.at_ms - self._table.table_ms) / 1000, lambda: self._say(say))

    def _later(self, seconds: float, do: Any) -> None:
        if self._turn is not None:
            self._turn.cancel()
        self._turn = asyncio.get_running_loop().call_later(seconds, do)

    def _fetch(self, wanted: FetchShoe, state: TableState) -> Hand:
        name = self._table.name
        try:
            if wanted.is_new:
                assert state.configuration is not None
                return self._shoes.new(name, wanted.number, state.configuration.decks)
            return self._shoes.find(name, wanted.number)
        except (Mistake, OSError) as error:
            log.error("a virtual shoe is lost", table=name, shoe=wanted.number, why=str(error))  # noqa: TRY400
            return Lost(wanted.number, str(error))

    def _say(self, say: Say) -> None:
        tenure = self._table.tenure
        if tenure is None or self._ended:
            return
        kind = KINDS[say.line["do"]]
        state, by = tenure.state, say.line["by"]
        stamped = {"at_ms": 0, **say.line, "role": _role_of(state, by)}
        self._n, self._waits = self._n + 1, True
        coup = state.coup.number if state.coup is not None else None
        self._table.ask(Ask(self._device, Name(self._epoch, self._n), coup, msgspec.convert(stamped, kind)))


def _role_of(state: TableState, person: str) -> Role:
    """The role that he is signed on in, or the first that the table's list gives him."""
    assert state.configuration is not None
    return state.signed_on.get(person) or state.configuration.staff[person][0]
