"""Who works in the house, in which roles, who is at work where, and who is locked out."""

from sabot.basics.role import Role
from sabot.house.event import HouseEvent


class PersonAppointed(HouseEvent, frozen=True, kw_only=True):
    person: str
    roles: tuple[Role, ...]
    by: str
    at_ms: int
    clause: str


class PersonDismissed(HouseEvent, frozen=True, kw_only=True):
    person: str
    reason: str
    by: str
    at_ms: int
    clause: str


class SignOnAnnounced(HouseEvent, frozen=True, kw_only=True):
    """From now on the person asks the house in this role alone (G-99); the table's sign-on bears the number."""

    person: str
    table: str
    role: Role
    number: int
    at_ms: int
    clause: str


class SignOffNoted(HouseEvent, frozen=True, kw_only=True):
    """The person is not signed on at the table any more, or never was under this number."""

    person: str
    table: str
    number: int
    clause: str


class PersonLockedOut(HouseEvent, frozen=True, kw_only=True, omit_defaults=True):
    """So many wrong PINs in a row look like guessing: nobody signs on there in this person's name for now (G-118)."""

    person: str
    failures: int
    at_ms: int
    clause: str
    console: str = ""
    """The console or desk where it was; nothing where the person is locked out everywhere."""
    until_ms: int | None = None
    """When it ends by itself. Records of earlier programs have no end: such a lock-out lasts until it is unlocked."""


class PersonUnlocked(HouseEvent, frozen=True, kw_only=True):
    person: str
    reason: str
    by: str
    at_ms: int
    clause: str


StaffEvent = PersonAppointed | PersonDismissed | SignOnAnnounced | SignOffNoted | PersonLockedOut | PersonUnlocked
