"""A sheet of codes enrols every device of a table: each code says which one, once, and for some hours."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from sabot.client.connection import Identity
from sabot.client.desk import Desk, Enrolled
from sabot.client.key import DeviceKey
from sabot.client.outcome import CommandRefused
from sabot.client.station import Station
from sabot.house.state import DeviceKind
from sabot.table.configuration import Configuration
from sabot.web.identity.places import places_of
from sabot.web.identity.qr import qr_picture
from tests.cli.sabot import Ran, assert_one_clear_sentence, sabot
from tests.runtime.floors import table_for
from tests.served.device import EVENTS
from tests.served.floor_file import staffed_floor
from tests.served.process import get, serving
from tests.served.staff import PINS

TWO = ("--by", "TE1", "--second", "CS1")
GIVEN = f"{PINS['TE1']}\n{PINS['CS1']}\n"
STATIONS = 50


def _floor(folder: Path) -> Path:
    return staffed_floor(folder, _table(), dealer="live", staff={"desks": []})


def _table() -> Configuration:
    return table_for(stations=STATIONS)


def _codes(config: Path, *words: str, given: str = GIVEN) -> Ran:
    return sabot("staff", "codes", str(config), *words, given=given)


async def _enrol_all(url: str, codes: list[str]) -> list[tuple[DeviceKey, Enrolled]]:
    async def one(code: str) -> tuple[DeviceKey, Enrolled]:
        key = DeviceKey.make()
        return key, await Desk(url).accept(code, key)

    return list(await asyncio.gather(*map(one, codes)))


def test_fifty_stations_are_enrolled_each_by_its_code_alone(tmp_path: Path) -> None:
    config = _floor(tmp_path)
    with serving(config) as process:
        made = _codes(config, *TWO, "--json").json
        enrolled = asyncio.run(_enrol_all(process.url, [one["code"] for one in made]))
        assert [(one.device, one.kind, one.table, one.station) for _, one in enrolled] == [
            (place.device, place.kind, "T1", place.station) for place in places_of(_table())
        ]
        assert len(enrolled) == STATIONS + 2
        asyncio.run(_is_known(process.url, *enrolled[-1]))
        lines = [json.loads(line) for line in get(process.url, "/api/outbox", meters="false").text.splitlines()]
        recorded = [event for line in lines for event in line.get("events", ()) if event["event"] == "DeviceEnrolled"]
        assert len(recorded) == STATIONS + 2
        assert {(one["by"], one["second"]) for one in recorded} == {("TE1", "CS1")}
        assert {one["approval"] for one in recorded if one["station"]} == {
            one.approval for one in _table().stations.values()
        }
        assert not any(one["code"] in process.log for one in made)
        with pytest.raises(CommandRefused, match="this code is not known"):
            asyncio.run(_enrol_all(process.url, [made[0]["code"]]))
        assert_one_clear_sentence(_codes(config, *TWO))


async def _is_known(url: str, key: DeviceKey, enrolled: Enrolled) -> None:
    async with Station(url, Identity(enrolled.device, key), EVENTS) as station:
        await station.until(lambda: bool(station.mirror.phase))


def test_a_code_is_looked_up_before_it_is_used_and_withdrawn_codes_count_no_more(tmp_path: Path) -> None:
    config = _floor(tmp_path)
    with serving(config) as process:
        made = _codes(config, *TWO, "--kind", "console", "--kind", "display", "--json").json
        assert [one["kind"] for one in made] == ["console", "display"]
        for _ in range(2):
            shown = get(process.url, f"/api/invitations/{made[0]['code'].lower()}").json()
            assert shown == {"device": "T1-console", "kind": "console", "table": "T1", "station": ""}
        assert sabot("staff", "codes", str(config), "--withdraw").out == "2 codes were withdrawn\n"
        assert get(process.url, f"/api/invitations/{made[0]['code']}").status_code == 404


def test_the_sheet_has_a_card_with_code_and_picture_for_each_device_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    config, output = _floor(tmp_path), tmp_path / "codes.html"
    made = _codes(config, *TWO, "--kind", "station", "--output", str(output), "--json").json
    assert output.stat().st_mode & 0o777 == 0o600
    sheet = output.read_text(encoding="utf-8")
    assert len(re.findall("<section>", sheet)) == STATIONS
    for one in made:
        assert re.sub(r"(.{4})(?=.)", r"\1 ", one["code"]) in sheet
        assert qr_picture(one["link"]).path in sheet
    assert not re.search(r"(?:src|href)=", sheet)


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ((), ""),
        (("--by", "TE1", "--second", "TE1"), ""),
        (("--by", "D1", "--second", "CS1"), ""),
        (("--by", "CS1", "--second", "TE1"), ""),
        ((*TWO, "--table", "T9"), ""),
        ((*TWO, "--hours", "100"), ""),
        ((*TWO, "--kind", "desk"), ""),
        ((*TWO, "--output", "nowhere/codes.html"), ""),
        (TWO, "713905\n713905\n"),
    ],
)
def test_what_makes_no_codes_is_one_clear_sentence(tmp_path: Path, words: tuple[str, ...], given: str) -> None:
    assert_one_clear_sentence(_codes(_floor(tmp_path), *words, given=given))


def test_a_sheet_that_cannot_be_written_leaves_no_code_and_replaces_no_file(tmp_path: Path) -> None:
    config = _floor(tmp_path)
    before = config.read_bytes()
    assert_one_clear_sentence(_codes(config, *TWO, "--output", str(config)))
    assert config.read_bytes() == before
    assert_one_clear_sentence(_codes(config, *TWO, "--output", "/proc/codes.html"))
    assert sabot("staff", "codes", str(config), "--withdraw").out == "0 codes were withdrawn\n"


def test_a_place_brings_name_station_and_approval_from_the_table_s_file() -> None:
    kinds = (DeviceKind.STATION, DeviceKind.NOTE_ACCEPTOR, DeviceKind.PRINTER)
    places = list(places_of(_table(), kinds))
    first = places[0]
    assert (first.device, first.kind, first.station) == ("T1-A1", DeviceKind.STATION, "A1")
    assert first.approval == _table().stations["A1"].approval
    assert {one.kind for one in places} >= {DeviceKind.STATION, DeviceKind.NOTE_ACCEPTOR}
