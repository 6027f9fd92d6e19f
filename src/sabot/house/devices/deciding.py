"""Devices: enrolled under a key of their own by two persons, and revoked at once by one.

The stream keeps what a key is known by, never the key. A key serves once: what has been revoked comes back under a new
one, so that a stolen key stays worthless.
"""

import re

from sabot.basics.stamp import Stamp
from sabot.house import acts
from sabot.house import events as e
from sabot.house.refusal import HouseCause, HouseNo
from sabot.house.state import DeviceKind, HouseState

APPROVED_BY = {
    DeviceKind.STATION: 'CROWN 1.1 "ATS"(b)',
    DeviceKind.CONSOLE: 'CROWN 1.1 "SGC"(c)',
    DeviceKind.DISPLAY: "CROWN 2.2(d)",
}
"""Where the rules ask for approved equipment; of everything else they ask it as part of the game system."""
GAME_SYSTEM = 'CROWN 1.1 "game system"(b)'
AT_A_STATION = frozenset({DeviceKind.STATION, DeviceKind.NOTE_ACCEPTOR, DeviceKind.PRINTER, DeviceKind.CARD_READER})
"""What is a station, or serves one: of each kind a station has one at a time."""
TAKE_PINS = frozenset({DeviceKind.CONSOLE, DeviceKind.DESK})
"""Where staff sign on; nobody tries a PIN anywhere else (G-118)."""
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")


def enrol(state: HouseState, act: acts.Enrol, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    clause = APPROVED_BY.get(act.kind, GAME_SYSTEM)
    if act.kind is not DeviceKind.DESK and act.table not in state.tables:
        raise HouseNo(HouseCause.UNKNOWN_TABLE, table=act.table)
    if not act.approval.strip():
        raise HouseNo(HouseCause.UNAPPROVED, clause=clause, kind=act.kind.replace("_", " "))
    if not _FINGERPRINT.fullmatch(act.key):
        raise HouseNo(HouseCause.BAD_KEY)
    known = state.devices.get(act.device)
    if known is not None and not known.revoked:
        raise HouseNo(HouseCause.ENROLLED_ALREADY, device=act.device)
    if act.key in state.keys:
        raise HouseNo(HouseCause.KEY_USED, device=state.keys[act.key])
    station = (act.station or act.device) if act.kind in AT_A_STATION else ""
    if act.places:
        _check_several(state, act)
    for table, place in ({act.table: station, **act.places} if station else {}).items():
        _check_free(state, act.kind, table, place)
    return (
        e.DeviceEnrolled(
            device=act.device,
            kind=act.kind,
            table="" if act.kind is DeviceKind.DESK else act.table,
            key=act.key,
            approval=act.approval,
            remote=act.remote,
            station=station,
            places=act.places,
            by=stamp.by,
            second=stamp.second,
            at_ms=stamp.at_ms,
            clause=clause,
        ),
    )


def _check_several(state: HouseState, act: acts.Enrol) -> None:
    """A station has one place at each of several tables of the house, where the house allows it (G-201)."""
    if act.kind is not DeviceKind.STATION:
        raise HouseNo(HouseCause.ONE_TABLE_ONLY, kind=act.kind.replace("_", " "))
    if not state.several_tables:
        raise HouseNo(HouseCause.SEVERAL_TABLES_OFF)
    if act.table in act.places:
        raise HouseNo(HouseCause.TABLE_TWICE, table=act.table)
    for table in act.places:
        if table not in state.tables:
            raise HouseNo(HouseCause.UNKNOWN_TABLE, table=table)


def _check_free(state: HouseState, kind: DeviceKind, table: str, station: str) -> None:
    """Two devices in one place could each act for its patron."""
    name = state.devices.at_station(kind, table, station)
    if name is not None:
        said = kind.replace("_", " ")
        raise HouseNo(HouseCause.STATION_TAKEN, device=name, kind=said, station=station, table=table)


def revoke(state: HouseState, act: acts.Revoke, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    known = state.devices.get(act.device)
    if known is None or known.revoked:
        raise HouseNo(HouseCause.NOT_ENROLLED, device=act.device)
    if not act.reason.strip():
        raise HouseNo(HouseCause.REASON_MISSING, clause=GAME_SYSTEM)
    return (e.DeviceRevoked(device=act.device, reason=act.reason, by=stamp.by, at_ms=stamp.at_ms, clause=GAME_SYSTEM),)
