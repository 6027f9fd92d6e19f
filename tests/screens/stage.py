"""A stage for browser tests: one Chromium in an event loop of its own that stands still between tests.

Playwright's own synchronous form keeps a loop running for the rest of the process, in which no other test could start
one; this one runs only while a test plays.
"""

import asyncio
import runpy
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, async_playwright

_BROWSER = runpy.run_path(str(Path(__file__).resolve().parents[2] / "screens" / "browser.py"))["browser"]
_QUIET = "--disable-audio-output"
"""Otherwise a page that sounds starts the machine's sound system, which leaves files behind."""
_FLAGS = (
    _QUIET,
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
)


class Stage:
    def __init__(self, runner: asyncio.Runner, browser: Browser) -> None:
        self._runner = runner
        self.browser = browser

    def play(self, scene: Callable[[Browser], Coroutine[Any, Any, None]]) -> None:
        self._runner.run(scene(self.browser))


@contextmanager
def set_up() -> Iterator[Stage]:
    with asyncio.Runner() as runner:
        playwright = runner.run(async_playwright().start())
        browser = runner.run(playwright.chromium.launch(executable_path=_BROWSER(), args=_FLAGS))
        yield Stage(runner, browser)
        runner.run(browser.close())
        runner.run(playwright.stop())
