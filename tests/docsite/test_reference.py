"""The pages that the program writes about itself are kept as it would write them now."""

import re

from docsite.reference import BY_HAND, FOLDER, pages


def test_the_reference_is_fresh() -> None:
    """After a change, `.venv/bin/python -m docsite.reference` writes it anew."""
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md") if path.name not in BY_HAND}
    stale = [name for name, text in pages().items() if kept.pop(name, None) != text]
    assert (stale, list(kept)) == ([], []), "run .venv/bin/python -m docsite.reference"


def test_the_reference_says_nothing_that_python_says_for_nothing() -> None:
    for name, text in pages().items():
        assert not re.search(r"\bNone\b(?! without express authority)", text), name
        assert " object at 0x" not in text, name
