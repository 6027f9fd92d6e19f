"""Tells the visitor of the demo where the pages are and who signs on how, in words or as data."""

import os
import sys
import webbrowser
from pathlib import Path

import msgspec

from sabot.basics.role import Role
from sabot.cli.terminal import console, print_json
from sabot.web.http.start_routes import DemoLink, DemoPerson, DemoShown

USES = {
    "deal": "you deal: the console with a felt that shows the cards",
    "station": "your place at the table, with chips",
    "console": "the dealer's place",
    "display": "the screen that everybody looks at",
    "floor": "the floor's desk: tables, devices, staff, cage, reports",
    "board": "the leader board of a tournament",
}
"""What each page is for."""


class DemoTold(msgspec.Struct, frozen=True, kw_only=True):
    """What `sabot demo --json` prints when everything is ready."""

    url: str
    """The start page; the paths of the links are below it."""
    folder: str
    table: str
    rule_set: str
    links: tuple[DemoLink, ...]
    people: tuple[DemoPerson, ...]


def tell_links(url: str, shown: DemoShown, folder: Path, *, as_json: bool) -> None:
    if as_json:
        print_json(
            DemoTold(
                url=url,
                folder=str(folder),
                table=shown.table,
                rule_set=shown.rule_set,
                links=shown.links,
                people=shown.people,
            )
        )
        sys.stdout.flush()
        return
    out = console()
    part = "you deal" if any(link.page == "deal" for link in shown.links) else "chips for you"
    out.print(f"{shown.title}: one table, three robots, and {part}. No real money is played for.\n")
    out.print(f"  {'start':8} {url}/", soft_wrap=True)
    out.print(f"  {'':8} all pages with what each is for")
    for link in shown.links:
        out.print(f"  {link.page:8} {url}{link.path}", soft_wrap=True)
        out.print(f"  {'':8} {_use(link)}")
    out.print()
    for one in shown.people:
        out.print(f"  {one.person:8} PIN {one.pin}  {Role(one.role).in_words}")
    out.print(
        f"\nThe records are in {folder}. Ctrl-C ends the demo; the next start goes on from there.", soft_wrap=True
    )
    out.file.flush()


def _use(link: DemoLink) -> str:
    use = USES[link.page] + (f" ({link.station})" if link.station else "")
    return f"{use}; sign on as {_one_of(link.people)}" if link.people else use


def _one_of(people: tuple[str, ...]) -> str:
    return " or ".join(filter(None, (", ".join(people[:-1]), people[-1])))


def open_browser(address: str) -> None:
    """Where there is a screen; a machine without a browser loses nothing but the window."""
    shown = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if shown and sys.stdout.isatty():
        webbrowser.open(address)
