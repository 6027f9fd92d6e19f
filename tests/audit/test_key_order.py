"""That every key is used once is proved in memory that does not grow with the stream, and never of a key used twice."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from sabot.audit.key_order import EveryKey, KeyOrder, KeySpan, both, follows
from sabot.audit.stretch import Stretch, prove
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Entry, Head, Record, Stored, start_of
from tests.audit.forgery import TABLE, forged
from tests.floor.nights import BUILD, key_in, memory, play

KEYS = st.one_of(
    st.builds("ask/{}/{}/{}".format, st.sampled_from(["A1", "A2", "a/b"]), st.integers(1, 3), st.integers(0, 5)),
    st.builds("{}/{}".format, st.sampled_from(["started", "line", "desk"]), st.integers(0, 9)),
    st.builds("ask/A1/1/{}".format, st.sampled_from(["01", "1", "x", "", "9" * 20])),
    st.sampled_from(["desk/ab12", "desk/ff00", "odd", "", "/", "//1"]),
)
WRITTEN = st.lists(st.tuples(st.integers(0, 3), KEYS), max_size=14).map(
    lambda rows: list(zip(sorted(epoch for epoch, _ in rows), (key for _, key in rows), strict=True))
)
"""Epochs, which never fall, and keys."""

START = start_of(TABLE)


class Index(MemoryJournal):
    """A journal that is asked for keys alone; where a key is used twice, its index leads to either record."""

    def __init__(self, written: Sequence[tuple[int, str]], *, to_the_last: bool) -> None:
        super().__init__(lambda: 0)
        for version, (_, key) in enumerate(written, 1):
            if to_the_last or (TABLE, key) not in self._keys:
                self._keys[TABLE, key] = version

    async def find(self, stream: str, key: str) -> Record | None:
        version = self._keys.get((stream, key))
        return None if version is None else Record(stream, version, 1, Entry(key, "", "", 0, Raw()), b"", b"")


def _rows(written: Sequence[tuple[int, str]]) -> list[tuple[int, Stored]]:
    return [(epoch, (version, key, b"", None, b"")) for version, (epoch, key) in enumerate(written, 1)]


def _span(rows: Sequence[tuple[int, Stored]], index: Index, before: Head = START) -> KeySpan | None:
    order = KeyOrder(before)
    for epoch, row in rows:
        order.take([row], epoch)
        asyncio.run(order.look_up(index, TABLE))
    return order.span()


@given(WRITTEN, st.booleans(), st.integers(0, 14))
def test_what_is_proved_to_be_used_once_is_used_once(written: list[tuple[int, str]], last: bool, cut: int) -> None:
    index, rows = Index(written, to_the_last=last), _rows(written)
    is_once = len({key for _, key in written}) == len(written)
    assert _span(rows, index) is None or is_once
    middle = Head(TABLE, cut, b"", written[cut - 1][0]) if 0 < cut <= len(written) else START
    before, after = _span(rows[:cut], index), _span(rows[cut:], index, middle)
    if before is not None and after is not None and follows(before, after):
        assert is_once


@given(st.lists(st.tuples(st.sampled_from(["A1", "A2"]), st.booleans()), max_size=30), st.integers(0, 30))
def test_numbers_that_rise_are_proved_in_any_two_stretches(acts: list[tuple[str, bool]], cut: int) -> None:
    epoch, numbers, written = 1, dict[str, int](), list[tuple[int, str]]()
    for device, is_new_owner in acts:
        if is_new_owner:
            epoch, numbers = epoch + 1, {}
            written.append((epoch, f"started/{epoch}"))
        numbers[device] = numbers.get(device, 0) + 2
        written.append((epoch, f"ask/{device}/{epoch}/{numbers[device]}"))
    index, rows = Index(written, to_the_last=False), _rows(written)
    whole, before, after = (_span(part, index) for part in (rows, rows[:cut], rows[cut:]))
    assert whole is not None
    assert before is not None
    assert after is not None
    assert follows(before, after)
    if rows[:cut] and rows[cut:]:
        same = rows[cut - 1][0] == rows[-1][0]
        assert both(before, after, same_epoch=same).last == whole.last


def test_of_an_epoch_that_is_over_nothing_is_kept() -> None:
    order = KeyOrder(START)
    for epoch in range(1, 200):
        order.take([(epoch, f"started/{epoch}", b"", None, b"")], epoch)
        order.take([(epoch, f"ask/A{device}/{epoch}/{n}", b"", None, b"") for n in range(9) for device in "12"], epoch)
    span = order.span()
    assert span is not None
    assert span.last == {"started": 199, "ask/A1/199": 8, "ask/A2/199": 8}
    assert span.first == {"started": 1, "ask/A1/1": 0, "ask/A2/1": 0}


def test_a_night_is_proved_without_remembering_its_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        journal = memory()
        await play(journal, key=key_in(tmp_path), coups=2)
        monkeypatch.setattr(EveryKey, "__init__", lambda _self: pytest.fail("the keys need not be remembered"))
        for stream in await journal.streams():
            head = await journal.head(stream)
            found = await prove(journal, Stretch(stream, 0, head.version, build=BUILD), lambda *_: None)
            assert found.keys is not None, stream

    asyncio.run(scene())


def test_where_the_index_leads_elsewhere_all_keys_are_remembered() -> None:
    """A journal whose index is of no use is proved all the same."""

    async def scene() -> None:
        plain = memory()
        await play(plain, coups=1)
        journal = await forged(plain)
        head = await journal.head("house")
        whole = Stretch("house", 0, head.version, build=BUILD, every_key=True)
        found = await prove(journal, whole, lambda *_: None)
        assert found.keys is not None
        assert found.head == head

    asyncio.run(scene())
