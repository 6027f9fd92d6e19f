"""Queries that may read a whole journal: few run at a time, so that a signed-on person cannot stop the floor either."""

import asyncio
from pathlib import Path

from starlette.applications import Starlette

from sabot.web.http.desks import Desks
from sabot.web.http.identity_routes import IdentityRoutes
from sabot.web.http.operation import MOST_DEAR, MOST_DEAR_BY_PERSON, BareCall, Gate, Operation
from sabot.web.http.protection import Protection
from tests.runtime.floors import until
from tests.served.identities import ORIGIN, UNHURRIED, Floor, client, on_a_floor
from tests.web.test_identity_routes import assert_trouble, sign_on


def test_few_queries_that_read_whole_journals_run_at_a_time_and_one_person_waits_for_few(tmp_path: Path) -> None:
    running, most = [0, 0], asyncio.Event()

    async def read(_: BareCall) -> None:
        running[0] += 1
        running[1] = max(running)
        await most.wait()
        running[0] -= 1

    async def test(floor: Floor) -> None:
        gate = Gate(floor.identities.sessions, floor.identities.services, floor.clock, UNHURRIED, UNHURRIED)
        query = Operation("GET", "/query", "Read everything.", read, staff=True, dear=True)
        app = Starlette(
            routes=[*gate.routes([*IdentityRoutes(floor.identities, Desks(("10.0.0.0/8",))).operations(), query])]
        )
        async with client(Protection(app, [ORIGIN], tls=False)) as web:
            first, second = await sign_on(web, "CS1"), await sign_on(web, "GS1")
            asked = [asyncio.create_task(web.get("/query", headers=first)) for _ in range(MOST_DEAR_BY_PERSON)]
            await until(lambda: running[0] == MOST_DEAR)
            assert_trouble(await web.get("/query", headers=first), 429, "too_fast")
            other = asyncio.create_task(web.get("/query", headers=second))
            most.set()
            assert [(await one).status_code for one in (*asked, other)] == [204] * (MOST_DEAR_BY_PERSON + 1)
        assert running == [0, MOST_DEAR]

    on_a_floor(tmp_path, test)
