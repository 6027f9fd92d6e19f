"""A tournament's state as bytes and back, exactly, for a journal to keep."""

import hashlib
from typing import get_args, get_origin

import msgspec

from sabot.basics.growing_list import GrowingList
from sabot.basics.persistent_map import PersistentMap
from sabot.tournament.state import TournamentState


def digest_of(state: TournamentState) -> str:
    return hashlib.sha256(write_state(state)).hexdigest()


def write_state(state: TournamentState) -> bytes:
    return _encode(state)


def read_state(written: bytes) -> TournamentState:
    """The state that was written; what is no state raises `msgspec.DecodeError`."""
    return _decode(written)


def _write_part(value: object) -> object:
    if isinstance(value, PersistentMap):
        return dict(sorted(value.whole().items()))
    if isinstance(value, GrowingList):
        return list(value)
    if isinstance(value, frozenset):
        return sorted(value)
    raise NotImplementedError(f"a tournament holds no {type(value).__name__}")


def _read_part(wanted: type, written: object) -> object:
    kind, (item,) = get_origin(wanted), get_args(wanted)
    if kind is PersistentMap:
        return PersistentMap(msgspec.convert(written, dict[str, item], dec_hook=_read_part))  # type: ignore[valid-type]
    assert kind is GrowingList, f"a tournament holds no {wanted}"
    grown: GrowingList[object] = GrowingList()
    for one in msgspec.convert(written, list[item], dec_hook=_read_part):  # type: ignore[valid-type]
        grown = grown.then(one)
    return grown


_encode = msgspec.msgpack.Encoder(enc_hook=_write_part).encode
_decode = msgspec.msgpack.Decoder(TournamentState, dec_hook=_read_part).decode
