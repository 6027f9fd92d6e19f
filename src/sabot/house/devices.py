"""Devices: enrolled under a key of their own by two persons, and revoked at once by one.

The stream keeps what a key is known by, never the key. A key serves once: what has been revoked comes back under a new
one, so that a stolen key stays worthless.
"""

import re

from sabot.house import commands as c
from sabot.house import events as e
from sabot.house.refusal import Cause, No
from sabot.house.state import HouseState

APPROVED_BY = {
    "station": 'CROWN 1.1 "ATS"(b)',
    "console": 'CROWN 1.1 "SGC"(c)',
    "display": "CROWN 2.2(d)",
}
"""Where the rules ask for approved equipment; of everything else they ask it as part of the game system."""
GAME_SYSTEM = 'CROWN 1.1 "game system"(b)'
AT_A_STATION = frozenset({"station", "note_acceptor", "printer"})
"""What is a station, or serves one: of each kind a station has one at a time."""
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")


def enrol(state: HouseState, command: c.Enrol) -> tuple[e.HouseEvent, ...]:
    clause = APPROVED_BY.get(command.kind, GAME_SYSTEM)
    if command.table not in state.tables:
        raise No(Cause.UNKNOWN_TABLE, table=command.table)
    if not command.approval.strip():
        raise No(Cause.UNAPPROVED, clause=clause, kind=command.kind.replace("_", " "))
    if not _FINGERPRINT.fullmatch(command.key):
        raise No(Cause.BAD_KEY)
    known = state.devices.get(command.device)
    if known is not None and not known.revoked:
        raise No(Cause.ENROLLED_ALREADY, device=command.device)
    if command.key in state.keys:
        raise No(Cause.KEY_USED, device=state.keys[command.key])
    station = (command.station or command.device) if command.kind in AT_A_STATION else ""
    if station:
        _check_free(state, command, station)
    return (
        e.DeviceEnrolled(
            device=command.device,
            kind=command.kind,
            table=command.table,
            key=command.key,
            approval=command.approval,
            remote=command.remote,
            station=station,
            by=command.by,
            second=command.second,
            at_ms=command.at_ms,
            clause=clause,
        ),
    )


def _check_free(state: HouseState, command: c.Enrol, station: str) -> None:
    """Two devices in one place could each act for its patron."""
    for name, known in state.devices.items():
        if not known.revoked and (known.kind, known.table, known.station) == (command.kind, command.table, station):
            kind = known.kind.replace("_", " ")
            raise No(Cause.STATION_TAKEN, device=name, kind=kind, station=station, table=known.table)


def revoke(state: HouseState, command: c.Revoke) -> tuple[e.HouseEvent, ...]:
    known = state.devices.get(command.device)
    if known is None or known.revoked:
        raise No(Cause.NOT_ENROLLED, device=command.device)
    if not command.reason.strip():
        raise No(Cause.REASON_MISSING, clause=GAME_SYSTEM)
    return (
        e.DeviceRevoked(
            device=command.device, reason=command.reason, by=command.by, at_ms=command.at_ms, clause=GAME_SYSTEM
        ),
    )
