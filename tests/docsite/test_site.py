"""The site of the documents: complete, the same each time, closed in itself, and served by the command."""

import filecmp
import os
import re
import runpy
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from sabot.cli.docs import POLICY
from tests.cli.sabot import SABOT, assert_one_clear_sentence, sabot

ROOT = Path(__file__).resolve().parents[2]
MAKING = runpy.run_path(str(ROOT / "docsite" / "make_site.py"))
_LOADED = {("script", "src"), ("img", "src"), ("source", "src"), ("source", "srcset"), ("img", "srcset")} | {
    ("iframe", "src"),
    ("video", "src"),
    ("audio", "src"),
    ("object", "data"),
    ("embed", "src"),
}
"""What a browser fetches by itself, beside links of the kinds below and what style sheets name."""
_FETCHED_LINKS = {
    "stylesheet",
    "icon",
    "preload",
    "prefetch",
    "modulepreload",
    "preconnect",
    "dns-prefetch",
    "manifest",
}
_IN_STYLE = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])([^"')]+)""")


class Page(HTMLParser):
    """What a page loads, where its links lead, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)
        self.loads += _IN_STYLE.findall("".join(re.findall(r"<style.*?</style>", text, re.DOTALL)))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.loads += [value for name, value in given.items() if (tag, name) in _LOADED]
        if tag == "link" and _FETCHED_LINKS.intersection(given.get("rel", "").split()):
            self.loads.append(given["href"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        self.anchors.update(given[name] for name in ("id", "name") if given.get(name))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one that ./test has built, or where tests are run in another way one of this process's own."""
    if MAKING["is_built"]():
        return Path(MAKING["SITE"])
    folder: Path = tmp_path_factory.mktemp("docs") / "site"
    MAKING["build"](folder)
    return folder


def _pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


def test_the_same_sources_give_the_same_bytes(site: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    MAKING["build"](again)
    names = sorted(str(path.relative_to(again)) for path in again.rglob("*") if path.is_file())
    there = sorted(str(path.relative_to(site)) for path in site.rglob("*") if path.is_file() and path.name != ".built")
    assert names == there
    assert filecmp.cmpfiles(site, again, names, shallow=False) == (names, [], [])


def test_no_page_loads_anything_from_another_host(site: Path) -> None:
    for path, page in _pages(site).items():
        assert [one for one in page.loads if urlsplit(one).netloc] == [], path.name
    for style in site.rglob("*.css"):
        assert [one for one in _IN_STYLE.findall(style.read_text(encoding="utf-8")) if urlsplit(one).netloc] == []


def test_every_link_and_anchor_of_the_site_leads_somewhere(site: Path) -> None:
    pages = _pages(site)
    lost = [
        f"{path.relative_to(site)}: {link}" for path, page in pages.items() for link in _lost(site, pages, path, page)
    ]
    assert lost == []


def _lost(site: Path, pages: dict[Path, Page], path: Path, page: Page) -> Iterator[str]:
    for link in (*page.links, *page.loads):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc or path.name == "404.html":  # That page is shown at any address.
            continue
        goal = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        goal = goal / "index.html" if goal.is_dir() else goal
        known = pages[goal].anchors if goal in pages else {unquote(parts.fragment)}
        is_there = goal.is_file() and goal.is_relative_to(site.resolve())
        if not is_there or (parts.fragment and unquote(parts.fragment) not in known):
            yield link


def test_no_source_of_python_comes_into_the_package(site: Path) -> None:
    assert list(site.rglob("*.py")) == []


def test_every_page_has_its_place_in_the_contents(site: Path) -> None:
    """A page that a later hand adds to docs/ is listed without a change of nav.toml, if its folder has a pattern."""
    first = Page((site / "index.html").read_text(encoding="utf-8"))
    listed = {
        str((site / link).resolve().relative_to(site.resolve())) for link in first.links if not urlsplit(link).netloc
    }
    made = {str(path.relative_to(site)) for path in site.rglob("*.html")} - {"404.html"}
    assert made - listed == set()


def test_a_link_that_leads_nowhere_ends_the_build(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    moved = MAKING["_moved"]
    link = MAKING["_LINK"].search("[the table](no-such-page.md)")
    with pytest.raises(MAKING["BuildFailed"], match=r"links to no-such-page.md, which is no file of the checkout"):
        moved(link, ROOT / "docs" / "table.md", page, tmp_path)


@cache
def _is_there() -> bool:
    return bool(MAKING["is_built"]())


@pytest.fixture
def served() -> Iterator[str]:
    assert _is_there(), "./test builds the site first, and so does python3 bootstrap.py docs"
    running = subprocess.Popen(  # noqa: S603  Our own command.
        [SABOT, "docs", "--port", "0", "--no-browser"], stdout=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    said = running.stdout.readline()
    (link,) = re.findall(r"http://127\.0\.0\.1:\d+/", said)
    yield link
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 0
    running.stdout.close()


def test_the_command_serves_it_to_this_machine(served: str) -> None:
    with urllib.request.urlopen(served) as first:  # noqa: S310  Our own server.
        assert "<title>Sabot" in first.read().decode()
        assert first.headers["Content-Security-Policy"] == POLICY
    with urllib.request.urlopen(f"{served}files/deploy/sabot.toml") as file:  # noqa: S310  Our own server.
        assert file.headers["Content-Type"] == "text/plain"
    for path in ("no-such-page.html", "../cli/docs.py", "%2e%2e/cli/docs.py"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(served + path)  # noqa: S310  Our own server.


def test_wrong_words_get_one_sentence(tmp_path: Path) -> None:
    assert_one_clear_sentence(sabot("docs", "--port", "70000"))
    (tmp_path / "letter.txt").write_text("Dear reader")
    ran = sabot("docs", "--build", str(tmp_path))
    assert_one_clear_sentence(ran)
    assert "is no site" in ran.error
    assert (tmp_path / "letter.txt").exists()


def test_the_site_is_written_to_a_folder(tmp_path: Path) -> None:
    assert _is_there(), "./test builds the site first, and so does python3 bootstrap.py docs"
    for _ in range(2):  # A site may be written over.
        assert sabot("docs", "--build", str(tmp_path / "site")).code == 0
    assert (tmp_path / "site" / "search.json").stat().st_size > 10_000
    assert not os.path.lexists(tmp_path / "site" / ".built")
