"""What the web needs of whoever runs the house: its state as it is now, and somebody who takes commands."""

from collections.abc import Mapping
from typing import Protocol

from sabot.basics.role import Role
from sabot.house.commands import Command
from sabot.house.events import HouseEvent
from sabot.house.refusal import Refused
from sabot.house.state import HouseState


class HouseDesk(Protocol):
    @property
    def state(self) -> HouseState:
        """The house as the journal has it, no older than a moment."""

    @property
    def signed_on(self) -> Mapping[str, Role]:
        """Who is signed on at some table now, and as what (G-99)."""

    async def ask(self, command: Command) -> tuple[HouseEvent, ...] | Refused:
        """Have the house decide, and answer when the decision is durable."""
