"""`sabot edges` as a user runs it."""

import pytest

from tests.cli.sabot import sabot

QUESTION = ("edges", "crown-traditional", "--shoes", "6", "--seed", "41", "--json")


def test_the_kernel_does_not_change_a_byte_of_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = sabot(*QUESTION)
    assert ran.json["coups"] > 6 * 60
    assert ran.json["bets"]["player"]["percentiles"]["50"] > 0.01
    monkeypatch.setenv("SABOT_KERNEL", "numpy")
    assert sabot(*QUESTION).out == ran.out


def test_people_get_a_table() -> None:
    ran = sabot("edges", "mbs-baccarat", "--shoes", "3", "--decks", "6", "--seed", "1")
    assert ran.code == 0
    assert "favourable" in ran.out
    assert "6 decks" in ran.out
