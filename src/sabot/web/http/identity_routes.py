"""The HTTP operations of identities: signing on and off, approving, PINs, enrolling devices."""

from typing import Annotated

import msgspec

from sabot.basics.act import Reference
from sabot.basics.role import Role, in_words
from sabot.floor.stamper import Giver
from sabot.house.acts import Enrol
from sabot.house.decide import OPERATOR, RULES, SUPERVISORS
from sabot.house.devices.deciding import AT_A_STATION, TAKE_PINS
from sabot.house.state import DeviceKind, EnrolledDevice, device_of
from sabot.web.http.desks import Desks
from sabot.web.http.operation import GUARDED, AnyOperation, ApiCall, BareCall, Body, Operation, check_rate
from sabot.web.http.refusal import WebCause, refusal
from sabot.web.identity.enrolments import INVITED_MS, Granted
from sabot.web.identity.identities import Identities
from sabot.web.identity.qr import MOST_LETTERS, QrPicture, qr_picture
from sabot.web.identity.vault import EnrolmentRequest, EnrolmentStatus, StaffSession
from sabot.web.socket.rates import Rate, Rates

ENROLLING = "enrol"
MAY_SEE_SESSIONS = SUPERVISORS | OPERATOR
MAY_SEE_ENROLMENTS = RULES[Enrol].who | RULES[Enrol].second
DIGITS_OF_ID = 16
"""The part of a session's digest that names it; the token cannot be found from it."""

LOOKS = Rate(at_once=60, a_minute=60)
"""How often one address may have a code looked up or drawn: fifty stations may stand behind one."""

_Pin = Annotated[str, msgspec.Meta(max_length=64)]
_Word = Annotated[str, msgspec.Meta(max_length=200)]


class _Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a request; an unknown field is refused."""


class SignOnBody(_Body, frozen=True, kw_only=True):
    person: Reference
    pin: _Pin
    device: _Word = ""
    """The console or desk at which the person signs on; the token is then valid there alone."""
    nonce: _Word = ""
    """Of a challenge that was asked for before."""
    signature: _Word = ""
    """The device's answer to it, as on a socket."""


class ChallengeGiven(msgspec.Struct, frozen=True, kw_only=True):
    nonce: str
    floor: str
    """The floor's name, which the device signs with the nonce."""
    expires_ms: int


class SignOnAnswer(msgspec.Struct, frozen=True, kw_only=True):
    token: str
    person: str
    roles: tuple[Role, ...]
    device: str
    expires_ms: int
    idle_ms: int
    """The time without an act after which the session ends."""


class SessionShown(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    person: str
    roles: tuple[Role, ...]
    device: str
    made_ms: int
    seen_ms: int
    expires_ms: int
    idle_ms: int


class ApprovalBody(_Body, frozen=True, kw_only=True):
    person: Reference
    pin: _Pin
    act: Annotated[str, msgspec.Meta(max_length=40)]
    """The verb of the one command that is approved."""


class ApprovalGiven(msgspec.Struct, frozen=True, kw_only=True):
    token: str
    person: str
    act: str
    expires_ms: int


class NewPinBody(_Body, frozen=True, kw_only=True):
    pin: _Pin
    new_pin: _Pin


class EnrolmentBody(_Body, frozen=True, kw_only=True):
    kind: DeviceKind
    key: _Word
    """The device's public key, SubjectPublicKeyInfo in base64url."""


class EnrolmentCode(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    code: str
    """Shown on the device, and nowhere else."""
    expires_ms: int


class EnrolmentShown(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    kind: DeviceKind
    status: EnrolmentStatus
    device: str
    """Its name, once it is enrolled."""
    expires_ms: int


class WaitingShown(EnrolmentShown, frozen=True, kw_only=True):
    """A request as those see it who may enrol."""

    address: str
    """Where it came from."""


class AddressQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    address: _Word


class GrantBody(Granted, frozen=True, kw_only=True, forbid_unknown_fields=True):
    code: _Word
    """The code that the device shows."""


class InvitationBody(Granted, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: DeviceKind


class Invited(msgspec.Struct, frozen=True, kw_only=True):
    code: str
    expires_ms: int


class InvitationShown(msgspec.Struct, frozen=True, kw_only=True):
    """Which device a code enrols."""

    device: str
    kind: DeviceKind
    table: str
    station: str


class QrQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_LETTERS)]


class PublicKeyBody(_Body, frozen=True, kw_only=True):
    key: _Word


class DeviceShown(msgspec.Struct, frozen=True, kw_only=True):
    device: str
    kind: DeviceKind
    table: str
    station: str


class IdentityRoutes:
    def __init__(self, identities: Identities, desks: Desks | None = None, guarded: Rate = GUARDED) -> None:
        """`desks` are the addresses from which staff sign on without an enrolled device; there are none by default."""
        self._sessions, self._enrolments = identities.sessions, identities.enrolments
        self._now_ms, self._desk = identities.now_ms, identities.desk
        self._desks, self._rates = desks or Desks(), Rates(guarded)
        self._looks = Rates(LOOKS)

    def operations(self) -> tuple[AnyOperation, ...]:
        signing = (WebCause.SIGN_ON_REFUSED,)
        enrolling = (WebCause.WRONG_ROLE, WebCause.APPROVAL_OVER, WebCause.BAD_KEY)
        return (
            Operation("POST", "/api/challenge", "Ask for a challenge that a device answers with its key.",
                      self.challenge, answer=ChallengeGiven),
            Operation("POST", "/api/sign-on", "Sign on with reference and PIN at an enrolled console or desk.",
                      self.sign_on, body=SignOnBody, answer=SignOnAnswer, refuses=(*signing, WebCause.PROOF_FAILED)),
            Operation("POST", "/api/sign-off", "Sign off: the token is no longer valid.", self.sign_off,
                      staff=True),
            Operation("GET", "/api/session", "Show the session that the token stands for.", self.session,
                      answer=SessionShown, staff=True),
            Operation("GET", "/api/sessions", "List who is signed on.", self.list_sessions,
                      answer=tuple[SessionShown, ...], staff=True, refuses=(WebCause.WRONG_ROLE,)),
            Operation("DELETE", "/api/sessions/{id}", "End somebody's session.", self.end_session,
                      staff=True, refuses=(WebCause.WRONG_ROLE, WebCause.NO_SUCH_PATH)),
            Operation("POST", "/api/approvals", "Approve one act of the signed-on person, as a second person.",
                      self.approve, body=ApprovalBody, answer=ApprovalGiven, staff=True, guarded=True,
                      refuses=(*signing, WebCause.SAME_PERSON)),
            Operation("POST", "/api/pin", "Change one's own PIN.", self.change_pin, body=NewPinBody,
                      staff=True, guarded=True, refuses=(*signing, WebCause.WEAK_PIN)),
            Operation("POST", "/api/enrolments", "Ask for a device to be enrolled.", self.ask_to_enrol,
                      body=EnrolmentBody, answer=EnrolmentCode, status=201,
                      refuses=(WebCause.BAD_KEY,)),
            Operation("GET", "/api/enrolments", "List the devices that wait.", self.list_enrolments,
                      answer=tuple[WaitingShown, ...], staff=True, refuses=(WebCause.WRONG_ROLE,)),
            Operation("DELETE", "/api/enrolments", "Turn away every device that asked from an address.",
                      self.turn_away_all, query=AddressQuery, staff=True, refuses=(WebCause.WRONG_ROLE,)),
            Operation("GET", "/api/enrolments/{id}", "Show the status of a request to be enrolled.", self.look,
                      answer=EnrolmentShown, refuses=(WebCause.UNKNOWN_ENROLMENT,)),
            Operation("DELETE", "/api/enrolments/{id}", "Turn a device away.", self.turn_away,
                      staff=True, refuses=(WebCause.WRONG_ROLE, WebCause.UNKNOWN_ENROLMENT)),
            Operation("POST", "/api/enrolments/{id}/approval", "Enrol the device that shows the code.", self.grant,
                      body=GrantBody, answer=DeviceShown, staff=True, asks_the_house=True,
                      refuses=(*enrolling, WebCause.UNKNOWN_ENROLMENT, WebCause.WRONG_CODE)),
            Operation("POST", "/api/invitations", "Invite one device in advance.", self.invite,
                      body=InvitationBody, answer=Invited, status=201, staff=True, refuses=enrolling,
                      asks_the_house=True),
            Operation("GET", "/api/invitations/{code}", "Say which device an invitation enrols; it stays good.",
                      self.look_at_invitation, answer=InvitationShown, refuses=(WebCause.UNKNOWN_INVITATION,)),
            Operation("GET", "/api/qr", "Draw a short text as a QR code, for a screen that a camera reads.", self.qr,
                      query=QrQuery, answer=QrPicture),
            Operation("POST", "/api/invitations/{code}", "Enrol by an invitation.", self.accept,
                      body=PublicKeyBody, answer=DeviceShown, asks_the_house=True,
                      refuses=(*enrolling, WebCause.UNKNOWN_INVITATION)),
        )  # fmt: skip

    # Staff

    async def challenge(self, call: BareCall) -> ChallengeGiven:  # noqa: ARG002  Everybody may ask.
        nonce, expires_ms = self._enrolments.challenges.new()
        return ChallengeGiven(nonce=nonce, floor=self._enrolments.floor, expires_ms=expires_ms)

    async def sign_on(self, call: ApiCall[SignOnBody, None]) -> SignOnAnswer:
        body = call.body
        device, place = await self._place(body, call.address)
        check_rate(self._rates, place, self._now_ms())
        opened = await self._sessions.sign_on(body.person, body.pin, device, call.address, place)
        session = opened.session
        return SignOnAnswer(
            token=opened.token,
            person=session.person,
            roles=self._sessions.roles(session),
            device=device_of(session.device),
            expires_ms=session.expires_ms,
            idle_ms=self._sessions.idle_ms(session),
        )

    async def _place(self, body: SignOnBody, address: str) -> tuple[str, str]:
        """The device that holds the token, and where wrong PINs count (G-118).

        Nobody tries a PIN without the key of an enrolled console or desk, so strangers can lock nobody out. A listed
        desk needs no key; naming a console there confines the token to it.
        """
        if not body.signature and self._desks.includes(address):
            known = self._desk.state.devices.get(body.device)
            return (known.enrolment_of(body.device) if known is not None else body.device), address
        proved = await self._enrolments.prove_over_http(body.device, body.nonce, body.signature)
        if proved.kind not in TAKE_PINS:
            raise refusal(WebCause.PROOF_FAILED)
        enrolment = proved.enrolment_of(body.device)
        return enrolment, enrolment

    async def sign_off(self, call: BareCall) -> None:
        await self._sessions.sign_off(call.staff)

    async def session(self, call: BareCall) -> SessionShown:
        return self._shown(call.staff)

    async def list_sessions(self, call: BareCall) -> tuple[SessionShown, ...]:
        self._check_role(call.staff, MAY_SEE_SESSIONS)
        return tuple(self._shown(session) for session in await self._sessions.live())

    async def end_session(self, call: BareCall) -> None:
        self._check_role(call.staff, MAY_SEE_SESSIONS)
        for session in await self._sessions.live():
            if session.digest[:DIGITS_OF_ID] == call.path["id"]:
                return await self._sessions.end(session)
        raise refusal(WebCause.NO_SUCH_PATH)

    async def approve(self, call: ApiCall[ApprovalBody, None]) -> ApprovalGiven:
        body = call.body
        approved = await self._sessions.approve(call.staff, body.person, body.pin, body.act)
        return ApprovalGiven(
            token=approved.token, person=body.person, act=body.act, expires_ms=approved.approval.expires_ms
        )

    async def change_pin(self, call: ApiCall[NewPinBody, None]) -> None:
        body = call.body
        await self._sessions.change_pin(call.staff, body.pin, body.new_pin)

    # Devices

    async def ask_to_enrol(self, call: ApiCall[EnrolmentBody, None]) -> EnrolmentCode:
        body = call.body
        asked = await self._enrolments.ask(body.kind, body.key, call.address)
        return EnrolmentCode(id=asked.enrolment.id, code=asked.code, expires_ms=asked.enrolment.expires_ms)

    async def list_enrolments(self, call: BareCall) -> tuple[WaitingShown, ...]:
        self._check_role(call.staff, MAY_SEE_ENROLMENTS)
        waiting = await self._enrolments.waiting()
        return tuple(WaitingShown(**msgspec.structs.asdict(_enrolment(one)), address=one.address) for one in waiting)

    async def look(self, call: BareCall) -> EnrolmentShown:
        return _enrolment(await self._enrolments.look(call.path["id"]))

    async def turn_away(self, call: BareCall) -> None:
        self._check_role(call.staff, MAY_SEE_ENROLMENTS)
        await self._enrolments.turn_away(call.path["id"])

    async def turn_away_all(self, call: ApiCall[None, AddressQuery]) -> None:
        self._check_role(call.staff, MAY_SEE_ENROLMENTS)
        await self._enrolments.turn_away_all(call.query.address)

    async def grant(self, call: ApiCall[GrantBody, None]) -> DeviceShown:
        body = call.body
        self._check_role(call.staff, RULES[Enrol].who)
        signed = await self._both(call)
        return _device(*await self._enrolments.grant(call.path["id"], body.code, body, signed))

    async def invite(self, call: ApiCall[InvitationBody, None]) -> Invited:
        body = call.body
        self._check_role(call.staff, RULES[Enrol].who)
        expires_ms = self._now_ms() + INVITED_MS
        code = await self._enrolments.invite(body.kind, body, await self._both(call))
        return Invited(code=code, expires_ms=expires_ms)

    async def look_at_invitation(self, call: BareCall) -> InvitationShown:
        check_rate(self._looks, call.address, self._now_ms())
        found = await self._enrolments.look_at_invitation(call.path["code"])
        name = found.device or ""
        station = (found.station or name) if found.kind in AT_A_STATION else ""
        return InvitationShown(device=name, kind=found.kind, table=found.table, station=station)

    async def qr(self, call: ApiCall[None, QrQuery]) -> QrPicture:
        check_rate(self._looks, call.address, self._now_ms())
        return qr_picture(call.query.text)

    async def accept(self, call: ApiCall[PublicKeyBody, None]) -> DeviceShown:
        body = call.body
        return _device(*await self._enrolments.accept(call.path["code"], body.key))

    async def _both(self, call: ApiCall[Body, None]) -> Giver:
        """The signed-on person, with the person who approves."""
        return Giver(call.staff.person, await self._sessions.second(call.second, call.staff, ENROLLING))

    def _check_role(self, session: StaffSession, may: frozenset[Role]) -> None:
        if not may.intersection(self._sessions.roles(session)):
            raise refusal(WebCause.WRONG_ROLE, needed=in_words(may))

    def _shown(self, session: StaffSession) -> SessionShown:
        return SessionShown(
            id=session.digest[:DIGITS_OF_ID],
            person=session.person,
            roles=self._sessions.roles(session),
            device=device_of(session.device),
            made_ms=session.made_ms,
            seen_ms=session.seen_ms,
            expires_ms=session.expires_ms,
            idle_ms=self._sessions.idle_ms(session),
        )


def _enrolment(one: EnrolmentRequest) -> EnrolmentShown:
    return EnrolmentShown(
        id=one.id,
        kind=one.kind,
        status=one.status,
        device=one.device,
        expires_ms=one.expires_ms,
    )


def _device(name: str, known: EnrolledDevice) -> DeviceShown:
    return DeviceShown(device=name, kind=known.kind, table=known.table, station=known.station)
