"""The units of systemd and the files that the program brings along."""

import ctypes.util
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.cli.sabot import SABOT, assert_one_clear_sentence, sabot
from tests.served.floor_file import write_floor

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNITS = ("sabot.service", "sabot-rotate.service", "sabot-rotate.timer")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_reads_the_units_without_a_complaint_and_they_run_an_installed_program(tmp_path: Path) -> None:
    for name in UNITS:
        text = (DEPLOY / name).read_text(encoding="utf-8")
        commands = re.findall(r"^Exec\w+=(\S+)", text, re.MULTILINE)
        assert set(commands) <= {"/opt/sabot/bin/sabot"}, "the unit runs a wheel, not a checkout"
        (tmp_path / name).write_text(text.replace("/opt/sabot/bin/sabot", str(SABOT)))
    done = subprocess.run(  # noqa: S603  Our own files.
        ["systemd-analyze", "verify", *(str(tmp_path / name) for name in UNITS)],  # noqa: S607
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None or ctypes.util.find_library("seccomp") is None,
    reason="there is no systemd here, or no libseccomp",
)
def test_the_unit_allows_every_system_call_that_checking_a_floor_and_making_its_reports_need(tmp_path: Path) -> None:
    """A call that is not allowed ends the process: NumPy's memory and the priority of reports once did."""
    reports = "import os, resource as r; os.nice(5); r.setrlimit(r.RLIMIT_DATA, (10**9, 10**9))"
    for command in (
        [SABOT, "serve", "--config", write_floor(tmp_path), "--check"],
        [sys.executable, "-c", reports],
    ):
        done = subprocess.run(  # noqa: S603  Our own words.
            [sys.executable, Path(__file__).with_name("filtered.py"), DEPLOY / "sabot.service", *command],
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_files_for_running_a_floor_are_copied_out_into_an_empty_folder(tmp_path: Path) -> None:
    ran = sabot("deploy", str(tmp_path / "out"))
    assert ran.code == 0, ran.error
    copied = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file()}
    own = {str(path.relative_to(DEPLOY)) for path in DEPLOY.rglob("*") if path.is_file()}
    assert copied == {name for name in own if "__pycache__" not in name} | {"requirements.txt"}
    assert_one_clear_sentence(sabot("deploy", str(tmp_path / "out")))


def test_the_package_says_who_made_it_and_which_pythons_it_was_tried_with() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["authors"]
    assert len(project["keywords"]) >= 5
    tried = [one.rpartition(" ")[2] for one in project["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert tried == ["3.11", "3.12", "3.13", "3.14"]
