"""A served floor says which edits of its files take effect when, and applies what is lawful at a start and by order."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sabot.floor.table_edits import TableEdit
from sabot.web.serving.file_edits import floor_edits
from sabot.web.serving.floor_file import FloorFile, read_floor_file
from tests.cli.sabot import Ran, assert_one_clear_sentence, sabot
from tests.runtime.floors import table_for
from tests.served.floor_file import staffed_floor, write_floor
from tests.served.process import Process, get, serving, until_said

TOOK_EFFECT, WAITS = "an edit of the table's file takes effect", "an edit of the table's file waits"


def _edit(folder: Path, pattern: str, written: str) -> None:
    file = folder / "T1.toml"
    text, count = re.subn(pattern, written, file.read_text(), count=1)
    assert count, pattern
    file.write_text(text)


def _events(process: Process, *kinds: str) -> list[dict[str, Any]]:
    lines = map(json.loads, get(process.url, "/api/outbox", meters="false").text.splitlines())
    return [event for line in lines for event in line.get("events", ()) if event["event"] in kinds]


def test_edits_are_told_before_a_start_applied_at_it_and_by_order_while_the_floor_runs(tmp_path: Path) -> None:
    config = staffed_floor(tmp_path, table_for(), dealer="live", staff={"desks": []})
    with serving(config) as process:
        assert process.stop() == 0
    _edit(tmp_path, r'"D1" = \["dealer"\]', '"D1" = ["dealer"], "D9" = ["dealer"]')
    _edit(tmp_path, r'"options" = \{[^}]*\}|\Z', '\n"options" = {"dragon_bonus" = 2}\n')
    told = _check(config).json["edits"]["T1"]
    assert {edit["key"]: edit["when"] for edit in told} == {"staff": "now", "options": "not by this file"}
    with serving(config) as process:
        until_said(process, TOOK_EFFECT)
        until_said(process, WAITS)
        assert '"key": "options"' in process.log
        (appointed,) = [one for one in _events(process, "PersonAppointed") if one["person"] == "D9"]
        assert (appointed["roles"], appointed["by"]) == (["dealer"], "operator")
        assert len(_events(process, "Configured")) == 2

        _edit(tmp_path, r', "D9" = \["dealer"\]', "")
        _edit(tmp_path, r'"wagering_period_ms" = \d+', '"wagering_period_ms" = 41000')
        config.write_text(config.read_text().replace('"floor" = "Tests"', '"floor" = "Tests"\n"casino" = "Gold"'))
        applied = sabot("serve", "apply", str(config))
        assert applied.code == 1, applied.error  # The option is not for a file.
        assert "T1: wagering_period_ms is 41000, and was 200: in effect from now on" in applied.out
        assert 'Tests: casino is "Gold", and was "": at the next start' in applied.out
        assert [one["person"] for one in _events(process, "PersonDismissed")] == ["D9"]
        again = sabot("serve", "apply", str(config), "--json").json
        assert [edit["key"] for edit in again["T1"]] == ["options"]
        assert process.stop() == 0
    assert [edit["key"] for edit in _check(config).json["edits"]["T1"]] == ["options"]


def test_an_order_to_a_floor_that_does_not_run_is_one_sentence(tmp_path: Path) -> None:
    assert_one_clear_sentence(sabot("serve", "apply", str(staffed_floor(tmp_path))))


def _check(config: Path) -> Ran:
    ran = sabot("serve", "--config", str(config), "--check", "--json")
    assert ran.code == 0, ran.error
    return ran


KEYS = [
    f"{name}.{key}" if isinstance(part, msgspec.Struct) else name
    for name in FloorFile.__struct_fields__
    for part in [getattr(FloorFile(floor="x", tables=()), name)]
    for key in (part.__struct_fields__ if isinstance(part, msgspec.Struct) else [""])
]


@pytest.mark.parametrize("key", KEYS)
def test_every_key_of_the_floor_s_file_counts_from_the_next_start_but_its_name(key: str, tmp_path: Path) -> None:
    present = read_floor_file(write_floor(tmp_path)).file
    part, _, name = key.partition(".")
    value = getattr(present, part)
    changed = msgspec.structs.replace(value, **{name: _other(getattr(value, name))}) if name else _other(value)
    (edit,) = floor_edits(present, msgspec.structs.replace(present, **{part: changed}))
    assert isinstance(edit, TableEdit)
    assert (edit.key, edit.when) == (key, "not by this file" if key == "floor" else "at the next start")
    assert edit.why


def _other(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case tuple():
            return (*value, *(value[:1] or ("x",)))
    return f"{value}x"
