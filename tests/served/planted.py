"""A cheat that is played on a served floor over the wire: a shoe that is stacked with ties, and a patron who knows."""

from sabot.client.connection import Identity
from sabot.client.console import Console
from sabot.client.station import Station
from sabot.rules.rule_set import Bet
from sabot.table import acts
from tests.served.device import EVENTS
from tests.served.open_table import open_with_shoe
from tests.served.staff import PINS, Staff

COUPS = 8
"""Enough for alarms of the table, of its dealer and of the bet; the seat, which is one of many, is on watch."""
SUITS = "shdc"


class StackedTable:
    """D1 deals; every coup is a tie of nines, on which the patron at A1 has wagered."""

    def __init__(self, url: str, table: str = "T1") -> None:
        self._url, self._table, self._staff = url, table, Staff(url)
        self._devices: tuple[Identity, Identity] | None = None
        self._coup = 0

    async def play(self, coups: int = COUPS) -> None:
        """The first time the table is opened, and the patron buys in."""
        is_new = self._devices is None
        dealer, seat = self._devices = self._devices or await self._enrolled()
        async with self._staff.console(dealer) as console, Station(self._url, seat, EVENTS) as patron:
            if is_new:
                supervisor = await self._staff.desk.sign_on("GS1", PINS["GS1"], dealer.device)
                await open_with_shoe(console, supervisor.token)
                await console.ask(acts.BuyIn(station="A1", cents=100_000))
            for _ in range(coups):
                self._coup += 1
                await self._play(console, patron)

    async def relieve_the_dealer(self) -> None:
        assert self._devices is not None
        async with self._staff.console(self._devices[0]) as console:
            await console.ask(acts.SignOff())

    async def _enrolled(self) -> tuple[Identity, Identity]:
        console = await self._staff.enrol(f"dealing-{self._table}", "console", self._table)
        return console, await self._staff.enrol(f"knowing-{self._table}", "station", self._table, station="A1")

    async def _play(self, console: Console, patron: Station) -> None:
        await console.ask(acts.Open())
        await patron.until(lambda: patron.mirror.phase == "wagering")
        await patron.ask(acts.SetWager(bet=Bet("tie"), cents=2_500), coup=self._coup)
        one, other = SUITS[self._coup % 4], SUITS[(self._coup + 1) % 4]
        await console.ask(acts.Close(), coup=self._coup)
        for card in (f"9{one}", f"9{other}", f"t{one}", f"k{other}"):
            await console.ask(acts.Card(card=card), coup=self._coup)
        await console.ask(acts.Confirm(), coup=self._coup)
