"""`sabot drill integrity` plays honest nights and planted cheats, and says how often and how soon."""

from tests.cli.sabot import sabot


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
