"""`sabot serve --init` makes a floor that the command it prints serves, and `--check` names what is left to do."""

import os
import re
import shlex
import shutil
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sabot.cli.new_floor import put_in
from sabot.web.serving.findings import findings
from sabot.web.serving.floor_file import read_floor_file
from tests.cli.sabot import assert_one_clear_sentence, sabot
from tests.served.process import free_port, get, serving


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new floor's folder; tests that change something copy it first."""
    folder = tmp_path_factory.mktemp("new") / "floor"
    ran = sabot("serve", "--init", str(folder), "--port", str(free_port()), "--tables", "2", "--stations", "50")
    assert ran.code == 0, ran.error
    assert ran.error == ""
    command = shlex.split(ran.out.splitlines()[-1])
    assert command[-3:] == ["serve", "--config", str(folder / "sabot.toml")]
    assert Path(command[0]).name == "sabot"
    return folder


def test_the_command_that_it_prints_serves_signed_and_without_an_alarm(floor: Path) -> None:
    with serving(floor / "sabot.toml") as process:
        ready = get(process.url, "/readyz").json()
        assert (ready["ready"], ready["signed"], ready["trouble"]) == (True, True, None)
        assert set(ready["tables"]) == {"T1", "T2"}
        assert '"alarm"' not in process.log
        assert process.stop() == 0
    keys = ("--keys", str(floor / "signing.key.ring"), "--anchor", str(floor / "floor.anchor"))
    verified = sabot("journal", "verify", str(floor / "floor.journal"), *keys, "--json")
    assert (verified.code, verified.json["standing"]) == (0, "proved")


def test_nothing_in_it_is_open_to_other_users_and_no_pin_is_printed(floor: Path) -> None:
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (floor, *floor.rglob("*"))}
    assert {name: oct(mode) for name, mode in modes.items() if mode & 0o077} == {}
    pins = dict(line.split() for line in (floor / "first-pins.txt").read_text().splitlines())
    assert set(pins) == {"CS1", "TE1"}
    approved = ("--by", "CS1", "--second", "TE1", "--approval", "7")
    given = f"{pins['CS1']}\n{pins['TE1']}\n"
    assert sabot("staff", "invite", "desk", "--store", str(floor / "floor.vault"), *approved, given=given).code == 0


def test_a_folder_that_is_not_empty_and_a_port_that_is_taken_are_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("mine")
    assert_one_clear_sentence(sabot("serve", "--init", str(tmp_path)))
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    new = tmp_path / "new"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = sabot("serve", "--init", str(new), "--port", str(taken.getsockname()[1]))
    assert_one_clear_sentence(ran)
    assert "is taken" in ran.error
    assert not new.exists()
    assert_one_clear_sentence(sabot("serve", "--init", str(new), "--config", "sabot.toml"))
    assert_one_clear_sentence(sabot("serve"))


@pytest.mark.parametrize(
    "words",
    [
        ("--name", "http://floor.example"),
        ("--name", "floor.example:8443"),
        ("--name", "two words"),
        ("--floor", ""),
        ("--floor", "two\nlines"),
        ("--casino", "x" * 81),
    ],
)
def test_words_that_no_floor_can_have_are_refused_and_the_folder_is_left_as_it_was(
    words: tuple[str, str], tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    ran = sabot("serve", "--init", str(tmp_path), "--port", str(free_port()), *words)
    assert_one_clear_sentence(ran)
    assert "regex" not in ran.error
    assert list(tmp_path.iterdir()) == []
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def _edit(**values: Any) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        file = folder / "sabot.toml"
        file.write_text(put_in(file.read_text(), {key.replace("__", "."): value for key, value in values.items()}))

    return edit


def _delete(*names: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return edit


def _mode(name: str, mode: int) -> Callable[[Path], None]:
    return lambda folder: (folder / name).chmod(mode)


OPEN = {"listen__host": "0.0.0.0", "listen__names": ["floor.example"]}  # noqa: S104  Nothing listens there.
FOUND: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "unsigned": (_edit(journal__unsigned=True), "critical", "journal.unsigned"),
    "without its key": (_delete("signing.key", "signing.key.ring"), "critical", "journal.signing_key"),
    "unanchored": (_delete("floor.anchor"), "critical", "journal.anchor"),
    "open without TLS": (_edit(**OPEN, listen__plain=True), "critical", "listen.plain"),
    "with a trial certificate": (_edit(**OPEN, listen__trial_folder="tls"), "warning", "listen.trial_folder"),
    "with a desk that needs no key": (_edit(staff__desks=["10.0.0.0/8"]), "warning", "staff.desks"),
    "without a token beyond this machine": (
        _edit(**OPEN, listen__trial_folder="tls", monitoring__token_file=""),
        "note",
        "monitoring.token_file",
    ),
    "with a journal that others read": (_mode("floor.journal", 0o644), "critical", "journal.place"),
    "with a vault that others read": (_mode("floor.vault", 0o640), "critical", "secrets.place"),
    "with a file that others change": (_mode("sabot.toml", 0o622), "critical", "the floor's file"),
    "with a table that others change": (_mode("tables/T1.toml", 0o666), "critical", "tables[0].file"),
    "with doors unlike the example": (_edit(door__connections=99), "note", "door.connections"),
    "that never rotates": (_edit(journal__rotate="never"), "note", "journal.rotate"),
    "without its vault": (_delete("floor.vault"), "critical", "secrets.place"),
    "with an empty vault": (lambda folder: os.truncate(folder / "floor.vault", 0), "critical", "secrets.place"),
    "with origins": (_edit(origins=["https://signage.example"]), "note", "origins"),
}


@pytest.mark.parametrize("case", FOUND)
def test_a_check_names_what_is_not_as_it_should_be_with_its_key(case: str, floor: Path, tmp_path: Path) -> None:
    folder = _copy(floor, tmp_path)
    change, level, key = FOUND[case]
    change(folder)
    config = folder / "sabot.toml"
    (found,) = [one for one in findings(read_floor_file(config), config) if (one.level, one.key) == (level, key)]
    assert found.what
    assert found.do


def test_a_check_of_a_new_floor_names_what_init_leaves_to_people_and_is_good_once_that_is_done(
    floor: Path, tmp_path: Path
) -> None:
    folder = _copy(floor, tmp_path)
    config = str(folder / "sabot.toml")
    ran = sabot("serve", "--config", config, "--check", "--json")
    assert {one["key"] for one in ran.json["findings"] if one["level"] != "note"} == {
        "first-pins.txt",
        "T1: approval",
        "T2: approval",
    }
    assert (ran.json["good"], [one["stations"] for one in ran.json["tables"]]) == (False, [50, 50])
    (folder / "first-pins.txt").unlink()
    for table in (folder / "tables").iterdir():
        table.write_text(table.read_text().replace('"trial"', '"VGCCC-77"'))
    ran = sabot("serve", "--config", config, "--check")
    assert ran.out.splitlines()[-1] == "the file is good"


@pytest.mark.parametrize("name", ["floor.vault", "floor.anchor", "floor.journal", "draws.key", "signing.key"])
def test_a_check_finds_what_a_start_could_not_open_and_changes_nothing(name: str, floor: Path, tmp_path: Path) -> None:
    folder = _copy(floor, tmp_path)
    (folder / name).write_bytes(b"damaged")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    ran = sabot("serve", "--config", str(folder / "sabot.toml"), "--check")
    assert_one_clear_sentence(ran)
    assert name in ran.error
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_a_check_knows_that_a_journal_is_lost_or_shorter_than_its_anchor(floor: Path, tmp_path: Path) -> None:
    folder = _copy(floor, tmp_path)
    config = str(folder / "sabot.toml")
    anchor = folder / "floor.anchor"
    anchor.write_text(re.sub(r'("version": )\d+', r"\g<1>99", anchor.read_text()))
    shorter = sabot("serve", "--config", config, "--check")
    assert_one_clear_sentence(shorter)
    assert "record 99" in shorter.error
    shutil.copy(floor / "floor.anchor", anchor)
    anchor.write_text(re.sub(r'("commits": )\d+', r"\g<1>999", anchor.read_text()))
    ahead = sabot("serve", "--config", config, "--check")
    assert_one_clear_sentence(ahead)
    assert "leases or snapshots that the anchor knows of are lost" in ahead.error
    shutil.copy(floor / "floor.anchor", anchor)
    (folder / "floor.journal").unlink()
    lost = sabot("serve", "--config", config, "--check")
    assert_one_clear_sentence(lost)
    assert "its anchor knows of records" in lost.error


def test_a_key_that_is_lost_while_its_ring_is_there_is_told_by_a_check_and_by_a_start(
    floor: Path, tmp_path: Path
) -> None:
    folder = _copy(floor, tmp_path)
    (folder / "signing.key").unlink()
    for words in (("--check",), ()):
        ran = sabot("serve", "--config", str(folder / "sabot.toml"), *words)
        assert ran.code == 2
        assert "bring the copy of the key back" in ran.error


def _copy(floor: Path, to: Path) -> Path:
    """What a check reads: the keys' contents alone must be the same."""
    made = to / "floor"
    for path in sorted(floor.rglob("*")):
        there = made / path.relative_to(floor)
        if path.is_dir():
            there.mkdir(parents=True, mode=0o700)
        elif path.is_file():
            there.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            there.write_bytes(path.read_bytes())
            there.chmod(0o600)
    return made
