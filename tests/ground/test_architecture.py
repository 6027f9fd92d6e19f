"""ARCHITECTURE.md names the rooms, files and functions that there are."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "sabot"
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
_FILE = re.compile(r"`([a-z_/]+\.py)`((?:,? `[A-Za-z_]+`)*)")
MOST_LINES = 250
MOST_STEPS = 24
"""Files that the way of a touch may cross."""


def _places() -> list[tuple[Path, list[str]]]:
    """Every file that the text names, and the names to look for in it; a file may be named by its end alone."""
    found = []
    for file, names in _FILE.findall(TEXT):
        candidates = [SOURCE / file, ROOT / file, *SOURCE.rglob(file)]
        path = next((one for one in candidates if one.is_file()), None)
        assert path is not None, f"there is no {file}"
        found.append((path, re.findall(r"`([A-Za-z_]+)`", names)))
    return found


def test_every_file_and_function_that_it_names_is_there() -> None:
    places = _places()
    assert len(places) > 50
    for path, names in places:
        source = path.read_text(encoding="utf-8")
        for name in names:
            assert re.search(rf"\b(?:def|class) {name}\b", source), f"{path.relative_to(ROOT)} has no {name}"


def test_it_shows_every_room_and_no_other() -> None:
    picture = TEXT.split("```")[1]
    shown = set(re.findall(r"\b([a-z]+)/ ", picture)) - {"screens"}
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert shown == rooms


def test_it_stays_short() -> None:
    assert len(TEXT.splitlines()) < MOST_LINES


def files_of_a_touch() -> set[str]:
    """Those that the numbered list of a touch tells, up to its answer."""
    way = TEXT.split("## The way of a touch")[1].split("\nThen ")[0]
    return {file for file, _ in _FILE.findall(way) if (SOURCE / file).is_file()}


def test_the_way_of_a_touch_crosses_few_files() -> None:
    assert 10 < len(files_of_a_touch()) <= MOST_STEPS
