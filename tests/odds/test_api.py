"""The public API: its examples run, its figures are the engine's, it draws, and it says which extra is missing."""

import doctest
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import sabot.odds
from sabot.basics.mistake import Mistake
from sabot.odds import (
    api,
    edges_over_shoes,
    examples,
    odds,
    par_sheet,
    rule_sets,
    shoe,
    simulate,
    unseen_before_coups,
    with_bet,
)

LINES = [{"when": {"coup_cards": 6}, "pays": "2"}, {"when": {"winner": "tie"}, "result": "push"}]


def test_the_examples_in_its_docstrings_run() -> None:
    done = doctest.testmod(api)
    assert done.attempted > 12
    assert not done.failed


def test_every_public_name_is_there_and_no_other() -> None:
    assert sabot.odds.__all__ == api.__all__ == dir(sabot.odds)
    assert all(getattr(sabot.odds, name) is getattr(api, name) for name in api.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'chances'"):
        _ = sabot.odds.chances  # type: ignore[attr-defined]


def test_frames_have_the_figures_and_charts_are_drawn() -> None:
    table = odds("crown-baccarat", shoe(8, without="9S 8H"))
    assert table.frame().loc["tie", "house_edge"] == float(table["tie"].house_edge)
    assert table.covariances["tie", "player"] == table.covariances["player", "tie"]
    assert table.covariances["tie", "tie"] == table["tie"].variance
    assert table.covariances.frame().shape == (len(table), len(table))
    assert table.removals.frame().loc["9S", "tie"] == float(table.removals["tie"]["9S"])
    dealt = simulate("example-dai-bacc", seed=2, shoes=12, threads=1)
    assert dealt.frame().loc["ox_6", "win"] == dealt["ox_6"].win
    varied = edges_over_shoes("example-dai-bacc", seed=2, shoes=12)
    assert varied.frame().loc["ox_6", "mean"] == varied["ox_6"].mean
    sheet = par_sheet("example-dai-bacc")
    assert sheet.frame().loc["ox_6", "House edge"] == "10.33756%"
    for drawn in (table, table.covariances, table.removals, dealt, varied, sheet):
        assert drawn.plot().axes


def test_a_bet_of_ones_own_is_priced_beside_those_of_the_rule_set() -> None:
    own = with_bet("crown-baccarat", "long", LINES, title="Long coup")
    found = odds(own)
    assert found["long"].title == "Long coup"
    assert found["long"].push + found["long"].win + found["long"].lose == Fraction(1)
    assert (own.id, own.document) == ("own-crown-baccarat", "OWN")
    assert odds(with_bet(own, "long", LINES[:1]))["long"].push == 0
    with pytest.raises(Mistake, match=r"own-crown-baccarat\.json: bets\.long\.lines\[0\]\.when"):
        with_bet("crown-baccarat", "long", [{"when": {"coup_cards": 7}, "pays": "2"}])


def test_what_cannot_be_is_refused_in_one_sentence() -> None:
    with pytest.raises(Mistake, match="there is no rule set 'crown'"):
        odds("crown")
    with pytest.raises(Mistake, match="all options are wanted"):
        odds("crown-baccarat", options={"dragon_bonus": 2}, all_options=True)
    with pytest.raises(Mistake, match="1 to 100,000 shoes"):
        unseen_before_coups("crown-baccarat", seed=1, shoes=0)
    with pytest.raises(Mistake, match="1 to 1024 threads can deal, not 0"):
        simulate("crown-baccarat", seed=1, shoes=4, threads=0)
    with pytest.raises(Mistake, match="a bet's name is small letters"):
        with_bet("crown-baccarat", "My bet", LINES)
    with pytest.raises(Mistake, match="the lines are a list of them"):
        with_bet("crown-baccarat", "long", LINES[0])  # type: ignore[arg-type]
    with pytest.raises(Mistake, match=r"mine\.json is a file: read_rule_set"):
        odds("mine.json")
    with pytest.raises(Mistake, match="the cards left are a Composition"):
        odds("crown-baccarat", "9S 8H")  # type: ignore[arg-type]
    with pytest.raises(Mistake, match=r"decks is a whole number, not 2\.5"):
        shoe(2.5)  # type: ignore[arg-type]
    with pytest.raises(Mistake, match="seed is a whole number, not 'a'"):
        simulate("crown-baccarat", seed="a", shoes=4)  # type: ignore[arg-type]
    with pytest.raises(Mistake, match="a rule set is its id, such as 'crown-baccarat'"):
        odds(5)  # type: ignore[arg-type]
    found = odds("crown-baccarat")
    with pytest.raises(KeyError, match="there is no bet 'ties'; there are player, banker"):
        found["ties"]
    with pytest.raises(KeyError, match="there are no two bets 'tie' and 'ties'"):
        found.covariances["tie", "ties"]
    assert "ties" not in found
    assert [one.id for one in (*rule_sets(), *examples())][5:7] == ["rws-non-commission", "example-ez"]


WITHOUT = """
import sys
for name in sys.argv[1].split(","):
    sys.modules[name] = None
from sabot.cli import main
from sabot.odds import odds, par_sheet
from sabot.basics.mistake import Mistake
table = odds("crown-baccarat")
for said in (table.frame, table.plot, par_sheet("example-ez").pdf):
    try:
        print(type(said()).__name__)
    except Mistake as mistake:
        print(mistake)
sys.argv = ["sabot", *sys.argv[2:]]
sys.exit(main())
"""


@pytest.mark.parametrize(
    ("command", "code", "what"),
    [
        ("par example-ez -o sheet.pdf", 2, "charts"),
        ("par example-ez -o sheet.html", 2, "charts"),
        ("tournament print spring --pdf spring.pdf", 2, "PDF documents"),
        ("par example-ez -o sheet.csv", 0, ""),
    ],
)
def test_a_plain_installation_says_in_one_sentence_which_extra_is_missing(
    tmp_path: Path, command: str, code: int, what: str
) -> None:
    words = ["matplotlib,reportlab,pandas", *command.split()]
    done = subprocess.run(  # noqa: S603  Our own program.
        [sys.executable, "-c", WITHOUT, *words], capture_output=True, text=True, check=False, timeout=120, cwd=tmp_path
    )
    assert done.stdout.splitlines() == [
        "frames need pandas, which is not installed: pip install 'sabot[frames]'",
        "charts need matplotlib, which is not installed: pip install 'sabot[paper]'",
        "charts need matplotlib, which is not installed: pip install 'sabot[paper]'",
    ]
    assert done.returncode == code, done.stderr
    if code:
        assert done.stderr.count("\n") == 1
        assert f"{what} need matplotlib, which is not installed: pip install 'sabot[paper]'" in done.stderr


def test_the_cells_of_the_handbook_run() -> None:
    page = Path(__file__).parents[2] / "docs" / "handbook" / "mathematician.md"
    cells = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert len(cells) == 4
    for cell in cells:
        exec(cell, {})  # noqa: S102  Our own page.
