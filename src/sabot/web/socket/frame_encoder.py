"""Frames of the floor as bytes."""

from functools import lru_cache

from sabot.wire.frames import FloorFrame, ViewFrame, write


def encoded(frame: FloorFrame) -> bytes:
    return _view(frame) if isinstance(frame, ViewFrame) else write(frame)


@lru_cache(maxsize=1)
def _view(frame: ViewFrame) -> bytes:
    """All stations are often sent the very same frame, one after the other; it is written out once."""
    return write(frame)
