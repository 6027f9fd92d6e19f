"""A laboratory's dossier: complete, checkable with nothing of ours, the same every time, whole or not at all."""

import hashlib
import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from sabot.cli.dossier.bom import bill_of_materials
from sabot.floor.records.program_digest import program_digest
from sabot.rules.shipped import IDS
from tests.cli.sabot import SABOT, sabot

ROOT = Path(__file__).resolve().parents[2]
CHECKER = ROOT / "docs" / "handbook" / "check_vectors.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("dossier") / "crown"
    ran = sabot("dossier", "crown-baccarat", "--quick", "--dated", "2026-08-01", "-o", str(made))
    assert (ran.code, ran.out) == (0, f"{made}/index.html is there; nothing speaks against the program.\n"), ran.error
    return made


def _check(*files: Path) -> subprocess.CompletedProcess[str]:
    """With Python alone: no package of this environment, and nothing of ours."""
    words = [sys.executable, "-I", "-S", str(CHECKER), *map(str, files)]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)  # noqa: S603  Our own file.


def test_every_file_is_there_with_its_hash(folder: Path) -> None:
    sums = {line[66:]: line[:64] for line in (folder / "SHA256SUMS").read_text().splitlines()}
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    assert sums == {
        name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items() if name != "SHA256SUMS"
    }
    page = (folder / "index.html").read_text()
    links = re.findall(r'href="([^"]+)"', page)
    assert [link for link in links if not (folder / link).exists()] == []
    assert len(links) >= 13
    assert re.search(r"https?://|<script|src=", page) is None
    assert program_digest() in page
    assert (folder / "dossier.pdf").read_bytes().startswith(b"%PDF-")
    manifest = json.loads((folder / "manifest.json").read_bytes())
    assert (manifest["wrong"], manifest["dated"]) == ([], "2026-08-01")


def test_clauses_come_with_transcripts_and_the_drill_with_what_noticed(folder: Path) -> None:
    traced = json.loads((folder / "trace" / "clauses.json").read_bytes())
    assert {row["status"] for row in traced} <= {"proved", "by reading", "layout of our own"}
    told = "".join(path.read_text() for path in (folder / "trace" / "transcripts").rglob("*.txt"))
    for row in traced:
        for scenario in row["scenarios"]:
            assert f"## {scenario.partition(': ')[2]} (under crown-" in told
    assert "then  " in told
    assert "      · " in told
    drilled = json.loads((folder / "drill.json").read_bytes())
    assert drilled
    assert all(one["noticed"] and one["by"] for one in drilled)


def test_the_vectors_hold_for_a_checker_that_uses_nothing_of_ours(folder: Path) -> None:
    assert "sabot" not in re.sub(r"#.*|\"[^\"]*\"", "", CHECKER.read_text())
    code = [line for line in CHECKER.read_text().splitlines() if line.strip()]
    assert len(code) <= 130
    ran = _check(folder / "vectors" / "crown-baccarat.json")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.endswith("coups of 1 shoes agree\n")
    lines = (folder / "vectors" / "crown-baccarat.csv").read_text().splitlines()
    night = json.loads((folder / "vectors" / "crown-baccarat.json").read_bytes())
    assert len(lines) - 1 == sum(len(coup["wagers"]) for coup in night["coups"]) > 300
    bets = {wager["bet"] for coup in night["coups"] for wager in coup["wagers"]}
    assert bets >= {"player", "banker", "tie", "super_6", "banker_pair", "player_dragon_bonus", "banker_perfect_pairs"}


def _won(night: Any) -> Any:
    return next(one for coup in night["coups"] for one in coup["wagers"] if one["outcome"] == "win")


TAMPERED: dict[str, Callable[[Any], None]] = {
    "a payment": lambda night: _won(night).update(net=_won(night)["net"] + 1),
    "a commission": lambda night: _won(night).update(commission=1),
    "a stake": lambda night: _won(night).update(stake=_won(night)["stake"] * 2),
    "a balance": lambda night: night["coups"][7]["balances"].update(A2=1),
    "a card": lambda night: night["coups"][3]["cards"].__setitem__(0, "AS"),
    "a winner": lambda night: night["coups"][5].update(winner="nobody"),
    "a total": lambda night: night["coups"][5].update(player_total=11),
    "the cut": lambda night: night["shoes"][0].update(cut_at=night["shoes"][0]["cut_at"] + 1),
    "the commitment": lambda night: night["shoes"][0].update(commitment="0" * 64),
    "the order": lambda night: night["shoes"][0].update(order=night["shoes"][0]["order"][::-1]),
    "the rules": lambda night: night.update(rule_set="mbs-baccarat"),
    "a coup left out": lambda night: night["coups"].pop(9),
    "the last coup left out": lambda night: night["coups"].pop(),
    "a coup's number": lambda night: night["coups"][9].update(number=11),
    "a bet": lambda night: _won(night).update(bet="no_bet"),
    "a key": lambda night: night["coups"][5].pop("winner"),
}


def test_the_checker_finds_whatever_is_changed_in_a_vector(folder: Path, tmp_path: Path) -> None:
    found = {}
    for what, change in TAMPERED.items():
        night = json.loads((folder / "vectors" / "crown-baccarat.json").read_bytes())
        change(night)
        (tmp_path / "tampered.json").write_text(json.dumps(night))
        ran = _check(tmp_path / "tampered.json")
        found[what] = (ran.returncode, ran.stderr.count("\n"))
    assert found == dict.fromkeys(TAMPERED, (1, 1))


def test_the_checker_says_in_one_sentence_that_a_file_is_no_whole_file_of_vectors(tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_text('{"rule_set": "crown-bac')
    (tmp_path / "empty.json").write_text("[]")
    for name in ("cut.json", "empty.json", "missing.json"):
        ran = _check(tmp_path / name)
        assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1), ran.stderr
    assert _check().returncode == 1


def test_every_rule_set_plays_a_night_that_the_checker_agrees_with(tmp_path: Path) -> None:
    import msgspec  # noqa: PLC0415  Only here.

    from sabot.cli.dossier.vectors import night_vectors  # noqa: PLC0415
    from sabot.rules.shipped import rule_set  # noqa: PLC0415

    for identity in IDS:
        night = night_vectors(rule_set(identity), 6 if "crown" not in identity else 8, 1, 5)
        (tmp_path / f"{identity}.json").write_bytes(msgspec.json.encode(night))
    ran = _check(*sorted(tmp_path.iterdir()))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(ran.stdout.splitlines()) == len(IDS)


def test_dependencies_are_a_valid_bill_of_materials_with_every_pinned_hash() -> None:
    bom = json.loads(bill_of_materials(ROOT, "0.1.0", program_digest(), "2026-08-01"))
    schemas = resources.files("cyclonedx.schema._res")
    beside = ("spdx.SNAPSHOT.schema.json", "jsf-0.82.SNAPSHOT.schema.json")
    registry = jsonschema_rs.Registry(
        [(f"http://cyclonedx.org/schema/{file}", json.loads(schemas.joinpath(file).read_text())) for file in beside]
    )
    schema = json.loads(schemas.joinpath("bom-1.6.SNAPSHOT.schema.json").read_text())
    errors = list(jsonschema_rs.Draft7Validator(schema, registry=registry).iter_errors(bom))
    assert [str(error) for error in errors] == []
    lock = (ROOT / "requirements" / "run.txt").read_text()
    told = json.dumps(bom)
    assert [one for one in re.findall(r"sha256:([0-9a-f]{64})", lock) if one not in told] == []
    to_run = [one for one in bom["components"] if one["scope"] == "required"]
    assert [one["name"] for one in to_run if "licenses" not in one] == []


@pytest.mark.whole
def test_two_runs_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    words = ("dossier", "crown-baccarat", "--quick", "--dated", "2026-08-01", "-o")
    assert sabot(*words, str(tmp_path / "again"), anew=True).code == 0
    assert (tmp_path / "again" / "SHA256SUMS").read_text() == (folder / "SHA256SUMS").read_text()


def test_a_run_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    words = [str(SABOT), "dossier", "mbs-baccarat", "--quick", "-o", str(tmp_path / "never")]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as running:  # noqa: S603  Our own command.
        assert running.stderr is not None
        next(line for line in running.stderr if "a night of" in line)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=120) == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("dossier -o x", "name at least one rule set"),
        ("dossier nothing -o x", "nothing"),
        ("dossier mbs-baccarat -o tests", "tests is there already"),
        ("dossier mbs-baccarat --dated yesterday -o x", "'yesterday' is not a date"),
        ("dossier mbs-baccarat --cards 0 -o x", "--cards is from 1"),
        ("dossier mbs-baccarat --key nowhere.ring -o x", "nowhere.ring cannot be read"),
    ],
)
def test_wrong_words_are_one_sentence(words: str, said: str) -> None:
    ran = sabot(*words.split(), cwd=ROOT)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.error
    assert ran.error.count("\n") == 1
