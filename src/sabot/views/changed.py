"""What of a view is new: the sections that differ, and only those."""

import msgspec


def changed(before: msgspec.Struct | None, after: msgspec.Struct) -> dict[str, object]:
    """The sections of `after` that whoever has `before` does not know; without one, all of them.

    Sections that were not made anew are the same object, so most comparisons cost one glance.
    """
    names = after.__struct_fields__
    if before is None:
        return {name: getattr(after, name) for name in names}
    assert type(before) is type(after), "views of one audience are compared"
    found = {}
    for name in names:
        was, now = getattr(before, name), getattr(after, name)
        if was is not now and was != now:
            found[name] = now
    return found
