"""`/asyncapi.json` is valid AsyncAPI, and the frames of a real session are as it says."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec

from sabot.table import acts
from sabot.wire.asyncapi import asyncapi
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


class _Recorder(Wire):
    """A device that keeps what it says, too."""

    def __init__(self, wire: Wire) -> None:
        super().__init__(wire.socket, wire.device)
        self.heard, self.said = wire.heard, list[dict[str, Any]]()

    async def send(self, **frame: Any) -> None:
        self.said.append(frame)
        await super().send(**frame)


@over_the_wire
async def test_the_frames_of_a_session_are_as_described() -> None:
    async with open_table() as floor:
        for device, kind in (("A1", "station"), ("hall", "display"), ("A2", "station")):
            await floor.enrol(device, kind)
        async with floor.connected("A1") as a, floor.connected("hall") as b, floor.connected("A2") as c:
            station, display, robot = map(_Recorder, (a, b, c))
            await _play(floor, station, display, robot)
    not_taken = robot.said.pop()
    heard = [frame for one in (station, display, robot) for frame in one.heard]
    said = [frame for one in (station, display, robot) for frame in one.said]
    told = {frame["type"] for frame in heard}
    assert told >= {"challenge", "ready", "welcome", "answer", "told", "view", "recalled", "trouble"}
    checks = {name: _check(message) for name, message in described()["components"]["messages"].items()}
    for frame in (*heard, *said):
        assert [str(error) for error in checks[frame["type"]].iter_errors(frame)] == []
    assert not checks["ask"].is_valid(not_taken)


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
