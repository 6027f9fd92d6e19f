"""Bodies of records and derived values as they are stored: packed with a dictionary that all records share.

A hash is always over the body itself, so the chain and its proofs do not depend on how a body is stored. A body is JSON
and begins with a bracket; what is packed begins with the number of its dictionary. A dictionary that was once used is
never changed, since what was packed with it cannot be read without it. A better one gets the next number, and comes
with a new form of records (`record.FORMAT`): a program that does not know it would take records for damaged.
"""

import threading
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

import zstandard

DICTIONARY: Final = 1
"""The dictionary that this program packs with."""
_LEVEL: Final = 3
"""Higher levels save a twentieth and cost three times as much (`bench/journal_volume.py`)."""
_AS_IT_IS: Final = b"\0"
"""Stands before a derived value that is stored as it is."""
_FORM: Final = zstandard.FORMAT_ZSTD1_MAGICLESS
_DAMAGED: Final = (zstandard.ZstdError, MemoryError)


class _Tools(threading.local):
    """The packer and the unpacker of a thread: they may not be shared."""

    def __init__(self) -> None:
        shared = _dictionary(DICTIONARY)
        parameters = zstandard.ZstdCompressionParameters.from_level(
            _LEVEL, format=_FORM, write_content_size=True, write_dict_id=False
        )
        self.pack = zstandard.ZstdCompressor(dict_data=shared, compression_params=parameters).compress
        self.unpack = zstandard.ZstdDecompressor(dict_data=shared, format=_FORM).decompress


def pack(body: bytes) -> bytes:
    """A record's body as it is stored: packed, or as it is where that is not longer."""
    packed = _PREFIX + _TOOLS.pack(body)
    return packed if len(packed) < len(body) else body


def unpack(stored: bytes) -> bytes:
    """A record's body from what is stored. What cannot be unpacked is returned as it is: its hash shows the damage."""
    if not stored.startswith(_PREFIX):
        return stored
    try:
        return _TOOLS.unpack(stored[1:], 0, False, False)  # noqa: FBT003  As below.
    except _DAMAGED:
        return stored


def unpack_all(stored: Sequence[bytes]) -> list[bytes]:
    """The same of many, which takes less time for each.

    One frame and nothing behind it: said by place, since to name these arguments takes a third of the time.
    """
    unpacked, packed = _TOOLS.unpack, _PREFIX
    try:
        return [unpacked(one[1:], 0, False, False) if one[:1] == packed else one for one in stored]  # noqa: FBT003
    except _DAMAGED:
        return list(map(unpack, stored))


def pack_value(value: bytes) -> bytes:
    """A derived value as it is stored: packed, or behind a zero where that is not longer."""
    packed = _PREFIX + _TOOLS.pack(value)
    return packed if len(packed) <= len(value) else _AS_IT_IS + value


def unpack_value(stored: bytes) -> bytes:
    """A derived value from what is stored. What cannot be unpacked is returned as it is: its seal shows the damage."""
    return stored[1:] if stored.startswith(_AS_IT_IS) else unpack(stored)


def dictionary(number: int) -> bytes:
    """The content of a dictionary, as any program for Zstandard takes it."""
    return (files("sabot.journal") / "dictionaries" / f"{number}.zdict").read_bytes()


@cache
def _dictionary(number: int) -> zstandard.ZstdCompressionDict:
    made = zstandard.ZstdCompressionDict(dictionary(number))
    made.precompute_compress(level=_LEVEL)
    return made


_PREFIX: Final = bytes([DICTIONARY])
_TOOLS: Final = _Tools()
