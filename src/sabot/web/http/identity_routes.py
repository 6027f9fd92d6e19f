"""The HTTP operations of identities: signing on and off, approving, PINs, enrolling devices."""

from typing import Annotated, Literal

import msgspec

from sabot.basics.role import Role, in_words
from sabot.floor.authority import Signed
from sabot.house.commands import Enrol, Reference
from sabot.house.decide import OPERATOR, RULES, SUPERVISORS
from sabot.house.state import Device
from sabot.web.http.operation import Call, Operation
from sabot.web.http.refusal import Cause, refusal
from sabot.web.identity.enrolments import INVITED_MS, Granted
from sabot.web.identity.identities import Identities
from sabot.web.identity.vault import Enrolment, Session

ENROLLING = "enrol"
MAY_SEE_SESSIONS = SUPERVISORS | OPERATOR
MAY_SEE_ENROLMENTS = RULES[Enrol].who | RULES[Enrol].second
DIGITS_OF_ID = 16
"""By so much of its digest a session is named; its token cannot be found from it."""

_Pin = Annotated[str, msgspec.Meta(max_length=64)]
_Word = Annotated[str, msgspec.Meta(max_length=200)]
_Kind = Literal["station", "console", "display", "note_acceptor", "printer", "shoe"]


class _Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What arrives: a field that is not known is refused."""


class SignOn(_Body, frozen=True, kw_only=True):
    person: Reference
    pin: _Pin
    device: _Word = ""
    """The console that it happens at; the token is then good there alone."""


class SignedOn(msgspec.Struct, frozen=True, kw_only=True):
    token: str
    person: str
    roles: tuple[Role, ...]
    device: str
    expires_ms: int
    idle_ms: int
    """After so long without an act the session is over."""


class SessionShown(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    person: str
    roles: tuple[Role, ...]
    device: str
    made_ms: int
    seen_ms: int
    expires_ms: int
    idle_ms: int


class Approving(_Body, frozen=True, kw_only=True):
    person: Reference
    pin: _Pin
    act: Annotated[str, msgspec.Meta(max_length=40)]
    """The verb of the one command that is approved."""


class ApprovalGiven(msgspec.Struct, frozen=True, kw_only=True):
    token: str
    person: str
    act: str
    expires_ms: int


class NewPin(_Body, frozen=True, kw_only=True):
    pin: _Pin
    new_pin: _Pin


class Asking(_Body, frozen=True, kw_only=True):
    kind: _Kind
    key: _Word
    """The device's public key, SubjectPublicKeyInfo in base64url."""


class AskedFor(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    code: str
    """To be shown on the device, and nowhere else."""
    expires_ms: int


class EnrolmentShown(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    kind: str
    status: Literal["waiting", "enrolled", "refused"]
    device: str
    """Its name, once it is enrolled."""
    expires_ms: int


class Granting(Granted, frozen=True, kw_only=True, forbid_unknown_fields=True):
    code: _Word
    """What the device shows."""


class Inviting(Granted, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: _Kind


class Invited(msgspec.Struct, frozen=True, kw_only=True):
    code: str
    expires_ms: int


class Key(_Body, frozen=True, kw_only=True):
    key: _Word


class DeviceShown(msgspec.Struct, frozen=True, kw_only=True):
    device: str
    kind: str
    table: str
    station: str


class IdentityRoutes:
    def __init__(self, identities: Identities) -> None:
        self._sessions, self._enrolments = identities.sessions, identities.enrolments
        self._now_ms = identities.now_ms

    def operations(self) -> tuple[Operation, ...]:
        signing = (Cause.SIGN_ON_REFUSED,)
        enrolling = (Cause.WRONG_ROLE, Cause.APPROVAL_OVER, Cause.NOT_A_CONSOLE, Cause.BAD_KEY)
        return (
            Operation(
                *("POST", "/api/sign-on", "Sign on with reference and PIN.", self.sign_on),
                body=SignOn, answer=SignedOn, guarded=True, refuses=(*signing, Cause.NOT_A_CONSOLE),
            ),
            Operation("POST", "/api/sign-off", "Sign off: the token is worth nothing from now on.", self.sign_off,
                      staff=True),
            Operation("GET", "/api/session", "Show the session that the token stands for.", self.session,
                      answer=SessionShown, staff=True),
            Operation("GET", "/api/sessions", "List who is signed on.", self.list_sessions,
                      answer=tuple[SessionShown, ...], staff=True, refuses=(Cause.WRONG_ROLE,)),
            Operation("DELETE", "/api/sessions/{id}", "End somebody's session.", self.end_session,
                      staff=True, refuses=(Cause.WRONG_ROLE, Cause.NO_SUCH_PATH)),
            Operation("POST", "/api/approvals", "Approve one act of whoever is signed on, as a second person.",
                      self.approve, body=Approving, answer=ApprovalGiven, staff=True, guarded=True,
                      refuses=(*signing, Cause.SAME_PERSON)),
            Operation("POST", "/api/pin", "Change one's own PIN.", self.change_pin, body=NewPin,
                      staff=True, guarded=True, refuses=(*signing, Cause.WEAK_PIN)),
            Operation("POST", "/api/enrolments", "Ask for a device to be enrolled.", self.ask_to_enrol,
                      body=Asking, answer=AskedFor, status=201, refuses=(Cause.BAD_KEY, Cause.TOO_MANY_WAIT)),
            Operation("GET", "/api/enrolments", "List the devices that wait.", self.list_enrolments,
                      answer=tuple[EnrolmentShown, ...], staff=True, refuses=(Cause.WRONG_ROLE,)),
            Operation("GET", "/api/enrolments/{id}", "See how it stands with a request.", self.look,
                      answer=EnrolmentShown, refuses=(Cause.UNKNOWN_ENROLMENT,)),
            Operation("DELETE", "/api/enrolments/{id}", "Turn a device away.", self.turn_away,
                      staff=True, refuses=(Cause.WRONG_ROLE, Cause.UNKNOWN_ENROLMENT)),
            Operation("POST", "/api/enrolments/{id}/approval", "Enrol the device that shows the code.", self.grant,
                      body=Granting, answer=DeviceShown, staff=True,
                      refuses=(*enrolling, Cause.UNKNOWN_ENROLMENT, Cause.WRONG_CODE)),
            Operation("POST", "/api/invitations", "Invite one device beforehand.", self.invite,
                      body=Inviting, answer=Invited, status=201, staff=True, refuses=enrolling),
            Operation("POST", "/api/invitations/{code}", "Enrol by an invitation.", self.accept,
                      body=Key, answer=DeviceShown, refuses=(*enrolling, Cause.UNKNOWN_INVITATION)),
        )  # fmt: skip

    # Staff

    async def sign_on(self, call: Call) -> SignedOn:
        body: SignOn = call.body
        opened = await self._sessions.sign_on(body.person, body.pin, body.device, call.address)
        session = opened.session
        return SignedOn(
            token=opened.token,
            person=session.person,
            roles=self._sessions.roles(session),
            device=session.device,
            expires_ms=session.expires_ms,
            idle_ms=self._sessions.idle_ms(session),
        )

    async def sign_off(self, call: Call) -> None:
        await self._sessions.sign_off(call.staff)

    async def session(self, call: Call) -> SessionShown:
        return self._shown(call.staff)

    async def list_sessions(self, call: Call) -> tuple[SessionShown, ...]:
        self._check_role(call.staff, MAY_SEE_SESSIONS)
        return tuple(self._shown(session) for session in await self._sessions.live())

    async def end_session(self, call: Call) -> None:
        self._check_role(call.staff, MAY_SEE_SESSIONS)
        for session in await self._sessions.live():
            if session.digest[:DIGITS_OF_ID] == call.path["id"]:
                return await self._sessions.end(session)
        raise refusal(Cause.NO_SUCH_PATH)

    async def approve(self, call: Call) -> ApprovalGiven:
        body: Approving = call.body
        approved = await self._sessions.approve(call.staff, body.person, body.pin, body.act)
        return ApprovalGiven(
            token=approved.token, person=body.person, act=body.act, expires_ms=approved.approval.expires_ms
        )

    async def change_pin(self, call: Call) -> None:
        body: NewPin = call.body
        await self._sessions.change_pin(call.staff, body.pin, body.new_pin)

    # Devices

    async def ask_to_enrol(self, call: Call) -> AskedFor:
        body: Asking = call.body
        asked = await self._enrolments.ask(body.kind, body.key, call.address)
        return AskedFor(id=asked.enrolment.id, code=asked.code, expires_ms=asked.enrolment.expires_ms)

    async def list_enrolments(self, call: Call) -> tuple[EnrolmentShown, ...]:
        self._check_role(call.staff, MAY_SEE_ENROLMENTS)
        return tuple(_enrolment(one) for one in await self._enrolments.waiting())

    async def look(self, call: Call) -> EnrolmentShown:
        return _enrolment(await self._enrolments.look(call.path["id"]))

    async def turn_away(self, call: Call) -> None:
        self._check_role(call.staff, MAY_SEE_ENROLMENTS)
        await self._enrolments.turn_away(call.path["id"])

    async def grant(self, call: Call) -> DeviceShown:
        body: Granting = call.body
        self._check_role(call.staff, RULES[Enrol].who)
        signed = await self._both(call)
        return _device(body.device, await self._enrolments.grant(call.path["id"], body.code, body, signed))

    async def invite(self, call: Call) -> Invited:
        body: Inviting = call.body
        self._check_role(call.staff, RULES[Enrol].who)
        expires_ms = self._now_ms() + INVITED_MS
        code = await self._enrolments.invite(body.kind, body, await self._both(call))
        return Invited(code=code, expires_ms=expires_ms)

    async def accept(self, call: Call) -> DeviceShown:
        body: Key = call.body
        return _device(*await self._enrolments.accept(call.path["code"], body.key))

    async def _both(self, call: Call) -> Signed:
        """Whoever is signed on, and whoever approves."""
        return Signed(call.staff.person, await self._sessions.second(call.second, call.staff, ENROLLING))

    def _check_role(self, session: Session, may: frozenset[Role]) -> None:
        if not may.intersection(self._sessions.roles(session)):
            raise refusal(Cause.WRONG_ROLE, needed=in_words(may))

    def _shown(self, session: Session) -> SessionShown:
        return SessionShown(
            id=session.digest[:DIGITS_OF_ID],
            person=session.person,
            roles=self._sessions.roles(session),
            device=session.device,
            made_ms=session.made_ms,
            seen_ms=session.seen_ms,
            expires_ms=session.expires_ms,
            idle_ms=self._sessions.idle_ms(session),
        )


def _enrolment(one: Enrolment) -> EnrolmentShown:
    return EnrolmentShown(
        id=one.id,
        kind=one.kind,
        status=one.status,  # type: ignore[arg-type]  # The vault keeps only these three.
        device=one.device,
        expires_ms=one.expires_ms,
    )


def _device(name: str, known: Device) -> DeviceShown:
    return DeviceShown(device=name, kind=known.kind, table=known.table, station=known.station)
