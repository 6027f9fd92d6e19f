"""The floor's desk over HTTP: staff sign on, and a device is enrolled by invitation or by its code."""

import asyncio

import pytest

from sabot.client.connection import Identity
from sabot.client.desk import Desk
from sabot.client.key import DeviceKey
from sabot.client.outcome import CommandRefused
from sabot.client.station import Station
from sabot.house.state import DeviceKind
from sabot.web.identity.enrolments import Granted
from tests.served.device import EVENTS
from tests.served.open_table import open_table, over_the_wire
from tests.served.staff import PINS, SUPERVISORS

GRANTED = Granted(device="A1", table="T1", approval="ATS-2026-1")


@over_the_wire
async def test_staff_sign_on_and_off_and_a_wrong_pin_is_refused_with_its_clause() -> None:
    async with open_table() as floor:
        desk = Desk(floor.url)
        with pytest.raises(CommandRefused) as refused:
            await desk.sign_on("GS1", "000000")
        assert refused.value.clause == "G-118"
        signed_on = await desk.sign_on("GS1", PINS["GS1"])
        assert "game_supervisor" in signed_on.roles
        assert (await desk.approve(signed_on.token, "CS1", PINS["CS1"], "enrol")).token
        await desk.sign_off(signed_on.token)
        with pytest.raises(CommandRefused):
            await desk.approve(signed_on.token, "CS1", PINS["CS1"], "enrol")


@over_the_wire
async def test_a_device_is_enrolled_at_once_by_an_invitation_which_is_good_once() -> None:
    async with open_table() as floor:
        code = await floor.identities.enrolments.invite(DeviceKind.STATION, GRANTED, SUPERVISORS)
        desk, key = Desk(floor.url), DeviceKey.make()
        enrolled = await desk.accept(code, key)
        assert (enrolled.device, enrolled.table) == ("A1", "T1")
        async with Station(floor.url, Identity(enrolled.device, key), EVENTS) as station:
            assert station.name == "A1"
        with pytest.raises(CommandRefused, match="this code is not known"):
            await desk.accept(code, DeviceKey.make())


@over_the_wire
async def test_a_device_that_shows_its_code_is_enrolled_when_two_persons_have_read_it() -> None:
    async with open_table() as floor:
        desk, key = Desk(floor.url), DeviceKey.make()
        asked = await desk.ask_to_enrol(DeviceKind.STATION, key)
        waiting = asyncio.create_task(desk.until_enrolled(asked.id, every_s=0.01))
        await floor.identities.enrolments.grant(asked.id, asked.code, GRANTED, SUPERVISORS)
        device = await waiting
        async with Station(floor.url, Identity(device, key), EVENTS) as station:
            assert station.in_touch


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="no address"):
        Desk("floor.example")
