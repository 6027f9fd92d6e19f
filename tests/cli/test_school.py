"""The commands of the dealer school."""

import re
import signal
import subprocess
from pathlib import Path

import msgspec
import pytest

from sabot.school.shelf import SHIPPED
from tests.cli.sabot import SABOT, assert_one_clear_sentence, sabot
from tests.runtime.floors import PATIENCE_S
from tests.school.test_lessons import PLAIN
from tests.served import plain_http


def test_the_lessons_are_listed_in_every_language() -> None:
    told = msgspec.json.decode(sabot("school", "list", "--json").out)
    assert [one["id"] for one in told] == list(SHIPPED)
    for language in ("en", "zh", "zh-Hant"):
        listed = sabot("school", "list", "--language", language).out
        assert all(one["title"][language] in listed for one in told)
    assert_one_clear_sentence(sabot("school", "list", "--language", "tlh"))


def test_a_lesson_of_ones_own_is_checked_and_rehearsed(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(PLAIN.replace("coups = 3", "coups = 2"), encoding="utf-8")
    assert sabot("school", "check", str(own)).out == "✓ A plain coup: 2 coups, 15 marks, 0 things staged.\n"
    own.write_text(PLAIN.replace("9S 2H", "9S 1H"), encoding="utf-8")
    refused = sabot("school", "check", str(own))
    assert_one_clear_sentence(refused)
    assert "cards: card 2 of 14, '1H', is not a card (did you mean AH?)" in refused.error
    # Player has a natural: nobody draws a fifth card, after which something could happen.
    staged = '[[happens]]\nwhat = "fact"\ncoup = 1\nat = "card 6"\nkind = "face_up_later_card"\n'
    own.write_text(f"{PLAIN}\n{staged}", encoding="utf-8")
    refused = sabot("school", "check", str(own))
    assert_one_clear_sentence(refused)
    assert "happens[0]: it never came to pass in the rehearsal" in refused.error


def test_a_lesson_is_dealt_at_the_terminal_and_its_report_is_kept(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    lines = "sign_on\nopen\nclose\ncard 9S\nnonsense\nCS1 void\nend\n"
    done = sabot("school", "try", "plain-coup", "--html", str(page), "--language", "zh", given=lines)
    assert done.code == 0
    assert "您抽出 9♠。" in done.out
    assert "? 'D1 nonsense' is no command" in done.out
    assert "牌桌拒绝了：该局作废。 (CROWN 11.4)" in done.out
    assert "牌桌拒绝了：该局作废。" in page.read_text(encoding="utf-8")
    told = msgspec.json.decode(sabot("school", "try", "plain-coup", "--json", given=lines).out)
    assert [(one["right"], one["total"], one["over"]) for one in told] == [(4, 5, False)]


@pytest.mark.parametrize(
    "words",
    [
        ("try", "poker"),
        ("try", "none.toml"),
        ("serve", "--trainees", "0"),
        ("serve", "--port", "70000"),
        ("report", "/nonexistent"),
    ],
)
def test_what_the_school_cannot_do_is_told_in_one_sentence(words: tuple[str, ...]) -> None:
    assert_one_clear_sentence(sabot("school", *words))


def test_a_class_is_served_with_a_link_for_each_trainee_and_its_reports_are_printed_later(tmp_path: Path) -> None:
    kept = tmp_path / "class"
    serving = subprocess.Popen(  # noqa: S603  Our own command.
        [SABOT, "school", "serve", "third-cards", "--trainees", "2", "--port", "0", "--keep", kept, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert serving.stdout is not None
        told = msgspec.json.decode(serving.stdout.readline())
        assert [one["table"] for one in told["trainees"]] == ["T1", "T2"]
        assert all(re.fullmatch(r"/school#key=[\w-]{22}&invitation=\w{16}", one["path"]) for one in told["trainees"])
        with_pin = {"Authorization": f"Bearer {told['pin']}"}
        shown = plain_http.get(f"{told['url']}/api/school/tables/T2", headers=with_pin, timeout=PATIENCE_S)
        assert shown.json()["lesson"] == "third-cards"
        again = plain_http.get(f"{told['url']}/api/school/lessons", headers=with_pin, timeout=PATIENCE_S)
        assert [one["id"] for one in again.json()] == list(SHIPPED)
        serving.send_signal(signal.SIGINT)
        _, error = serving.communicate(timeout=PATIENCE_S)
    finally:
        serving.kill()
    assert (serving.returncode, error) == (0, "")
    reports = msgspec.json.decode(sabot("school", "report", str(kept), "--json").out)
    assert {(one["table"], one["lesson"]) for one in reports} <= {("T1", "third-cards"), ("T2", "third-cards")}
    assert_one_clear_sentence(sabot("school", "report", str(kept), "--table", "T9"))
