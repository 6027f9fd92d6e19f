"""A table of a served floor where something is wrong in every way that its lights tell: played over the wire."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sabot.client.console import Console
from sabot.client.station import Station
from sabot.table import acts
from tests.served.device import EVENTS
from tests.served.open_table import open_with_shoe
from tests.served.staff import PINS, Staff

LEFT = 415
"""In a shoe of eight decks with one card burned."""


class TroubledTable:
    """D1 deals, GS1 supervises, and the patron at A1 calls."""

    def __init__(self, console: Console, supervisor: str, patron: Station) -> None:
        self._console, self._supervisor, self._patron = console, supervisor, patron

    async def raise_all(self) -> None:
        """A patron calls, two cards of the shoe are not there, the display is down, and the accounts are frozen."""
        await self._patron.ask(acts.CallAttendant())
        await self._count(LEFT - 2)
        await self._console.ask(acts.Device(device="display", up=False))
        await self._console.ask(acts.Freeze())

    async def answer_the_call(self) -> None:
        await self._console.ask(acts.AnswerCall(station="A1"))

    async def see_to_all(self) -> None:
        await self._console.ask(acts.EndCall(station="A1"))
        await self._console.ask(acts.Unfreeze(), token=self._supervisor)
        await self._console.ask(acts.Device(device="display", up=True))
        await self._count(LEFT)

    async def _count(self, cards: int) -> None:
        await self._console.ask(acts.CheckCards(cards=cards, when="rest"), token=self._supervisor)


@asynccontextmanager
async def troubled_table(url: str, table: str) -> AsyncIterator[TroubledTable]:
    """A table that is opened, where nothing is wrong yet. In the end its dealer goes, and is free for another role."""
    staff = Staff(url)
    dealing = await staff.enrol(f"troubled-{table}", "console", table)
    seat = await staff.enrol(f"calling-{table}", "station", table, station="A1")
    supervisor = (await staff.desk.sign_on("GS1", PINS["GS1"], dealing.device)).token
    async with staff.console(dealing) as console, Station(url, seat, EVENTS) as patron:
        await open_with_shoe(console, supervisor)
        await console.ask(acts.BuyIn(station="A1", cents=100_000))
        yield TroubledTable(console, supervisor, patron)
        await console.ask(acts.SignOff())
