"""Frames are read strictly, and what is stamped has no place in them."""

import msgspec
import pytest

from sabot.table import acts as commands
from sabot.table.decide import RULES
from sabot.wire.description import description
from sabot.wire.frames import Answer, Ask, Unreadable, read_heard, read_said, write
from sabot.wire.spoken import OF_THE_FLOOR, STAMPED, TABLE_KINDS, fields_of

WAGER = '{"type":"ask","epoch":1,"n":1,"coup":3,"command":{"do":"set_wager","bet":"banker","cents":2500}}'


def test_a_wager_is_read_without_naming_the_station() -> None:
    ask = read_heard(WAGER)
    assert isinstance(ask, Ask)
    assert fields_of(ask.command) == {"bet": "banker", "cents": 2500}


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (WAGER.replace("2500", "2500.5"), "Expected `int`"),
        (WAGER.replace("2500", '"2500"'), "Expected `int`"),
        (WAGER.replace('"n":1', '"n":0'), ">= 1"),
        (WAGER.replace('"bet"', '"by":"D1","bet"'), "unknown field `by`"),
        (WAGER.replace("set_wager", "tick"), "Invalid value 'tick'"),
        (WAGER.replace("set_wager", "configure"), "Invalid value 'configure'"),
        (WAGER.replace('"ask"', '"answer"'), "Invalid value 'answer'"),
        ('{"type":"hello","admin":true}', "unknown field `admin`"),
        ("[]", "Expected `object`"),
        ("{", "it is not JSON"),
        (b"\xff\xfe", "it is not JSON"),
        ('{"type":"prove","device":"' + "x" * 300 + '","signature":""}', "length <= 200"),
    ],
)
def test_a_frame_that_is_not_one_is_refused_with_its_place(frame: str | bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why.replace("(", r"\(")):
        read_heard(frame)


def test_what_is_written_is_read_back() -> None:
    answer = Answer(epoch=2, n=7, version=40)
    assert read_said(write(answer)) == answer
    ask = read_heard(WAGER)
    assert read_heard(write(ask)) == ask


def test_every_command_of_a_device_is_spoken_and_none_of_the_floors_own() -> None:
    assert set(TABLE_KINDS.values()) == set(RULES) - OF_THE_FLOOR


def test_no_spoken_command_has_room_for_what_the_floor_stamps() -> None:
    """But for two whose own words they are: which program is approved, and from where a wager is moved."""
    named = {(kind, name) for spoken, kind in TABLE_KINDS.items() for name in spoken.__struct_fields__}
    assert {(kind, name) for kind, name in named if name in STAMPED} == {
        (commands.ApproveBuild, "build"),
        (commands.MoveWager, "source"),
    }


def test_the_description_covers_every_frame_and_names_no_stamped_field_of_a_command() -> None:
    schema = description()
    heard = schema["properties"]["heard"]["discriminator"]["mapping"]
    said = schema["properties"]["said"]["discriminator"]["mapping"]
    assert set(heard) == {"prove", "hello", "ask", "printed", "recall", "showing"}
    assert {"challenge", "ready", "welcome", "view", "told", "answer", "bye"} <= set(said)
    assert msgspec.json.encode(schema)
