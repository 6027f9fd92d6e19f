"""A journal is rotated, proved part by part, backed up and read with its parts away, as a user does it."""

from pathlib import Path

import pytest

from tests.cli.sabot import Ran, assert_one_clear_sentence, sabot
from tests.cli.test_journal import COUP, OPENING
from tests.journal.parted import part

ANOTHER = COUP.partition("\n")[2]


@pytest.fixture(scope="module")
def rotated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a signed and anchored journal of two parts, a coup in each."""
    folder = tmp_path_factory.mktemp("rotated")
    sabot("keys", "new", str(folder / "casino.key"))
    _play(folder, OPENING + COUP)
    assert _rotate(folder).code == 0
    _play(folder, ANOTHER)
    return folder


def _play(folder: Path, script: str) -> None:
    place = ("--journal", str(folder / "night.journal"), "--key", str(folder / "casino.key"))
    ran = sabot("table", *place, "--anchor", str(folder / "night.anchor"), given=script)
    assert (ran.code, ran.error) == (0, "")


def _rotate(folder: Path) -> Ran:
    place = str(folder / "night.journal")
    return sabot("journal", "rotate", place, "--key", f"{folder}/casino.key", "--anchor", f"{folder}/night.anchor")


def _verified(place: Path, keys: Path) -> Ran:
    return sabot("journal", "verify", str(place), "--keys", str(keys), "--json")


def test_a_rotated_journal_is_proved_together_and_a_part_alone(rotated: Path) -> None:
    path, keys = rotated / "night.journal", rotated / "casino.key.ring"
    together, alone = _verified(path, keys), _verified(part(path, 1), keys)
    assert [(ran.code, ran.json["standing"]) for ran in (together, alone)] == [(0, "proved")] * 2
    assert [one["part"] for one in together.json["parts"]] == ["night.journal.part0001", "night.journal"]
    assert [one["part"] for one in alone.json["parts"]] == ["night.journal.part0001"]


def test_a_backup_has_the_parts_and_goes_on_without_the_old_ones(rotated: Path, tmp_path: Path) -> None:
    path, keys, backup = rotated / "night.journal", rotated / "casino.key.ring", tmp_path / "night.journal"
    assert sabot("journal", "backup", str(path), str(backup)).code == 0
    assert part(backup, 1).read_bytes() == part(path, 1).read_bytes()
    assert _verified(backup, keys).json["standing"] == "proved"
    part(backup, 1).unlink()
    again = tmp_path / "again.journal"
    assert sabot("journal", "restore", str(backup), str(again)).code == 0
    found = _verified(again, keys)
    assert (found.code, found.json["standing"], found.json["problems"]) == (1, "not_proved", [])
    assert found.json["unsigned"] == [
        "part 1 is not here: the proof begins with the states with which again.journal opens"
    ]


def test_a_journal_that_cannot_be_rotated_is_left_alone_with_one_sentence(rotated: Path, tmp_path: Path) -> None:
    path = str(rotated / "night.journal")
    for words, says in (
        ((path,), "give the journal's signing key with --key"),
        ((str(tmp_path / "none"), "--key", f"{rotated}/casino.key"), "there is no journal at"),
        (("postgresql://nobody@127.0.0.1:1/none", "--key", f"{rotated}/casino.key"), "cannot be reached"),
        ((str(part(rotated / "night.journal", 1)), "--key", f"{rotated}/casino.key"), "is a sealed part"),
    ):
        ran = sabot("journal", "rotate", *words)
        assert_one_clear_sentence(ran)
        assert says in ran.error
