"""`sabot drill`: break rules on purpose and see whether the rulebook notices."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
from cyclopts import App

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag, Number
from sabot.cli.checkout import PACKAGE, checkout
from sabot.cli.terminal import console, print_json, table

_RUN_SCENARIOS = """
import json, sys
from sabot.cli.breaking import first_red
red = first_red(sys.argv[1], json.loads(sys.argv[2]))
if red:
    print(red.scenario)
    print(red.why)
    sys.exit(1)
"""

_RUN_NIGHTS = """
import json, sys
from pathlib import Path
from sabot.cli.random_nights import first_violation
first, only, nights = int(sys.argv[1] or 0), json.loads(sys.argv[2]), int(sys.argv[3])
found = first_violation(map(int, only) if only else (first, *range(nights)), Path(sys.argv[4]))
if found:
    print(found.seed)
    print(f"night {found.seed}: {found.violation}")
    sys.exit(1)
"""

_RUN_TOURNAMENTS = """
import json, sys
from sabot.cli.random_tournaments import first_broken_law
only, seeds = json.loads(sys.argv[2]), int(sys.argv[3])
found = first_broken_law(map(int, only) if only else range(seeds))
if found:
    print(found.seed)
    print(found.why)
    sys.exit(1)
"""

_RUN_TESTS = """
import contextlib, io, json, subprocess, sys
import pytest
test, only, file, red = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3], sys.argv[4]

def leaves(error):
    return [leaf for one in error.exceptions for leaf in leaves(one)] if hasattr(error, "exceptions") else [error]

class Reports:
    passed = 0
    red = never_ran = None
    def pytest_runtest_logreport(self, report):
        self.passed += report.when == "call" and report.passed
        if report.failed and report.when == "setup" and self.red is None:
            self.never_ran = f"{report.nodeid.rpartition('::')[2]} was not set up: {self.said(report)}"
    def pytest_collectreport(self, report):
        if report.failed:
            self.never_ran = f"{report.nodeid} was not read: {self.said(report)}"
    def pytest_exception_interact(self, call, report):
        if report.when in ("call", "teardown") and self.red is None:
            first = leaves(call.excinfo.value)[0]
            said = (str(first).strip().splitlines() or [""])[0]
            self.red = report.nodeid, report.when, f"{type(first).__name__}: {said}"
    def said(self, report):
        return (report.longreprtext.strip().splitlines() or ["it failed"])[-1]

if file:
    names = [sys.executable, "-m", "ruff", "check", "-q", "--isolated", "--select", "F821,F822,F823", file]
    wrong = subprocess.run(names, capture_output=True, text=True, check=False)
    if wrong.returncode:
        print("")
        print("the broken rule does not run: " + wrong.stdout.strip().partition(chr(10))[0])
        sys.exit(0)
reports = Reports()
with contextlib.redirect_stdout(io.StringIO()):
    pytest.main(["-q", "-x", "-n", "0", "-p", "no:cacheprovider", *(only or [test])], plugins=[reports])
if reports.red:
    node, when, why = reports.red
    is_right = red in why if red else why.startswith(("AssertionError", "Failed: "))
    print(node)
    if not is_right and not only:
        print(f"{node.rpartition('::')[2]} is red for another reason than {red or 'what it asserts'}: {why}")
        sys.exit(0)
    print(f"{node.rpartition('::')[2]}{' at its end' if when == 'teardown' else ''}: {why}")
    sys.exit(1)
print("")
print(reports.never_ran or ("nothing turned red" if reports.passed else f"no test ran: {test}"))
sys.exit(bool(only and reports.never_ran))
"""

ENDS_WITHIN_S = 300
"""A test that takes longer has noticed nothing, unless the entry says that it does not end without the defence."""
DOES_NOT_END = "does not end"
"""What an entry's `red` says of such a test."""
DOES_NOT_RUN = ("NameError", "SyntaxError", "IndentationError", "ImportError", "AttributeError")
"""A broken rule that ends so is no rule at all: any scenario would turn red."""


class Broken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule of the code, and what to put in its place."""

    what: str
    file: str
    rule: str
    broken: str
    first: str = ""
    """The scenario file or the night that notices it soonest; where it does not, the others follow."""
    test: str = ""
    """The test that notices it, for a defence of the floor."""
    red: str = ""
    """How that test ends, where it is not by what it asserts: words of its exception, or `DOES_NOT_END`."""


class _Drill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    broken: list[Broken]


class DrillOutcome(msgspec.Struct, frozen=True):
    what: str
    noticed: bool
    by: str
    """What the first red scenario said, or why nothing turned red."""


class _Tried(msgspec.Struct, frozen=True):
    outcome: DrillOutcome
    turned_red: str = ""
    """The scenario or the night that noticed it, by its id."""


drill = App(name="drill")
drill.command("sabot.cli.cluster.command:cluster", name="cluster", help="Play on a database cluster whose nodes fail.")
drill.command(
    "sabot.cli.integrity_drill:integrity",
    name="integrity",
    help="Try the lights of integrity on honest nights and on cheats.",
)


@drill.default
def break_rules(
    *,
    only: str = "",
    every: Number = 1,
    nights: Number = 0,
    seed: Number = 0,
    holes: Flag = False,
    tournaments: Number = 0,
    defences: Flag = False,
    json: Flag = False,
) -> int:
    """Break the rules in drill/broken_rules.toml one at a time, never in place, and run the rulebook against each.

        sabot drill --only ticket

        sabot drill --nights 10000

        sabot drill --nights 500 --holes

        sabot drill --tournaments 3

        sabot drill --defences --only header

    A rule whose breaking turns no scenario red is not proved, whatever the trace says: the exit code is then 1.

    With --nights it plays random nights at one table instead: every act by every role, at plausible and implausible
    moments. After each act the money, the cards and the authority are checked, and that a supervisor can still close
    the table with everybody paid. With --holes it breaks the rules in drill/planted_holes.toml, and nights find each.
    With --tournaments it breaks those in drill/planted_tournament_faults.toml, which tournaments in foul weather find.
    With --defences it takes away the defences in drill/defences, and the test that each entry names must turn red.

    Parameters
    ----------
    only
        Break only the rules whose file or description contains these words, such as house/ or ticket.
    every
        Of the rules break only the first of so many, for a quick look.
    nights
        Play so many random nights.
    seed
        The number of the first night; the same number plays the same night.
    holes
        Plant each hole in a copy, and play nights until one finds it.
    tournaments
        Plant each fault of tournaments in a copy, and play tournaments with so many seeds until one finds it.
    defences
        Take away each defence of the floor in a copy, and run the test that must notice.
    json
        Print the stable JSON form: what was broken, whether it was noticed, and by which scenario; or the nights.
    """
    root = checkout()
    if root is None:
        raise Mistake(
            "the drill needs the tests, which are in a checkout alone: run ./sabot drill there; "
            "`sabot dossier` breaks the rules from a wheel as well"
        )
    if every < 1:
        raise Mistake("--every is 1 for all rules, or a larger number for a part of them")
    if nights < 0 or seed < 0 or (holes and not nights):
        raise Mistake("--nights is how many nights are played, such as --nights 1000, and --seed which comes first")
    matrix = root / "tests" / "data" / "role_matrix.tsv"
    if nights and not holes:
        from sabot.cli.random_nights import play_nights, tell_nights

        return tell_nights(play_nights(range(seed, seed + nights), matrix, quiet=json), json=json)
    file, program, words = "broken_rules", _RUN_SCENARIOS, list[str]()
    if holes:
        file, program, words = "planted_holes", _RUN_NIGHTS, [str(nights), str(matrix)]
    elif tournaments:
        file, program, words = "planted_tournament_faults", _RUN_TOURNAMENTS, [str(tournaments)]
    elif defences:
        file, program = "defences/*", _RUN_TESTS
    outcomes = _outcomes(root, _breaks(root, file, only, every), program, words)
    if json:
        print_json(outcomes)
    else:
        _show(outcomes)
    return 0 if all(outcome.noticed for outcome in outcomes) else 1


def broken_rules(root: Path, every: int = 1) -> list[DrillOutcome]:
    """What came of breaking the rules in drill/broken_rules.toml, or the first of so many of them."""
    return _outcomes(root, _breaks(root, "broken_rules", "", every), _RUN_SCENARIOS, [])


def _breaks(root: Path, file: str, only: str, every: int) -> list[Broken]:
    files = sorted((root / "drill").glob(f"{file}.toml"))
    breaks = [one for each in files for one in msgspec.toml.decode(each.read_bytes(), type=_Drill).broken]
    breaks = [one for one in breaks if only in one.file or only in one.what][::every]
    if not breaks:
        raise Mistake(f"no broken rule is about {only!r}")
    return breaks


def _outcomes(root: Path, breaks: list[Broken], program: str, words: list[str]) -> list[DrillOutcome]:
    noticed = _noticed_in_forks(breaks) if program is _RUN_SCENARIOS else {}
    left = [one for one in breaks if one not in noticed]
    tried = dict(zip(left, _break_each(left, partial(_try, root, program, words)), strict=True))
    return [noticed.get(one) or tried[one] for one in breaks]


def _noticed_in_forks(breaks: list[Broken]) -> dict[Broken, DrillOutcome]:
    """The rules that are noticed without a process of their own, which most are."""
    from sabot.cli.breaking import noticed_in_forks

    found = noticed_in_forks(PACKAGE, breaks)
    said = {one: red.why.strip().splitlines()[-1] for one, red in zip(breaks, found, strict=True) if red}
    return {
        one: DrillOutcome(one.what, noticed=True, by=why)
        for one, why in said.items()
        if not why.startswith(DOES_NOT_RUN)
    }


_Programs = list[subprocess.Popen[str]]
"""Those that run now."""


def _break_each(breaks: list[Broken], attempt: Callable[..., _Tried]) -> list[DrillOutcome]:
    """Break each rule, then run all that turned red once more on sound rules, where nothing may turn red."""
    with tempfile.TemporaryDirectory(prefix="sabot-drill-") as folder, ThreadPoolExecutor(2) as two_at_a_time:
        places = [Path(folder) / str(number) for number in range(len(breaks))]
        programs: _Programs = []
        attempt = partial(attempt, programs=programs)
        try:
            tried = list(two_at_a_time.map(attempt, breaks, places))
        except BaseException:  # Such as Ctrl-C, which reaches this process alone.
            two_at_a_time.shutdown(wait=False, cancel_futures=True)
            for program in programs:
                _end(program)
            raise
        if turned_red := sorted({one.turned_red for one in tried if one.turned_red}):
            nothing = Broken("nothing", "__init__.py", "Sabot", "Sabot")
            sound = attempt(nothing, Path(folder) / "sound", turned_red).outcome
            if sound.noticed:
                raise Mistake(f"something is red before any rule is broken: {sound.by}")
    return [one.outcome for one in tried]


def _try(
    root: Path,
    run: str,
    words: list[str],
    one: Broken,
    place: Path,
    only: Sequence[str] = (),
    *,
    programs: _Programs,
    source: Path = PACKAGE,
) -> _Tried:
    """Run a program on a copy with the broken rule, beginning with its `first`; `only` names all that is to be run."""
    text = (source / one.file).read_text(encoding="utf-8") if (source / one.file).exists() else ""
    if text.count(one.rule) != 1:
        found = f"the rule stands {text.count(one.rule)} times in {one.file}"
        return _Tried(DrillOutcome(one.what, noticed=False, by=found))
    _link_all_but(source, place / "sabot", Path(one.file))
    broken = place / "sabot" / one.file
    broken.write_text(text.replace(one.rule, one.broken), encoding="utf-8")
    os.utime(broken, (0, 0))  # So that the compiled module of the sound file never passes for it.
    if run is _RUN_TESTS:
        words = [str(broken) if one.test else "", one.red]
    try:
        ran = _run_whole(
            [sys.executable, "-B", "-c", run, one.test or one.first, msgspec.json.encode(only).decode(), *words],
            cwd=root,
            environment={**os.environ, "PYTHONPATH": str(place)},  # What it starts runs the broken rule, too.
            within_s=ENDS_WITHIN_S if one.test else None,
            programs=programs,
        )
    except subprocess.TimeoutExpired:
        said = f"{one.test} does not end within {ENDS_WITHIN_S} s"
        return _Tried(DrillOutcome(one.what, noticed=one.red == DOES_NOT_END, by=said))
    finally:
        shutil.rmtree(place)
    turned_red, _, why = ran.stdout.partition("\n")
    said = (why.strip() or ran.stderr.strip() or "nothing turned red").splitlines()[-1]
    if said.startswith(DOES_NOT_RUN):
        return _Tried(DrillOutcome(one.what, noticed=False, by=f"the broken rule does not run: {said}"))
    return _Tried(DrillOutcome(one.what, noticed=ran.returncode != 0, by=said), turned_red)


def _run_whole(
    words: list[str], cwd: Path, environment: dict[str, str], within_s: float | None, programs: _Programs
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, or end it with everything that it has started."""
    with subprocess.Popen(  # noqa: S603  Our own program, broken on purpose.
        words,
        cwd=cwd,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        programs.append(running)
        try:
            out, error = running.communicate(timeout=within_s)
        except BaseException:
            _end(running)
            raise
        finally:
            programs.remove(running)
    return subprocess.CompletedProcess(words, running.returncode, out, error)


def _end(program: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(program.pid, signal.SIGKILL)


def _link_all_but(source: Path, place: Path, file: Path) -> None:
    """A tree of links to the sources, with the compiled modules, and a gap where `file` belongs."""
    place.mkdir(parents=True)
    for entry in source.iterdir():
        if entry.name != file.parts[0]:
            (place / entry.name).symlink_to(entry)
    if len(file.parts) > 1:
        _link_all_but(source / file.parts[0], place / file.parts[0], Path(*file.parts[1:]))


def _show(outcomes: list[DrillOutcome]) -> None:
    out = console()
    shown = table("", "broken rule", "noticed by")
    for outcome in outcomes:
        shown.add_row("✓" if outcome.noticed else "✗", outcome.what, outcome.by)
    out.print(shown)
    noticed = sum(outcome.noticed for outcome in outcomes)
    out.print(f"{noticed} of {len(outcomes)} broken rules were noticed.")
