"""Between the words on the wire and an owner's messages: what a floor's socket does, for tests without one."""

from typing import Any

import msgspec

from sabot.basics.role import Role
from sabot.floor.table_owner import messages as m
from sabot.floor.table_owner.effects import Disconnect
from sabot.table import acts as c
from sabot.views.audience import Audience
from sabot.wire import frames as w
from sabot.wire.spoken import TABLE_KINDS, Spoken, fields_of

_SPOKEN = {kind: spoken for spoken, kind in TABLE_KINDS.items()}


class Enrolled(msgspec.Struct, frozen=True):
    """What a floor knows of a device."""

    device: str
    audience: Audience
    station: str = ""
    by: str = ""
    role: Role = Role.STATION


def at_station(device: str, station: str = "") -> Enrolled:
    return Enrolled(device, Audience.STATION, station or device, station or device)


CONSOLE = Enrolled("console", Audience.CONSOLE, "", "D1", Role.DEALER)


def spoken(command: c.Command) -> Spoken:
    """A command as a device would speak it."""
    kind = _SPOKEN[type(command)]
    said = {name: getattr(command, name) for name in kind.__struct_fields__}
    if command.role is Role.STATION:
        said.pop("station", None)
    return kind(**said)


def to_owner(who: Enrolled, frame: w.Hello | w.Ask, salts: dict[str, str]) -> m.Hello | m.Ask:
    if isinstance(frame, w.Hello):
        return m.Hello(
            device=who.device,
            audience=who.audience,
            station=who.station,
            epoch=frame.epoch,
            version=frame.version,
            pending=None if frame.pending is None else m.Name(*frame.pending),
        )
    kind: Any = TABLE_KINDS[type(frame.command)]
    fields = fields_of(frame.command)
    if "station" in kind.__struct_fields__:
        fields.setdefault("station", who.station)
    if "salts" in kind.__struct_fields__:
        fields["salts"] = salts
    command = kind(by=who.by, role=who.role, at_ms=0, **fields)
    return m.Ask(who.device, m.Name(frame.epoch, frame.n), frame.coup, command)


_SAID: dict[type, type[Any]] = {
    m.Answer: w.Answer,
    m.Lost: w.Lost,
    m.Told: w.Told,
    m.Paused: w.Paused,
    m.Resynchronise: w.Resynchronise,
}


def to_device(message: m.ToDevice | m.Lost | Disconnect) -> w.Said:
    if isinstance(message, Disconnect):
        return w.Bye(why=message.why, owner=message.holder)
    if isinstance(message, m.Welcome):
        told: Any = tuple(to_device(one) for one in message.missed)
        pending: Any = None if message.pending is None else to_device(message.pending)
        return w.Welcome(**{**_fields(message), "missed": told, "pending": pending})
    said: w.Said = _SAID[type(message)](**_fields(message))
    return said


def _fields(message: msgspec.Struct) -> dict[str, Any]:
    return {name: getattr(message, name) for name in message.__struct_fields__}
