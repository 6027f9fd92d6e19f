"""Serves the built pages. `protection` adds the content policy to every answer."""

from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.responses import FileResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STATIC = Path(__file__).parents[1] / "static"
_ASK_AGAIN = "no-cache"
_FOREVER = "public, max-age=31536000, immutable"


def page_routes(static: Path = STATIC) -> list[BaseRoute]:
    """A route for each page that was built, and one for their assets, whose names change with their content."""
    pages = sorted(static.glob("*.html"))
    return [
        *(Route(f"/{page.stem}", _Cached(_File(page), _ASK_AGAIN), name=page.stem) for page in pages),
        Route("/mark.svg", _Cached(_File(static / "mark.svg"), _ASK_AGAIN)),
        Mount("/assets", _Cached(StaticFiles(directory=static / "assets", check_dir=False), _FOREVER)),
    ]


class _Cached:
    """An application whose answers say how long a browser may cache them."""

    def __init__(self, inner: ASGIApp, how_long: str) -> None:
        self._inner, self._how_long = inner, how_long

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_dated(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["Cache-Control"] = self._how_long
            await send(message)

        await self._inner(scope, receive, send_dated)


class _File:
    def __init__(self, path: Path) -> None:
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await FileResponse(self._path)(scope, receive, send)
