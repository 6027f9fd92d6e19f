"""Frames are read strictly, and what is stamped has no place in them."""

from typing import get_args

import msgspec
import pytest

from sabot.basics.stamp import Stamp
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.refusal import Refused
from sabot.table.rules import RULES
from sabot.table.sessions.acts import TournamentOrder
from sabot.wire.description import description
from sabot.wire.frames import Answer, Ask, UnreadableFrame, read_device_frame, read_floor_frame, write, write_answer

FROM_DEVICES: frozenset[type[acts.Act]] = frozenset(get_args(acts.DeviceAct))
OF_THE_FLOOR: frozenset[type[acts.Act]] = frozenset(get_args(acts.FloorAct))
WAGER = '{"type":"ask","epoch":1,"n":1,"coup":3,"command":{"do":"set_wager","bet":"banker","cents":2500}}'


def test_a_wager_is_read_without_naming_the_station() -> None:
    ask = read_device_frame(WAGER)
    assert isinstance(ask, Ask)
    assert ask.act == acts.SetWager(bet=Bet("banker"), cents=2500)


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
    with pytest.raises(UnreadableFrame, match=why.replace("(", r"\(")):
        read_device_frame(frame)


def test_what_is_written_is_read_back() -> None:
    answer = Answer(epoch=2, n=7, version=40)
    assert read_floor_frame(write(answer)) == answer
    ask = read_device_frame(WAGER)
    assert read_device_frame(write(ask)) == ask


def test_a_device_may_send_every_act_but_the_floors_own() -> None:
    assert set(RULES) - OF_THE_FLOOR == FROM_DEVICES
    own = {kind.__name__ for kind in OF_THE_FLOOR - set(get_args(TournamentOrder))}
    assert own == {
        *("Configure", "Tick", "TakeUpOption", "DropSignOn", "DropEscrow", "EndDay", "Restart", "ClockJump"),
        "BringBack",
    }


def test_no_act_of_a_device_has_room_for_what_the_floor_stamps() -> None:
    """But for those whose own words they are: which program is approved, and which ticket was put in, was not printed,
    is paid by hand or is handed back."""
    named = {(kind, name) for kind in FROM_DEVICES for name in kind.__struct_fields__}
    own: set[tuple[type[acts.Act], str]] = {
        (acts.ApproveBuild, "build"),
        (acts.InsertTicket, "ticket"),
        (acts.PrintFailed, "ticket"),
        (acts.ManualPay, "ticket"),
        (acts.HandBack, "ticket"),
    }
    assert {(kind, name) for kind, name in named if name in Stamp.__struct_fields__} == own


def test_the_description_covers_every_frame_and_names_no_stamped_field_of_an_act() -> None:
    schema = description()
    heard = schema["properties"]["heard"]["discriminator"]["mapping"]
    said = schema["properties"]["said"]["discriminator"]["mapping"]
    assert set(heard) == {"prove", "hello", "ask", "printed", "recall", "preview", "showing"}
    assert {"challenge", "ready", "welcome", "view", "told", "answer", "bye"} <= set(said)
    assert msgspec.json.encode(schema)


@pytest.mark.parametrize("refusal", [None, Refused("busy", "", "too many acts wait at this table; nothing was done")])
def test_an_answer_under_another_version_is_written_like_any_frame(refusal: Refused | None) -> None:
    answer = Answer(epoch=3, n=17, version=40_000, refusal=refusal)
    assert write_answer(answer, 12) == write(msgspec.structs.replace(answer, version=12))
