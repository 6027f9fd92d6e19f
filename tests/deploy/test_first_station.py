"""From the installed program to a wager at a live table, by the script that the operator's handbook names."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
AIM_S = 120
"""From the wheel to an enrolled station in wagering, on a machine that has nothing else to do."""


def _follow(python: Path | str, script: Path, home: Path) -> float:
    """Run it in an empty home; the seconds until the wager lay there."""
    done = subprocess.run(  # noqa: S603  Our own script.
        [python, script, home / "floor"], env={"HOME": str(home), "PATH": os.environ["PATH"]},
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    steps = re.findall(r"^ *([\d.]+) s  (.+)$", done.stdout, re.MULTILINE)
    assert steps[-1][1] == "the records are proved"
    assert any("with code 0" in step for _, step in steps)
    (wagered,) = [float(seconds) for seconds, step in steps if "25.00 lie on Banker" in step]
    return wagered


@pytest.mark.slow
def test_a_script_comes_from_an_empty_home_to_a_wager_at_a_live_table(tmp_path: Path) -> None:
    assert _follow(sys.executable, ROOT / "deploy" / "first_station.py", tmp_path) < 4 * AIM_S  # Beside other tests.


@pytest.mark.whole
def test_from_the_wheel_it_takes_less_than_two_minutes(tmp_path: Path) -> None:
    """The wheel is built before; its packages are fetched and installed within the time."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    own = {**os.environ, "TMPDIR": str(tmp_path)}  # Where Node keeps what it has compiled, if pages are built.
    subprocess.run(build, cwd=ROOT, env=own, check=True, capture_output=True, timeout=900)  # noqa: S603  Our own build.
    (wheel,) = (tmp_path / "dist").iterdir()
    began = time.monotonic()
    environment, uv = tmp_path / "opt", Path(sys.executable).with_name("uv")
    subprocess.run([sys.executable, "-m", "venv", environment], check=True, timeout=300)  # noqa: S603
    installing = [str(uv), "pip", "install", "-q", "--python", str(environment / "bin" / "python")]
    pinned = ["--require-hashes", "-r", str(ROOT / "requirements" / "run.txt")]
    for words in (pinned, ["--no-deps", str(wheel)]):
        subprocess.run([*installing, *words], check=True, timeout=600)  # noqa: S603
    files = tmp_path / "files"
    subprocess.run([environment / "bin" / "sabot", "deploy", files], check=True, timeout=60)  # noqa: S603
    installed_s = time.monotonic() - began
    home = tmp_path / "home"
    home.mkdir()
    assert installed_s + _follow(environment / "bin" / "python", files / "first_station.py", home) < AIM_S
