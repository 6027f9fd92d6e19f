"""Derived values of several parts of a journal as one list."""

from collections.abc import AsyncIterator, Sequence

from sabot.journal.journal import Derived


async def merged(told: Sequence[AsyncIterator[Sequence[Derived]]]) -> AsyncIterator[Sequence[Derived]]:
    """The values of several parts by name; of one name that of the newest part, which comes first."""
    waiting: list[list[Derived]] = [[] for _ in told]
    ended = [False] * len(told)
    while True:
        for place, one in enumerate(told):
            if not waiting[place] and not ended[place]:
                page = await anext(one, None)
                ended[place] = page is None
                waiting[place] = list(page or ())[::-1]
        found: list[Derived] = []
        while all(some or over for some, over in zip(waiting, ended, strict=True)) and any(waiting):
            name = min(some[-1].name for some in waiting if some)
            same = [some.pop() for some in waiting if some and some[-1].name == name]
            found.append(same[0])
        if not found:
            return
        yield found
