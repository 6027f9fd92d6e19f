"""An object that names a key twice is none: however the two are written, and whatever stands around them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.doubled_keys import DoubledKey, check_keys
from sabot.wire.frames import UnreadableFrame, read_device_frame

KEYS = st.sampled_from(["a", "a1", "a2", "b", "", "ä", 'q"', "x\\", "{", "}:", "n"])
TEXTS = st.sampled_from(["", "a", '":', "{", "}", "\\", '\\"', "1", "ü", '{"a":1}'])
TOUCH = '{"type":"ask","epoch":3,"n":117,"coup":12,"command":{"do":"set_wager","bet":"banker","cents":2500%s}}'


class Pairs(list[tuple[str, Any]]):
    """An object as it is written, with its keys in order."""


def written(value: Any, blank: str) -> str:
    if isinstance(value, Pairs):
        pairs = (f"{json.dumps(key)}{blank}:{blank}{written(one, blank)}" for key, one in value)
        return "{" + f"{blank},{blank}".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(written(one, blank) for one in value) + "]"
    return json.dumps(value)


def is_doubled(value: Any) -> bool:
    if isinstance(value, Pairs):
        keys = [key for key, _ in value]
        return len(set(keys)) < len(keys) or any(is_doubled(one) for _, one in value)
    return isinstance(value, list) and any(map(is_doubled, value))


values = st.recursive(
    st.one_of(TEXTS, st.integers(), st.none(), st.booleans(), st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.lists(st.tuples(KEYS, inner), max_size=4).map(Pairs)),
    max_leaves=12,
)


@given(value=values, blank=st.sampled_from(["", " ", "\n\t"]))
def test_the_check_is_exact(value: Any, blank: str) -> None:
    message = written(value, blank).encode()
    for _ in range(2):  # The second time it may be known.
        if is_doubled(value):
            with pytest.raises(DoubledKey):
                check_keys(message)
        else:
            check_keys(message)


def test_what_is_known_lets_no_other_message_through() -> None:
    check_keys(b'{"a1":1,"a2":2}')
    with pytest.raises(DoubledKey):
        check_keys(b'{"a1":1,"a1":2}')
    with pytest.raises(DoubledKey):
        check_keys(b'{"a":1,"\\u0061":2}')


@pytest.mark.parametrize("more", [',"cents":100', ',"bet":"player"', ',"c\\u0065nts":100', ',"do":"set_wager"'])
def test_a_frame_that_names_something_twice_is_not_taken(more: str) -> None:
    read_device_frame(TOUCH % "")
    with pytest.raises(UnreadableFrame, match="twice"):
        read_device_frame(TOUCH % more)
