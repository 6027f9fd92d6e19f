"""The door: who a device is, and what is stamped on a command before it reaches the table."""

from typing import Protocol

import msgspec

from sabot.runtime.table_runner import RunningTable
from sabot.table.acts import Command
from sabot.table.refusal import Refused
from sabot.wire.frames import Ask


class Known(msgspec.Struct, frozen=True):
    """A device that has proved its key."""

    device: str
    kind: str
    table: str
    station: str = ""
    """The station that it is, or belongs to."""


class TurnedAway(Exception):
    """Why a device may not come in, in one sentence."""


class Door(Protocol):
    floor: str
    """The floor's name, which every proof is bound to."""

    async def admit(self, device: str, nonce: str, signature: str) -> Known:
        """The device, if the signature proves that it holds its enrolled key; else raises `TurnedAway`."""

    def stamp_touch(self, known: Known, ask: Ask, table: RunningTable) -> Command | Refused | None:
        """The same for what can be stamped without waiting for anybody, a touch on the layout; nothing for the rest."""

    async def stamp(self, known: Known, ask: Ask, table: RunningTable) -> Command | Refused:
        """The command with everything that the device itself may not say, or why it is not carried at all."""
