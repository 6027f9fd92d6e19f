"""`sabot fair`, and the files of shoes that are not yet in play: real files, a real journal, real processes."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sabot.basics.mistake import Mistake
from sabot.floor.lines.table import LineFloor
from sabot.floor.virtual.dealer import FetchShoe, LostShoe
from sabot.floor.virtual.play import play
from sabot.floor.virtual.robots import Robot
from sabot.floor.virtual.shoe import VirtualShoe
from sabot.runtime.shoe_files import ShoeFiles
from sabot.table.fixtures import fixture
from tests.cli.sabot import Ran, assert_one_clear_sentence, sabot
from tests.floor.virtual_play import AT_ONCE, CREW, entropy


def _night(files: ShoeFiles) -> str:
    """The lines of one whole shoe and the first coups of the next, dealt from files."""
    table = LineFloor().enter(fixture("crown"))
    before: list[dict[str, Any]] = [
        {"do": "sign_on", "by": "D1"},
        {"do": "open_table", "by": "D1"},
        *({"do": "buy_in", "by": "D1", "station": station, "cents": 500_000} for station in ("A1", "A2")),
    ]
    for line in before:
        assert table.answer(line).ok
    lines = [*before]

    def fetch(wanted: FetchShoe) -> VirtualShoe | LostShoe:
        return files.new("T1", wanted.number, 8, entropy(wanted.number))

    for _ in play(table, CREW, AT_ONCE, [Robot("A1", "banker", 1), Robot("A2", "side_bets", 1)], fetch):
        given = table.records[-1]
        lines.append({"by": given.stamp.by, "at_ms": table.now_ms, **msgspec.to_builtins(given.act)})
        if table.state.shoe.number == 2 and table.state.shoe.coups_dealt == 2:
            break
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("night")
    lines = _night(ShoeFiles(folder / "shoes", folder / "floor.key"))
    ran = sabot("table", "--journal", str(folder / "night.journal"), "--json", given=lines)
    assert ran.code == 0, ran.error
    assert all(answer["ok"] for answer in ran.lines)
    return folder / "night.journal"


def _tale(journal: Path, *words: str) -> Ran:
    return sabot("fair", "show", str(journal), *words)


def test_a_journal_s_shoes_are_proved_and_so_is_the_file_of_one(journal: Path, tmp_path: Path) -> None:
    ran = sabot("fair", "verify", str(journal))
    assert ran.code == 0
    assert "✓ Shoe 1 of table T1 is proved" in ran.out
    assert "… Shoe 2 of table T1 is still in play" in ran.out
    file = tmp_path / "shoe.json"
    file.write_text(_tale(journal).out)
    verdict = sabot("fair", "verify", str(file), "--json").json
    assert [(one["shoe"], one["standing"]) for one in verdict] == [(1, "proved")]
    assert _tale(journal, "--shoe", "2").json["shoe"] == 2
    assert sabot("journal", "verify", str(journal)).code == 0


def test_a_file_that_was_changed_is_told_in_one_sentence_and_the_code_is_1(journal: Path, tmp_path: Path) -> None:
    tale = _tale(journal).json
    tale["salt"] = "0" * 64
    file = tmp_path / "shoe.json"
    file.write_text(json.dumps(tale))
    ran = sabot("fair", "verify", str(file))
    assert ran.code == 1
    assert "order and salt do not come to the commitment." in ran.out
    assert ran.error == ""


@pytest.mark.parametrize("content", ["{}", "\x00"])
def test_what_is_no_tale_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "odd.json"
    file.write_text(content)
    assert_one_clear_sentence(sabot("fair", "verify", str(file)))


def test_what_is_not_there_is_refused(journal: Path, tmp_path: Path) -> None:
    assert_one_clear_sentence(sabot("fair", "verify", str(tmp_path / "nowhere.journal")))
    assert_one_clear_sentence(_tale(journal, "--shoe", "3"))
    empty = tmp_path / "empty.journal"
    assert sabot("table", "--journal", str(empty), given="D1 sign_on\n").code == 0
    assert_one_clear_sentence(sabot("fair", "verify", str(empty)))


def test_the_demo_saves_a_shoe_that_anybody_can_check(tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    ran = sabot("demo", "--terminal", "mbs-baccarat", "--save", str(file))
    assert ran.code == 0
    assert "✓ Shoe 1 of table DEMO is proved" in ran.out
    assert json.loads(file.read_text())["commitment"] in ran.out
    assert sabot("fair", "verify", str(file)).code == 0
    assert sabot("demo", "--terminal", "--save", str(tmp_path)).code == 2


def test_a_shoe_waits_in_its_file_which_only_the_owner_reads_and_the_key_opens(tmp_path: Path) -> None:
    files = ShoeFiles(tmp_path / "shoes", tmp_path / "floor.key")
    shoe = files.new("T1", 1, 8)
    again = ShoeFiles(tmp_path / "shoes", tmp_path / "floor.key").find("T1", 1)
    assert (again.order, again.commitment) == (shoe.order, shoe.commitment)
    assert files.new("T1", 2, 8).order != shoe.order
    path = files.path("T1", 1)
    for one in (path, tmp_path / "floor.key"):
        assert one.stat().st_mode & 0o777 == 0o600
    assert "".join(shoe.order[:10]).encode() not in path.read_bytes()
    files.forget("T1", 1)
    files.forget("T1", 1)
    assert not path.exists()


def test_a_lost_or_spoilt_file_is_told_in_one_sentence(tmp_path: Path) -> None:
    files = ShoeFiles(tmp_path / "shoes", tmp_path / "floor.key")
    files.new("T1", 1, 8)
    files.new("T1", 2, 8)
    files.path("T1", 2).replace(files.path("T1", 3))
    spoilt = bytearray(files.path("T1", 1).read_bytes())
    spoilt[-20] ^= 1
    files.path("T1", 1).write_bytes(spoilt)
    with pytest.raises(Mistake, match="the file of shoe 1 is of no use"):
        files.find("T1", 1)
    with pytest.raises(Mistake, match="the file of shoe 2 cannot be read: No such file"):
        files.find("T1", 2)
    with pytest.raises(Mistake, match="it is shoe 2 of table T1, not shoe 3"):
        files.find("T1", 3)


def test_a_lost_or_open_key_is_never_replaced_in_silence(tmp_path: Path) -> None:
    key = tmp_path / "floor.key"
    ShoeFiles(tmp_path / "shoes", key).new("T1", 1, 8)
    key.chmod(0o644)
    with pytest.raises(Mistake, match="can be read by others"):
        ShoeFiles(tmp_path / "shoes", key).find("T1", 1)
    key.unlink()
    with pytest.raises(Mistake, match="cannot be read: No such file"):
        ShoeFiles(tmp_path / "shoes", key).find("T1", 1)
    key.write_bytes(b"short")
    key.chmod(0o600)
    with pytest.raises(Mistake, match="is not a key of 32 bytes"):
        ShoeFiles(tmp_path / "shoes", key).new("T1", 2, 8)
