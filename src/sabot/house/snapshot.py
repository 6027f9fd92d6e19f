"""The house's state as bytes and back, exactly: what a journal may keep so that the house need not be read from its
start.

Equal states give equal bytes: mappings keep their order, which follows from the events; tickets, slips, devices and
keys are sorted, since the order in which they are filed means nothing.
"""

from typing import Any, get_args, get_origin

import msgspec

from sabot.basics.persistent_map import PersistentMap
from sabot.house.state import DeviceBook, EnrolledDevice, HouseSlip, HouseState, RegisteredTicket, TicketBook


def write_state(state: HouseState) -> bytes:
    return _encode(state)


def read_state(written: bytes) -> HouseState:
    """The state that was written; what is no state raises `msgspec.DecodeError`."""
    return _decode(written)


def _write_part(value: object) -> object:
    if isinstance(value, TicketBook):
        return _encode_part(dict(sorted({**value.live.whole(), **value.over.whole()}.items())))
    if isinstance(value, DeviceBook | PersistentMap):
        entries = value.whole()
        return _encode_part({name: entries[name] for name in sorted(entries)})
    raise NotImplementedError(f"a house holds no {type(value).__name__}")


def _read_part(wanted: type, written: object) -> object:
    if not isinstance(written, bytes):
        raise TypeError("tickets, slips, devices and keys are written as bytes")
    if wanted is TicketBook:
        return TicketBook.of(_PARTS[RegisteredTicket].decode(written))
    if wanted is DeviceBook:
        return DeviceBook.of(_PARTS[EnrolledDevice].decode(written))
    assert get_origin(wanted) is PersistentMap, f"a house holds no {wanted.__name__}"
    return PersistentMap(_PARTS[get_args(wanted)[0]].decode(written))


_encode_part = msgspec.msgpack.Encoder().encode
_PARTS: dict[type, msgspec.msgpack.Decoder[Any]] = {
    kind: msgspec.msgpack.Decoder(dict[str, kind])  # type: ignore[valid-type]  # One decoder for each.
    for kind in (RegisteredTicket, HouseSlip, EnrolledDevice, str)
}
_encode = msgspec.msgpack.Encoder(enc_hook=_write_part).encode
_decode = msgspec.msgpack.Decoder(HouseState, dec_hook=_read_part).decode
