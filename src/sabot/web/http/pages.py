"""The pages as the build left them. What they may load, `protection` says for every answer."""

from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.responses import FileResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STATIC = Path(__file__).parents[1] / "static"
PAGES = ("station", "console", "display", "floor")
_ASK_AGAIN = "no-cache"
_FOREVER = "public, max-age=31536000, immutable"


def page_routes(static: Path = STATIC) -> list[BaseRoute]:
    """A route for each page, and one for what they are made of, whose names change with their content."""
    return [
        *(Route(f"/{page}", _Kept(_File(static / f"{page}.html"), _ASK_AGAIN), name=page) for page in PAGES),
        Route("/mark.svg", _Kept(_File(static / "mark.svg"), _ASK_AGAIN)),
        Mount("/assets", _Kept(StaticFiles(directory=static / "assets", check_dir=False), _FOREVER)),
    ]


class _Kept:
    """An application whose answers say how long a browser may keep them."""

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
