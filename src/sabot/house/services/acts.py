"""Service accounts: programs of others that read figures or pay tickets."""

from typing import Annotated

import msgspec

from sabot.basics.act import Act, Reference
from sabot.basics.bounds import NameSaid, TextSaid, TimeSaid
from sabot.house.state import ServiceScope


class MakeService(Act, frozen=True, kw_only=True):
    """Let a program of others in under a name and a secret of its own. The floor draws the secret."""

    service: Reference
    scopes: Annotated[tuple[ServiceScope, ...], msgspec.Meta(min_length=1)]
    key: NameSaid
    """The SHA-256 of its secret, in hexadecimal."""
    until_ms: TimeSaid
    a_minute: Annotated[int, msgspec.Meta(ge=1, extra={"most": 100_000})] = 600
    purpose: TextSaid
    """What it is for, and whose it is."""


class RevokeService(Act, frozen=True, kw_only=True):
    service: NameSaid
    reason: TextSaid


class NoteServiceUsed(Act, frozen=True, kw_only=True):
    """A service account is in use. Told again within an hour it changes nothing."""

    service: NameSaid


ServiceAct = RevokeService
CarriedServiceAct = MakeService | NoteServiceUsed
