"""Operations: HTTP routes with the types of what goes in and out, so that one place serves and describes them.

A body is JSON of at most four kilobytes, read strictly. A refusal is JSON too: code, one sentence, clause. There are no
cookies: whoever is signed on says so with the bearer token in each request, and a second person's approval comes in a
header of its own.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec
import structlog
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from sabot.basics.mistake import told_of
from sabot.runtime.house_runner import Unreachable
from sabot.web.http.refusal import Cause, Refusal, refusal
from sabot.web.identity.sessions import Sessions
from sabot.web.identity.vault import Session, Unavailable
from sabot.web.socket.rates import Rate, Rates

MOST_BYTES = 4_096
SECOND = "Sabot-Second"
"""The header with the token of whoever approves."""
JSON = "application/json"
NOTHING_TO_SAY = 204

log = structlog.get_logger(__name__)
Q = TypeVar("Q", bound=msgspec.Struct)


class Trouble(msgspec.Struct, frozen=True):
    """Why a request was refused, in one sentence."""

    code: str
    text: str
    clause: str


class Call(NamedTuple):
    """A request, read and admitted."""

    body: Any
    path: Mapping[str, str]
    address: str
    session: Session | None
    """Of whoever is signed on; always there where the operation is for staff."""
    second: str
    """The token of whoever approves, if any."""
    query: Any = None

    @property
    def staff(self) -> Session:
        assert self.session is not None, "the operation is for staff"
        return self.session


class Operation(NamedTuple):
    method: str
    path: str
    summary: str
    handle: Callable[[Call], Awaitable[object]]
    body: type[msgspec.Struct] | None = None
    answer: Any = None
    """The type of the answer; without one there is nothing to say."""
    status: int = 200
    staff: bool = False
    """Whether somebody must be signed on."""
    guarded: bool = False
    """Whether it could be used for guessing, and so is answered less often."""
    refuses: tuple[Cause, ...] = ()
    """What it may say no for, beside what any operation may."""
    query: type[msgspec.Struct] | None = None
    """What may stand behind the question mark; a name that is not known there is refused."""


class Gate:
    """What stands before every operation: rates, the body, the session."""

    def __init__(
        self,
        sessions: Sessions,
        now_ms: Callable[[], int],
        usual: Rate = Rate(at_once=200, a_minute=3_000),  # noqa: B008  It never changes.
        guarded: Rate = Rate(at_once=10, a_minute=20),  # noqa: B008  The same.
    ) -> None:
        self._sessions, self._now_ms = sessions, now_ms
        self._usual, self._guarded = Rates(usual), Rates(guarded)

    def routes(self, operations: Iterable[Operation]) -> list[Route]:
        """The operations, as Starlette serves them: those of one path together, so that other methods are refused."""
        by_path: dict[str, dict[str, Operation]] = {}
        for operation in operations:
            by_path.setdefault(operation.path, {})[operation.method] = operation
        return [Route(path, self._endpoint(kinds), methods=list(kinds)) for path, kinds in by_path.items()]

    def _endpoint(self, kinds: dict[str, Operation]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            operation = kinds["GET" if request.method == "HEAD" else request.method]
            try:
                return _answered(operation, await operation.handle(await self._admitted(operation, request)))
            except Unavailable as unavailable:
                log.warning("a request goes unanswered", path=operation.path, why=unavailable.why)
                return refused(unavailable)
            except Unreachable as unreachable:
                log.warning("a request goes unanswered", path=operation.path, why=str(unreachable))
                return refused(refusal(Cause.UNAVAILABLE))
            except Refusal as no:
                return refused(no)

        return answer

    async def _admitted(self, operation: Operation, request: Request) -> Call:
        address = request.client.host if request.client else ""
        self._check_rate(self._guarded if operation.guarded else self._usual, address)
        session = None
        if operation.staff:
            session = await self._sessions.over_http(_bearer(request), address)
        body = await _body(operation.body, request) if operation.body is not None else None
        query = None if operation.query is None else read_query(operation.query, request)
        person = getattr(body, "person", None)
        if operation.guarded and isinstance(person, str):
            self._check_rate(self._guarded, ("person", person))
        return Call(body, request.path_params, address, session, request.headers.get(SECOND, ""), query)

    def _check_rate(self, rates: Rates, name: str | tuple[str, str]) -> None:
        wait_ms = rates.wait_ms(name, self._now_ms())
        if wait_ms:
            raise refusal(Cause.TOO_FAST, seconds=-(-wait_ms // 1_000))


def refused(no: Refusal) -> Response:
    headers = {}
    if no.status == Cause.SIGN_ON_FIRST.status:
        headers["WWW-Authenticate"] = "Bearer"
    if no.seconds:
        headers["Retry-After"] = str(no.seconds)
    return _json(Trouble(no.code, no.text, no.clause), no.status, headers)


async def on_http_exception(request: Request, error: Exception) -> Response:
    """What Starlette itself refuses, in the same form."""
    assert isinstance(error, HTTPException)
    cause = Cause.WRONG_METHOD if error.status_code == Cause.WRONG_METHOD.status else Cause.NO_SUCH_PATH
    answer = refused(refusal(cause, method=request.method))
    answer.headers.update(error.headers or {})
    return answer


def _answered(operation: Operation, answer: object) -> Response:
    if operation.answer is None:
        return Response(status_code=NOTHING_TO_SAY)
    return _json(answer, operation.status)


def _json(value: object, status: int, headers: Mapping[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(value), status, headers, media_type=JSON)


def _bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def read_query(kind: type[Q], request: Request) -> Q:
    """What stands behind the question mark, each name once."""
    given = request.query_params.multi_items()
    if len({name for name, _ in given}) < len(given):
        raise refusal(Cause.MALFORMED, why="the query names something twice")
    try:
        return msgspec.convert(dict(given), kind, strict=False)
    except msgspec.ValidationError as error:
        raise refusal(Cause.MALFORMED, why=told_of(error)) from None


async def _body(kind: type[msgspec.Struct], request: Request) -> msgspec.Struct:
    if request.headers.get("Content-Type", "").partition(";")[0].strip().lower() != JSON:
        raise refusal(Cause.NOT_JSON)
    read = bytearray()
    try:
        async for piece in request.stream():
            read += piece
            if len(read) > MOST_BYTES:
                raise refusal(Cause.TOO_LARGE, most=MOST_BYTES)
    except ClientDisconnect:
        raise refusal(Cause.MALFORMED, why="the request broke off") from None
    try:
        return msgspec.json.decode(bytes(read), type=kind)
    except msgspec.ValidationError as error:
        raise refusal(Cause.MALFORMED, why=told_of(error)) from None
    except (msgspec.DecodeError, UnicodeError):
        raise refusal(Cause.MALFORMED, why="the body is not JSON") from None
