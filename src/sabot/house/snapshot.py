"""The house's state as bytes and back, exactly: what a journal may keep so that the house need not be read from its
start.

Equal states give equal bytes. Mappings keep their order, which follows from the events. Tickets, slips, devices and
keys are written in parts of a few hundred, each sorted, since the order in which they are filed means nothing. A floor
with a hundred thousand devices writes one part at a time and serves its tables between them.
"""

from collections.abc import Generator
from typing import Any, TypeVar, get_args, get_origin

import msgspec

from sabot.basics.persistent_map import PersistentMap
from sabot.house.filed_book import FiledBook
from sabot.house.state import DeviceBook, EnrolledDevice, HouseSlip, HouseState, RegisteredTicket

T = TypeVar("T")


def write_state(state: HouseState) -> bytes:
    writing = write_in_slices(state)
    while True:
        try:
            next(writing)
        except StopIteration as written:
            return bytes(written.value)


def write_in_slices(state: HouseState) -> Generator[None, None, bytes]:
    """Write the state; yields whenever something else may be done for a moment."""
    written: dict[str, object] = {name: getattr(state, name) for name in state.__struct_fields__}
    for name, part in written.items():
        if isinstance(part, FiledBook):
            ended = {}
            for day, papers in part.ended.items():
                ended[day] = yield from _slices(papers)
            written[name] = ((yield from _slices(part.open)), ended)
        elif isinstance(part, DeviceBook):
            written[name] = yield from _slices(part.by_name)
        elif isinstance(part, PersistentMap):
            written[name] = yield from _slices(part)
    return _encode(written)


def _slices(entries: PersistentMap[T]) -> Generator[None, None, list[bytes]]:
    parts = []
    for part in entries.slices():
        parts.append(_encode({name: part[name] for name in sorted(part)}))
        yield
    return parts


def read_state(written: bytes) -> HouseState:
    """The state that was written; what is no state raises `msgspec.DecodeError`."""
    return _decode(written)


def _read_part(wanted: Any, written: object) -> object:
    if wanted is DeviceBook:
        return DeviceBook.of(_together(EnrolledDevice, written))
    (kind,) = get_args(wanted)
    if get_origin(wanted) is PersistentMap:
        return PersistentMap(_together(kind, written))
    assert get_origin(wanted) is FiledBook, f"a house holds no {wanted}"
    opened, ended = msgspec.convert(written, tuple[list[bytes], dict[int, list[bytes]]])
    return FiledBook(
        PersistentMap(_together(kind, opened)),
        {day: PersistentMap(_together(kind, parts)) for day, parts in ended.items()},
    )


def _together(kind: Any, written: object) -> dict[str, Any]:
    parts = msgspec.convert(written, list[bytes])
    return {name: one for part in parts for name, one in _PARTS[kind].decode(part).items()}


_PARTS: dict[type, msgspec.msgpack.Decoder[Any]] = {
    kind: msgspec.msgpack.Decoder(dict[str, kind])  # type: ignore[valid-type]  # One decoder for each.
    for kind in (RegisteredTicket, HouseSlip, EnrolledDevice, str)
}
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(HouseState, dec_hook=_read_part).decode
