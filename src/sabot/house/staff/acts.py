"""Who works in the house, in which roles, who is at work where, and who is locked out."""

from typing import Annotated

import msgspec

from sabot.basics.act import Act, Reference
from sabot.basics.bounds import MOST_COUNTED, NameSaid, TextSaid, TimeSaid
from sabot.basics.role import Role


class Appoint(Act, frozen=True, kw_only=True):
    """Put a person on the staff list, or change the person's roles."""

    person: Reference
    roles: Annotated[tuple[Role, ...], msgspec.Meta(min_length=1)]


class Dismiss(Act, frozen=True, kw_only=True):
    person: NameSaid
    reason: TextSaid


class AnnounceSignOn(Act, frozen=True, kw_only=True):
    """A person is about to sign on at a table; asked again for the same role it is the same sign-on."""

    person: NameSaid
    table: NameSaid
    as_role: Role
    number: Annotated[int, msgspec.Meta(ge=0, extra={"most": MOST_COUNTED})] | None = None
    """Where the table has signed the person on already, under this number: as one does whom the house did not know."""


class NoteSignedOff(Act, frozen=True, kw_only=True):
    """A table has signed a person off, or will never sign the person on under this number or an earlier one."""

    person: NameSaid
    table: NameSaid
    number: Annotated[int, msgspec.Meta(ge=0, extra={"most": MOST_COUNTED})]


class LockOut(Act, frozen=True, kw_only=True):
    """Too many wrong PINs were given for a person, who cannot sign on there before the time or an unlocking."""

    person: NameSaid
    failures: Annotated[int, msgspec.Meta(ge=1, extra={"most": MOST_COUNTED})] = 5
    console: NameSaid = ""
    until_ms: TimeSaid | None = None


class Unlock(Act, frozen=True, kw_only=True):
    """Let a person who is locked out try again."""

    person: NameSaid
    reason: TextSaid


StaffAct = Appoint | Dismiss | Unlock
CarriedStaffAct = AnnounceSignOn | NoteSignedOff | LockOut
