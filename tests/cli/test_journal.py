"""The commands on journals and keys, run as a user runs them."""

import csv
import io
import os
import re
import shutil
import signal
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from tests.cli.sabot import SABOT, Ran, assert_one_clear_sentence, sabot
from tests.web.workbook import read_workbook

OPENING = "D1 sign_on\nD1 open_table\nGS1 check_cards 416\nD1 new_shoe\nD1 cut 100\nGS1 cut 100\nD1 burn\n"
COUP = (
    "D1 buy_in A1 500\n+5 D1 open\nA1 set_wager banker 50\nD1 close\n"
    "D1 card 2S\nD1 card 4H\nD1 card 3D\nD1 card 3C\nD1 card 8S\nD1 confirm\n"
)


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a signed and anchored journal of one coup, played by two owners one after the other."""
    folder = tmp_path_factory.mktemp("night")
    sabot("keys", "new", str(folder / "casino.key"))
    for script in (OPENING, COUP):
        ran = sabot("table", *_recorded(folder), given=script)
        assert (ran.code, ran.error) == (0, "")
    return folder


def _recorded(folder: Path) -> tuple[str, ...]:
    return (
        *("--journal", str(folder / "night.journal"), "--key", str(folder / "casino.key")),
        *("--anchor", str(folder / "night.anchor")),
    )


def _verified(folder: Path, *more: str) -> tuple[str, ...]:
    place = str(folder / "night.journal")
    return (
        "journal",
        "verify",
        place,
        "--anchor",
        f"{folder}/night.anchor",
        "--keys",
        f"{folder}/casino.key.ring",
        *more,
    )


def test_a_night_is_verified_shown_and_counted(night: Path) -> None:
    place = str(night / "night.journal")
    verified = sabot(*_verified(night, "--decide", "--json"))
    assert (verified.code, verified.json["ok"], verified.json["unproved"]) == (0, True, [])
    quickly = sabot(*_verified(night, "--json"))
    assert (quickly.code, quickly.json["streams"]) == (0, verified.json["streams"])
    assert [sentence for sentence in quickly.json["unproved"] if "--decide" in sentence]
    taken = sabot("journal", "show", place).out.splitlines()[0]
    assert re.search(r" 1  20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC  ", taken), "a clock that has a date shows it"
    shown = sabot("journal", "show", place, "--coup", "1").out
    assert "Coup 1 is settled: A1 banker 50.00: win +47.50 (CROWN 10.1 Traditional Banker)" in shown
    assert "win → station:A1  47.50  CROWN 10.1 Traditional Banker" in shown
    counted = sabot("journal", "stats", place, "--json").json
    assert (counted["coups"], counted["turnover_cents"], counted["win_cents"]) == (1, 5000, -4750)
    refused = [line for line in sabot("journal", "show", place, "--json").lines if "refused" in line["sentences"][0]]
    assert [line["verb"] for line in refused] == ["cut"]


def test_the_volume_is_told_by_part_and_by_kind(night: Path) -> None:
    place = night / "night.journal"
    told = sabot("journal", "volume", str(place), "--json").json
    assert sum(told["parts"].values()) == place.stat().st_size
    assert told["kinds"]["set_wager"]["stored_bytes"] < told["kinds"]["set_wager"]["body_bytes"]
    assert "bodies of records" in sabot("journal", "volume", str(place)).out
    refused = sabot("journal", "volume", "postgresql://nobody@localhost/none")
    assert_one_clear_sentence(refused)


def test_an_export_is_one_line_for_each_record_in_either_form(night: Path) -> None:
    place = str(night / "night.journal")
    streams = sabot("journal", "verify", place, "--json").json["streams"]
    [records] = [one["records"] for one in streams if one["stream"] == "table/T1"]
    lines = sabot("journal", "export", place).lines
    rows = list(csv.DictReader(io.StringIO(sabot("journal", "export", place, "--form", "csv").out)))
    assert len(lines) == len(rows) == records
    assert [line["hash"] for line in lines] == [row["hash"] for row in rows]
    money = list(csv.DictReader(io.StringIO(sabot("journal", "export", place, "--postings", "--form", "csv").out)))
    into = sum(int(one["cents"]) for one in money if one["credit"] == "station:A1")
    out = sum(int(one["cents"]) for one in money if one["debit"] == "station:A1")
    assert into - out == sabot("journal", "replay", place, "--json").json["balances"]["A1"] == 54_750


def test_a_replay_up_to_a_record_is_the_same_every_time(night: Path) -> None:
    place = str(night / "night.journal")
    until = [sabot("journal", "replay", place, "--until", "15", "--json", anew=anew).json for anew in (False, True)]
    assert until[0] == until[1]
    assert until[0]["version"] == 15
    assert until[0]["digest"] != sabot("journal", "replay", place, "--json").json["digest"]
    assert "digest " in sabot("journal", "replay", place).out


def test_a_backup_is_the_same_journal_and_is_restored(night: Path, tmp_path: Path) -> None:
    copy, back = str(tmp_path / "copy.journal"), str(tmp_path / "back.journal")
    assert sabot("journal", "backup", str(night / "night.journal"), copy).code == 0
    assert sabot("journal", "restore", copy, back).code == 0
    for place in (copy, back):
        assert sabot("journal", "verify", place, "--anchor", f"{night}/night.anchor").code == 0
    anchor = tmp_path / "copy.anchor"  # It was copied before the journal was, so nothing that it knows of is missing.
    shutil.copy(night / "night.anchor", anchor)
    played = ("table", "--journal", back, "--anchor", str(anchor), "--key", f"{night}/casino.key")
    assert sabot(*played, given="GS1 sign_on\n").error == ""
    assert_one_clear_sentence(sabot("journal", "backup", copy, back))


def test_sums_are_added_up_again_and_a_wrong_one_is_found(night: Path, tmp_path: Path) -> None:
    place = tmp_path / "night.journal"
    shutil.copy(night / "night.journal", place)
    counted = sabot("journal", "stats", str(place), "--json").json
    rebuilt = sabot("journal", "rebuild", str(place), "--json")
    assert (rebuilt.code, [(one["table"], one["sums"] > 0) for one in rebuilt.json]) == (0, [("T1", True)])
    assert sabot("journal", "stats", str(place), "--json").json == counted
    reported = sabot("journal", "report", str(place), "--json").json
    assert (reported["shift"]["coups"], reported["shift"]["win"]["booked_win"]) == (1, counted["win_cents"])
    assert "banker" in sabot("journal", "report", str(place)).out
    dealers = ("journal", "report", str(place), "--report", "dealers")
    lines = [line for line in csv.reader(sabot(*dealers, "--csv").out.splitlines()) if line]
    head, dealer, total = (next(line for line in lines if line[0] == name) for name in ("Dealer", "D1", "Total"))
    assert (head[1], dealer[:2], total[0]) == ("Coups", ["D1", "1"], "Total")
    of_shifts = (str(place), "--shifts", "06:00,18:00", "--day", "1970-01-01")
    by_shift = sabot("journal", "report", *of_shifts, "--report", "shifts", "--json").json["sheets"][0]["rows"]
    assert [row[2] for row in by_shift] == [1, 0]
    for shift, coups in (("06:00", 1), ("18:00", 0)):
        one = sabot("journal", "report", *of_shifts, "--shift", shift, "--json").json
        assert one["shift"]["coups"] == coups
    for wrong in (("--shift", "07:00"), ("--shift", "06:00", "--shifts", ""), ("--shifts", "six")):
        assert_one_clear_sentence(sabot("journal", "report", *of_shifts, *wrong))
    assert_one_clear_sentence(sabot("journal", "report", str(place), "--shift", "06:00", "--shifts", "06:00"))
    assert sabot(*dealers, "--xlsx", str(tmp_path / "dealers.xlsx"), "--casino", "The Gold Room").code == 0
    rows = next(iter(read_workbook((tmp_path / "dealers.xlsx").read_bytes()).values()))
    assert (rows[0][0], [row[1] for row in rows if row[0] == "D1"]) == ("The Gold Room", [1.0])
    assert sabot(*dealers, "--json").json["sheets"][0]["rows"][0][:2] == ["D1", 1]
    assert "D1" in sabot(*dealers).out
    assert_one_clear_sentence(sabot("journal", "report", str(place), "--csv"))
    assert_one_clear_sentence(sabot(*dealers, "--language", "xx"))
    assert sabot("journal", "verify", str(place)).code == 0
    with closing(apsw.Connection(str(place))) as db:
        db.execute("UPDATE derived SET value = x'00'")
    verified = sabot("journal", "verify", str(place), "--json")
    assert (verified.code, [problem["kind"] for problem in verified.json["problems"]]) == (1, ["sum"])
    assert sabot("journal", "rebuild", str(place), "--table", "T1").code == 0
    assert sabot("journal", "verify", str(place)).code == 0
    assert_one_clear_sentence(sabot("journal", "rebuild", str(place), "--table", "T9"))


def test_a_flipped_bit_is_found_and_its_record_named(night: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "night.journal"
    shown = sabot("journal", "show", str(night / "night.journal"), "--json").lines
    bought_in = next(line["version"] for line in shown if line["verb"] == "buy_in")
    with closing(apsw.Connection(str(night / "night.journal"), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        stored = db.execute("SELECT body FROM record WHERE stream = 'table/T1' AND version = ?", (bought_in,)).get
    flipped = stored[:30] + bytes([stored[30] ^ 1]) + stored[31:]
    damaged.write_bytes((night / "night.journal").read_bytes().replace(stored, flipped))
    verified = sabot("journal", "verify", str(damaged), "--json")
    assert verified.code == 1
    [problem] = verified.json["problems"]
    assert (problem["stream"], problem["version"]) == ("table/T1", bought_in)
    assert f"table/T1 record {bought_in}: " in sabot("journal", "verify", str(damaged)).out


def test_a_journal_put_back_to_an_earlier_state_is_found_by_its_anchor(night: Path, tmp_path: Path) -> None:
    folder = tmp_path / "night"
    shutil.copytree(night, folder)
    old = (folder / "night.journal").read_bytes()
    assert sabot("table", *_recorded(folder), given="D1 incident A1 loud\n").code == 0
    (folder / "night.journal").write_bytes(old)
    assert sabot("journal", "verify", str(folder / "night.journal")).code == 0
    verified = sabot(*_verified(folder, "--json"))
    assert verified.code == 1
    assert {problem["kind"] for problem in verified.json["problems"]} == {"cut"}
    assert_one_clear_sentence(sabot("table", *_recorded(folder), given=""))


def test_without_keys_the_first_line_says_that_nobody_vouches(night: Path) -> None:
    place = str(night / "night.journal")
    plain = sabot("journal", "verify", place)
    assert (plain.code, "nobody vouches for this journal" in plain.out.splitlines()[0]) == (0, True)
    told = sabot("journal", "verify", place, "--json").json
    assert (told["ok"], told["standing"]) == (True, "unvouched")
    assert told["says"].startswith("nobody vouches for this journal")
    proved = sabot(*_verified(night))
    assert (proved.code, "✓ proved: " in proved.out.splitlines()[0]) == (0, True)


@pytest.mark.parametrize("stream", ["house", "keys", "table/T1", "%"])
def test_signatures_that_were_removed_make_it_not_proved(night: Path, tmp_path: Path, stream: str) -> None:
    """Somebody who can write the file removes the checkpoints of one stream, or of all, with its triggers."""
    folder = tmp_path / "night"
    shutil.copytree(night, folder)
    with closing(apsw.Connection(str(folder / "night.journal"))) as db:
        [(guard,)] = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'checkpoint_no_delete'").fetchall()
        db.execute("DROP TRIGGER checkpoint_no_delete")
        db.execute("DELETE FROM checkpoint WHERE stream LIKE ?", (stream,))
        db.execute(str(guard))
    ran = sabot(*_verified(folder))
    assert (ran.code, "? not proved: " in ran.out.splitlines()[0]) == (1, True)
    told = sabot(*_verified(folder, "--json")).json
    assert (told["ok"], told["standing"], told["problems"]) == (False, "not_proved", [])
    assert len(told["unsigned"]) == (3 if stream == "%" else 1)


def test_a_table_is_signed_and_anchored_unless_told_otherwise(tmp_path: Path) -> None:
    place = str(tmp_path / "night.journal")
    ran = sabot("table", "--journal", place, given=OPENING)
    assert (ran.code, ran.error.count("\n"), f"{place}.key is made" in ran.error) == (0, 1, True)
    assert sabot("table", "--journal", place, given=COUP).error == ""
    proof = ("--keys", f"{place}.key.ring", "--anchor", f"{place}.anchor")
    assert sabot("journal", "verify", place, *proof).code == 0
    other = str(tmp_path / "other.journal")
    assert sabot("table", "--journal", other, "--unsigned", given=OPENING).code == 0
    assert not list(tmp_path.glob("other.journal.*"))
    assert sabot("journal", "verify", other, "--keys", f"{place}.key.ring").code == 1
    assert_one_clear_sentence(sabot("table", "--journal", "postgresql://nobody@127.0.0.1:1/none", given=""))


def test_a_live_table_is_verified_and_its_holder_is_named(tmp_path: Path) -> None:
    place = str(tmp_path / "live.journal")
    with subprocess.Popen(  # noqa: S603  Our own command.
        [SABOT, "table", "--journal", place], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as live:
        assert live.stdin is not None
        assert live.stdout is not None
        live.stdin.write(OPENING)
        live.stdin.flush()
        while "burned face down" not in live.stdout.readline():
            pass
        assert sabot("journal", "verify", place).code == 0
        second = sabot("table", "--journal", place, given="")
        assert_one_clear_sentence(second)
        assert f"in use by process {live.pid} on " in second.error
        live.send_signal(signal.SIGTERM)
        assert live.wait(timeout=60) == 0
    assert sabot("table", "--journal", place, given="").code == 0


def test_what_was_answered_before_a_kill_is_in_the_journal(tmp_path: Path) -> None:
    place = str(tmp_path / "killed.journal")
    with subprocess.Popen(  # noqa: S603  Our own command.
        [SABOT, "table", "--journal", place], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as killed:
        assert killed.stdin is not None
        assert killed.stdout is not None
        killed.stdin.write(OPENING + COUP)
        killed.stdin.flush()
        while "Coup 1 is settled" not in killed.stdout.readline():
            pass
        killed.kill()
    assert sabot("journal", "replay", place, "--json").json["balances"]["A1"] == 54_750
    assert sabot("journal", "verify", place).code == 0


def _unchanged(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_what_cannot_be_used_is_one_clear_sentence_and_stays_as_it_is(night: Path, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "letter.txt").write_text("Dear Sir or Madam, this is no journal." * 10)
    newer = bytearray((night / "night.journal").read_bytes())
    newer[60:64] = (99).to_bytes(4, "big")
    (folder / "newer.journal").write_bytes(newer)
    shutil.copy(night / "night.journal", folder / "night.journal")
    sabot("keys", "new", str(folder / "stranger.key"))
    (folder / "bad.key").write_text("no key at all")
    (folder / "bad.key").chmod(0o600)
    before = _unchanged(folder)
    good, elsewhere = str(folder / "night.journal"), ("--anchor", str(tmp_path / "an.anchor"))
    for words, said in (
        (("journal", "verify", str(folder / "letter.txt")), "is not a journal"),
        (("table", "--journal", str(folder / "letter.txt")), "is not a journal"),
        (("journal", "show", str(folder / "newer.journal")), "has format 99"),
        (("table", "--journal", str(folder / "newer.journal")), "has format 99"),
        (("journal", "verify", str(folder / "missing.journal")), "there is no journal at"),
        (("journal", "verify", good, "--keys", str(folder / "bad.key")), "is not a ring"),
        (("journal", "verify", good, "--anchor", str(folder / "missing.anchor")), "there is no anchor at"),
        (("table", "--journal", good, "--key", str(folder / "stranger.key"), *elsewhere), "does not know key"),
        (("table", "--journal", good, "--key", str(folder / "bad.key")), "is not a signing key"),
        (("table", "--key", str(folder / "stranger.key")), "give --journal too"),
        (("journal", "show", good, "--coup", "7"), "it has played 1"),
        (("journal", "show", good, "--station", "Z9"), "there is no station 'Z9'"),
        (("journal", "replay", good, "--table", "T9"), "there is no table 'T9'"),
        (("journal", "replay", good, "--until", "999"), "there is no record 999"),
        (("journal", "show", good, "--day", "tomorrow"), "is not a day"),
        (("journal", "prepare", good), "only a database is prepared"),
    ):
        ran = sabot(*words)
        assert_one_clear_sentence(ran)
        assert said in ran.error
    assert _unchanged(folder) == before


def test_a_wrong_ring_is_a_problem_with_a_name(night: Path, tmp_path: Path) -> None:
    sabot("keys", "new", str(tmp_path / "other.key"))
    ran = sabot("journal", "verify", str(night / "night.journal"), "--keys", str(tmp_path / "other.key.ring"), "--json")
    assert ran.code == 1
    assert {problem["kind"] for problem in ran.json["problems"]} == {"signature"}


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="root writes anywhere, read-only or not")
def test_a_journal_on_a_read_only_disk_is_read_and_not_written(night: Path) -> None:
    above = Path(tempfile.mkdtemp(prefix="sabot-read-only-"))  # Other users may not read pytest's folders.
    folder = above / "disk"
    shutil.copytree(night, folder)
    before = _unchanged(folder)
    for path in (*folder.iterdir(), folder, above):
        path.chmod(0o555 if path.is_dir() else 0o444)
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    words = [*as_nobody, str(SABOT), "table", "--journal", str(folder / "night.journal")]
    try:
        done = subprocess.run(words, input="", capture_output=True, text=True, check=False, timeout=600)  # noqa: S603
        assert_one_clear_sentence(Ran(done.returncode, done.stdout, done.stderr))
        assert "cannot be written to" in done.stderr
        assert sabot("journal", "verify", str(folder / "night.journal")).code == 0
        assert _unchanged(folder) == before
    finally:
        for path in (above, folder):
            path.chmod(0o755)
        shutil.rmtree(above)


def test_keys_are_made_rotated_and_shown(tmp_path: Path) -> None:
    path = str(tmp_path / "casino.key")
    assert sabot("keys", "new", path).code == 0
    assert_one_clear_sentence(sabot("keys", "new", path))
    assert sabot("keys", "rotate", path).code == 0
    listed = sabot("keys", "show", path, "--json").json
    assert [one["signs"] for one in listed] == [False, True]
    assert listed[1]["vouched_by"] == listed[0]["id"]
    assert sabot("keys", "public", path).out == Path(f"{path}.ring").read_text()


@pytest.mark.parametrize("words", [("journal",), ("keys",), ("journal", "verify"), ("journal", "migrate")])
def test_help_teaches_with_an_example(words: tuple[str, ...]) -> None:
    assert f"sabot {words[0]} " in sabot(*words, "--help").out.split("Usage", 1)[1].split("\n", 1)[1]
