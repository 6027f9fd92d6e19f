"""The difference of two views: the sections that differ."""

from collections.abc import Sequence

import msgspec


def changed(
    before: msgspec.Struct | None, after: msgspec.Struct, names: Sequence[str] | None = None
) -> dict[str, object]:
    """The sections of `after` that differ from `before`, among these names; without a `before`, all of them.

    Sections that were taken over are the same object, so most comparisons are one identity check.
    """
    names = after.__struct_fields__ if names is None else names
    if before is None:
        return {name: getattr(after, name) for name in names}
    assert type(before) is type(after), "views of one audience are compared"
    found = {}
    for name in names:
        was, now = getattr(before, name), getattr(after, name)
        if was is not now and was != now:
            found[name] = now
    return found
