"""The fonts that are built with the pages, and what they lack."""

import runpy
from functools import cache
from typing import Any

from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from sabot.web.http.pages import STATIC
from tests.screens.scene import SCREENS

BUILD: dict[str, Any] = runpy.run_path(str(SCREENS / "build.py"))
_BLANKS = "\n\t"


def without_glyph(text: str, locale: str) -> set[str]:
    """The characters of a text that neither the common font nor the language's own has."""
    return {one for one in text if one not in _BLANKS and ord(one) not in _covered(locale)}


@cache
def _covered(locale: str) -> frozenset[int]:
    """The characters that a page in a language can show."""
    font = next(language.font for language in BUILD["languages"]() if language.locale == locale)
    return _characters("inter-*") | (_characters(f"{font.name}-*") if font else frozenset())


def _characters(name: str) -> frozenset[int]:
    """Of all parts of a font."""
    return frozenset[int]().union(*(TTFont(path).getBestCmap() for path in STATIC.glob(f"assets/{name}.woff2")))
