"""`/asyncapi.json` is valid AsyncAPI, and the frames of a real session are as it says."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from sabot.journal.journal import AppendOutcome
from sabot.journal.keys import new_key
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Record
from sabot.table import acts
from sabot.wire.asyncapi import asyncapi
from tests.runtime.floors import wall_ms
from tests.served.device import Wire
from tests.served.open_table import OpenTable, open_table, over_the_wire

SCHEMA = Path(__file__).parents[2] / "screens/node_modules/@asyncapi/specs/schemas/3.0.0.json"
CARDS = ("2S", "4H", "3D", "3C", "8S")


@cache
def described() -> Any:
    return msgspec.json.decode(msgspec.json.encode(asyncapi("The socket", "1")))


def test_the_description_is_valid_asyncapi() -> None:
    allowed = jsonschema_rs.validator_for(msgspec.json.decode(SCHEMA.read_bytes()))
    assert [str(error) for error in allowed.iter_errors(described())] == []
    assert not allowed.is_valid({**described(), "channels": {"socket": {"address": 1}}})


def test_every_reference_leads_to_something() -> None:
    for reference in _references(described()):
        found = described()
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]


class _SlowJournal(MemoryJournal):
    """A journal that can be told to keep its writers waiting."""

    def __init__(self) -> None:
        super().__init__(wall_ms)
        self.goes_on = asyncio.Event()
        self.goes_on.set()

    async def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> AppendOutcome:
        await self.goes_on.wait()
        return await super().append(stream, expected_version, records)


def frames_in_the_code() -> dict[str, set[str]]:
    """The `type` of every struct of the wire that is told apart by one, from a device and from the floor."""
    found: dict[str, set[str]] = {"_FromDevice": set(), "_FromFloor": set()}
    waiting = list(msgspec.Struct.__subclasses__())
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("sabot.wire") and kind.__struct_config__.tag_field == "type":
            (side,) = found.keys() & {base.__name__ for base in kind.__mro__}
            found[side].add(str(kind.__struct_config__.tag))
    return {"device": found["_FromDevice"], "floor": found["_FromFloor"]}


def test_every_frame_of_the_code_is_in_the_description() -> None:
    operations, code = described()["operations"], frames_in_the_code()
    named = {
        name: {one["$ref"].rpartition("/")[2] for one in operation["messages"]}
        for name, operation in operations.items()
    }
    assert (named["hear"], named["say"]) == (code["device"], code["floor"])
    assert set(described()["channels"]["socket"]["messages"]) == code["device"] | code["floor"]
    assert set(described()["components"]["messages"]) == code["device"] | code["floor"]


@over_the_wire
async def test_every_frame_that_a_floor_takes_or_sends_is_as_described() -> None:
    """The frames are those of a served floor with every kind of device. A frame that none of them says or hears is
    missing here, and the test is red."""
    journal = _SlowJournal()
    with TemporaryDirectory() as folder:
        key = new_key(Path(folder) / "casino.key")
    async with open_table(journal, key=key) as floor, AsyncExitStack() as stack:
        wires = dict[str, Wire]()
        for device, kind in (("A1", "station"), ("hall", "display"), ("A2", "station"), ("C2", "console")):
            await floor.enrol(device, kind)
        await floor.enrol("A1-printer", "printer", "A1")
        for device in ("A1", "hall", "A2", "C2", "A1-printer"):
            wires[device] = await stack.enter_async_context(floor.connected(device))
        await _play(floor, wires["A1"], wires["hall"], wires["A2"])
        not_taken = wires["A2"].said.pop()
        await _at_the_console(floor, wires["C2"])
        await wires["A1-printer"].hello()
        await wires["A1-printer"].send(type="printed", ticket="123456789012345678")
        await wires["hall"].send(type="showing", version=0)
        await _out_of_step(floor, journal, wires["A1"])
        wires["A1 again"] = await stack.enter_async_context(floor.connected("A1"))
        await _lost(wires["A1 again"])
        await wires["A1"].frame("bye")
    heard = [frame for one in wires.values() for frame in one.heard]
    said = [frame for one in wires.values() for frame in one.said]
    code, inside = frames_in_the_code(), {frame["pending"]["type"] for frame in heard if frame.get("pending")}
    assert {frame["type"] for frame in heard} | inside == code["floor"]
    assert {frame["type"] for frame in said} == code["device"]
    checks = {name: _check(message) for name, message in described()["components"]["messages"].items()}
    for frame in (*heard, *said):
        assert [str(error) for error in checks[frame["type"]].iter_errors(frame)] == [], frame["type"]
    assert not checks["ask"].is_valid(not_taken)


@pytest.mark.parametrize("wrong", [{"type": "vouched"}, {"type": "paused", "epoch": "1"}, {"type": "bye", "why": 1}])
def test_a_frame_that_is_not_as_described_is_noticed(wrong: dict[str, Any]) -> None:
    assert not _check(described()["components"]["messages"][wrong["type"]]).is_valid(wrong)


async def _at_the_console(floor: OpenTable, console: Wire) -> None:
    """A console sees its whole view, and asks for a preview and a recall."""
    token = await floor.token("D1", "C2")
    await console.hello()
    await console.send(type="preview", n=1, command={"do": "recalculate"}, token=token)
    await console.frame("previewed")
    await console.send(type="recall", station="A1")
    await console.frame("recalled")


async def _out_of_step(floor: OpenTable, journal: _SlowJournal, station: Wire) -> None:
    """A command of another owner's time, and one that the journal keeps waiting."""
    await station.send(type="ask", epoch=station.epoch + 1, n=1, command={"do": "clear"}, coup=2)
    await station.frame("resynchronise")
    await station.hello()
    await floor.open_wagering()
    journal.goes_on.clear()
    n = await station.ask(2, do="set_wager", bet="banker", cents=2_500)
    await station.frame("paused")
    journal.goes_on.set()
    while (await station.frame("answer"))["n"] != n:
        pass


async def _lost(station: Wire) -> None:
    """A page that waits for an answer to something that never arrived."""
    welcome = await station.hello(epoch=1, pending=[0, 7])
    assert welcome["pending"]["type"] == "lost"


async def _play(floor: OpenTable, station: Wire, display: Wire, robot: Wire) -> None:
    """A coup with a wager, a refusal, a recall and a frame that is not taken."""
    await floor.console.ask(acts.BuyIn(station="A1", cents=50_000))
    await display.hello()
    await station.hello()
    await robot.hello(feed="events")
    await floor.open_wagering()
    assert "refusal" not in await station.answer(1, do="set_wager", bet="banker", cents=2_500)
    assert "refusal" in await station.answer(1, do="set_wager", bet="banker", cents=5_000_000)
    await floor.console.ask(acts.Close())
    for card in CARDS:
        await floor.console.ask(acts.Card(card=card))
    await floor.console.ask(acts.Confirm())
    while "result" not in (await station.frame("view"))["changed"]:
        pass
    while "result" not in (await display.frame("view"))["changed"]:
        pass
    await robot.frame("told")
    while not any(frame["type"] == "vouched" for frame in station.heard):
        await station.next()
    await station.send(type="recall")
    await station.frame("recalled")
    await robot.ask(1, do="no_such_verb")
    await robot.frame("trouble")


def _check(message: Any) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$ref": message["payload"]["$ref"],
            "components": described()["components"],
        }
    )


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "$ref":
                yield value
            else:
                yield from _references(value)
    elif isinstance(part, list):
        for one in part:
            yield from _references(one)
