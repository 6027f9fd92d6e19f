"""A missing prerequisite is one clear sentence."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _copy(to: Path) -> None:
    for name in (".start", "sabot", "bootstrap.py", "pyproject.toml", "hatch_build.py"):
        shutil.copy(ROOT / name, to / name)
    for folder in ("requirements", "src/sabot/odds/kernel"):
        shutil.copytree(ROOT / folder, to / folder)


def _run(folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  Our own script.
        [folder / "sabot", "rules"], env=environment, capture_output=True, text=True, check=False, timeout=300
    )


def test_without_a_python_that_is_new_enough(tmp_path: Path) -> None:
    _copy(tmp_path)
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "dirname"):
        (tools / tool).symlink_to(shutil.which(tool) or "")
    done = _run(tmp_path, {"PATH": str(tools)})
    assert (done.returncode, done.stdout) == (69, "")
    assert done.stderr.splitlines() == [
        "sabot: Python 3.11 or newer is needed and none was found; install one, or set SABOT_PYTHON to its path."
    ]


SYSTEM = Path("/usr/bin/python3")
USABLE = "import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 11))"
MADE_OTHERWISE = """#!/bin/sh
case "$2" in *--enable-optimizations*) exit {slow} ;; esac
exec {python} "$@"
"""
"""A Python that says how it was compiled: 0 for without a profile, as a version manager does by itself."""


@pytest.mark.skipif(
    not SYSTEM.exists() or subprocess.run([SYSTEM, "-c", USABLE], capture_output=True, check=False).returncode != 0,  # noqa: S603
    reason="the system has no Python that could be taken instead",
)
@pytest.mark.parametrize(("slow", "asked_for", "found"), [(0, False, "system"), (1, False, "own"), (0, True, "own")])
def test_the_system_s_python_is_taken_where_the_one_found_is_a_slow_build(
    tmp_path: Path, slow: int, asked_for: bool, found: str
) -> None:
    shutil.copy(ROOT / ".start", tmp_path / ".start")
    (tmp_path / "bootstrap.py").write_text("import sys; print(sys.argv[1], sys.executable)")
    own = tmp_path / "own" / "python3"
    own.parent.mkdir()
    own.write_text(MADE_OTHERWISE.format(slow=slow, python=sys.executable))
    own.chmod(0o755)
    environment = {"PATH": f"{own.parent}:/usr/bin:/bin"} | ({"SABOT_PYTHON": str(own)} if asked_for else {})
    done = subprocess.run(  # noqa: S603  Our own script.
        [tmp_path / ".start", "word"], env=environment, capture_output=True, text=True, check=False
    )
    expected = {"system": SYSTEM, "own": sys.executable}[found]
    assert (done.returncode, done.stdout, done.stderr) == (0, f"word {expected}\n", "")


_STAMP = """
import pathlib, sys
source = pathlib.Path("bootstrap.py").resolve()
scope = {"__file__": str(source)}
exec(source.read_text().replace("sys.exit(main(*sys.argv[1:]))", ""), scope)
print(scope["fingerprint"]("run.txt"), end="")
"""


def test_an_environment_that_is_ready_is_started_by_its_own_python_alone(tmp_path: Path) -> None:
    """The python3 of a version manager is a script that takes longer than the command itself."""
    _copy(tmp_path)
    own, tools = tmp_path / ".venv" / "bin", tmp_path / "tools"
    own.mkdir(parents=True)
    tools.mkdir()
    (own / "python").symlink_to(sys.executable)
    (own / "sabot").write_text('#!/bin/sh\necho "$@"\n')
    (own / "sabot").chmod(0o755)
    for tool in ("sh", "dirname"):
        (tools / tool).symlink_to(shutil.which(tool) or "")
    stamp = subprocess.run(  # noqa: S603  Our own script.
        [own / "python", "-c", _STAMP], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    (tmp_path / ".venv" / "sabot-stamp").write_text(stamp)
    done = _run(tmp_path, {"PATH": str(tools)})
    assert (done.returncode, done.stdout, done.stderr) == (0, "rules\n", "")


@pytest.mark.slow
def test_without_a_package_index(tmp_path: Path) -> None:
    _copy(tmp_path)
    done = _run(tmp_path, {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": os.devnull})
    assert (done.returncode, done.stdout) == (69, "")
    assert done.stderr.splitlines()[-1] == (
        "sabot: the pinned packages could not be fetched; is the Python package index reachable from here?"
    )
    assert not (tmp_path / ".venv" / "sabot-stamp").exists()


def test_locks_name_no_package_host() -> None:
    for lock in (ROOT / "requirements").iterdir():
        assert "://" not in lock.read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="a mount of one's own needs Linux")
def test_a_read_only_checkout_is_one_clear_sentence(tmp_path: Path) -> None:
    """Root may write anywhere but to a read-only mount, so there is one, in a namespace of its own."""
    _copy(tmp_path)
    mount = f"mount --bind {tmp_path} {tmp_path} && mount -o remount,ro,bind {tmp_path}"
    inside = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    if subprocess.run([*inside, mount], capture_output=True, check=False).returncode:  # noqa: S603  Our own words.
        pytest.skip("namespaces are not allowed here")
    done = subprocess.run(  # noqa: S603  Our own script.
        [*inside, f"{mount} && exec {tmp_path}/sabot rules"], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout) == (69, "")
    (said,) = done.stderr.splitlines()
    assert said.startswith(f"sabot: this checkout is read-only ({tmp_path})")
