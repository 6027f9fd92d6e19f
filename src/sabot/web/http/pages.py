"""Serves the built pages. `protection` adds the content policy to every answer.

The build leaves compressed forms beside each text (`station.js.br`, `station.js.gz`), and an answer has the smallest
one that the browser takes.
"""

import mimetypes
import os
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Receive, Scope, Send

STATIC = Path(__file__).parents[1] / "static"
START = "start"
"""The page at `/`."""
_ASK_AGAIN = "no-cache"
_FOREVER = "public, max-age=31536000, immutable"
_FORMS = {"br": ".br", "gzip": ".gz"}
"""The smallest first."""


def page_routes(static: Path = STATIC) -> list[BaseRoute]:
    """A route for each page that was built, and one for their assets, whose names change with their content."""
    files = _Files(static, _ASK_AGAIN)
    pages = sorted(static.glob("*.html"))
    return [
        Route("/", _File(files, f"{START}.html")),
        *(Route(f"/{page.stem}", _File(files, page.name), name=page.stem) for page in pages),
        Route("/mark.svg", _File(files, "mark.svg")),
        Mount("/assets", _Files(static / "assets", _FOREVER)),
    ]


class _Files(StaticFiles):
    """The files of a folder in the form that a browser takes, with how long it may cache them."""

    def __init__(self, folder: Path, how_long: str) -> None:
        super().__init__(directory=folder, check_dir=False)
        self._how_long = how_long

    def file_response(
        self, full_path: "os.PathLike[str] | str", stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        path, asked = Path(full_path), Headers(scope=scope)
        headers = {"Cache-Control": self._how_long, "Vary": "Accept-Encoding"}
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        form = _form_for(path, asked)
        if form is not None:
            path, headers["Content-Encoding"] = path.with_name(path.name + _FORMS[form]), form
            stat_result = path.stat()
        response = FileResponse(path, status_code, headers, kind, stat_result=stat_result)
        return NotModifiedResponse(response.headers) if self.is_not_modified(response.headers, asked) else response


class _File:
    """One file of a folder at an address of its own."""

    def __init__(self, files: _Files, name: str) -> None:
        self._files, self._name = files, name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._files.get_response(self._name, scope)
        await response(scope, receive, send)


def _form_for(path: Path, headers: Headers) -> str | None:
    """The compressed form that a browser takes and the build has made; none where the file goes as it is."""
    offers = (offer.partition(";") for offer in headers.get("Accept-Encoding", "").replace(" ", "").lower().split(","))
    taken = {name for name, _, weight in offers if weight.rstrip("0.") != "q="}
    made = (name for name, end in _FORMS.items() if name in taken and path.with_name(path.name + end).exists())
    return next(made, None)
