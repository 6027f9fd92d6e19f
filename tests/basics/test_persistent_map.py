"""A persistent map reads like a dict, shares its nodes between versions, and has one order in every process."""

import subprocess
import sys
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.persistent_map import LARGEST_LEAF, PersistentMap

names = st.text(st.sampled_from("0123456789"), max_size=3)


@given(st.lists(st.tuples(names, st.one_of(st.none(), st.integers())), max_size=200))
def test_a_map_holds_what_a_dict_holds_and_no_earlier_version_changes(steps: list[tuple[str, int | None]]) -> None:
    plain: dict[str, int] = {}
    mapping: PersistentMap[int] = PersistentMap()
    earlier: list[tuple[PersistentMap[int], dict[str, int]]] = []
    for name, value in steps:
        earlier.append((mapping, dict(plain)))
        if value is None:
            plain.pop(name, None)
            mapping = mapping.without(name)
        else:
            plain[name] = value
            mapping = mapping.put(name, value)
    assert mapping == plain == PersistentMap(plain)
    assert len(mapping) == len(plain)
    for then, held in earlier[::20]:
        assert then == held


def test_keys_with_the_same_checksum_share_a_leaf() -> None:
    alike = {_key_with_the_same_checksum(number): number for number in range(2 * LARGEST_LEAF)}
    assert len({crc32(name.encode()) for name in alike}) == 1
    mapping: PersistentMap[int] = PersistentMap()
    for name, number in alike.items():
        mapping = mapping.put(name, number)
    assert mapping == alike == PersistentMap(alike)
    gone = next(iter(alike))
    assert gone not in mapping.without(gone)


def test_a_change_makes_a_handful_of_new_nodes_whatever_the_size() -> None:
    few, many = (PersistentMap({f"{number:018}": number for number in range(size)}) for size in (1_000, 50_000))
    for mapping in (few, many):
        after = mapping.put("new", 1)
        before = _nodes(mapping)
        new = [node for node in _nodes(after).values() if id(node) not in before]
        assert sum(map(len, new)) <= 6 * 16 + LARGEST_LEAF


def test_the_order_is_the_same_in_every_process() -> None:
    program = (
        "from sabot.basics.persistent_map import PersistentMap\n"
        "print(*PersistentMap({f'{n:018}': n for n in range(200)}).values())"
    )
    told = [
        subprocess.run(  # noqa: S603  Our own interpreter.
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1]
    assert len(told[0].split()) == 200


def _nodes(mapping: PersistentMap[int]) -> dict[int, dict[str, int] | tuple[object, ...]]:
    found: dict[int, dict[str, int] | tuple[object, ...]] = {}
    waiting: list[object] = [mapping._root]  # noqa: SLF001  Sharing cannot be seen from outside.
    while waiting:
        one = waiting.pop()
        assert isinstance(one, dict | tuple)
        found[id(one)] = one
        waiting += one if isinstance(one, tuple) else ()
    return found


def _key_with_the_same_checksum(number: int) -> str:
    """Adding a multiple of the CRC polynomial, in carry-less arithmetic, changes the text and keeps its checksum."""
    product = 0
    for place in range(number.bit_length()):
        product ^= (0x104C11DB7 << place) * (number >> place & 1)
    return f"{product:048b}"


@given(st.sets(st.integers(0, 3_000)), st.sets(st.integers(0, 3_000)), st.sampled_from([1, -1]))
def test_equal_maps_have_equal_slices_whatever_happened_before(kept: set[int], gone: set[int], order: int) -> None:
    made = PersistentMap[int]()
    for number in sorted(kept | gone)[::order]:
        made = made.put(f"n{number}", number)
    for number in sorted(gone - kept)[::-order]:
        made = made.without(f"n{number}")
    anew = PersistentMap({f"n{number}": number for number in kept})
    assert list(made.slices()) == list(anew.slices())
    assert {key: value for part in made.slices() for key, value in part.items()} == anew.whole()


@pytest.mark.parametrize(("entries", "slices"), [(0, 1), (512, 1), (513, 16), (8_192, 16), (8_193, 256)])
def test_a_large_map_is_gone_through_in_parts_of_a_few_hundred(entries: int, slices: int) -> None:
    parts = list(PersistentMap({f"n{number}": number for number in range(entries)}).slices())
    assert len(parts) == slices
    assert max(map(len, parts)) <= 2 * 512
