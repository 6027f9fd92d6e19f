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
    """The characters of a text that neither the common font nor the language's own has, in some weight."""
    return {one for one in text if one not in _BLANKS and any(ord(one) not in known for known in _covered(locale))}


@cache
def _covered(locale: str) -> tuple[frozenset[int], ...]:
    """The characters that a page in a language can show, for each weight."""
    font = next(language.font for language in BUILD["languages"]() if language.locale == locale)
    names = [f"{font.name}-{weight}-*" for weight in BUILD["WEIGHTS"]] if font else []
    shared = _characters("inter-*")
    return tuple(shared | _characters(name) for name in names) or (shared,)


def _characters(name: str) -> frozenset[int]:
    return frozenset(TTFont(next(STATIC.glob(f"assets/{name}.woff2"))).getBestCmap())
