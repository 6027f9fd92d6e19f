"""A QR code as one path of an SVG picture, for links that a camera reads from a screen or from paper."""

from functools import lru_cache

import msgspec
import segno

QUIET = 4
"""Light modules around it, which readers need."""
MOST_LETTERS = 300


class QrPicture(msgspec.Struct, frozen=True, kw_only=True):
    size: int
    """Modules along an edge, the light border included."""
    path: str
    """The dark modules, a run of them in a row each, for the attribute `d` in a view box of this size."""


@lru_cache(maxsize=256)
def qr_picture(text: str) -> QrPicture:
    rows = [bytes(row) for row in segno.make_qr(text, error="m").matrix]
    runs = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            end = x
            while end < len(row) and row[end]:
                end += 1
            if end > x:
                runs.append(f"M{x + QUIET} {y + QUIET}h{end - x}v1h-{end - x}z")
            x = end + 1
    return QrPicture(size=len(rows) + 2 * QUIET, path="".join(runs))
