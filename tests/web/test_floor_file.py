"""A floor's file: what is good, and what is refused with its place."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from sabot.basics.mistake import Mistake
from sabot.web.serving.floor_file import address_of, read_floor, read_floor_file, read_secret
from sabot.web.serving.toml_text import toml_text
from tests.runtime.floors import table_for
from tests.served.floor_file import write_floor

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
TABLE = {"file": "T1.toml"}
CREW = {"dealer": "D1", "game_supervisor": "GS1", "casino_supervisor": "CS1"}


def _table(**change: Any) -> dict[str, Any]:
    return {"tables": [{"configuration": {**msgspec.to_builtins(table_for(), enc_hook=str), **change}}]}


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown key": ({"colour": "red"}, "colour"),
    "an unknown key in a part": ({"journal": {"plaice": "x"}}, "journal"),
    "an unknown limit": ({"limits": {"frames": 3}}, "limits"),
    "no floor's name": ({"floor": ""}, "floor"),
    "no tables": ({"tables": []}, "tables"),
    "a table that is not there": ({"tables": [{"file": "T9.toml"}]}, "T9.toml cannot be read"),
    "a table twice": ({"tables": [TABLE, TABLE]}, "tables[1]: there is a table T1 already"),
    "a table without a configuration": ({"tables": [{"dealer": "live"}]}, "tables[0]: give the table's file"),
    "a crew of strangers": (
        {"tables": [{**TABLE, "dealer": "virtual", "crew": {**CREW, "dealer": "X1"}}]},
        "tables[0].crew.dealer: X1 is no dealer",
    ),
    "a crew of unknown rank": ({"tables": [{**TABLE, "crew": {**CREW, "cook": "Z"}}]}, "crew"),
    "a password in the address": (
        {"journal": {"place": "postgresql://pit:hush@db/sabot"}},
        "journal.place: a password",
    ),
    "a password for a file": ({"journal": {"place": "x.journal", "password_file": "p"}}, "journal.password_file"),
    "secrets of one's own beside a shared journal": (
        {"journal": {"place": "postgresql://pit@db/sabot"}},
        "secrets.place",
    ),
    "a server of another kind": (
        {"journal": {"place": "mysql://db/sabot"}},
        "journal.place: mysql://db/sabot is no path",
    ),
    "an address that is none": ({"address": "floor-1"}, "address: floor-1"),
    "a pace below nothing": ({"tables": [{**TABLE, "pace": -1.0}]}, "pace"),
    "a log that shouts": ({"log": {"level": "shout"}}, "log.level: 'shout' is none of debug, error, info, warning"),
    "a table of an unknown zone": (_table(time_zone="Melbourne"), "'Melbourne' is not a time zone"),
    "a table with a cook": (_table(staff={"D1": ["cook"]}), "tables[0].configuration: staff.D1[0]: 'cook' is none of "),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_refused_with_its_place(case: str, tmp_path: Path) -> None:
    change, sign = WRONG[case]
    with pytest.raises(Mistake) as refused:
        read_floor_file(write_floor(tmp_path, **change))
    assert sign in str(refused.value)
    assert "hush" not in str(refused.value)


def test_paths_are_taken_from_the_file_s_own_folder(tmp_path: Path) -> None:
    file = read_floor_file(write_floor(tmp_path)).file
    assert file.journal.place == str(tmp_path / "floor.journal")
    assert file.secrets.place == str(tmp_path / "floor.vault")
    assert file.monitoring.token_file == str(tmp_path / "monitoring.token")


def test_a_table_may_stand_in_the_file_itself(tmp_path: Path) -> None:
    configuration = msgspec.to_builtins(table_for(), enc_hook=str)
    text = toml_text({"floor": "Tests", "tables": [{"configuration": configuration}]})
    floor = read_floor(text.encode(), tmp_path, "floor.toml")
    assert floor.tables[0].configuration == table_for()
    assert not floor.is_shared


def test_a_password_reaches_the_driver_alone_and_a_readable_one_is_refused(tmp_path: Path) -> None:
    server = {"place": "postgresql://pit@db/sabot", "password_file": "password"}
    (tmp_path / "password").write_text("hush/hush\n")
    (tmp_path / "password").chmod(0o600)
    floor = read_floor_file(write_floor(tmp_path, journal=server, secrets=server))
    assert floor.is_shared
    assert "hush" not in repr(floor)
    assert address_of(floor.file.journal) == "postgresql://pit:hush%2Fhush@db/sabot"
    (tmp_path / "password").chmod(0o640)
    with pytest.raises(Mistake, match="can be read by others"):
        read_secret(floor.file.journal.password_file, "the password file")


@pytest.mark.parametrize("example", sorted(path.name for path in DEPLOY.glob("*.toml")))
def test_the_examples_that_come_with_the_program_are_good(example: str) -> None:
    assert read_floor_file(DEPLOY / example).tables
