"""The pages as the build left them, under a policy by which they load nothing from anywhere else."""

from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.responses import FileResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STATIC = Path(__file__).parent / "static"
PAGES = ("station", "console", "display", "floor")
_POLICY = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_FOREVER = "public, max-age=31536000, immutable"


class Guarded:
    """An application whose every answer carries the policy."""

    def __init__(self, inner: ASGIApp, caching: str) -> None:
        self._inner = inner
        self._headers = {**_POLICY, "Cache-Control": caching}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        await self._inner(scope, receive, send_guarded)


def page_routes(static: Path = STATIC) -> list[BaseRoute]:
    """A route for each page and one for what they are made of, whose names change with their content."""
    return [
        *(Route(f"/{page}", Guarded(_file(static / f"{page}.html"), "no-cache"), name=page) for page in PAGES),
        Route("/mark.svg", Guarded(_file(static / "mark.svg"), "max-age=3600")),
        Mount("/assets", Guarded(StaticFiles(directory=static / "assets", check_dir=False), _FOREVER)),
    ]


def _file(path: Path) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await FileResponse(path)(scope, receive, send)

    return answer
