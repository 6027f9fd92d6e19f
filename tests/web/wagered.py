"""A station's wagers at a table with a virtual dealer, and whether they are on record."""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from sabot.client.console import Console
from sabot.client.outcome import CommandRefused, FrameNotTaken, NeverRecorded
from sabot.client.station import Station
from sabot.journal.journal import ReadableJournal
from sabot.rules.rule_set import Bet
from sabot.table import acts


async def buy_in(console: Console, station: str, cents: int = 1_000_000) -> None:
    await console.until(lambda: console.mirror.phase != "closed")
    await console.ask(acts.BuyIn(station=station, cents=cents))


class Wagered(NamedTuple):
    """An acknowledged wager: its coup, and the key of its record."""

    coup: int
    key: str


async def wager_in_the_next_coup(station: Station, cents: int) -> Wagered:
    """Place it as soon as wagering is open.

    On a busy machine a coup may be over before the wager is there; then the next one is tried.
    """
    while True:
        await station.until(lambda: station.mirror.phase == "wagering")
        coup = station.mirror.coup
        try:
            wager = acts.SetWager(bet=Bet("player"), cents=cents)
            answer = await station.ask(wager, coup=coup)
        except (CommandRefused, NeverRecorded, FrameNotTaken):
            await station.until(partial(_is_over, station, coup))
        else:
            return Wagered(coup, f"ask/{station.identity.device}/{answer.epoch}/{answer.n}")


def _is_over(station: Station, coup: int) -> bool:
    return station.mirror.coup != coup or station.mirror.phase != "wagering"


async def assert_recorded(journal: ReadableJournal, table: str, wagered: Iterable[Wagered]) -> None:
    """What was acknowledged is in the journal, under the name that it was asked by."""
    for one in wagered:
        assert await journal.find(f"table/{table}", one.key) is not None
