"""One patron cannot bury the console: open claims are bounded, and a view lists the newest and counts the rest."""

import msgspec
import pytest

from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.cases.deciding import MOST_CLAIMS
from sabot.views.console import MOST_CASES
from sabot.views.message import MOST_SHOWN
from tests.served.device import VIEWS, Wire
from tests.served.open_table import OpenTable, open_table, over_the_wire

CLAIMS = 800
MOST_BYTES = 64 * 1024
LONG = "what the dealer did was wrong and I want to be paid " * 60


async def _flood(station: Wire) -> tuple[int, list[str]]:
    """Claim again and again; how many were noted, and with which codes the others were refused."""
    await station.hello()
    claim = {"do": "claim", "coup": 0, "text": LONG}
    for n in range(1, CLAIMS + 1):
        await station.send(type="ask", epoch=station.epoch, n=n, command=claim)
    answers = [await station.frame("answer") for _ in range(CLAIMS)]
    refused = [one["refusal"]["code"] for one in answers if "refusal" in one]
    return CLAIMS - len(refused), refused


@pytest.mark.clause("G-197")
@over_the_wire
async def test_eight_hundred_claims_of_one_patron_are_noted_three_times() -> None:
    async with open_table(console_settings=VIEWS) as table:
        await _seat(table, "A1", "A2")
        other = await table.station("A2")
        await table.enrol("A1")
        await table.open_wagering()
        async with table.connected("A1") as station:
            noted, refused = await _flood(station)
        assert noted == MOST_CLAIMS
        assert set(refused) == {"already_noted"}
        await other.until(lambda: other.mirror.phase == "wagering")
        await other.ask(acts.SetWager(bet=Bet("player"), cents=2_500))
        await table.console.until(lambda: len(table.console.mirror.view["cases"]) == MOST_CLAIMS)
        assert len(msgspec.json.encode(table.console.mirror.view)) < MOST_BYTES


@pytest.mark.clause("G-197")
@over_the_wire
async def test_what_staff_enter_is_listed_as_far_as_a_screen_goes_and_the_rest_is_counted() -> None:
    async with open_table(console_settings=VIEWS) as table:
        await _seat(table, "A1")
        for _ in range(MOST_CASES + 5):
            await table.console.ask(acts.Claim(station="A1", coup=0, text=LONG))
        console = table.console
        await console.until(lambda: console.mirror.view["more"]["cases"] == 5)
        cases = console.mirror.view["cases"]
        assert [one["case"] for one in cases] == list(range(6, MOST_CASES + 6))
        assert {len(one["text"]) for one in cases} == {MOST_SHOWN}
        assert len(msgspec.json.encode(console.mirror.view)) < MOST_BYTES


async def _seat(table: OpenTable, *stations: str) -> None:
    for station in stations:
        await table.console.ask(acts.BuyIn(station=station, cents=100_000))
