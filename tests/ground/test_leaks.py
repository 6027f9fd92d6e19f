"""A test that leaves a process or a file behind fails; one that cleans up does not."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import leaks

ROOT = Path(__file__).resolve().parent.parent.parent
CONFTEST = """
import signal, os, pytest
from tests import leaks
leaks.GRACE_S = 0.2

def pytest_configure(config):
    folder = leaks.own_temporary_folder()
    config.add_cleanup(lambda: leaks.forget(folder))
    config.pluginmanager.register(leaks.LeakWatch(folder))

@pytest.fixture(autouse=True, scope="session")
def _ended():
    yield
    for pid in leaks._children():
        os.kill(pid, signal.SIGKILL)
"""
TESTS = """
import subprocess, sys, tempfile, pytest

SLEEPS = [sys.executable, "-c", "import time; time.sleep(60)"]

@pytest.fixture(scope="module")
def served():
    with subprocess.Popen(SLEEPS) as process:
        yield process
        process.kill()

def test_a_fixture_of_the_module_may_keep_its_process(served):
    pass

def test_a_process_that_is_ended_is_no_leak():
    with subprocess.Popen(SLEEPS) as process:
        process.kill()

def test_a_temporary_folder_that_is_deleted_is_no_leak():
    with tempfile.TemporaryDirectory():
        pass

def test_leaks_a_process():
    subprocess.Popen(SLEEPS)

def test_leaks_a_grandchild():
    script = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])"
    subprocess.run([sys.executable, "-c", script], check=True)

def test_leaks_a_folder():
    tempfile.mkdtemp()
"""


def test_what_a_test_leaves_behind_is_its_failure(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    plugins = ("-p", "no:cacheprovider", "-p", "no:xdist")
    words = (sys.executable, "-m", "pytest", "-v", "-W", "ignore", *plugins, str(tmp_path))
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{os.environ.get('PYTHONPATH', '')}"}
    ran = subprocess.run(  # noqa: S603  Our own words.
        words, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path, timeout=120
    )
    assert set(re.findall(r"^ERROR \S+::(\w+) - ", ran.stdout, re.MULTILINE)) == {
        "test_leaks_a_process",
        "test_leaks_a_grandchild",
        "test_leaks_a_folder",
    }, ran.stdout
    assert "6 passed, 3 errors" in ran.stdout
    assert ran.stdout.count("left processes behind: python") >= 2
    assert "left temporary files behind: tmp" in ran.stdout


def test_a_new_file_of_the_checkout_is_seen_and_an_ignored_one_is_not(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)  # noqa: S603, S607  Our own words.
    (tmp_path / ".gitignore").write_text("*.log\n")
    before = leaks.untracked(tmp_path)
    (tmp_path / "left").touch()
    (tmp_path / "some.log").touch()
    assert leaks.untracked(tmp_path) - before == {"left"}


def test_every_process_that_may_be_left_has_its_reason() -> None:
    assert all(len(reason.split()) > 5 for reason in leaks.ALLOWED.values())


@pytest.mark.parametrize("name", ["TMPDIR", "PYTEST_DEBUG_TEMPROOT"])
def test_this_process_has_a_folder_of_its_own(name: str) -> None:
    assert Path(os.environ[name]).is_dir()
    assert os.environ["TMPDIR"] != os.environ["PYTEST_DEBUG_TEMPROOT"]
