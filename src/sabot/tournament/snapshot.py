"""A tournament's state as bytes and back, exactly: what a journal may keep so that it need not be read from its start.

Equal states give equal bytes. Mappings keep their order, which follows from the events. Entrants, players and slips are
sorted by number, since the order in which they are filed means nothing. Sets are sorted.
"""

import hashlib
from functools import reduce
from typing import Any, get_args, get_origin

import msgspec
from msgspec.structs import asdict

from sabot.basics.growing_list import GrowingList
from sabot.basics.persistent_map import PersistentMap
from sabot.tournament.state import RoundProgress, TournamentState


def digest_of(state: TournamentState) -> str:
    """What two states share only if they are the same to the last bit."""
    return hashlib.sha256(write_state(state)).hexdigest()


def write_state(state: TournamentState) -> bytes:
    return _encode({**asdict(state), "rounds": {name: _sorted(one) for name, one in state.rounds.items()}})


def read_state(written: bytes) -> TournamentState:
    """The state that was written; what is no state raises `msgspec.DecodeError`."""
    return _decode(written)


def _sorted(progress: RoundProgress) -> dict[str, object]:
    return {**asdict(progress), "called": sorted(progress.called), "ended": sorted(progress.ended)}


def _write_part(value: object) -> object:
    if isinstance(value, PersistentMap):
        return dict(sorted(value.whole().items()))
    if isinstance(value, GrowingList):
        return list(value)
    raise NotImplementedError(f"a tournament holds no {type(value).__name__}")


def _read_part(wanted: Any, written: object) -> object:
    (item,) = get_args(wanted)
    if get_origin(wanted) is PersistentMap:
        return PersistentMap(msgspec.convert(written, dict[str, item]))  # type: ignore[valid-type]
    assert get_origin(wanted) is GrowingList, f"a tournament holds no {wanted}"
    return reduce(GrowingList.then, msgspec.convert(written, list[item]), GrowingList())  # type: ignore[valid-type]


_encode = msgspec.msgpack.Encoder(enc_hook=_write_part).encode
_decode = msgspec.msgpack.Decoder(TournamentState, dec_hook=_read_part).decode
