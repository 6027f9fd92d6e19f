"""Staff of a served floor that is guessed at: strangers lock nobody out, and the machine itself always lets in."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx

from sabot.client.connection import Identity
from sabot.client.desk import Desk
from sabot.client.key import DeviceKey
from sabot.client.outcome import CommandRefused
from sabot.floor.records.record_codec import HOUSE, read_answer, read_house_events
from sabot.house.events import HouseEvent, PersonLockedOut, PersonUnlocked
from sabot.journal.opening import open_to_read
from tests.cli.sabot import sabot
from tests.runtime.floors import PATIENCE_S, table_for
from tests.served import plain_http
from tests.served.floor_file import staffed_floor
from tests.served.process import Process, serving
from tests.served.staff import PINS

DESK = "desk-1"


def test_strangers_lock_nobody_out_and_the_machine_unlocks_on_record(tmp_path: Path) -> None:
    """A desk is invited from the machine; a stranger guesses at every name; somebody at the desk mistypes too often."""
    store = str(tmp_path / "floor.vault")
    config = staffed_floor(tmp_path, table_for(), dealer="live", staff={"desks": []})
    two = ("--by", "TE1", "--second", "CS1", "--approval", "tests")
    pins = f"{PINS['TE1']}\n{PINS['CS1']}\n"
    invited = sabot("staff", "invite", DESK, "--store", store, *two, given=pins)
    with serving(config) as floor:
        at = Identity(DESK, DeviceKey.make())
        asyncio.run(Desk(floor.url).accept(invited.out.strip(), at.key))
        _guess_at_everybody(floor)
        sign_on = _at(floor, at)
        assert asyncio.run(sign_on("CS1", PINS["CS1"]))
        for pin in ["000000"] * 5 + [PINS["CS1"]]:
            assert not asyncio.run(sign_on("CS1", pin))
        assert asyncio.run(sign_on("GS1", PINS["GS1"])), "another person at the same desk"
        assert sabot("staff", "unlock", "CS1", "--store", store, "--reason", "a digit was wrong").code == 0
        assert asyncio.run(sign_on("CS1", PINS["CS1"]))
        asyncio.run(_until_recorded(tmp_path / "floor.journal", PersonUnlocked))
        assert floor.stop() == 0
        assert "Traceback" not in floor.log
    events = asyncio.run(_recorded(tmp_path / "floor.journal"))
    (locked,) = [event for event in events if isinstance(event, PersonLockedOut)]
    assert (locked.person, locked.console, locked.failures) == ("CS1", DESK, 5)
    assert locked.until_ms is not None
    assert locked.until_ms - locked.at_ms <= 60_000
    (unlocked,) = [event for event in events if isinstance(event, PersonUnlocked)]
    assert (unlocked.by, unlocked.reason.startswith("a digit was wrong (at the machine by ")) == ("operator", True)


def _guess_at_everybody(floor: Process) -> None:
    with httpx.Client(base_url=floor.url, timeout=PATIENCE_S, verify=plain_http.NO_TLS) as stranger:
        for body in ({}, {"device": DESK}, {"device": DESK, "nonce": "x", "signature": "y"}):
            for person in PINS:
                answer = stranger.post("/api/sign-on", json={"person": person, "pin": "000000", **body})
                assert (answer.status_code, answer.json()["code"]) == (401, "proof_failed")


def _at(floor: Process, at: Identity) -> Callable[[str, str], Coroutine[Any, Any, bool]]:
    async def sign_on(person: str, pin: str) -> bool:
        try:
            await Desk(floor.url).sign_on(person, pin, at.device, at.key)
        except CommandRefused as refused:
            return refused.code != "sign_on_refused"
        return True

    return sign_on


async def _until_recorded(journal: Path, kind: type[HouseEvent]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not any(isinstance(event, kind) for event in await _recorded(journal)):
            await asyncio.sleep(0.1)


async def _recorded(path: Path) -> list[HouseEvent]:
    journal = await open_to_read(str(path))
    try:
        records = [record async for record in journal.read(HOUSE)]
    finally:
        await journal.close()
    return [event for record in records for event in read_house_events(read_answer(record.entry))]
