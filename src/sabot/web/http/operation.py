"""HTTP operations: routes with the types that they take and answer, so that one definition serves and describes them.

A body is JSON, decoded strictly, of at most four kilobytes unless the operation says otherwise. A refusal is JSON too:
code, sentence, clause, values. There are no cookies: each request of staff carries a bearer token, and the approval of
a second person comes in its own header.
"""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from types import UnionType
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
import structlog
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from sabot.basics.doubled_keys import DoubledKey, check_keys
from sabot.basics.figures import Figure
from sabot.basics.mistake import told_of
from sabot.house.state import ServiceScope
from sabot.runtime.shared_runner import Unreachable
from sabot.web.http.refusal import Refusal, WebCause, refusal
from sabot.web.identity.services import Services, is_service
from sabot.web.identity.sessions import Sessions
from sabot.web.identity.vault import StaffSession, Unavailable
from sabot.web.socket.rates import Rate, Rates

MOST_BYTES = 4_096
MOST_DEAR, MOST_DEAR_BY_PERSON = 2, 20
"""Operations that read a journal: how many run at a time, and how many of one person run or wait."""
DEAR_WAIT_S = 30.0
"""How long one of these waits for its turn."""
SECOND = "Sabot-Second"
"""The header with the token of a second person's approval."""
JSON = "application/json"
NO_CONTENT = 204
NOT_MODIFIED = 304

USUAL, GUARDED = Rate(at_once=200, a_minute=3_000), Rate(at_once=10, a_minute=20)
"""How often one address may ask, and how often PINs are tried by one session or at one place."""

log = structlog.get_logger(__name__)
Body = TypeVar("Body")
Query = TypeVar("Query")
_Struct = TypeVar("_Struct", bound=msgspec.Struct)


class RefusalAnswer(msgspec.Struct, frozen=True):
    """Why a request was refused, in one sentence."""

    code: str
    text: str
    clause: str
    values: dict[str, Figure] = {}
    """The figures of the sentence, so that every language can say them."""


class ApiCall(NamedTuple, Generic[Body, Query]):
    """A request, decoded and admitted; body and query are None where the operation has none."""

    body: Body
    query: Query
    path: Mapping[str, str]
    address: str
    session: StaffSession | None
    """Of the person who is signed on; always there where the operation is for staff."""
    second: str
    """The token of a second person's approval, or nothing."""
    service: str = ""
    """The name of the service account that asks, or nothing."""
    bearer: str = ""
    """The word of an operation that has words of its own in place of a person's token."""

    @property
    def who(self) -> str:
        """The person who is signed on, or the service account."""
        return self.service or self.staff.person

    @property
    def staff(self) -> StaffSession:
        assert self.session is not None, "the operation is for staff"
        return self.session


BareCall = ApiCall[None, None]


class Operation(NamedTuple, Generic[Body, Query]):
    method: str
    path: str
    summary: str
    handle: Callable[[ApiCall[Body, Query]], Awaitable[object]]
    body: type[Body] | UnionType | None = None
    answer: Any = None
    """The type of the answer; without one the answer has no content."""
    status: int = 200
    staff: bool = False
    """Whether a person must be signed on."""
    scope: ServiceScope | None = None
    """The scope with which a service account may ask as well; none where only persons may."""
    guarded: bool = False
    """Whether the person who is signed on could use it for guessing, and so is held to a lower rate."""
    dear: bool = False
    """Whether it reads a journal. Few of these run at a time, and the others wait, but not for ever."""
    refuses: tuple[WebCause, ...] = ()
    """Its refusals, beside those that every operation has."""
    most_bytes: int = MOST_BYTES
    """The longest body that is read."""
    query: type[Query] | None = None
    """The parameters after the question mark; any other name is refused."""
    asks_the_house: bool = False
    """Whether a refusal of the house may be passed on."""
    tagged: bool = False
    """Whether the answer has an `ETag`, so that one who has it already is answered without content."""


AnyOperation = Operation[Any, Any]


class Gate:
    """Checks rate, session, body and query before every operation."""

    def __init__(
        self,
        sessions: Sessions,
        services: Services,
        now_ms: Callable[[], int],
        usual: Rate = USUAL,
        guarded: Rate = GUARDED,
    ) -> None:
        self._sessions, self._services, self._now_ms = sessions, services, now_ms
        self._usual, self._guarded = Rates(usual), Rates(guarded)
        self._dear_turns = asyncio.Semaphore(MOST_DEAR)
        self._dear_by_person: Counter[str] = Counter()

    def routes(self, operations: Iterable[AnyOperation]) -> list[Route]:
        """The operations as routes of Starlette, one for each path, so that its other methods are refused."""
        by_path: dict[str, dict[str, AnyOperation]] = {}
        for operation in operations:
            by_path.setdefault(operation.path, {})[operation.method] = operation
        return [Route(path, self._endpoint(kinds), methods=list(kinds)) for path, kinds in by_path.items()]

    def _endpoint(self, kinds: dict[str, AnyOperation]) -> Callable[[Request], Awaitable[Response]]:
        async def answered(request: Request) -> Response:
            operation = kinds["GET" if request.method == "HEAD" else request.method]
            try:
                call = await self._admitted(operation, request)
                answer = await (self._in_turn(operation, call) if operation.dear else operation.handle(call))
                return _answered(operation, answer, request.headers.get("If-None-Match", ""))
            except Unavailable as unavailable:
                log.warning("a request was not answered", path=operation.path, why=unavailable.why)
                return refused(unavailable)
            except Unreachable as unreachable:
                log.warning("a request was not answered", path=operation.path, why=str(unreachable))
                return refused(refusal(WebCause.UNAVAILABLE))
            except Refusal as no:
                return refused(no)

        return answered

    async def _admitted(self, operation: AnyOperation, request: Request) -> ApiCall[Any, Any]:
        address = request.client.host if request.client else ""
        check_rate(self._usual, address, self._now_ms())
        session, service, token = None, "", bearer(request)
        if operation.staff and is_service(token):
            if operation.scope is None:
                raise refusal(WebCause.NOT_FOR_SERVICES)
            service = self._services.admit(token, operation.scope, address)
        elif operation.staff:
            session = await self._sessions.over_http(token, address)
        if operation.guarded and session is not None:
            check_rate(self._guarded, session.digest, self._now_ms())
        kind = operation.body
        body = None if kind is None else await _body(kind, request, operation.most_bytes)
        query = None if operation.query is None else read_query(operation.query, request)
        second = request.headers.get(SECOND, "")
        return ApiCall(body, query, request.path_params, address, session, second, service, token)

    async def _in_turn(self, operation: AnyOperation, call: ApiCall[Any, Any]) -> object:
        person, asked = call.who, self._dear_by_person
        if asked[person] >= MOST_DEAR_BY_PERSON:
            raise refusal(WebCause.TOO_FAST, seconds=1)
        asked[person] += 1
        try:
            await self._wait_for_turn()
            try:
                return await operation.handle(call)
            finally:
                self._dear_turns.release()
        finally:
            asked[person] -= 1
            if not asked[person]:
                del asked[person]

    async def _wait_for_turn(self) -> None:
        try:
            await asyncio.wait_for(self._dear_turns.acquire(), DEAR_WAIT_S)
        except TimeoutError:
            raise refusal(WebCause.REPORTS_BUSY, seconds=round(DEAR_WAIT_S)) from None


def check_rate(rates: Rates, name: str, now_ms: int) -> None:
    wait_ms = rates.wait_ms(name, now_ms)
    if wait_ms:
        raise refusal(WebCause.TOO_FAST, seconds=-(-wait_ms // 1_000))


def refused(no: Refusal) -> Response:
    headers = {}
    if no.status == WebCause.SIGN_ON_FIRST.status:
        headers["WWW-Authenticate"] = "Bearer"
    if no.seconds:
        headers["Retry-After"] = str(no.seconds)
    return _json(RefusalAnswer(no.code, no.text, no.clause, no.values), no.status, headers)


async def on_http_exception(request: Request, error: Exception) -> Response:
    """Refusals of Starlette itself, in the same form."""
    assert isinstance(error, HTTPException)
    cause = WebCause.WRONG_METHOD if error.status_code == WebCause.WRONG_METHOD.status else WebCause.NO_SUCH_PATH
    answer = refused(refusal(cause, method=request.method))
    answer.headers.update(error.headers or {})
    return answer


def _answered(operation: AnyOperation, answer: object, held: str) -> Response:
    """`held` are the tags that the asker has, as `If-None-Match` names them."""
    if operation.answer is None:
        return Response(status_code=NO_CONTENT)
    if not operation.tagged:
        return _json(answer, operation.status)
    body = msgspec.json.encode(answer)
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    if tag in [one.strip().removeprefix("W/") for one in held.split(",")]:
        return Response(status_code=NOT_MODIFIED, headers={"ETag": tag})
    return Response(body, operation.status, {"ETag": tag}, media_type=JSON)


def _json(value: object, status: int, headers: Mapping[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(value), status, headers, media_type=JSON)


def bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def read_query(kind: type[_Struct], request: Request) -> _Struct:
    """The parameters after the question mark, each name once."""
    given = request.query_params.multi_items()
    if len({name for name, _ in given}) < len(given):
        raise refusal(WebCause.MALFORMED, why="the query names something twice")
    try:
        return msgspec.convert(dict(given), kind, strict=False)
    except msgspec.ValidationError as error:
        raise refusal(WebCause.MALFORMED, why=told_of(error)) from None


async def _body(kind: type[msgspec.Struct] | UnionType, request: Request, most_bytes: int) -> Any:
    if request.headers.get("Content-Type", "").partition(";")[0].strip().lower() != JSON:
        raise refusal(WebCause.NOT_JSON)
    read = bytearray()
    try:
        async for piece in request.stream():
            read += piece
            if len(read) > most_bytes:
                raise refusal(WebCause.TOO_LARGE, most=most_bytes)
    except ClientDisconnect:
        raise refusal(WebCause.MALFORMED, why="the request broke off") from None
    try:
        body = msgspec.json.decode(bytes(read), type=kind)
        check_keys(bytes(read))
    except DoubledKey as doubled:
        raise refusal(WebCause.MALFORMED, why=f"the body names {doubled} twice") from None
    except msgspec.ValidationError as error:
        raise refusal(WebCause.MALFORMED, why=told_of(error)) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise refusal(WebCause.MALFORMED, why="the body is not JSON") from None
    return body
