"""The ground of the pages: what they are built from, and what they may load."""

import json
import re
import runpy
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from playwright.async_api import Browser

from sabot.house import refusal as house_refusal
from sabot.table.refusal import Cause
from sabot.web.http import refusal as web_refusal
from sabot.web.http.pages import PAGES, STATIC
from tests.screens.stage import Stage

SCREENS = Path(__file__).resolve().parents[2] / "screens"


def test_the_lock_names_no_package_host() -> None:
    packages = json.loads((SCREENS / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert len(packages) > 50
    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert [name for name, package in packages.items() if name and "integrity" not in package] == []


def test_the_pages_are_built_from_the_sources_of_now() -> None:
    assert runpy.run_path(str(SCREENS / "build.py"))["is_built"]()


def test_the_types_on_the_wire_are_those_of_the_server() -> None:
    """Otherwise run `.venv/bin/python screens/messages.py`; a new message wants its sentence in every language."""
    written = runpy.run_path(str(SCREENS / "messages.py"))["all_files"]()
    kept = {path.name: path.read_text(encoding="utf-8") for path in (SCREENS / "src" / "wire").iterdir()}
    assert kept == written


def test_every_character_that_a_page_may_show_is_in_the_fonts() -> None:
    wanted = set(runpy.run_path(str(SCREENS / "build.py"))["characters"]())
    latin = TTFont(next(STATIC.glob("assets/inter-*.woff2"))).getBestCmap()
    for weight in (400, 700):
        chinese = TTFont(next(STATIC.glob(f"assets/noto-sans-sc-{weight}-*.woff2"))).getBestCmap()
        assert {character for character in wanted if ord(character) not in chinese.keys() | latin.keys()} == set()


def test_only_refusals_that_exist_are_translated() -> None:
    catalogue = (SCREENS / "src" / "words" / "chinese.ts").read_text(encoding="utf-8").split("CHINESE_REFUSALS")[1]
    codes = re.findall(r"^  (\w+): ", catalogue, re.MULTILINE)
    assert len(codes) > 10
    assert set(codes) - {cause.name.lower() for cause in Cause} == {"stale_coup"}


def test_only_refusals_to_staff_that_exist_are_translated() -> None:
    catalogue = (SCREENS / "src" / "words" / "staff_chinese.ts").read_text(encoding="utf-8").split("STAFF_REFUSALS")[1]
    codes = re.findall(r"^  (\w+): ", catalogue, re.MULTILINE)
    assert len(codes) > 100
    known = {cause.name.lower() for causes in (Cause, house_refusal.Cause, web_refusal.Cause) for cause in causes}
    assert set(codes) - known == {"unreachable"}


def test_the_fonts_bring_their_licences() -> None:
    licences = sorted(path.name for path in STATIC.glob("LICENSE-*"))
    assert licences == ["LICENSE-inter.txt", "LICENSE-noto-sans-sc.txt"]
    assert all("Open Font License" in (STATIC / name).read_text(encoding="utf-8") for name in licences)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_loads_everything_from_its_own_server_and_breaks_no_policy(
    page: str, chromium: Stage, pages: str
) -> None:
    async def scene(browser: Browser) -> None:
        context = await browser.new_context()
        opened = await context.new_page()
        said: list[str] = []
        asked: list[str] = []
        opened.on("console", lambda message: said.append(message.text))
        opened.on("pageerror", lambda error: said.append(str(error)))
        opened.on("request", lambda request: asked.append(request.url))
        answer = await opened.goto(f"{pages}/{page}", wait_until="load")
        assert answer is not None
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in answer.headers["content-security-policy"]
        await opened.wait_for_selector("main")
        assert [line for line in said if "Content Security Policy" in line or "Trusted" in line] == []
        assert [address for address in asked if not address.startswith((pages, pages.replace("http", "ws")))] == []
        await context.close()

    chromium.play(scene)
