"""What every test run shares: how hard Hypothesis looks, how the scenarios came out, and that no test leaks."""

import gc
import os
import signal
from collections import deque
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, settings

from sabot.floor.records.program_digest import package_digest
from sabot.rulebook.scenario import all_scenarios
from sabot.rulebook.trace import Results
from tests.leaks import CheckoutWatch, LeakWatch, forget, own_temporary_folder

# The full round looks at the same examples every time, so that a change is judged by what it changed; the soak looks
# at new ones each time, and a failure it finds becomes a test of its own.
_COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("full", _COMMON, max_examples=50, derandomize=True, database=None)
settings.register_profile("fast", _COMMON, max_examples=30, derandomize=True, database=None)
settings.register_profile("soak", _COMMON, max_examples=3_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "full"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts a background command with Ctrl-C ignored, and every command that a test starts would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent


LONGEST = (
    ("cli/test_cluster_drill.py", "cli/test_soak.py", "web/test_whole_shoes.py", "web/test_disk_faults.py"),
    ("served/test_served_tournament.py", "ground/test_documents.py", "web/test_leaks.py"),
    ("screens/test_tour.py", "screens/test_tournament.py", "screens/test_pit.py", "web/test_database_away.py"),
    ("screens/test_floor.py", "screens/test_whole_tables.py", "ground/test_wheel.py", "web/test_drain.py"),
)
"""Files of tests that take long one by one, by the process of the tests that begins with them.

None is left for the end, when a process would be alone with it. Those of the pages are at two processes, since each
starts a browser of its own.
"""


def pytest_collection_finish() -> None:
    """What was loaded and collected is never garbage: nobody looks through it again and again while tests run."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest tests at the beginning of each process's share: xdist gives each an equal part of the list."""
    processes, number = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")), len(items)
    place = {ROOT / "tests" / name: (n % processes, at) for n, row in enumerate(LONGEST) for at, name in enumerate(row)}
    long = sorted((item for item in items if item.path in place), key=lambda item: place[item.path])
    others = deque(item for item in items if item.path not in place)
    items.clear()
    for process in range(processes):
        end = len(items) + (number - len(items)) // (processes - process)
        items += [item for item in long if place[item.path][0] == process]
        while others and len(items) < end:
            items.append(others.popleft())


class ScenarioRecorder:
    """Keeps each scenario's outcome, whichever worker ran it, and writes them down when all of them ran."""

    def __init__(self) -> None:
        self.failures: dict[str, str | None] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        scenario = dict(report.user_properties).get("scenario")
        if isinstance(scenario, str) and (report.when == "call" or report.failed):
            crash = getattr(report.longrepr, "reprcrash", None)
            message = (crash.message.splitlines()[0] if crash else "failed") if report.failed else None
            self.failures[scenario] = self.failures.get(scenario) or message

    def pytest_sessionfinish(self) -> None:
        if set(self.failures) == {scenario.id for scenario in all_scenarios()}:
            folder = ROOT / ".sabot"
            folder.mkdir(exist_ok=True)
            results = Results(package_digest(), self.failures)
            (folder / "trace.json").write_bytes(msgspec.json.format(msgspec.json.encode(results)))


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # Until everything is collected.
    temporary = own_temporary_folder()
    config.add_cleanup(lambda: forget(temporary))
    config.pluginmanager.register(LeakWatch(temporary))
    if not hasattr(config, "workerinput"):  # Only the process that collects the workers' reports sees them all.
        config.pluginmanager.register(ScenarioRecorder())
        config.pluginmanager.register(CheckoutWatch(ROOT))
