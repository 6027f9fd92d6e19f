"""The house's state as bytes and back, exactly: what a journal may keep so that the house need not be read from its
start.

Equal states give equal bytes: mappings keep their order, which follows from the events, and tickets and slips
are sorted by number, since the order in which they are filed means nothing.
"""

from typing import get_origin

import msgspec

from sabot.basics.persistent_map import PersistentMap
from sabot.house.state import HouseSlip, HouseState, RegisteredTicket, TicketBook


def write_state(state: HouseState) -> bytes:
    return _encode(state)


def read_state(written: bytes) -> HouseState:
    """The state that was written; what is no state raises `msgspec.DecodeError`."""
    return _decode(written)


def _write_part(value: object) -> object:
    if isinstance(value, TicketBook):
        return _encode_tickets(dict(sorted({**value.live.whole(), **value.over.whole()}.items())))
    if isinstance(value, PersistentMap):
        return _encode_slips(dict(sorted(value.whole().items())))
    raise NotImplementedError(f"a house holds no {type(value).__name__}")


def _read_part(wanted: type, written: object) -> object:
    if not isinstance(written, bytes):
        raise TypeError("tickets and slips are written as bytes")
    if wanted is TicketBook:
        return TicketBook.of(_decode_tickets(written))
    assert get_origin(wanted) is PersistentMap, f"a house holds no {wanted.__name__}"
    return PersistentMap(_decode_slips(written))


_encode_tickets = msgspec.msgpack.Encoder().encode
_decode_tickets = msgspec.msgpack.Decoder(dict[str, RegisteredTicket]).decode
_encode_slips = msgspec.msgpack.Encoder().encode
_decode_slips = msgspec.msgpack.Decoder(dict[str, HouseSlip]).decode
_encode = msgspec.msgpack.Encoder(enc_hook=_write_part).encode
_decode = msgspec.msgpack.Decoder(HouseState, dec_hook=_read_part).decode
