"""Protects pages and sockets from foreign pages: headers on every answer, and an exact list of origins.

A browser sends the origin of the page with every request that changes something and with every socket; an origin that
is not on the list is refused. Programs that are no browsers send none. There are no cookies, so a foreign page has
nothing to misuse but the network that its browser is in.
"""

from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sabot.web.http.operation import refused
from sabot.web.http.refusal import WebCause, refusal

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
HSTS_SECONDS = 31_536_000
FORBIDDEN_SOCKET = 4403


def content_policy(origins: Collection[str]) -> str:
    """Allow resources of the same origin only, no inline script or style, and no framing."""
    sockets = [origin.replace("http", "ws", 1) for origin in sorted(origins)]
    rules = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "font-src": "'self'",
        "media-src": "'self'",
        "connect-src": " ".join(["'self'", *sockets]),
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


class Protection:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, origins: Collection[str], *, tls: bool) -> None:
        self._app, self._origins = app, frozenset(origins)
        self._headers = {
            "Content-Security-Policy": content_policy(origins),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        }
        if tls:
            self._headers["Strict-Transport-Security"] = f"max-age={HSTS_SECONDS}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and self._is_foreign(scope):
            await receive()
            await send({"type": "websocket.close", "code": FORBIDDEN_SOCKET})
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._protect(scope["path"], MutableHeaders(scope=message))
            await send(message)

        app = self._app
        if scope["method"] not in SAFE_METHODS and self._is_foreign(scope):
            app = _turned_away(_origin(scope))
        await app(scope, receive, send_protected)

    def _protect(self, path: str, headers: MutableHeaders) -> None:
        for name, value in self._headers.items():
            headers[name] = value
        del headers["Set-Cookie"]
        if path.startswith("/api/"):
            headers["Cache-Control"] = "no-store"

    def _is_foreign(self, scope: Scope) -> bool:
        origin = _origin(scope)
        return bool(origin) and origin not in self._origins


def _origin(scope: Scope) -> str:
    return Headers(scope=scope).get("Origin", "")


def _turned_away(origin: str) -> Response:
    return refused(refusal(WebCause.FOREIGN_ORIGIN, origin=ascii(origin)))
