"""Writes docs/reference from the program itself: `.venv/bin/python -m docsite.reference`.

The pages are kept beside the others, so that they can be read without a build; a test holds them fresh. `index.md` and
`json.md` are written by hand.
"""

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from docsite import file_pages, program_pages, socket_page

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"
BY_HAND = ("index.md", "json.md")
MARK = "<!-- Written by `python -m docsite.reference`; changes belong in the program. -->"
PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "commands.md": program_pages.commands,
    "floor-file.md": file_pages.floor_file,
    "table-file.md": file_pages.table_file,
    "rule-set-file.md": file_pages.rule_set_file,
    "lesson-file.md": file_pages.lesson_file,
    "conditions-file.md": file_pages.conditions_file,
    "frames.md": file_pages.frames,
    "socket.md": socket_page.socket_page,
    "http.md": file_pages.http_page,
    "acts.md": program_pages.acts,
    "events.md": program_pages.events,
    "refusals.md": program_pages.refusals,
    "clauses.md": program_pages.clause_page,
    "readings.md": program_pages.reading_page,
}


def pages() -> dict[str, str]:
    first = tomllib.loads((Path(__file__).parent / "reference.toml").read_text(encoding="utf-8"))
    written = {}
    for name, page in PAGES.items():
        begin = first[name.removesuffix(".md")]
        lines = (MARK, "", f"# {begin['title']}", "", begin["words"].strip(), "", *page())
        written[name] = "\n".join(lines).rstrip() + "\n"
    return written


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.md"):
        if old.name not in (*PAGES, *BY_HAND):
            old.unlink()
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
