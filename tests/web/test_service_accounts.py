"""Service accounts: within their scopes and their rate, until they are revoked, on record, and never in the clear."""

import asyncio
import json
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, operator_stamp
from sabot.client.station import Station
from sabot.house.acts import RevokeService
from sabot.house.refusal import HouseRefused
from sabot.house.state import ServiceScope
from sabot.house.ticket_number import with_check_digit
from sabot.table import acts
from sabot.table.configuration import Configuration
from sabot.table.events import TicketIssued
from sabot.web.identity.services import DAY_MS, PREFIX, ServiceBody
from sabot.web.identity.vault_postgres import make_tables
from sabot.wire.frames import Told
from tests.cli.sabot import assert_one_clear_sentence, sabot
from tests.journal.postgres.conftest import (  # noqa: F401  Fixtures.
    Database,
    database,
    migrated_template,
    own_server,
    server_dsn,
)
from tests.runtime.floors import PATIENCE_S, table_for
from tests.served import plain_http
from tests.served.device import EVENTS
from tests.served.floor_file import staffed_floor, write_floor
from tests.served.identities import Floor, on_a_floor, refused
from tests.served.process import serving
from tests.served.staff import PINS, Staff

HOUR_MS = 3_600_000
NOTE = 5_000


async def _made(floor: Floor, *scopes: ServiceScope, a_minute: int = 600) -> str:
    scopes = scopes or (ServiceScope.METERS,)
    wanted = ServiceBody(service="monitor", scopes=scopes, purpose="a test", days=1, a_minute=a_minute)
    return (await floor.identities.services.make(wanted, operator_stamp(floor.clock()))).token


def test_a_secret_is_drawn_once_and_the_house_knows_its_digest_alone(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        token = await _made(floor)
        secret = token.rpartition(".")[2]
        assert token.startswith(f"{PREFIX}monitor.")
        assert len(secret) >= 43, "256 bits"
        assert secret not in repr(floor.desk.state)
        assert floor.identities.services.admit(token, ServiceScope.METERS, "10.0.0.1") == "monitor"

    on_a_floor(tmp_path, test)


def test_whatever_is_wrong_with_a_token_is_answered_alike(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        token, services = await _made(floor), floor.identities.services
        for wrong in (f"{token}x", token[:-1], f"{PREFIX}nobody.{'x' * 43}", PREFIX, f"{PREFIX}monitor."):
            with pytest.raises(Exception, match="the service account or its secret is not right"):
                services.admit(wrong, ServiceScope.METERS, "10.0.0.1")
        floor.clock.now_ms += DAY_MS
        with pytest.raises(Exception, match="the service account or its secret is not right"):
            services.admit(token, ServiceScope.METERS, "10.0.0.1")

    on_a_floor(tmp_path, test)


def test_an_account_is_held_to_its_scopes_and_its_rate(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        token, services = await _made(floor, a_minute=12), floor.identities.services
        with pytest.raises(Exception, match="monitor does not have the scope cage"):
            services.admit(token, ServiceScope.CAGE, "10.0.0.1")
        for _ in range(2):
            services.admit(token, ServiceScope.METERS, "10.0.0.1")
        with pytest.raises(Exception, match="try again in 5 seconds"):
            services.admit(token, ServiceScope.METERS, "10.0.0.2")
        floor.clock.now_ms += 5_000
        services.admit(token, ServiceScope.METERS, "10.0.0.1")

    on_a_floor(tmp_path, test)


def test_use_is_on_record_once_an_hour(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        token, services = await _made(floor), floor.identities.services
        began = floor.desk.version
        for passes_ms, records in ((0, 1), (1, 1), (HOUR_MS - 2, 1)):
            floor.clock.now_ms += passes_ms
            services.admit(token, ServiceScope.METERS, "10.0.0.1")
            await services.settle()
            assert floor.desk.version == began + records
        assert floor.desk.state.services["monitor"].used_ms == floor.clock() - HOUR_MS + 1
        assert services.last_used("monitor") == floor.clock()

    on_a_floor(tmp_path, test)


def test_a_revoked_account_counts_for_nothing_from_then_on(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        token, services = await _made(floor), floor.identities.services
        stamp = Stamp(by="CS1", role=Role.CASINO_SUPERVISOR)
        answer = await floor.desk.ask(RevokeService(service="monitor", reason="lost"), stamp)
        assert not isinstance(answer, HouseRefused)
        with pytest.raises(Exception, match="revoked"):
            services.admit(token, ServiceScope.METERS, "10.0.0.1")
        with pytest.raises(Exception, match="revoked"):
            services.check_live("monitor")
        assert await refused(_made(floor)) == "service_name_taken"

    on_a_floor(tmp_path, test)


# At a floor that is served


def _with_operator(table: Configuration) -> Configuration:
    """Its A3 stands away from it, and prints tickets."""
    remote = msgspec.structs.replace(table.stations["A3"], remote=True, distance_m=10, printer=True)
    stations = {**table.stations, "A3": remote}
    return msgspec.structs.replace(table, stations=stations, staff={**table.staff, "OP1": (Role.OPERATOR,)})


def _signed_on(url: str, person: str) -> dict[str, str]:
    answer = plain_http.post(f"{url}/api/sign-on", json={"person": person, "pin": PINS[person]})
    return {"Authorization": f"Bearer {answer.json()['token']}"}


def _made_at(url: str, service: str, *scopes: str, **more: Any) -> dict[str, str]:
    """What a program with a new account sends."""
    body = {"service": service, "scopes": scopes, "purpose": "a test", **more}
    answer = plain_http.post(f"{url}/api/services", json=body, headers=_signed_on(url, "OP1"))
    assert answer.status_code == 201, answer.text
    return {"Authorization": f"Bearer {answer.json()['token']}"}


def _revoked_at(url: str, service: str) -> None:
    body = {"do": "revoke_service", "service": service, "reason": "a test"}
    assert plain_http.post(f"{url}/api/house", json=body, headers=_signed_on(url, "CS1")).status_code == 200


def _code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_an_account_reads_what_its_scopes_say_and_acts_under_its_own_name(tmp_path: Path) -> None:
    """It is made by the operator alone, waits at the outbox until it is revoked, and lives through a restart."""
    file = staffed_floor(tmp_path, _with_operator(table_for(period_ms=400)))
    with serving(file) as process:
        url = process.url
        body = {"service": "kiosk", "scopes": ["cage"], "purpose": "a kiosk"}
        assert _code(plain_http.post(f"{url}/api/services", json=body, headers=_signed_on(url, "CS1"))) == (
            403,
            "wrong_role",
        )
        kiosk, monitor = _made_at(url, "kiosk", "cage"), _made_on_the_machine(file)
        assert [one["stream"] for one in plain_http.get(f"{url}/api/meters", headers=monitor).json()] == ["table/T1"]
        assert plain_http.get(f"{url}/metrics", headers=monitor).status_code == 200
        assert _code(plain_http.get(f"{url}/api/meters", headers=kiosk)) == (403, "scope_missing")
        assert _code(plain_http.get(f"{url}/api/outbox", headers=kiosk)) == (403, "scope_missing")
        assert _code(plain_http.get(f"{url}/api/floor", headers=kiosk)) == (403, "not_for_services")
        _pays_as_itself(url, kiosk, monitor)
        cursor = plain_http.get(f"{url}/api/outbox", headers=monitor, params={"limit": 10_000}).text.splitlines()[-1]
        shown = plain_http.get(f"{url}/api/services", headers=_signed_on(url, "CS1")).json()
        assert [(one["service"], one["by"], one["used_ms"] > 0) for one in shown] == [
            ("kiosk", "OP1", True),
            ("monitor", "operator", True),
        ]
        assert "token" not in shown[0]
        assert process.stop() == 0
        process.start()
        url = process.url
        assert plain_http.get(f"{url}/api/meters", headers=monitor).status_code == 200, "a restart keeps it"
        _is_cut_off_while_it_waits(url, monitor, cursor)
    for secret in (one["Authorization"].rpartition(".")[2] for one in (kiosk, monitor)):
        assert secret not in process.log
        assert not [
            path.name for path in tmp_path.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()
        ]


def _made_on_the_machine(file: Path) -> dict[str, str]:
    about = ("--scope", "meters", "--scope", "outbox", "--purpose", "a monitor")
    made = sabot("service", "make", str(file), "monitor", *about, "--json").json
    assert_one_clear_sentence(sabot("service", "make", str(file), "monitor", *about))
    assert_one_clear_sentence(sabot("service", "make", str(file), "other", "--scope", "all", "--purpose", "x"))
    assert_one_clear_sentence(sabot("service", "revoke", str(file), "nobody", "--reason", "x"))
    assert [one["service"] for one in sabot("service", "list", str(file), "--json").json] == ["kiosk", "monitor"]
    listed = sabot("service", "list", str(file)).out
    assert "never" in listed
    assert made["token"] not in listed
    return {"Authorization": f"Bearer {made['token']}"}


def _pays_as_itself(url: str, kiosk: dict[str, str], monitor: dict[str, str]) -> None:
    """A ticket is paid once, and a number of no ticket is refused; both are on record under the account's name."""
    number = asyncio.run(_a_ticket(url))
    _wait_until_registered(url, monitor, number)
    paid = {"do": "redeem", "ticket": number}
    answer = plain_http.post(f"{url}/api/house", json=paid, headers=kiosk)
    assert answer.status_code == 200, answer.text
    (redeemed,) = answer.json()["events"]
    assert (redeemed["event"], redeemed["ticket"], redeemed["cents"], redeemed["by"]) == (
        *("TicketRedeemed", number, NOTE, "kiosk"),
    )
    assert _code(plain_http.post(f"{url}/api/house", json=paid, headers=kiosk)) == (409, "paid_already")
    assert _code(plain_http.post(f"{url}/api/house", json=paid, headers=monitor)) == (403, "scope_missing")
    ticket = {"do": "redeem", "ticket": with_check_digit("12345678901234567")}
    assert _code(plain_http.post(f"{url}/api/house", json=ticket, headers=kiosk)) == (409, "unknown_ticket")
    day = {"do": "exclude", "patron": "P7", "reason": "noise"}
    assert _code(plain_http.post(f"{url}/api/house", json=day, headers=kiosk)) == (403, "not_in_scope")
    told = plain_http.get(f"{url}/api/outbox", headers=monitor, params={"limit": 10_000}).text
    lines = [line for line in map(json.loads, told.splitlines()) if line.get("by") == "kiosk"]
    events = [event for line in lines for event in line["events"]]
    assert [(event["event"], event["by"]) for event in events] == [
        ("TicketRedeemed", "kiosk"),
        ("WrongNumberTried", "kiosk"),
    ]


def _wait_until_registered(url: str, monitor: dict[str, str], number: str) -> None:
    """The house registers a ticket a moment after its table has issued it; a try before that counts as a wrong one."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        told = plain_http.get(f"{url}/api/outbox", headers=monitor, params={"limit": 10_000}).text
        events = [event for line in map(json.loads, told.splitlines()) for event in line.get("events", ())]
        if ("TicketRegistered", number) in [(event["event"], event.get("ticket")) for event in events]:
            return
        time.sleep(0.02)
    raise AssertionError("the house has not registered the ticket")


async def _a_ticket(url: str) -> str:
    """A patron of A3 puts a note in and leaves with a ticket."""
    staff = Staff(url)
    station, notes = await staff.enrol("A3", "station"), await staff.enrol("A3-notes", "note_acceptor", station="A3")
    async with (
        asyncio.timeout(PATIENCE_S),
        Station(url, station, EVENTS) as patron,
        Station(url, notes, EVENTS) as acceptor,
    ):
        with patron.follow() as following:
            await acceptor.until(lambda: acceptor.mirror.phase != "closed")
            await acceptor.ask(acts.Note(cents=NOTE))
            await patron.ask(acts.Leave())
            async for news in following:
                for event in news.events if isinstance(news, Told) else ():
                    if isinstance(event, TicketIssued):
                        return event.ticket
    raise AssertionError("no ticket was issued")


def _is_cut_off_while_it_waits(url: str, monitor: dict[str, str], end: str) -> None:
    """It waits for more, again and again, and is refused as soon as it is revoked."""
    answers: list[httpx.Response] = []

    def wait() -> None:
        asked = {"after": json.loads(end)["cursor"], "wait_s": 60, "meters": False}
        while not answers or answers[-1].status_code == 200:
            answers.append(plain_http.get(f"{url}/api/outbox", headers=monitor, params=asked, timeout=PATIENCE_S))
            asked["after"] = json.loads(answers[-1].text.splitlines()[-1]).get("cursor", "")

    waiting = threading.Thread(target=wait)
    waiting.start()
    _revoked_at(url, "monitor")
    waiting.join(PATIENCE_S)
    assert _code(answers[-1]) == (401, "service_refused")


def test_two_processes_on_one_database_know_the_same_accounts(
    tmp_path: Path,
    database: Database,  # noqa: F811
) -> None:
    asyncio.run(make_tables(database.owner))
    (tmp_path / "password").write_text("sabot_pit\n")
    (tmp_path / "password").chmod(0o600)
    place = database.application.replace("sabot_pit:sabot_pit@", "sabot_pit@")
    server = {"place": place, "password_file": "password"}
    table = _with_operator(table_for(period_ms=600))
    parts: dict[str, Any] = {"journal": {**server, "unsigned": True}, "secrets": server}
    first = staffed_floor(tmp_path, table, name="east.toml", **parts)
    second = write_floor(tmp_path, table, name="west.toml", **parts)
    with serving(first) as east, serving(second) as west:
        kiosk = _made_at(east.url, "kiosk", "meters")
        _until(lambda: plain_http.get(f"{west.url}/api/meters", headers=kiosk), 200)
        _revoked_at(east.url, "kiosk")
        _until(lambda: plain_http.get(f"{west.url}/api/meters", headers=kiosk), 401)


def _until(ask: Any, status: int) -> None:
    async def look() -> None:
        async with asyncio.timeout(PATIENCE_S):
            while ask().status_code != status:
                await asyncio.sleep(0.05)

    asyncio.run(look())
