"""`sabot drill integrity` plays honest nights and planted cheats, and says how often and how soon."""

from pathlib import Path

from tests.cli.sabot import assert_one_clear_sentence, sabot


def test_the_drill_of_integrity_tells_the_rate_of_false_alarms_and_how_soon_a_cheat_is_found() -> None:
    words = ("--nights", "10", "--cheats", "1", "--only", "new decks", "--processes", "1")
    ran = sabot("drill", "integrity", *words, "--json")
    assert ran.code == 0, ran.error
    assert (ran.json["honest"]["nights"], ran.json["honest"]["alarms"]) == (10, [])
    (cheat,) = ran.json["planted"]
    assert (cheat["found"], cheat["by"]) == (1, {"slug": 1})


def test_a_number_below_zero_is_refused() -> None:
    ran = sabot("drill", "integrity", "--nights", "-1")
    assert ran.code == 2
    assert "not below zero" in ran.error


def test_a_drill_that_was_interrupted_goes_on_and_comes_to_the_same(tmp_path: Path) -> None:
    words = ("--nights", "20", "--cheats", "1", "--only", "new decks", "--processes", "1", "--json")
    file = tmp_path / "nights.drill"
    whole = sabot("drill", "integrity", *words, "--resume", str(file))
    first, table, *others = file.read_bytes().splitlines(keepends=True)
    assert len(others) == 2
    file.write_bytes(first + table + others[0][:50])  # The second table was being written.
    assert sabot("drill", "integrity", *words, "--resume", str(file)).json == whole.json
    assert len(file.read_bytes().splitlines()) == 4
    file.write_bytes(first + table.replace(b'"coups":', b'"coups":1'))
    known = sabot("drill", "integrity", *words, "--resume", str(file)).json
    assert known["honest"]["coups"] > whole.json["honest"]["coups"], "what is kept is not played again"
    assert_one_clear_sentence(sabot("drill", "integrity", "--seed", "2", "--resume", str(file)))
    assert_one_clear_sentence(sabot("drill", "integrity", "--resume", str(Path(__file__))))
