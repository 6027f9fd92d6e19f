"""Service accounts at the door: which account a bearer token belongs to, whether it may, and how often (G-233).

A token is `service.NAME.SECRET`. The secret has 256 random bits. The house has its SHA-256, so a token is good at every
process of the floor, after every restart, and until the house says otherwise. An unknown name, a wrong secret, an
account that has expired and one that was revoked are answered alike.
"""

import asyncio
import hmac
import secrets
from collections.abc import Callable
from typing import Annotated, NamedTuple

import msgspec
import structlog

from sabot.basics.act import Reference
from sabot.basics.stamp import Stamp, clock_stamp
from sabot.house.acts import MakeService, NoteServiceUsed
from sabot.house.refusal import HouseRefused
from sabot.house.services.deciding import USED_EVERY_MS, is_live
from sabot.house.state import ServiceAccount, ServiceScope
from sabot.runtime.shared_runner import Unreachable
from sabot.web.http.house_access import HouseAccess
from sabot.web.http.refusal import WebCause, passed_on, refusal
from sabot.web.identity.sessions import digest_of
from sabot.web.socket.rates import Rate, Rates

PREFIX = "service."
SECRET_BYTES = 32
DAY_MS = 86_400_000
_NOBODY = "0" * 64
"""Compared with where no account has the name, so that the answer takes as long."""
_WRITTEN = Rate(at_once=5, a_minute=6)
"""Lines of the log about wrong secrets of one address."""

log = structlog.get_logger(__name__)


class ServiceBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A service account as the operator wants it."""

    service: Reference
    scopes: Annotated[tuple[ServiceScope, ...], msgspec.Meta(min_length=1, max_length=len(ServiceScope))]
    purpose: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    """What it is for, and whose it is."""
    days: Annotated[int, msgspec.Meta(ge=1, le=3_650)] = 365
    """For how long."""
    a_minute: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 600
    """How many requests it may make in a minute, at each process of the floor."""


class ServiceShown(msgspec.Struct, frozen=True, kw_only=True):
    service: str
    scopes: tuple[ServiceScope, ...]
    purpose: str
    by: str
    made_ms: int
    expires_ms: int
    used_ms: int
    """When it was last used: to the moment at this process, to the hour at others; 0 where it never was."""
    a_minute: int
    revoked: bool


class NewService(NamedTuple):
    """An account with its token, which is not stored."""

    token: str
    service: str
    account: ServiceAccount


def is_service(token: str) -> bool:
    return token.startswith(PREFIX)


class Services:
    def __init__(self, desk: HouseAccess, now_ms: Callable[[], int]) -> None:
        self.desk, self.now_ms = desk, now_ms
        self._rates: dict[str, Rates] = {}
        self._lines = Rates(_WRITTEN)
        self._seen: dict[str, int] = {}
        """When each account was last used at this process."""
        self._noted: dict[str, int] = {}
        self._noting: set[asyncio.Task[None]] = set()

    async def make(self, wanted: ServiceBody, stamp: Stamp) -> NewService:
        """Draw a secret, and have the house record the account."""
        secret = secrets.token_urlsafe(SECRET_BYTES)
        act = MakeService(
            service=wanted.service,
            scopes=wanted.scopes,
            key=digest_of(secret),
            until_ms=self.now_ms() + wanted.days * DAY_MS,
            a_minute=wanted.a_minute,
            purpose=wanted.purpose,
        )
        decision = await self.desk.ask(act, stamp)
        if isinstance(decision, HouseRefused):
            raise passed_on(decision)
        log.info("a service account was made", service=act.service, by=stamp.by)
        return NewService(f"{PREFIX}{act.service}.{secret}", act.service, self.desk.state.services[act.service])

    def admit(self, token: str, scope: ServiceScope, address: str) -> str:
        """The name of the account that a request comes from, which must have the scope and be within its rate."""
        service = self._proved(token, address)
        known = self.desk.state.services[service]
        self.check_scope(service, scope)
        self._check_rate(service, known)
        self._note(service, known)
        return service

    def check_scope(self, service: str, scope: ServiceScope) -> None:
        if scope not in self.desk.state.services[service].scopes:
            raise refusal(WebCause.SCOPE_MISSING, service=service, scope=scope.value)

    def check_live(self, service: str) -> None:
        """Refuse what goes on for a while, once its account has been revoked or has expired."""
        known = self.desk.state.services.get(service)
        if known is None or not is_live(known, self.now_ms()):
            raise refusal(WebCause.SERVICE_REFUSED)

    def last_used(self, service: str) -> int:
        """To the moment where it was at this process, otherwise to the hour; 0 where it never was."""
        return max(self._seen.get(service, 0), self.desk.state.services[service].used_ms)

    def listed(self) -> tuple[ServiceShown, ...]:
        return tuple(
            ServiceShown(
                service=name,
                scopes=known.scopes,
                purpose=known.purpose,
                by=known.by,
                made_ms=known.made_ms,
                expires_ms=known.until_ms,
                used_ms=self.last_used(name),
                a_minute=known.a_minute,
                revoked=known.revoked,
            )
            for name, known in self.desk.state.services.items()
        )

    async def settle(self) -> None:
        await asyncio.gather(*self._noting)

    def _proved(self, token: str, address: str) -> str:
        service, _, secret = token.removeprefix(PREFIX).rpartition(".")
        known = self.desk.state.services.get(service)
        is_right = hmac.compare_digest(digest_of(secret), _NOBODY if known is None else known.key)
        if known is None or not is_right or not is_live(known, self.now_ms()):
            if not self._lines.wait_ms(address, self.now_ms()):
                log.warning("a service account was refused", address=address)
            raise refusal(WebCause.SERVICE_REFUSED)
        return service

    def _check_rate(self, service: str, known: ServiceAccount) -> None:
        rates = self._rates.get(service)
        if rates is None:
            rates = self._rates[service] = Rates(Rate(max(1, known.a_minute // 6), known.a_minute))
        wait_ms = rates.wait_ms(service, self.now_ms())
        if wait_ms:
            raise refusal(WebCause.TOO_FAST, seconds=-(-wait_ms // 1_000))

    def _note(self, service: str, known: ServiceAccount) -> None:
        """Have the house record once an hour that the account is in use. The request does not wait for it."""
        now = self._seen[service] = self.now_ms()
        newest = max(known.used_ms, self._noted.get(service, 0))
        if newest and now < newest + USED_EVERY_MS:
            return
        self._noted[service] = now
        noting = asyncio.get_running_loop().create_task(self._record(service))
        self._noting.add(noting)
        noting.add_done_callback(self._noting.discard)

    async def _record(self, service: str) -> None:
        try:
            await self.desk.ask(NoteServiceUsed(service=service), clock_stamp())
        except Unreachable as unreachable:
            self._noted.pop(service, None)
            log.warning("the use of a service account is not on record", service=service, why=str(unreachable))
