"""JSON objects that name a key twice: readers differ about which of the two counts, so such an object is none.

The usual decoders take the last one without a word. The check here is exact, and quick for short messages that come
again with other figures. What is left of a message without its digits is looked up among those that were found in
order. Two equal keys are equal without their digits too, so none is passed over; where only digits tell keys apart, the
message itself is read.
"""

import json
import re
from itertools import pairwise
from typing import Any

MOST_KNOWN = 4_096
LONGEST_KNOWN = 256
"""Longer messages are rare, and each is read."""
_DIGITS = b"0123456789"
_TOKEN = re.compile(rb'"[^"]*"|[{}:]')
_known: set[bytes] = set()


class DoubledKey(Exception):
    """An object that names something twice; carries the key."""


def check_keys(message: bytes) -> None:
    """Raise `DoubledKey` for JSON, known to be valid, in which an object names a key twice."""
    shape = message.translate(None, _DIGITS)
    if shape in _known:
        return
    if len(shape) <= LONGEST_KNOWN and b"\\" not in shape and _is_single(shape):
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known.add(shape)
        return
    json.loads(message, object_pairs_hook=_once, parse_int=len, parse_float=len)


def _is_single(shape: bytes) -> bool:
    """Whether no object names a key twice in a message without escapes, from which the digits were taken."""
    tokens = _TOKEN.findall(shape)
    objects: list[set[bytes]] = []
    for token, following in pairwise(tokens):
        if token == b"{":
            objects.append(set())
        elif token == b"}":
            objects.pop()
        elif following == b":":
            if token in objects[-1]:
                return False
            objects[-1].add(token)
    return True


def _once(pairs: list[tuple[str, Any]]) -> None:
    keys = set[str]()
    for key, _ in pairs:
        if key in keys:
            raise DoubledKey(key)
        keys.add(key)
