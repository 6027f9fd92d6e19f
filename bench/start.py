"""How much CPU time a command takes from its start to its end: user and system, the whole process.

The baseline is the same command of the earlier program (`earlier_program.py`), run in turns with this one; each
figure is the least of several. `start_nothing` is the interpreter against itself: Python's own share, and the noise.

This is the installed entry point. `./sabot` adds the check of its set-up, `start_bootstrap`, whose baseline is the
interpreter alone; the command behind it is left out.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sabot.cli.checkout import checkout
from sabot.cli.earlier_program import earlier_program
from sabot.cli.stopwatch import Row, row

RUNS = 5
MAIN = "from sabot.cli import main; main()"
COUP = ("coup", "crown-traditional", "2S", "4H", "3D", "3C", "8S")
COMMANDS = {
    "help": ("--help",),
    "coup": COUP,
    "coup_json": (*COUP, "--json"),
    "rules": ("rules",),
    "odds": ("odds", "crown-traditional"),
    "table": ("table",),
    "serve_help": ("serve", "--help"),
    "journal_help": ("journal", "--help"),
}
_STAMP = """
import pathlib
source = pathlib.Path("bootstrap.py").resolve()
scope = {"__file__": str(source)}
exec(source.read_text().replace("sys.exit(main(*sys.argv[1:]))", ""), scope)
print(scope["fingerprint"]("run.txt"), end="")
"""


def measure() -> Iterator[Row]:
    now, earlier = checkout(), earlier_program()
    assert now is not None
    nothing = [sys.executable, "-c", "pass"]
    bare, again = _in_turns((nothing, None), (nothing, None))
    yield row("start_nothing", bare, "ms", again)
    for name, words in COMMANDS.items():
        yield row(f"start_{name}", *_both(now, earlier, words))
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        place = _bare_checkout(now, Path(folder))
        checked, bare = _in_turns(([str(place / "sabot"), "--help"], None), (nothing, None))
    yield row("start_bootstrap", checked, "ms", bare)


def measure_long() -> Iterator[Row]:
    """A journal of one night in a file, proved: the command that auditors and scripts call most."""
    now, earlier = checkout(), earlier_program()
    assert now is not None
    night = "D1 sign_on\nD1 open_table\nGS1 check_cards 416\nD1 new_shoe\n"
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        commands = []
        for program, name in ((now, "now"), (earlier, "earlier")):
            journal = str(Path(folder) / name)  # Each its own, since the form of records has changed.
            _run([sys.executable, "-c", MAIN, "table", "--journal", journal], _of(program), night)
            commands.append(([sys.executable, "-c", MAIN, "journal", "verify", journal], _of(program)))
        ours, theirs = _in_turns(*commands)
        yield row("start_journal_verify", ours, "ms", theirs)


def _both(now: Path, earlier: Path, words: Sequence[str]) -> tuple[float, str, float]:
    command = [sys.executable, "-c", MAIN, *words]
    ours, theirs = _in_turns((command, _of(now)), (command, _of(earlier)))
    return ours, "ms", theirs


def _of(program: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(program / "src")}


def _in_turns(*commands: tuple[list[str], Mapping[str, str] | None]) -> list[float]:
    """The least CPU milliseconds of each, all of them once in every round."""
    rounds = [[_run(words, environment) for words, environment in commands] for _ in range(RUNS)]
    return [min(taken) * 1e3 for taken in zip(*rounds, strict=True)]


def _run(words: list[str], environment: Mapping[str, str] | None, given: str = "") -> float:
    with tempfile.TemporaryFile() as typed:
        typed.write(given.encode())
        typed.seek(0)
        process = subprocess.Popen(  # noqa: S603  Our own words.
            words, stdin=typed, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, words
    return used.ru_utime + used.ru_stime


def _bare_checkout(now: Path, place: Path) -> Path:
    """What `./sabot` needs to find its environment ready, and behind it a command that does nothing."""
    for name in (".start", "sabot", "bootstrap.py", "pyproject.toml", "hatch_build.py"):
        shutil.copy(now / name, place / name)
    for part in ("requirements", "src/sabot/odds/kernel"):
        shutil.copytree(now / part, place / part)
    own = place / ".venv" / "bin"
    own.mkdir(parents=True)
    (own / "python").symlink_to(Path(sys.executable).resolve())
    home = Path(sys.base_prefix) / "bin"
    (place / ".venv" / "pyvenv.cfg").write_text(f"home = {home}\ninclude-system-site-packages = false\n")
    (own / "sabot").write_text("#!/bin/sh\n")
    (own / "sabot").chmod(0o755)
    stamp = subprocess.run(  # noqa: S603  Our own script.
        [own / "python", "-c", _STAMP], cwd=place, capture_output=True, text=True, check=True
    ).stdout
    (place / ".venv" / "sabot-stamp").write_text(stamp)
    return place
