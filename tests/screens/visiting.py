"""Programs that serve pages to visitors: a demo and a class of the dealer school, each in a process of its own."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.async_api import Page, expect

from tests.cli.sabot import SABOT
from tests.runtime.floors import PATIENCE_S
from tests.screens.console_scene import go_on

Told = dict[str, Any]
"""What it tells by `--json` when it is ready."""
DRAWN = "[data-drawn]:not([data-drawn=''])"
COMPLETE = "main[data-guided=confirm]"
ASTRAY = "[data-astray]"
"""What the felt shows when a card is to be entered, when none is, and when one is out that was due to nobody."""


@contextmanager
def visited(*words: str) -> Iterator[Told]:
    command = [str(SABOT), *words, "--json", "--port", "0"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603  Our own command.
    try:
        assert running.stdout is not None
        yield json.loads(running.stdout.readline())
    finally:
        running.terminate()
        running.communicate(timeout=PATIENCE_S)


async def sign_on_as(page: Page, person: str, pin: str) -> None:
    await page.locator("[name=person]").select_option(person)
    await page.locator("[name=pin]").fill(pin)
    await page.locator("form button[type=submit]").click()


async def open_and_close(page: Page, *stations: str) -> None:
    """The wagering, as soon as the robots at these stations have wagered."""
    await go_on(page, "open")
    for station in stations:
        await expect(page.locator(f"[data-seat={station}] b")).to_be_visible()
    await page.keyboard.press("n")
    await expect(page.locator(DRAWN)).to_be_visible()


async def deal_by_felt(page: Page, most: int = 6) -> list[str]:
    """Type each card that comes out of the shoe, until the coup is complete or so many are dealt."""
    entered: list[str] = []
    while len(entered) < most and not await page.locator(COMPLETE).count():
        if drawn := await page.locator("[data-drawn]").get_attribute("data-drawn"):
            await page.keyboard.type(drawn)
            entered.append(drawn)
        await expect(page.locator("[data-felt] [data-card]")).to_have_count(len(entered))
        await expect(page.locator(f"{DRAWN}, {COMPLETE}, {ASTRAY}").first).to_be_visible()
    return entered
