"""The demo's own console, at which its staff do what the visitor should not have to."""

import asyncio
import contextlib

from sabot.client.console import Console
from sabot.client.desk import Desk
from sabot.client.outcome import CommandRefused, FrameNotTaken, NeverRecorded
from sabot.table.acts import DeviceAct


class DemoConsole:
    def __init__(self, at: Console, desk: Desk, pins: dict[str, str]) -> None:
        self._console, self._desk, self._pins = at, desk, pins
        self._turn = asyncio.Lock()

    async def give(self, person: str, *acts: DeviceAct) -> None:
        """Give acts in a person's name. A table that cannot take one now is asked again at the next look."""
        at = self._console.identity
        async with self._turn:
            signed = await self._desk.sign_on(person, self._pins[person], at.device, at.key)
            for act in acts:
                with contextlib.suppress(CommandRefused, FrameNotTaken, NeverRecorded):
                    await self._console.ask(act, token=signed.token)
            await self._desk.sign_off(signed.token)
