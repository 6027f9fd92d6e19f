"""The map over real HTTP: a page is sent everything once, and then what changed."""

import httpx
import msgspec

from sabot.client.station import Station
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.views.floor_map import MapFrame
from tests.runtime.floors import PATIENCE_S, table_for
from tests.served import plain_http
from tests.served.device import EVENTS
from tests.served.open_table import bring_in_play, console_of, over_the_wire
from tests.served.server import Served, served

TABLES = [table_for(period_ms=PATIENCE_S * 1000, name=name) for name in ("T1", "T2")]


async def looked(web: httpx.AsyncClient, before: MapFrame | None = None) -> MapFrame:
    asked = "" if before is None else f"?run={before.run}&mark={before.mark}"
    answer = await web.get(f"/api/floor/map{asked}")
    assert answer.status_code == 200, answer.text
    frame: MapFrame = msgspec.json.decode(answer.content, type=MapFrame)
    return frame


async def _follow(floor: Served) -> None:
    async with (
        await console_of(floor) as console,
        httpx.AsyncClient(base_url=floor.url, timeout=PATIENCE_S, verify=plain_http.NO_TLS) as web,
    ):
        await bring_in_play(floor, console)
        await console.ask(acts.BuyIn(station="A1", cents=100_000))
        await console.ask(acts.Open())
        web.headers["Authorization"] = f"Bearer {await floor.token('CS1')}"
        first = await looked(web)
        assert [one.table for one in first.tables] == ["T1", "T2"]
        assert first.whole
        again = await looked(web, first)
        assert (again.tables, again.mark, again.whole) == ((), first.mark, False)
        async with Station(floor.url, await floor.enrol("S-1", station="A1"), EVENTS) as station:
            await station.ask(acts.SetWager(bet=Bet("banker"), cents=2_500))
        changed = await looked(web, again)
        assert [(one.table, one.wagered_cents) for one in changed.tables] == [("T1", 2_500)]
        assert (await looked(web, msgspec.structs.replace(changed, run="another"))).whole
        web.headers["Authorization"] = f"Bearer {await floor.token('D1')}"
        assert (await web.get("/api/floor/map")).json()["code"] == "wrong_role"


@over_the_wire
async def test_a_page_is_sent_all_tables_once_and_then_those_that_changed() -> None:
    async with served(None, *TABLES) as floor:
        await _follow(floor)
