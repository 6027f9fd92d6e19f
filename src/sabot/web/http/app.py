"""The ASGI application: every path that a floor serves."""

from collections.abc import Awaitable, Callable
from functools import cache
from importlib.metadata import version

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from sabot.web.http.desks import Desks
from sabot.web.http.felt_routes import FeltRoutes
from sabot.web.http.floor_routes import FloorRoutes
from sabot.web.http.identity_routes import IdentityRoutes
from sabot.web.http.integrity_routes import IntegrityRoutes
from sabot.web.http.monitoring import Monitoring
from sabot.web.http.openapi import description
from sabot.web.http.operation import JSON, Gate, on_http_exception
from sabot.web.http.pages import STATIC, page_routes
from sabot.web.http.protection import Protection
from sabot.web.http.reference_page import reference_routes
from sabot.web.http.report_routes import ReportRoutes
from sabot.web.http.school_routes import SchoolRoutes
from sabot.web.http.service_routes import ServiceRoutes
from sabot.web.http.start_routes import StartRoutes
from sabot.web.http.tournament_routes import TournamentRoutes
from sabot.web.serving.process import Premises
from sabot.web.socket.rates import Rates
from sabot.web.socket.socket import Socket
from sabot.wire.asyncapi import asyncapi
from sabot.wire.description import description as frames

TITLE, SOCKET_TITLE = "Sabot: a floor", "Sabot: the socket of a floor"


def _of_the_school(premises: Premises) -> SchoolRoutes:
    assert premises.school is not None
    assert premises.wanted.school is not None
    wanted = premises.wanted.school
    return SchoolRoutes(premises.school, wanted.keys, wanted.pin, premises.identities.now_ms)


def application(premises: Premises, origins: tuple[str, ...], *, tls: bool) -> ASGIApp:
    """The paths of a floor behind its protection; pages of `origins` may send requests that change something."""
    identities = premises.identities
    operations = (
        *IdentityRoutes(identities, Desks(premises.wanted.file.staff.desks)).operations(),
        *FloorRoutes(premises.floor, identities, premises.reports).operations(),
        *ServiceRoutes(premises.floor, identities, premises.reports).operations(),
        *IntegrityRoutes(premises.floor, identities, premises.reports).operations(),
        *ReportRoutes(premises.floor, identities, premises.reports, premises.wanted.file).operations(),
        *TournamentRoutes(premises.floor.tournaments, identities, premises.vault).operations(),
        *FeltRoutes(premises.floor, premises.felts).operations(),
        *StartRoutes(premises.start, has_school=premises.school is not None).operations(),
        *(_of_the_school(premises).operations() if premises.school is not None else ()),
    )
    http = cache(lambda: description(operations, TITLE, version("sabot"), Monitoring.described()))
    socket = cache(lambda: asyncapi(SOCKET_TITLE, version("sabot")))
    gate = Gate(identities.sessions, identities.services, identities.now_ms)
    routes: list[BaseRoute] = [
        *gate.routes(operations),
        *Monitoring(premises.floor, premises.monitoring_token, premises.reports, identities.services).routes(),
        Route("/openapi.json", _fixed(http)),
        Route("/frames.json", _fixed(frames)),
        Route("/asyncapi.json", _fixed(socket)),
        *reference_routes(http, socket),
        WebSocketRoute("/ws", _socket(premises)),
        *(page_routes() if STATIC.is_dir() else ()),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: on_http_exception})
    return Protection(app, origins, tls=tls)


def _socket(premises: Premises) -> Callable[[WebSocket], Awaitable[None]]:
    rates = Rates(premises.wanted.file.limits.rate)

    async def serve(websocket: WebSocket) -> None:
        await Socket(websocket, premises.floor, premises.entrance, rates).serve()

    return serve


def _fixed(document: Callable[[], object]) -> Callable[[Request], Awaitable[Response]]:
    """A document that never changes, made when it is first asked for: that takes longer than the rest of a start."""
    written = cache(lambda: msgspec.json.encode(document()))

    async def answer(_: Request) -> Response:
        return Response(written(), media_type=JSON)

    return answer
