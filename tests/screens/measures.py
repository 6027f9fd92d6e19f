"""Measures pages instead of trusting pictures: overlap, clipping, scrolling and the smallest letters."""

import csv
from pathlib import Path
from typing import NamedTuple

from playwright.async_api import Page, ViewportSize

_SCRIPT = (Path(__file__).parent / "measures.js").read_text(encoding="utf-8")
_MATRIX = Path(__file__).resolve().parents[1] / "data" / "measures.tsv"
_SETTLE = """() => new Promise(done => {
    let still = 0;
    const look = () => {
        still = scrollY ? 0 : still + 1;
        scrollTo({top: 0, behavior: "instant"});
        still > 3 ? done() : requestAnimationFrame(look);
    };
    look();
})"""
"""At its top for three frames: a page that puts what is new into sight may scroll a moment later."""

EVERY = "all"
"""In the matrix: every phase, page or sheet of the kind."""


class Size(NamedTuple):
    """A size at which a page is measured."""

    viewport: ViewportSize
    least_px: float
    """The smallest letters that it may have there."""
    short: frozenset[str]
    """The phases in which `./test` measures it; the whole matrix has every phase."""


def matrix() -> dict[str, list[Size]]:
    """The sizes of each page."""
    sizes: dict[str, list[Size]] = {}
    with _MATRIX.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            viewport = ViewportSize(width=int(row["width"]), height=int(row["height"]))
            sizes.setdefault(row["page"], []).append(
                Size(viewport, float(row["least_px"]), frozenset(row["short"].split()))
            )
    return sizes


_SIZES = matrix()


async def misfits(kind: str, name: str, page: Page, *, whole: bool) -> list[str]:
    """What is wrong with a page of staff or with a sheet at the sizes of its kind, of which it keeps the one it had."""
    before, found = page.viewport_size, list[str]()
    for size in _SIZES[kind]:
        if whole or name in size.short or EVERY in size.short:
            at = f"{kind} {name} {size.viewport['width']}x{size.viewport['height']}"
            found += [f"{at}: {one}" for one in await flaws(page, size, scrolls=True)]
    if before is not None:
        await page.set_viewport_size(before)
    return found


async def flaws(page: Page, size: Size, *, scrolls: bool) -> list[str]:
    """What is wrong with a page at a size, which it keeps."""
    await page.set_viewport_size(size.viewport)
    await page.evaluate(_SETTLE)
    found: list[str] = await page.evaluate(
        f"([least, scrolls]) => ({_SCRIPT})(least, scrolls)", [size.least_px, scrolls]
    )
    return found
