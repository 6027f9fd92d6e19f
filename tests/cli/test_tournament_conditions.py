"""`sabot tournament check` and `print`, run in processes of their own."""

from pathlib import Path

import pytest

from sabot.tournament.conditions.fixtures import NAMES, fixture_text
from tests.cli.sabot import assert_one_clear_sentence, sabot

BAD = {
    "entry.fee_cents": ("fee_cents = 6000\n", ""),
    "rounds[2].seats": ("tables = 3\nseats = 8", "tables = 3\nseats = 7"),
    "odds": ("[pool]", "[odds]\ntie = 9\n\n[pool]"),
}


@pytest.fixture
def bad_file(tmp_path: Path) -> Path:
    text = fixture_text("spring").decode()
    for good, bad in BAD.values():
        assert good in text
        text = text.replace(good, bad)
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", NAMES)
def test_check_accepts_the_shipped_conditions_and_reads_back_what_it_prints(name: str, tmp_path: Path) -> None:
    ran = sabot("tournament", "check", name, "--json")
    assert (ran.code, ran.json["problems"]) == (0, [])
    path = tmp_path / "again.json"
    path.write_text(ran.out, encoding="utf-8")
    again = sabot("tournament", "check", str(path), "--json")
    assert (again.code, again.json["digest"]) == (0, ran.json["digest"])
    assert again.json["conditions"] == ran.json["conditions"]


@pytest.mark.clause("CROWN 12.2.1(a)", "CROWN 12.2.1(d)", "CROWN 12.2.1(k)")
def test_check_lists_every_problem_with_file_key_and_clause(bad_file: Path) -> None:
    ran = sabot("tournament", "check", str(bad_file))
    assert ran.code == 2
    assert f"{bad_file}: entry.fee_cents: CROWN 12.2.1(a): is missing" in ran.out
    assert f"{bad_file}: rounds[2].seats: CROWN 12.2.1(d): 24 may come" not in ran.out  # Entry cannot be read.
    assert f"{bad_file}: odds: CROWN 12.2.1(k): is no key" in ran.out
    told = sabot("tournament", "check", str(bad_file), "--json").json
    assert (told["file"], told["digest"], told["conditions"]) == (str(bad_file), None, None)
    assert [one["key"] for one in told["problems"]] == ["entry.fee_cents", "odds"]


def test_check_of_a_text_that_is_no_toml_is_a_problem_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("id = ", encoding="utf-8")
    ran = sabot("tournament", "check", str(path))
    assert ran.code == 2
    assert "the file: CROWN 12.2.1: cannot be read" in ran.out


@pytest.mark.parametrize("words", ["check winter", "check none.toml", "print spring --language fr"])
def test_wrong_words_are_answered_in_one_sentence(words: str) -> None:
    assert_one_clear_sentence(sabot("tournament", *words.split()))


def test_conditions_with_a_problem_are_not_printed(bad_file: Path) -> None:
    assert_one_clear_sentence(sabot("tournament", "print", str(bad_file)))


def test_print_writes_markdown_and_pdf(tmp_path: Path) -> None:
    digest = sabot("tournament", "check", "spring", "--json").json["digest"]
    shown = sabot("tournament", "print", "spring", "--language", "zh-Hant")
    assert shown.code == 0
    assert digest in shown.out
    assert "春季淘汰賽" in shown.out
    path = tmp_path / "spring.pdf"
    assert sabot("tournament", "print", "spring", "--language", "zh", "--pdf", str(path)).code == 0
    assert path.read_bytes().startswith(b"%PDF")
