"""`sabot simulate` and `sabot shoe` as a user runs them."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.sabot import SABOT, assert_one_clear_sentence, sabot
from tests.runtime.floors import PATIENCE_S

QUESTION = ("simulate", "crown-traditional", "--shoes", "2001", "--seed", "41", "--all-options", "--json")


def _answer(*more: str, **environment: str) -> bytes:
    words = [str(SABOT), *QUESTION, *more]
    done = subprocess.run(  # noqa: S603  Our own command with our own words.
        words, env={**os.environ, **environment}, capture_output=True, check=True, timeout=300
    )
    return done.stdout


@pytest.fixture(scope="module")
def answer() -> bytes:
    return _answer("--threads", "1")


def test_threads_and_kernel_do_not_change_a_byte_of_the_answer(answer: bytes) -> None:
    assert _answer("--threads", "3") == answer
    assert _answer(SABOT_KERNEL="numpy") == answer


def test_the_answer_says_what_was_dealt_and_how_well_it_fits(answer: bytes) -> None:
    told = json.loads(answer)
    assert (told["rule_set"], told["decks"], told["seed"], told["shoes"]) == ("crown-traditional", 8, 41, 2001)
    assert told["seed_version"] == 2
    assert told["complete"] is True
    assert told["coups"] == sum(told["bets"]["tie"][outcome] for outcome in ("win", "push", "lose"))
    assert {"player", "banker", "super_6", "player_dragon_bonus.3", "banker_perfect_pairs.2"} <= set(told["bets"])
    for bet in told["bets"].values():
        low, high = bet["confidence_95"]
        assert low < bet["house_edge"] < high
        assert bet["z"] == pytest.approx((bet["house_edge"] - bet["exact"]) / bet["standard_error"])
    assert 0 < told["chi_square"]["p"] < 1


def test_exact_edges_are_those_of_sabot_odds(answer: bytes) -> None:
    exact = sabot("odds", "crown-traditional", "--all-options", "--json").json["bets"]
    for name, bet in json.loads(answer)["bets"].items():
        assert bet["exact"] == exact[name]["house_edge_decimal"]


def test_people_get_a_table_and_the_rate_on_standard_error() -> None:
    ran = sabot("simulate", "mbs-baccarat", "--coups", "100000", "--seed", "1", "--coups-a-shoe", "50")
    assert ran.code == 0
    assert "100,000 coups of 2,000 shoes · seed 1 (version 2)" in ran.out
    assert "Chi-square over all cells" in ran.out
    assert re.search(r"sabot: 100,000 coups of 2,000 shoes in .* million coups a second\n", ran.error)


def test_without_a_seed_other_shoes_are_dealt_each_time() -> None:
    one, other = (sabot("simulate", "mbs-baccarat", "--shoes", "100", "--json").json for _ in range(2))
    assert one["seed"] != other["seed"]
    assert one["bets"] != other["bets"]


def _wait_until_it_deals(pid: int) -> None:
    """Until its threads have worked for half a second, however long the machine takes for that."""
    stat = Path("/proc") / str(pid) / "stat"
    ticks = os.sysconf("SC_CLK_TCK") // 2

    def worked() -> int:
        return sum(map(int, stat.read_text().rpartition(")")[2].split()[11:13]))

    before, patience = worked(), time.monotonic() + PATIENCE_S
    while worked() < before + ticks:
        assert time.monotonic() < patience
        time.sleep(0.01)


def test_ctrl_c_ends_it_with_what_has_been_dealt() -> None:
    words = [str(SABOT), "simulate", "crown-traditional", "--coups", "1000000000000000", "--seed", "41", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stderr is not None
        assert "dealing" in process.stderr.readline()
        _wait_until_it_deals(process.pid)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert error.startswith("sabot: stopped after ")
    assert "Traceback" not in error
    told = json.loads(out)
    assert told["complete"] is False
    assert told["coups"] > 0
    again = sabot("simulate", "crown-traditional", "--shoes", str(told["shoes"]), "--seed", "41", "--json").json
    assert again["bets"] == told["bets"]


def _stopped(*words: str) -> int:
    """Run a simulation, and stop it by Ctrl-C while it deals; returns the number of shoes that it dealt."""
    with subprocess.Popen(  # noqa: S603  Our own command.
        [str(SABOT), "simulate", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert "dealing" in process.stderr.readline()
        _wait_until_it_deals(process.pid)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    return int(json.loads(out)["shoes"])


def test_a_run_stopped_by_ctrl_c_is_resumed_to_the_same_answer(tmp_path: Path) -> None:
    """A long run is stopped; a shorter one goes on from its file, by one thread and with the seed of the file."""
    file, run = str(tmp_path / "run.json"), ("crown-traditional", "--seed", "41", "--json")
    dealt = _stopped(*run, "--coups", "1000000000000000", "--resume", file)
    shoes = ("--shoes", str(dealt + 2002))
    whole = sabot("simulate", *run, *shoes)
    resumed = sabot("simulate", "crown-traditional", "--json", *shoes, "--resume", file, "--threads", "1")
    assert resumed.out == whole.out
    assert f"of {dealt:,} shoes" in resumed.error
    assert sabot("simulate", *run, *shoes, "--resume", file).out == whole.out


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("kept") / "run.json"
    assert sabot(*QUESTION, "--resume", str(file)).code == 0
    return file


def test_a_finished_run_answers_again_from_its_file(kept: Path, answer: bytes) -> None:
    assert sabot(*QUESTION, "--resume", str(kept)).out.encode() == answer


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("crown-traditional --shoes 2001 --seed 42", "it is of another run, with seed 41, not 42"),
        ("crown-traditional --shoes 2001 --decks 6", "it is of another run, with decks 8, not 6"),
        ("crown-traditional --shoes 2001 --coups-a-shoe 60", "with coups a shoe None, not 60"),
        ("crown-baccarat --shoes 2001", "with rule set crown-traditional, not crown-baccarat"),
        ("crown-traditional --shoes 2000", "it has 2,001 shoes already, and this run surely deals 2,000"),
        ("crown-traditional --shoes 4000", "it ends after 2,001 shoes, which is no multiple of four"),
    ],
)
def test_the_file_of_another_run_is_not_resumed(words: str, said: str, kept: Path) -> None:
    before = kept.read_bytes()
    ran = sabot("simulate", *words.split(), "--resume", str(kept))
    assert_one_clear_sentence(ran)
    assert said in ran.error
    assert kept.read_bytes() == before


@pytest.mark.parametrize("harm", ["a count is changed", "the end is missing", "it is empty", "it is no checkpoint"])
def test_a_damaged_file_is_not_resumed(harm: str, kept: Path, tmp_path: Path) -> None:
    text = kept.read_bytes()
    harmed = {
        "a count is changed": text.replace(b"[", b"[1", 1),
        "the end is missing": text[:-100],
        "it is empty": b"",
        "it is no checkpoint": b'{"digest": "", "kept": {}}',
    }[harm]
    file = tmp_path / "run.json"
    file.write_bytes(harmed)
    ran = sabot(*QUESTION, "--resume", str(file))
    assert_one_clear_sentence(ran)
    assert "cannot be resumed: it is damaged" in ran.error
    assert file.read_bytes() == harmed


def test_a_file_that_cannot_be_written_is_said_before_anything_is_dealt(tmp_path: Path) -> None:
    assert_one_clear_sentence(sabot(*QUESTION, "--resume", str(tmp_path / "nowhere" / "run.json")))
    assert_one_clear_sentence(sabot(*QUESTION, "--resume", str(tmp_path)))


@pytest.mark.parametrize(
    "words",
    [
        "simulate crown-traditional --decks 11",
        "simulate crown-traditional --coups 0",
        "simulate crown-traditional --coups -5",
        "simulate crown-traditional --coups 1e6",
        "simulate crown-traditional --coups 10 --shoes 10",
        "simulate crown-traditional --shoes 0",
        "simulate crown-traditional --seed -1",
        "simulate crown-traditional --seed-version 1",
        "simulate crown-traditional --threads 0",
        "simulate crown-traditional --behind-cutting-card 1",
        "simulate crown-traditional --coups-a-shoe 100",
        "simulate crown-traditional --dragon-bonus 4",
        "simulate crown-traditional --threads 2 --dask tcp://127.0.0.1:1",
        "simulate no-such-rules",
        "shoe no-such-rules",
        "shoe crown-traditional --decks 11",
        "shoe crown-traditional --behind-cutting-card 50",
        "shoe mbs-baccarat --dragon-bonus 1",
    ],
)
def test_wrong_input_is_one_clear_sentence(words: str) -> None:
    assert_one_clear_sentence(sabot(*words.split()))


def test_a_shoe_is_printed_with_the_odds_before_each_coup() -> None:
    told = sabot("shoe", "crown-baccarat", "--decks", "6", "--seed", "7", "--burn-by-face-value", "--json").json
    gone = [told["shown"]]
    for coup in told["coups"][:2]:
        exact = sabot("odds", "crown-baccarat", "--decks", "6", "--without", *gone, "--json").json
        assert coup["unseen"] == exact["cards"]
        assert coup["house_edge"] == {name: bet["house_edge"] for name, bet in exact["bets"].items()}
        gone += coup["cards"].split()


def test_a_whole_shoe_is_printed_with_its_results_and_its_cutting_card() -> None:
    printed = sabot("shoe", "--seed", "7").out
    assert len(re.findall(r"(?:Player|Banker) wins \d to \d|Tie at \w+", printed)) > 60
    assert printed.count("the cutting card") == 1
    assert sabot("shoe", "--seed", "7", anew=True).out == printed


_CLUSTER = """
from distributed import LocalCluster
with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
    print(cluster.scheduler_address, flush=True)
    input()
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler and two workers in processes of their own, which end when their standard input closes."""
    script = tmp_path_factory.mktemp("cluster") / "cluster.py"
    script.write_text(f"if __name__ == '__main__':\n{_indented(_CLUSTER)}", encoding="utf-8")
    with subprocess.Popen(  # noqa: S603  Our own script.
        [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield process.stdout.readline().strip()
        process.stdin.write("\n")


def _indented(lines: str) -> str:
    return "".join(f"    {line}\n" for line in lines.splitlines())


def test_a_cluster_gives_the_same_answer(answer: bytes, cluster: str) -> None:
    assert _answer("--dask", cluster) == answer


def test_a_run_that_a_cluster_began_is_resumed_by_threads(answer: bytes, cluster: str, tmp_path: Path) -> None:
    file = str(tmp_path / "run.json")
    words = ("simulate", "crown-traditional", "--shoes", "2000", "--seed", "41", "--dask", cluster, "--resume", file)
    assert sabot(*words).code == 0
    assert _answer("--resume", file) == answer


def test_a_cluster_that_is_not_there_is_one_clear_sentence(tmp_path: Path) -> None:
    ran = sabot("simulate", "crown-traditional", "--dask", f"{tmp_path}/nowhere")
    assert_one_clear_sentence(ran)
