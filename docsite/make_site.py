"""Builds the site of the documents.

`python docsite/make_site.py` leaves it in src/sabot/site, where `sabot docs` finds it; `python docsite/make_site.py
FOLDER` leaves it in FOLDER. The pages are docs/ and the documents at the top of the checkout. A link to another file of
the checkout leads to a copy of that file in the site. Nothing that a page loads comes from another host. The same
sources give the same bytes.

The build hook of the wheel runs this file, and so does bootstrap.py, which asks `is_built` first.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DOCS = ROOT / "docs"
SITE = ROOT / "src" / "sabot" / "site"
STAMP = SITE / ".built"
MOVED = {
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "README.md": "index.md",
    "docs/pictures/README.md": "pictures.md",
}
"""Documents that have another place in the site. Its first page is docs/index.md; README.md has no page of its own."""
FILES = "files"
"""The folder of the site with the files that pages link to."""
_LINK = re.compile(r"(?<=\]\()(?P<target>[^()\s#]+)(?P<anchor>#[^()\s]*)?(?=\))")
_FENCE = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class BuildFailed(Exception):
    """Carries what is wrong, in words for a person."""


def sources() -> list[Path]:
    """Every file that the site is made of, in one order everywhere."""
    own = [path for path in HERE.iterdir() if path.suffix in (".py", ".toml", ".css")]
    top = [ROOT / name for name in MOVED]
    return sorted({*own, *top, *(path for path in DOCS.rglob("*") if path.is_file() and path.suffix != ".pyc")})


def fingerprint() -> str:
    digest = hashlib.sha256()
    for path in sources():
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def is_built() -> bool:
    try:
        return STAMP.read_text() == fingerprint() and (SITE / "index.html").exists()
    except OSError:
        return False


def stage(folder: Path) -> None:
    """Put the pages into `folder`, with every link leading to something inside it."""
    shutil.copytree(DOCS, folder, copy_function=shutil.copyfile, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copyfile(HERE / "style.css", folder / "style.css")
    (folder / "pictures" / "README.md").unlink()
    pages = {path: folder / path.relative_to(DOCS) for path in DOCS.rglob("*.md")}
    pages |= {ROOT / name: folder / page for name, page in MOVED.items() if name != "README.md"}
    for source, page in pages.items():
        parts = _FENCE.split(source.read_text(encoding="utf-8"))
        moved = partial(_moved, source=source, page=page, folder=folder)
        parts[::2] = [_LINK.sub(moved, text) for text in parts[::2]]  # Between the blocks of code.
        page.write_text("".join(parts), encoding="utf-8")


def _moved(link: re.Match[str], source: Path, page: Path, folder: Path) -> str:
    """The target of a link as it is in the site; a file that is no page is copied there."""
    target, anchor = link["target"], link["anchor"] or ""
    if re.match(r"[a-z]+:", target):
        return link[0]
    found = (source.parent / target).resolve()
    name = str(found.relative_to(ROOT)) if found.is_relative_to(ROOT) else ""
    if not found.is_file() or not name:
        raise BuildFailed(f"{source.relative_to(ROOT)} links to {target}, which is no file of the checkout")
    if name in MOVED:
        goal = folder / MOVED[name]
    elif found.is_relative_to(DOCS) and found.suffix != ".py":
        goal = folder / found.relative_to(DOCS)
    else:
        # A source that lay in the package would count as one of its modules.
        goal = folder / FILES / (f"{name}.txt" if found.suffix == ".py" else name)
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(found, goal)
    return os.path.relpath(goal, page.parent).replace(os.sep, "/") + anchor


def navigation(folder: Path) -> list[Any]:
    """The contents of nav.toml with every pattern replaced; a section without pages is left out."""
    given = tomllib.loads((HERE / "nav.toml").read_text(encoding="utf-8"))["nav"]
    pages = sorted(str(path.relative_to(folder).as_posix()) for path in folder.rglob("*.md"))
    named = set(_entries(given))

    def filled(entries: list[Any]) -> Iterator[Any]:
        for entry in entries:
            if isinstance(entry, dict):
                ((title, within),) = entry.items()
                if full := list(filled(within)):
                    yield {title: full}
            elif "*" in entry:
                yield from (page for page in pages if page not in named and _fits(page, entry))
            elif entry in pages:
                yield entry

    return list(filled(given))


def _entries(entries: list[Any]) -> Iterator[str]:
    for entry in entries:
        yield from _entries(next(iter(entry.values()))) if isinstance(entry, dict) else [entry]


def _fits(page: str, pattern: str) -> bool:
    return page.count("/") == pattern.count("/") and fnmatch(page, pattern)


def _as_toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_as_toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_as_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def build(target: Path = SITE) -> None:
    """Everything anew from the sources; a warning ends the build. The stamp says from which sources it was made."""
    built_from = fingerprint()
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        stage(place / "docs")
        settings = (HERE / "zensical.toml").read_text(encoding="utf-8")
        contents = _as_toml(navigation(place / "docs"))
        (place / "zensical.toml").write_text(settings.replace('"NAV"', contents), encoding="utf-8")
        _run_zensical(place)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(place / "out", target, copy_function=shutil.copyfile)
    if target == SITE:
        STAMP.write_text(built_from)


def _run_zensical(place: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=place,
        env={**os.environ, "SOURCE_DATE_EPOCH": "0", "NO_COLOR": "1", "PYTHONHASHSEED": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        said = _COLOUR.sub("", done.stdout).partition("Traceback")[0]
        raise BuildFailed(f"the site could not be built:\n{said}")


if __name__ == "__main__":
    try:
        build(*map(Path, sys.argv[1:]))
    except BuildFailed as failure:
        sys.exit(str(failure))
