"""What the pages weigh: the bytes that a device fetches for them, how they are sent, and what the build leaves."""

import asyncio
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import httpx
import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from playwright.async_api import Browser, Page, expect
from starlette.applications import Starlette

from sabot.web.http.pages import STATIC, page_routes
from tests.runtime.floors import table_for
from tests.screens.fonts import BUILD
from tests.screens.live_floor import SHOE, LiveFloor, coup, live_floor
from tests.screens.scales import Scales
from tests.screens.scene import LANGUAGES, SCREENS, TV, Pages, area, standing
from tests.screens.stage import Stage

KB = 1000
FIRST = LANGUAGES[0]["code"]
MOST = {"station": 150 * KB, "display": 150 * KB, "board": 170 * KB, "console": 210 * KB, "floor": 240 * KB}
"""Over the wire, with an empty cache, in any language."""
_PATRONS_PAGES = ("station", "display", "board")
_IMPORTED = re.compile(r'(?:from |import |import\()"(\.[^"]+)"')
_KEYS = re.compile(r'^  "?(\w+)"?: ', re.MULTILINE)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveFloor]:
    table = table_for("crown-baccarat", stations=len(LANGUAGES), period_ms=600_000)
    with live_floor(table, tmp_path_factory.mktemp("floor")) as live:
        yield live


def test_a_station_weighs_less_than_150_kb_in_every_language(floor: LiveFloor, chromium: Stage) -> None:
    """From the empty cache to the result of a coup."""

    async def play(browser: Browser) -> None:
        stations: dict[str, tuple[Page, Scales]] = {}
        opened: list[Pages] = []
        for place, language in enumerate(LANGUAGES, 1):
            pages = Pages(browser, floor.url, language["code"])
            page = await pages.open_empty(TV)
            stations[language["code"]] = page, Scales(page)
            await pages.enter(page, "station", f"A{place}")
            opened.append(pages)
        bought = [{"do": "buy_in", "station": f"A{place}", "cents": 100_000} for place in range(1, len(LANGUAGES) + 1)]
        floor.deal(*SHOE, *bought, {"do": "open"})
        for page, _ in stations.values():
            await area(page, "banker").tap()
            await expect(standing(page, "banker")).to_have_text("25")
        floor.deal(*coup("2s", "4h", "3d", "3c", "8s"))
        for page, _ in stations.values():
            await expect(page.locator("[data-outcome=win]")).to_be_visible()
            await page.evaluate("document.fonts.ready")
        weights = {code: await scales.weight() for code, (_, scales) in stations.items()}
        await opened[0].close()
        assert all(weight > 50 * KB for weight in weights.values()), weights
        assert all(weight < MOST["station"] for weight in weights.values()), weights

    chromium.play(play)


@pytest.mark.parametrize("page", sorted(MOST))
def test_a_page_is_sent_within_its_bound(page: str, chromium: Stage, pages: str) -> None:
    """In the language with the heaviest font, before anybody has signed on."""

    async def play(browser: Browser) -> None:
        opened = await Pages(browser, pages, LANGUAGES[-1]["code"]).open_empty(TV)
        scales = Scales(opened)
        await opened.goto(f"{pages}/{page}")
        await opened.wait_for_selector("main")
        await opened.evaluate("document.fonts.ready")
        weight = await scales.weight()
        await opened.context.close()
        assert 20 * KB < weight < MOST[page], weight

    chromium.play(play)


def _asked(path: str, **headers: str) -> httpx.Response:
    """The answer to one request, its body as it was sent."""

    named = {name.replace("_", "-"): value for name, value in headers.items()}

    async def ask() -> httpx.Response:
        app = httpx.ASGITransport(Starlette(routes=page_routes()))
        async with (
            httpx.AsyncClient(transport=app, base_url="http://floor") as web,
            web.stream("GET", path, headers=named) as answer,
        ):
            answer.extensions["sent"] = b"".join([part async for part in answer.aiter_raw()])
            return answer

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("takes", "form"),
    [("br, gzip", "br"), ("gzip, deflate", "gzip"), ("br;q=0, gzip;q=0.5", "gzip"), ("identity", None), ("", None)],
)
def test_a_file_is_sent_in_the_smallest_form_that_a_browser_takes(takes: str, form: str | None) -> None:
    script = next(STATIC.glob("assets/station-*.js"))
    answer = _asked(f"/assets/{script.name}", accept_encoding=takes)
    open_up = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[form]
    assert answer.headers.get("Content-Encoding") == form
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert open_up(answer.extensions["sent"]) == script.read_bytes()


def test_a_page_that_has_not_changed_is_not_sent_again() -> None:
    first = _asked("/station", accept_encoding="br")
    assert first.headers["Cache-Control"] == "no-cache"
    again = _asked("/station", accept_encoding="br", if_none_match=first.headers["ETag"])
    assert (again.status_code, again.extensions["sent"]) == (304, b"")
    assert _asked("/station", accept_encoding="gzip", if_none_match=first.headers["ETag"]).status_code == 200


def test_a_font_is_cut_to_the_same_bytes_every_time(tmp_path: Path) -> None:
    """With the time of the build in it, every build would have other names for all files that use it."""
    cuts = []
    for name in ("one.woff2", "other.woff2"):
        BUILD["save"](BUILD["subset_of"](BUILD["LATIN_FILE"], [*range(0x30, 0x3A)]), tmp_path / name)
        cuts.append((tmp_path / name).read_bytes())
    assert cuts[0] == cuts[1]
    assert (TTFont(tmp_path / "one.woff2")["head"].modified, len(cuts[0]) > 0) == (BUILD["LONG_AGO"], True)


@pytest.mark.parametrize("page", _PATRONS_PAGES)
def test_a_patrons_page_says_only_what_is_in_its_catalogue(page: str) -> None:
    """The words of the staff are not sent to it."""
    words = (SCREENS / "src" / "catalogue" / FIRST / f"{name}.ts" for name in ("staff", "pages", "tournament"))
    staff, *patrons = (set(_KEYS.findall(file.read_text(encoding="utf-8"))) for file in words)
    staff -= set[str]().union(*patrons)
    assert len(staff) > 300
    sources = _sources(SCREENS / "src" / page / "main.ts")
    assert len(sources) > 10
    said = {key for source in sources for call in _calls(source.read_text(encoding="utf-8")) for key in call}
    assert said & staff == set()


def _sources(entry: Path) -> set[Path]:
    """All that a page is made of but the catalogues."""
    seen, ahead = set[Path](), [entry]
    while ahead:
        path = ahead.pop()
        if path in seen or "catalogue" in path.parts or path.suffix not in (".ts", ".svelte"):
            continue
        seen.add(path)
        named = (path.parent.joinpath(name).resolve() for name in _IMPORTED.findall(path.read_text(encoding="utf-8")))
        ahead += [one if one.suffix and one.is_file() else one.with_name(f"{one.name}.ts") for one in named]
    return seen


def _calls(text: str) -> Iterator[list[str]]:
    """The literals that stand in a call of `words.say` before the figures."""
    for call in re.findall(r"words\.say\(([^{};]*)", text):
        yield re.findall(r'"(\w+)"', call)
