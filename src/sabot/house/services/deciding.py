"""Service accounts: programs of others that read figures or pay tickets under a name of their own (G-233).

The house knows a secret by its SHA-256 alone. A name is used once, so that a record names one account for ever.
"""

import re

from sabot.basics.act import Act
from sabot.basics.stamp import Stamp
from sabot.house import acts
from sabot.house import events as e
from sabot.house.refusal import HouseCause, HouseNo
from sabot.house.staff.deciding import DESKS
from sabot.house.state import HouseState, ServiceAccount, ServiceScope

CLAUSE = "G-233"
USED_EVERY_MS = 3_600_000
"""How often it is put on record that an account is in use."""
SCOPE_OF: dict[type[Act], ServiceScope] = {acts.Redeem: ServiceScope.CAGE}
"""What a service account may ask of the house, by the scope that allows it."""


def make_service(state: HouseState, act: acts.MakeService, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    if not act.service.strip() or _plain(act.service) in map(_plain, (*state.services, *state.staff, *DESKS)):
        raise HouseNo(HouseCause.SERVICE_NAME_TAKEN, service=act.service)
    if not re.fullmatch("[0-9a-f]{64}", act.key):
        raise HouseNo(HouseCause.BAD_KEY)
    if not act.purpose.strip():
        raise HouseNo(HouseCause.REASON_MISSING)
    if act.until_ms <= stamp.at_ms:
        raise HouseNo(HouseCause.SERVICE_OVER, service=act.service)
    return (
        e.ServiceMade(
            service=act.service,
            scopes=tuple(scope for scope in ServiceScope if scope in act.scopes),
            key=act.key,
            until_ms=act.until_ms,
            a_minute=act.a_minute,
            purpose=act.purpose,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause=CLAUSE,
        ),
    )


def _plain(name: str) -> str:
    """A record that names `kiosk` shall not be taken for one of `Kiosk` or of `kiosk `."""
    return name.strip().casefold()


def revoke_service(state: HouseState, act: acts.RevokeService, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    known = state.services.get(act.service)
    if known is None or known.revoked:
        raise HouseNo(HouseCause.NO_SUCH_SERVICE, service=act.service)
    if not act.reason.strip():
        raise HouseNo(HouseCause.REASON_MISSING)
    return (e.ServiceRevoked(service=act.service, reason=act.reason, by=stamp.by, at_ms=stamp.at_ms, clause=CLAUSE),)


def note_service_used(state: HouseState, act: acts.NoteServiceUsed, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """Several processes tell it; within an hour it changes nothing."""
    known = state.services.get(act.service)
    if known is None or (known.used_ms and stamp.at_ms < known.used_ms + USED_EVERY_MS):
        return ()
    return (e.ServiceUsed(service=act.service, at_ms=stamp.at_ms, clause=CLAUSE),)


def check_may_ask(state: HouseState, kind: type[Act], stamp: Stamp) -> None:
    """Whether the account that gives the act is alive, and has the scope for it."""
    known = state.services[stamp.by]
    if not is_live(known, stamp.at_ms):
        raise HouseNo(HouseCause.SERVICE_OVER, service=stamp.by)
    if SCOPE_OF.get(kind) not in known.scopes:
        raise HouseNo(HouseCause.NOT_IN_SCOPE, service=stamp.by)


def is_live(known: ServiceAccount, at_ms: int) -> bool:
    return not known.revoked and at_ms < known.until_ms
