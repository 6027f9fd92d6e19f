"""What a page costs in a real Chromium."""

import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import Browser


async def cpu_share(browser: "Browser", doing: Coroutine[None, None, None]) -> float:
    """The CPU time of all processes of the browser meanwhile, as a share of a core."""
    session = await browser.new_browser_cdp_session()

    async def taken() -> float:
        processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
        return sum(float(process["cpuTime"]) for process in processes)

    before, began = await taken(), time.monotonic()
    await doing
    share = (await taken() - before) / (time.monotonic() - began)
    await session.detach()
    return share
