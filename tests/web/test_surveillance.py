"""Surveillance over real HTTP: sees every table live and the whole record, and can do nothing."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from sabot.basics.role import Role
from sabot.client.connection import Identity
from sabot.client.console import Console
from sabot.client.desk import Desk
from sabot.client.outcome import CommandRefused
from sabot.table import acts
from sabot.views.console import ConsoleView
from tests.floor.test_stamper import HOUSE_WORDS
from tests.runtime.floors import PATIENCE_S, table_for
from tests.served import plain_http
from tests.served.device import VIEWS
from tests.served.floor_file import staffed_floor
from tests.served.process import serving
from tests.served.staff import PINS, Staff
from tests.tables import rows

READS = (
    "/api/floor",
    "/api/floor/map",
    "/api/floor/curves",
    "/api/tables/T1/live",
    "/api/tables/T1/records",
    "/api/tables/T1/figures",
    "/api/tables/T1/report",
    "/api/integrity",
    "/api/tables/T1/integrity",
    *(f"/api/tables/T1/recall?station=A{number}" for number in (1, 2, 3)),
)
AT_DESK = [row["act"] for row in rows("role_matrix.tsv") if row["of"] == "house" and row["operator"] != "unreadable"]


@pytest.mark.clause("G-118")
def test_surveillance_sees_everything_and_can_do_nothing(tmp_path: Path) -> None:
    configuration = table_for()
    staff = {**configuration.staff, "OP1": (Role.OPERATOR,)}
    table = msgspec.structs.replace(configuration, staff=staff)
    with serving(staffed_floor(tmp_path, table, dealer="live")) as process:
        asyncio.run(_watch(process.url))
        assert process.stop() == 0
    assert "Traceback" not in process.log


async def _watch(url: str) -> None:
    staff = Staff(url)
    operator = await _token(staff.desk, "OP1")
    await staff.desk.house({"do": "appoint", "person": "SV1", "roles": ["surveillance"]}, operator)
    console = await staff.enrol("console", "console")
    token = await _token(staff.desk, "SV1")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE_S, verify=plain_http.NO_TLS) as web:
        await _sees_a_table_live(web, staff, console)
        before = await _records(web)
        for path in READS:
            answer = await web.get(path)
            assert answer.status_code == 200, answer.text
        assert (await web.get("/api/tables/T9/live")).status_code == 404
        for act in AT_DESK:
            refused = await web.post("/api/house", json={"do": act, **HOUSE_WORDS.get(act, {})})
            assert (refused.status_code, refused.json()["code"]) == (403, "wrong_role"), act
        for path in ("/api/sessions", "/api/enrolments"):
            assert (await web.get(path)).json()["code"] == "wrong_role"
        assert await _records(web) == before, "looking leaves nothing on record"
        await _signs_on_at_no_table(staff, console)
        refused_acts = (await _records(web))[len(before) :]
        assert all(not one["told"]["postings"] for one in refused_acts)
        assert "SV1" not in (await _live(web)).staff.signed_on
    await _a_cashier_sees_no_table(url, staff)


async def _sees_a_table_live(web: httpx.AsyncClient, staff: Staff, identity: Identity) -> None:
    shown = await _live(web)
    assert (shown.table.name, shown.phase.phase) == ("T1", "closed")
    async with staff.console(identity) as console:
        await console.ask(acts.SignOn())
        await console.ask(acts.OpenTable())
        await console.ask(acts.BuyIn(station="A1", cents=5_000))
        shown = await _live(web)
    assert (shown.staff.dealer, shown.seats[0].balance_cents) == ("D1", 5_000)


async def _signs_on_at_no_table(staff: Staff, identity: Identity) -> None:
    """The refusal of the console's sign-on is one sentence that names who may."""
    token = await _token(staff.desk, "SV1", identity.device)
    async with Console(staff.url, identity, VIEWS, token=token) as console:
        for act in (acts.SignOn(), acts.SignOn(as_role=Role.DEALER), acts.Open(), acts.Confirm()):
            with pytest.raises(CommandRefused) as refused:
                await console.ask(act)
            assert refused.value.code == "wrong_role"
            assert "not a Surveillance" in refused.value.text


async def _a_cashier_sees_no_table(url: str, staff: Staff) -> None:
    headers = {"Authorization": f"Bearer {await _token(staff.desk, 'CA1')}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE_S, verify=plain_http.NO_TLS) as web:
        for path in ("/api/tables/T1/live", "/api/integrity", "/api/tables/T1/integrity"):
            refused = await web.get(path)
            assert (refused.status_code, refused.json()["code"]) == (403, "wrong_role")
            assert "Surveillance" in refused.json()["text"]


async def _token(desk: Desk, person: str, device: str = "") -> str:
    return (await desk.sign_on(person, PINS[person], device)).token


async def _live(web: httpx.AsyncClient) -> ConsoleView:
    """A live table that reads as the view of a console."""
    answer = await web.get("/api/tables/T1/live")
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=ConsoleView)


async def _records(web: httpx.AsyncClient) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = (await web.get("/api/tables/T1/records", params={"limit": 1000})).json()
    return records
