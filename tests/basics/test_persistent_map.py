"""A cabinet reads like a dict, shares what it grew from, and is in the same order in every process."""

import subprocess
import sys
from zlib import crc32

from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.persistent_map import FULL, Cabinet

names = st.text(st.sampled_from("0123456789"), max_size=3)


@given(st.lists(st.tuples(names, st.one_of(st.none(), st.integers())), max_size=200))
def test_a_cabinet_holds_what_a_dict_holds_and_no_earlier_one_changes(steps: list[tuple[str, int | None]]) -> None:
    plain: dict[str, int] = {}
    cabinet: Cabinet[int] = Cabinet()
    earlier: list[tuple[Cabinet[int], dict[str, int]]] = []
    for name, value in steps:
        earlier.append((cabinet, dict(plain)))
        if value is None:
            plain.pop(name, None)
            cabinet = cabinet.without(name)
        else:
            plain[name] = value
            cabinet = cabinet.put(name, value)
    assert cabinet == plain == Cabinet(plain)
    assert len(cabinet) == len(plain)
    for then, held in earlier[::20]:
        assert then == held


def test_names_that_cannot_be_told_apart_share_a_drawer() -> None:
    alike = {_name_with_the_same_sum(number): number for number in range(2 * FULL)}
    assert len({crc32(name.encode()) for name in alike}) == 1
    cabinet: Cabinet[int] = Cabinet()
    for name, number in alike.items():
        cabinet = cabinet.put(name, number)
    assert cabinet == alike == Cabinet(alike)
    gone = next(iter(alike))
    assert gone not in cabinet.without(gone)


def test_filing_touches_a_handful_of_drawers_however_many_there_are() -> None:
    few, many = (Cabinet({f"{number:018}": number for number in range(size)}) for size in (1_000, 50_000))
    for cabinet in (few, many):
        after = cabinet.put("new", 1)
        before = _drawers(cabinet)
        new = [drawer for drawer in _drawers(after).values() if id(drawer) not in before]
        assert sum(map(len, new)) <= 6 * 16 + FULL


def test_the_order_is_the_same_in_every_process() -> None:
    program = (
        "from sabot.basics.persistent_map import Cabinet; print(*Cabinet({f'{n:018}': n for n in range(200)}).values())"
    )
    told = [
        subprocess.run(  # noqa: S603  Our own interpreter.
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1]
    assert len(told[0].split()) == 200


def _drawers(cabinet: Cabinet[int]) -> dict[int, dict[str, int] | tuple[object, ...]]:
    found: dict[int, dict[str, int] | tuple[object, ...]] = {}
    waiting: list[object] = [cabinet._top]  # noqa: SLF001  What is shared is not to be seen from outside.
    while waiting:
        one = waiting.pop()
        assert isinstance(one, dict | tuple)
        found[id(one)] = one
        waiting += one if isinstance(one, tuple) else ()
    return found


def _name_with_the_same_sum(number: int) -> str:
    """The check sum's own polynomial, multiplied without carrying, changes ones and noughts but never the sum."""
    product = 0
    for place in range(number.bit_length()):
        product ^= (0x104C11DB7 << place) * (number >> place & 1)
    return f"{product:048b}"
