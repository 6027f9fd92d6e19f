"""A floor is signed and anchored unless it is told otherwise, and says so everywhere when it is not."""

import asyncio
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from sabot.basics.mistake import Mistake
from sabot.basics.stamp import operator_stamp
from sabot.house.acts import ConfigureHouse
from sabot.web.serving.floor_file import read_floor_file
from sabot.web.serving.process import opened, system_ms
from tests.cli.sabot import sabot
from tests.runtime.floors import until
from tests.served.floor_file import write_floor
from tests.served.process import get, serving

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def _commands() -> list[list[str]]:
    """What docs/serve.md has a reader type who writes the files."""
    text = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
    block = re.search(r"```console\n(sabot staff set-pin.*?)```", text, re.DOTALL)
    assert block is not None
    return [line.partition("#")[0].split() for line in block[1].splitlines()]


@pytest.mark.usefixtures("usual_umask")
def test_who_follows_the_document_word_by_word_gets_a_floor_that_is_proved(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "deploy" / "tables", tmp_path / "tables")
    config = (ROOT / "deploy" / "sabot.toml").read_text(encoding="utf-8")
    (tmp_path / "sabot.toml").write_text(config.replace("port = 8080", "port = 0"), encoding="utf-8")
    given = set(tmp_path.rglob("*"))
    served = False
    for words in _commands():
        assert words[0] == "sabot"
        if words[1:] == ["serve", "--config", "sabot.toml"]:
            served = True
            with serving(tmp_path / "sabot.toml") as process:
                ready = get(process.url, "/readyz").json()
                assert (ready["signed"], ready["trouble"]) == (True, None)
                assert process.stop() == 0
            assert "a signing key is made: keep a copy of" in process.log
        else:
            ran = sabot(*words[1:], given="493817\n" * 2, cwd=tmp_path)
            assert ran.code == 0, (words, ran.error)
            if not served and "--check" in words:
                assert "signing.key, which is made at the first start; anchored in " in ran.out
    assert served
    verify = ("journal", "verify", "floor.journal", "--keys", "signing.key.ring", "--anchor", "floor.anchor", "--json")
    verdict = sabot(*verify, cwd=tmp_path).json
    assert (verdict["standing"], verdict["unsigned"], verdict["problems"]) == ("proved", [], [])
    assert {one["stream"] for one in verdict["streams"]} >= {"house", "keys"}
    made = {path: path.stat().st_mode & 0o077 for path in tmp_path.rglob("*") if path not in given}
    assert made
    assert not any(made.values()), {str(path): oct(mode) for path, mode in made.items() if mode}


def test_a_floor_that_is_told_to_sign_nothing_says_so_everywhere(tmp_path: Path) -> None:
    config = write_floor(tmp_path, journal={"unsigned": True})
    assert "nothing is signed" in sabot("serve", "--config", str(config), "--check").out
    with serving(config) as process:
        ready = get(process.url, "/readyz").json()
        assert (ready["ready"], ready["signed"]) == (True, False)
        assert "nothing is signed" in ready["trouble"]
        assert json.loads(get(process.url, "/api/outbox").text.splitlines()[-1])["signed"] is False
        assert "\nsabot_signs 0.0\n" in get(process.url, "/metrics").text
        assert process.stop() == 0
    assert "nothing is signed" in process.log
    place, ring = str(tmp_path / "floor.journal"), str(tmp_path / "some.key.ring")
    assert "nobody has signed the records of table/T1" in sabot("journal", "stats", place).out
    sabot("keys", "new", str(tmp_path / "some.key"))
    verified = sabot("journal", "verify", place, "--keys", ring, "--json")
    assert (verified.code, verified.json["standing"]) == (1, "not_proved")


def test_a_file_that_says_nothing_of_it_is_of_a_floor_that_is_signed_and_anchored(tmp_path: Path) -> None:
    part = read_floor_file(write_floor(tmp_path)).file.journal
    assert (part.unsigned, part.signing_key) == (False, f"{tmp_path}/signing.key")
    assert part.anchor == f"{tmp_path}/floor.anchor"


@pytest.mark.parametrize("name", ["signing_key", "anchor"])
def test_a_floor_without_key_or_anchor_is_not_started_unless_told_so(tmp_path: Path, name: str) -> None:
    with pytest.raises(Mistake, match=rf"journal.{name}: a floor is signed and anchored; .* unsigned = true"):
        read_floor_file(write_floor(tmp_path, journal={name: ""}))
    assert read_floor_file(write_floor(tmp_path, journal={name: "", "unsigned": True})).file.journal.unsigned


def test_a_floor_whose_key_was_replaced_by_another_serves_nothing(tmp_path: Path) -> None:
    config = write_floor(tmp_path)
    _serve_once(config)
    for path in tmp_path.glob("signing.key*"):
        path.unlink()
    with pytest.raises(Mistake, match=r"nothing is served: the ring on record, .* does not know key"):
        _serve_once(config)


def test_signatures_and_an_anchor_that_were_removed_are_an_alarm_at_the_next_start(tmp_path: Path) -> None:
    """What is signed next vouches for the records before it, too; somebody must know that they were not signed."""
    config = write_floor(tmp_path, dealer="live")
    assert _serve_once(config) == []
    assert _serve_once(config, later_ms=600_000) == []
    with closing(apsw.Connection(str(tmp_path / "floor.journal"))) as db:
        [(guard,)] = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'checkpoint_no_delete'").fetchall()
        db.execute("DROP TRIGGER checkpoint_no_delete")
        db.execute("DELETE FROM checkpoint WHERE stream = 'house'")
        db.execute(str(guard))
    (tmp_path / "floor.anchor").unlink()
    alarms = _serve_once(config, later_ms=600_000)
    assert len(alarms) == 2, alarms
    assert re.fullmatch(r"the last [0-9]+ records of house, 6[0-9]{2} s of them, were not signed", alarms[0])
    assert f"the anchor {tmp_path}/floor.anchor is missing" in alarms[1]
    assert _serve_once(config, later_ms=600_000) == []


def _serve_once(config: Path, later_ms: int = 0) -> list[str]:
    """Start and stop in order, by a clock that is so much ahead; gives the alarms."""

    async def scene() -> list[str]:
        wall_ms = lambda: system_ms() + later_ms  # noqa: E731
        async with opened(read_floor_file(config), "a build", "http://east", wall_ms) as premises:
            await until(lambda: premises.floor.is_ready)
            await premises.floor.house.ask(ConfigureHouse(ticket_validity_days=later_ms), operator_stamp())
            return [text for _, _, text in premises.floor.alarms]

    return asyncio.run(scene())
