"""The other commands, run in processes of their own."""

import fcntl
import inspect
import json
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
from cyclopts import App

from sabot.cli.commands import app
from sabot.rulebook.clauses import clauses
from sabot.rules.shipped import IDS
from tests.cli.sabot import SABOT, assert_one_clear_sentence, sabot


def test_rules_lists_the_six_sets() -> None:
    ran = sabot("rules", "--json")
    assert [one["id"] for one in ran.json] == list(IDS)
    shown = sabot("rules").out
    assert all(identity in shown for identity in IDS)


@pytest.mark.parametrize("identity", IDS)
def test_rules_shows_one_set_with_clauses(identity: str) -> None:
    ran = sabot("rules", identity)
    assert ran.code == 0
    assert "8 to 1" in ran.out
    assert "11 to 1" in ran.out
    assert sabot("rules", identity, "--json").json["id"] == identity


def test_roads_in_json_and_as_a_picture() -> None:
    ran = sabot("roads", "T", "B", "Bb", "Pn", "--json")
    assert ran.json == {
        "bead_plate": [
            {"column": 1, "row": 1, "winner": "T", "player_pair": False, "banker_pair": False, "natural": False},
            {"column": 1, "row": 2, "winner": "B", "player_pair": False, "banker_pair": False, "natural": False},
            {"column": 1, "row": 3, "winner": "B", "player_pair": False, "banker_pair": True, "natural": False},
            {"column": 1, "row": 4, "winner": "P", "player_pair": False, "banker_pair": False, "natural": True},
        ],
        "leading_ties": 1,
        "big_road": {
            "columns": [{"winner": "B", "depth": 2}, {"winner": "P", "depth": 1}],
            "cells": [
                {"column": 1, "row": 1, "winner": "B", "coup": 2, "ties": 1}
                | {"player_pair": False, "banker_pair": False, "natural": False},
                {"column": 1, "row": 2, "winner": "B", "coup": 3, "ties": 0}
                | {"player_pair": False, "banker_pair": True, "natural": False},
                {"column": 2, "row": 1, "winner": "P", "coup": 4, "ties": 0}
                | {"player_pair": False, "banker_pair": False, "natural": True},
            ],
        },
        "big_eye_boy": "",
        "small_road": "",
        "cockroach_pig": "",
        "ask": {"banker": ["B", None, None], "player": ["R", None, None]},
    }
    picture = sabot("roads", "TBBbPn").out
    assert "Big Road" in picture
    assert "B¹" in picture


def test_roads_in_a_batch() -> None:
    ran = sabot("roads", "--batch", given="B P P P B\n\nB Q\nP\n")
    assert ran.code == 1
    first, blank, wrong, last = ran.lines
    assert first["big_eye_boy"] == "BRB"
    assert blank["bead_plate"] == []
    assert blank["ask"] == {"banker": [None] * 3, "player": [None] * 3}
    assert wrong["line"] == 3
    assert last["big_road"]["columns"] == [{"winner": "P", "depth": 1}]


@pytest.mark.parametrize("document", ["RWS", pytest.param("", marks=pytest.mark.whole)])
def test_trace_counts_every_clause(document: str) -> None:
    """Of one document, whose scenarios are run for it, or of all; each scenario is a test of its own in any case."""
    ran = sabot("trace", *document.split(), "--json")
    assert ran.code == 0
    assert len(clauses()) == 505
    assert [row["id"] for row in ran.json] == [one.id for one in clauses().values() if document in ("", one.document)]
    assert set(ran.json[0]) == {"id", "document", "kind", "status", "scenarios", "readings"}
    missing = [row for row in ran.json if row["status"] in ("failing", "absent")]
    assert sabot("trace", *document.split(), "--missing", "--json").json == missing == []


def test_trace_shows_one_clause_with_its_scenarios() -> None:
    ran = sabot("trace", "CROWN 10.1 Traditional Banker")
    assert "proved" in ran.out
    assert "A win with six: passed" in ran.out
    (row,) = sabot("trace", "crown", "10.1", "traditional", "banker", "--json").json
    assert (row["kind"], row["status"], len(row["scenarios"])) == ("COMPUTE", "proved", 3)
    assert "never rounded" in sabot("trace", "g-50").out
    by_reading = sabot("trace", 'CROWN 1.1 "VCGR"').out
    assert "by reading" in by_reading
    assert "rests on G-17: Make the notices' names settings." in by_reading


def test_the_demo_plays_a_whole_shoe_the_same_for_the_same_seed() -> None:
    first = sabot("demo", "--terminal", "rws-non-commission", "--decks", "4", "--seed", "7")
    assert first.code == 0
    assert first.out == sabot("demo", "--terminal", "rws-non-commission", "--decks", "4", "--seed", "7", anew=True).out
    assert first.out != sabot("demo", "--terminal", "rws-non-commission", "--decks", "4", "--seed", "8").out
    for shown in ("Burned 1 card", "the next coup is the last of this shoe (RWS-HOUSE 2.3)", "Big Road", "coups"):
        assert shown in first.out
    assert "cards face down (CROWN 3.8.2)" in sabot("demo", "--terminal", "--seed", "4", "--burn-by-face-value").out


def test_the_demo_gives_a_shoe_as_json() -> None:
    told = sabot("demo", "--terminal", "mbs-baccarat", "--seed", "7", "--json").json
    assert (told["rule_set"], told["decks"], told["fair"]) == ("mbs-baccarat", 8, True)
    assert len(told["commitment"]) == 64
    assert len(told["coups"]) > 60
    assert set(told["coups"][0]) == {"cards", "winner", "player", "banker"}
    assert sorted(told["balances"]) == ["A1", "A2", "A3"]


def test_bench_prints_rows_and_keeps_progress_off_standard_output() -> None:
    ran = sabot("bench", "settle", "--json")
    assert ran.code == 0
    assert all(set(row) == {"name", "value", "unit", "baseline", "ratio"} for row in json.loads(ran.out))
    assert "measuring settle" in ran.error


def _commands(group: App, *words: str) -> Iterator[tuple[str, ...]]:
    """The words of every command that there is, groups with a default among them."""
    if words and group.default_command is not None:
        yield words
    for name in group:
        if not name.startswith("-"):
            yield from _commands(group[name], *words, name)


@pytest.mark.parametrize("words", [pytest.param(words, id=" ".join(words)) for words in _commands(app)])
def test_the_help_of_a_command_has_all_that_was_written_for_it(words: tuple[str, ...]) -> None:
    command = app
    for word in words:
        command = command[word]
    written = inspect.getdoc(command.default_command)
    assert written is not None
    ran = sabot(*words, "--help")
    assert ran.code == 0
    assert not re.search(r"\bNone\b", ran.out)
    lines, flat = ran.out.splitlines(), "".join(ran.out.split())
    description = re.split(r"\n(?:Parameters\n|Args:|\.\. )", written)[0]
    for paragraph in description.split("\n\n"):
        if paragraph.startswith("    sabot "):
            assert all(line in lines for line in paragraph.rstrip().splitlines()), paragraph
        assert "".join(paragraph.replace("`", "").split()) in flat


@pytest.mark.parametrize(
    ("typed", "completed"),
    [(("jou",), {"journal"}), (("journal", "ver"), {"verify"}), (("odds", "--all"), {"--all-options"})],
)
def test_a_shell_completes_commands_and_options(typed: tuple[str, ...], completed: set[str], tmp_path: Path) -> None:
    script = tmp_path / "completion"
    script.write_text(sabot("completion", "bash").out, encoding="utf-8")
    words = " ".join(("sabot", *typed))
    asked = f"source {script}; COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _sabot; printf '%s\\n' ${{COMPREPLY[@]}}"
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)  # noqa: S603, S607
    assert set(done.stdout.split()) == completed
    for shell in ("zsh", "fish"):
        assert "journal" in sabot("completion", shell).out
    assert_one_clear_sentence(sabot("completion", "tcsh"))


def test_the_manual_page_has_every_command_and_only_requests_that_man_knows() -> None:
    page = sabot("manual").out.splitlines()
    sections = [line.removeprefix(".SS ").replace("\\-", "-") for line in page if line.startswith(".SS ")]
    assert sections == sorted(" ".join(("sabot", *words)) for words in _commands(app))
    known = {".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".RS", ".RE", ".nf", ".fi"}
    assert {line.split()[0] for line in page if line.startswith((".", "'"))} <= known


def test_the_front_page_tells_of_help() -> None:
    assert "--help" in sabot("--help").out


def _in_a_terminal(columns: int, *words: str) -> str:
    """The output in a terminal of this width, with colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen(  # noqa: S603  Our own command.
        [SABOT, *words], stdout=theirs, stdin=theirs, env={**environment, "TERM": "xterm-256color"}
    )
    os.close(theirs)
    seen = b""
    try:
        while piece := os.read(ours, 65536):
            seen += piece
    except OSError:
        pass  # On Linux, reading a terminal that its last writer has closed raises an error.
    os.close(ours)
    assert process.wait(60) == 0
    return seen.decode()


def _without_colour(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_no_figure_and_no_id_is_cut_in_a_terminal_of_80_columns() -> None:
    compared = _without_colour(_in_a_terminal(80, "compare", "2S", "3H", "3D", "3C", "TH"))
    assert "+1,200.00" in compared
    assert "…" not in compared
    listed = _without_colour(_in_a_terminal(80, "rules"))
    assert all(identity in listed for identity in IDS)
    assert all(len(line.rstrip()) <= 80 for line in (compared + listed).splitlines())


def test_hearts_and_diamonds_are_red_and_nothing_else_of_a_card_is() -> None:
    shown = _in_a_terminal(120, "coup", "crown-traditional", "2S", "4H", "3D", "3C", "8S")
    assert "\x1b[31m4♥" in shown
    assert "\x1b[31m2♠" not in shown
    demo = _in_a_terminal(120, "demo", "--terminal", "--seed", "3")
    assert not re.search(r"\x1b\[3[0-9;]*m[A2-9TJQK][♠♣]", demo)


@pytest.mark.parametrize(
    ("shell", "code", "said"),
    [
        ("coup --batch <&-", 2, "standard input is closed"),
        ("rules >&-", 0, ""),
        ("rules > /dev/full", 74, "the answer could not be written: No space left on device"),
        ("demo --terminal | head -n 1", 0, ""),
        ("trace RWS | true", 0, ""),
        pytest.param("trace | head -n 1", 0, "", marks=pytest.mark.whole),
    ],
)
def test_streams_that_are_closed_full_or_left_cause_no_traceback(shell: str, code: int, said: str) -> None:
    done = subprocess.run(  # noqa: S602  Shell redirections are what is being tested.
        f"set -o pipefail; {SABOT} {shell}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert said in done.stderr


def test_words_of_a_rule_set_are_never_read_as_markup(tmp_path: Path) -> None:
    own = sabot("rules", "mbs-baccarat", "--json").out.replace('"title":"Baccarat"', '"title":"[bold]Bac[/nope]carat"')
    file = tmp_path / "odd.json"
    file.write_text(own)
    for words in (["rules", str(file)], ["coup", str(file), "5S", "KH", "4D", "QC"], ["demo", "--terminal", str(file)]):
        ran = sabot(*words)
        assert ran.code == 0
        assert "[bold]Bac[/nope]carat" in ran.out


def test_a_rule_set_with_only_one_way_to_burn_can_be_played(tmp_path: Path) -> None:
    own = json.loads(sabot("rules", "mbs-baccarat", "--json").out)
    own["shoe"]["burns"] = [{"procedure": "face value", "clause": "G-29"}]
    file = tmp_path / "burn.json"
    file.write_text(json.dumps(own))
    assert "cards face down (G-29)" in sabot("demo", "--terminal", str(file)).out


def test_odd_rule_set_files_are_refused(tmp_path: Path) -> None:
    for name, content in (("deep.json", "[" * 100_000), ("deep.toml", "x = " + "[" * 5_000), ("null.json", "null")):
        (tmp_path / name).write_text(content)
        assert_one_clear_sentence(sabot("rules", str(tmp_path / name)))
    (tmp_path / "folder.toml").mkdir()
    assert_one_clear_sentence(sabot("rules", str(tmp_path / "folder.toml")))


NIGHT = """D1 sign_on
D1 open_table
GS1 check_cards 416
D1 new_shoe
GS1 cut 100
D1 burn
D1 buy_in A1 500
D1 open
A1 set_wager banker 100
A1 set_wager tie 5
D1 close
D1 card 2S
D1 card 4H
D1 card 3D
D1 card 3C
D1 card 8S
D1 confirm
A1 leave
D1 pay A1
"""


def test_why_answers_with_postings_clauses_and_balances() -> None:
    rows = sabot("why", "A1", "--json", given=NIGHT).json
    assert [row["balance_cents"] for row in rows] == [50000, 40000, 39500, 49500, 59000, 59000, 0, 0]
    assert [row["cents"] for row in rows if row["event"] == "WagersSettled"] == [10000, 9500, 0]
    assert rows[4]["clause"] == "CROWN 10.1 Traditional Banker"
    assert rows[4]["because"] == "banker 100.00: win"
    told = sabot("why", "A1", "--coup", "1", given=NIGHT).out
    assert "CROWN 10.1 Traditional Banker" in told
    assert "+95.00" in told


def test_why_reads_json_lines_too_and_points_at_a_bad_line() -> None:
    lines = '{"do":"sign_on","by":"D1"}\n{"do":"open_table","by":"D1"}\n'
    note = '{"do":"note","station":"R1","cents":5000}\n'
    assert [row["cents"] for row in sabot("why", "R1", "--json", given=lines + note).json] == [5000]
    wrong = sabot("why", "A1", given="D1 sign_on\nnonsense\n")
    assert_one_clear_sentence(wrong)
    assert "line 2" in wrong.error
    assert_one_clear_sentence(sabot("why", "Z9", given=""))
