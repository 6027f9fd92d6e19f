"""The site of the documents in a real browser: it finds what is asked for, fits a phone, and asks no other host."""

import re
import threading
from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, Request, expect

from sabot.cli.docs import SITE, listening
from tests.screens.stage import Stage


@pytest.fixture
def address() -> Iterator[str]:
    if not (SITE / "index.html").exists():
        pytest.skip("the site is built by ./test, or by python3 bootstrap.py docs")
    with listening(0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


def test_the_site_is_searched_and_read_without_any_other_host(chromium: Stage, address: str) -> None:
    async def scene(browser: Browser) -> None:
        page = await browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
        foreign: list[str] = []

        def note(request: Request) -> None:
            if not request.url.startswith((address, "data:", "blob:")):
                foreign.append(request.url)

        page.on("request", note)
        for path in ("index.html", "reference/refusals.html", "table.html"):
            await page.goto(f"{address}{path}")
            wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wider <= 0, f"{path} is wider than a phone by {wider}"
        await page.keyboard.press("Control+k")
        await page.keyboard.type("effect of removal")
        await expect(page.get_by_text(re.compile(r"^\d+ results$"))).to_be_visible()
        await expect(page.locator("mark", has_text="removal").first).to_be_visible()
        assert foreign == []
        await page.close()

    chromium.play(scene)
