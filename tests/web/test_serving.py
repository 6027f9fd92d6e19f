"""One process on SQLite: what it says of itself, what it refuses, and that a kill or a stop loses nothing."""

import asyncio
import contextlib
import json
import os
import re
import socket
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from sabot.audit.outbox import read_cursor
from sabot.client.connection import Identity
from sabot.client.outcome import DeviceTurnedAway
from sabot.client.station import Station
from sabot.floor.records.recovery import recover_table
from sabot.journal.keys import new_key
from sabot.journal.sqlite import open_read_only
from sabot.rules.rule_set import Bet
from sabot.table.state import AnyTable
from tests.cli.sabot import sabot
from tests.runtime.floors import PATIENCE_S, table_for
from tests.served import plain_http
from tests.served.device import VIEWS
from tests.served.floor_file import TOKEN, staffed_floor, write_floor
from tests.served.process import Process, get, secrets_in, serving, until_ready
from tests.served.staff import Staff
from tests.web.wagered import Wagered, assert_recorded, buy_in, wager_in_the_next_coup

MINIMUM = table_for().limits[Bet("player")].minimum


def _recorded(folder: Path, wagered: Iterable[Wagered] = ()) -> AnyTable:
    """The table as its records leave it, among which are these."""

    async def read() -> AnyTable:
        journal = open_read_only(folder / "floor.journal")
        try:
            await assert_recorded(journal, "T1", wagered)
            return (await recover_table(journal, "table/T1", "no snapshot")).state
        finally:
            await journal.close()

    return asyncio.run(read())


def _outbox(url: str, cursor: str, limit: int = 7) -> tuple[list[dict[str, Any]], str]:
    """Everything behind the cursor, in many small answers."""
    told = []
    while True:
        lines = [json.loads(line) for line in get(url, "/api/outbox", after=cursor, limit=limit).text.splitlines()]
        told += [line for line in lines if "events" in line]
        cursor = lines[-1]["cursor"]
        if not lines[-1]["more"]:
            return told, cursor


def test_a_killed_process_goes_on_exactly_where_its_records_end(tmp_path: Path) -> None:
    new_key(tmp_path / "signing.key")
    journal = {"anchor": "anchor.json", "signing_key": "signing.key"}
    config = staffed_floor(tmp_path, journal=journal, shoes={"folder": "shoes", "key": "floor.key"})
    stations: dict[str, Identity] = {}

    async def first_play(process: Process) -> list[Wagered]:
        staff = Staff(process.url)
        console = await staff.enrol("C1", "console")
        for name in ("A1", "A2"):
            stations[name] = await staff.enrol(name, "station")
        async with staff.console(console) as desk:
            for name in stations:
                await buy_in(desk, name)
        return await _play(process.url, stations, 2)

    with serving(config) as process:
        wagered = asyncio.run(first_play(process))
        told, cursor = _outbox(process.url, "")
        process.kill()
    acknowledged = _recorded(tmp_path, wagered)
    assert acknowledged.coups >= wagered[-1].coup

    with serving(config) as process:
        after = _recorded(tmp_path)
        for name in stations:
            before, now = acknowledged.purse(name), after.purse(name)
            assert now.balance + now.wagered == before.balance + before.wagered, "stakes of a void coup came back"
        wagered += asyncio.run(_play(process.url, stations, 1))
        more, cursor_again = _outbox(process.url, cursor)
        _assert_told_once(told + more, _outbox(process.url, "", limit=10_000)[0], read_cursor(cursor_again))
        code = process.stop()
    assert code == 0
    _assert_books_agree(_recorded(tmp_path, wagered))
    assert secrets_in(process.log) == []
    assert "Traceback" not in process.log
    verified = sabot("journal", "verify", str(tmp_path / "floor.journal"), "--keys", str(tmp_path / "signing.key.ring"))
    assert verified.code == 0, verified.out


def _assert_books_agree(state: AnyTable) -> None:
    assert state.ledger.is_balanced
    assert all(meters.agree_with(state.purse(name)) for name, meters in state.meters.items())


async def _play(url: str, stations: dict[str, Identity], coups: int) -> list[Wagered]:
    """Wager at every station in so many coups."""
    played: list[Wagered] = []
    async with Station(url, stations["A1"], VIEWS) as first, Station(url, stations["A2"], VIEWS) as second:
        for _ in range(coups):
            newest = [await wager_in_the_next_coup(station, MINIMUM) for station in (first, second)]
            played.extend(newest)
            for station in (first, second):
                await station.until(partial(_is_past, station, newest[-1].coup))
    return played


def _is_past(station: Station, coup: int) -> bool:
    return station.mirror.coup > coup


def _places(lines: list[dict[str, Any]]) -> set[tuple[str, int]]:
    return {(one["stream"], one["sequence"]) for one in lines}


def _assert_told_once(lines: list[dict[str, Any]], everything: list[dict[str, Any]], reached: dict[str, int]) -> None:
    """Nothing up to where the cursor stands is missing or told twice, and each line names where the one before was."""
    assert _places(lines) == {place for place in _places(everything) if place[1] <= reached[place[0]]}
    assert len(_places(lines)) == len(lines)
    reached = {}
    for line in lines:
        assert reached.get(line["stream"], 0) <= line["after"] < line["sequence"]
        reached[line["stream"]] = line["sequence"]


def test_a_stop_says_goodbye_to_every_device_and_is_no_failure(tmp_path: Path) -> None:

    async def last_words(process: Process) -> list[dict[str, Any]]:
        identity = await Staff(process.url).enrol("A1", "station")
        heard: list[dict[str, Any]] = []
        async with connect(process.url.replace("http", "ws") + "/ws") as socket_:
            challenge = json.loads(await socket_.recv())
            signature = identity.key.prove(challenge["floor"], challenge["nonce"])
            await socket_.send(json.dumps({"type": "prove", "device": "A1", "signature": signature}))
            await socket_.send(json.dumps({"type": "hello"}))
            while not heard or heard[-1]["type"] != "welcome":
                heard.append(json.loads(await socket_.recv()))
            stopping = asyncio.create_task(asyncio.to_thread(process.stop))
            with contextlib.suppress(ConnectionClosed):
                async for frame in socket_:
                    heard.append(json.loads(frame))  # noqa: PERF401  The connection ends with an exception.
            assert await stopping == 0
        return heard

    with serving(staffed_floor(tmp_path)) as process:
        heard = asyncio.run(last_words(process))
    assert heard[-1]["type"] == "bye"
    assert "leaves" in heard[-1]["why"]


def test_a_revoked_device_is_sent_away_at_once_and_not_let_in_again(tmp_path: Path) -> None:

    async def revoke(url: str) -> None:
        staff = Staff(url)
        identity = await staff.enrol("A1", "station")
        async with Station(url, identity, VIEWS) as station:
            await staff.desk.house({"do": "revoke", "device": "A1", "reason": "stolen"}, await staff.token())
            with pytest.raises(DeviceTurnedAway, match="not enrolled"):
                await station.until(lambda: False)

    with serving(staffed_floor(tmp_path)) as process:
        asyncio.run(revoke(process.url))


def test_the_fixed_paths_tell_what_they_should_and_to_whom(tmp_path: Path) -> None:
    with serving(staffed_floor(tmp_path)) as process:
        url = process.url
        tables = until_ready(url)
        assert tables == {"T1": {"served": True, "owner": url}}
        assert get(url, "/healthz").json() == {"alive": True}
        assert get(url, "/api/owner/T1").json() == {"table": "T1", "owner": url, "here": True}
        assert get(url, "/api/owner/T9").status_code == 404
        assert "/assets/start" in get(url, "/").text
        assert get(url, "/api/start").json() == {"demo": None, "school": False}, (
            "a stranger learns nothing of tables and people"
        )
        figures = get(url, "/metrics").text
        assert re.search(r"^sabot_tables_served 1.0$", figures, re.MULTILINE)
        assert re.search(r"^sabot_append_seconds_count [1-9]", figures, re.MULTILINE)
        assert "process_resident_memory_bytes" in figures
        assert "/api/house" in get(url, "/openapi.json").json()["paths"]
        assert "Ask" in get(url, "/frames.json").json()["$defs"]
        for path in ("/metrics", "/api/outbox"):
            assert plain_http.get(url + path).status_code == 401
            assert plain_http.get(url + path, headers={"Authorization": f"Bearer {TOKEN}x"}).status_code == 401
        assert get(url, "/api/outbox", after="nonsense").status_code == 400
        assert get(url, "/api/outbox", after="house:999999").json()["code"] == "records_lost"
        assert get(url, "/api/floor").json()["code"] == "session_over", "the monitor's token is no member of staff's"
        asyncio.run(_the_house_answers(url))


async def _the_house_answers(url: str) -> None:
    staff = Staff(url)
    token = await staff.token()
    floor = await staff.desk.house({"do": "option", "option": "dragon_bonus", "choice": 2}, token)
    assert floor["events"][0]["event"] == "OptionOrdered"
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE_S, verify=plain_http.NO_TLS) as web:
        shown = (await web.get("/api/floor")).json()
        assert [table["table"] for table in shown["tables"]] == ["T1"]
        alone = await web.post("/api/house", json={"do": "void_ticket", "ticket": "1", "reason": "lost"})
        assert (alone.status_code, alone.json()["code"]) == (403, "second_person_due")
        assert (await web.post("/api/house", json={"do": "appoint", "person": "X1", "roles": ["dealer"]})).json()[
            "code"
        ] == "wrong_role"
        assert (await web.post("/api/house", json={"do": "nothing"})).status_code == 400
        recalled = await web.get("/api/tables/T1/recall", params={"station": "A1"})
        assert recalled.json() == {"station": "A1", "coups": []}
        records = (await web.get("/api/tables/T1/records", params={"limit": 3})).json()
        assert [one["version"] for one in records] == [1, 2, 3]
        assert (await web.get("/api/tables/T1/figures")).json()["stream"] == "table/T1"
        assert (await web.get("/api/tables/T1/records", params={"station": "Z9"})).status_code == 404
        report = (await web.get("/api/tables/T1/report")).json()
        assert (report["shift"]["win"]["variance"], report["shift"]["table"]) == (0, "T1")
        assert 0 <= report["signed_to"] <= report["as_of"]


def test_a_monitor_that_waits_hears_of_news_at_once(tmp_path: Path) -> None:

    async def wait(url: str) -> list[dict[str, Any]]:
        staff = Staff(url)
        token = await staff.token()
        _, cursor = await asyncio.to_thread(_outbox, url, "")
        waiting = asyncio.create_task(asyncio.to_thread(get, url, "/api/outbox", after=cursor, wait_s=60))
        await staff.desk.house({"do": "exclude", "patron": "P7", "reason": "at their own wish"}, token)
        return [json.loads(line) for line in (await waiting).text.splitlines()]

    with serving(staffed_floor(tmp_path)) as process:
        lines = asyncio.run(wait(process.url))
    assert any(event["event"] == "ExclusionMade" for line in lines for event in line.get("events", []))


def test_what_cannot_be_served_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        config = write_floor(tmp_path, listen={"port": taken.getsockname()[1]})
        ran = sabot("serve", "--config", str(config))
        assert (ran.code, "is taken" in ran.error, "Traceback" in ran.error) == (2, True, False)
    (tmp_path / "monitoring.token").chmod(0o644)
    ran = sabot("serve", "--config", str(write_floor_again(tmp_path)))
    assert ran.code == 2
    assert "can be read by others" in ran.error
    (tmp_path / "monitoring.token").chmod(0o600)
    (tmp_path / "floor.journal").write_bytes(os.urandom(8192))
    ran = sabot("serve", "--config", str(write_floor_again(tmp_path)))
    assert (ran.code, "Traceback" in ran.error) == (2, False)


def write_floor_again(folder: Path) -> Path:
    """The file with a free port, everything else left as it is."""
    mode = (folder / "monitoring.token").stat().st_mode
    config = write_floor(folder)
    (folder / "monitoring.token").chmod(mode & 0o777)
    return config


def test_checking_a_file_reads_everything_and_starts_nothing(tmp_path: Path) -> None:
    config = write_floor(tmp_path)
    ran = sabot("serve", "--config", str(config), "--check")
    assert (ran.code, "the file is good" in ran.out) == (0, True)
    assert not (tmp_path / "floor.journal").exists()
