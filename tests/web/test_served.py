"""The real stack: uvicorn on a socket, TLS with a trial's certificate, pages and sockets of ours and of others."""

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from sabot.web.door.budgets import Budgets
from sabot.web.door.hosts import Hosts
from sabot.web.door.visitors import Visitors
from sabot.web.http.protection import Protection
from sabot.web.serving.listening import Listening
from sabot.web.serving.server import Server, bound, server_config
from tests.runtime.floors import PATIENCE_S


async def greet(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("hello")
    await socket.close()


async def page(request: Request) -> PlainTextResponse:  # noqa: ARG001  Everybody sees the same.
    return PlainTextResponse("a page", headers={"Set-Cookie": "a=b"})


@contextmanager
def served(listening: Listening) -> Iterator[tuple[int, ssl.SSLContext]]:
    files = listening.tls()
    assert files is not None
    app = Starlette(routes=[Route("/", page, methods=["GET", "POST"]), WebSocketRoute("/ws", greet)])
    protected = Protection(app, ["https://floor.example"], tls=True)
    listening, listener = bound(listening)
    hosts = Hosts(listening.origins(tls=True), listening.port)
    server = Server(server_config(protected, listening, files), hosts, Visitors(Budgets()))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "it did not start"
            thread.join(0.01)
        yield listening.port, ssl.create_default_context(cafile=str(files.certificate))
    finally:
        server.should_exit = True
        thread.join()


def test_over_tls_our_own_pages_are_served_and_others_turned_away(tmp_path: Path) -> None:
    async def test(port: int, trust: ssl.SSLContext) -> None:
        address = f"wss://127.0.0.1:{port}/ws"
        for origin in ("https://floor.example", None):
            async with connect(address, ssl=trust, origin=origin) as socket:  # type: ignore[arg-type]
                assert await socket.recv() == "hello"
        with pytest.raises(InvalidStatus) as no:
            await connect(address, ssl=trust, origin="https://evil.example")  # type: ignore[arg-type]
        assert no.value.response.status_code == 403

    with served(Listening(port=0, trial_folder=str(tmp_path))) as (port, trust):
        asyncio.run(test(port, trust))
        with httpx.Client(verify=trust, base_url=f"https://127.0.0.1:{port}", timeout=PATIENCE_S) as web:
            shown = web.get("/")
            assert (shown.status_code, shown.headers["Strict-Transport-Security"]) == (200, "max-age=31536000")
            assert "Set-Cookie" not in shown.headers
            assert "Server" not in shown.headers
            assert web.post("/", headers={"Origin": "https://evil.example"}).status_code == 403
            assert web.post("/", headers={"Origin": "https://floor.example"}).status_code == 200
