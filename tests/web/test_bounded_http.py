"""A request goes to one of the floor's hosts, has a short head, and is read and answered within a while."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

import httpx
import pytest
import uvloop
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from sabot.web.door.bounded_http import MOST_CHUNKS, MOST_FIELDS, MOST_HEAD_BYTES, MOST_PIPELINED
from sabot.web.door.budgets import Budgets
from sabot.web.door.hosts import Hosts
from sabot.web.door.turns import A_ROUND, Turns
from sabot.web.door.visitors import Visitors
from sabot.web.serving.listening import Listening
from sabot.web.serving.server import Server, bound, server_config
from tests.runtime.floors import PATIENCE_S, until
from tests.served import attacks
from tests.served.attacks import Stranger, Target
from tests.served.plain_http import NO_TLS

LARGE = bytes(32 * 1_024 * 1_024)
"""More than the network holds for one who does not read."""


class Site(NamedTuple):
    target: Target
    visitors: Visitors

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.target.port}"


async def _greet(socket: WebSocket) -> None:
    await socket.accept()
    await socket.close()


async def _page(_: Request) -> Response:
    return PlainTextResponse("a page")


async def _large(_: Request) -> Response:
    return Response(LARGE)


waiting: list[Request] = []


async def _wait(request: Request) -> Response:
    """Answers nobody, until the asker has gone."""
    waiting.append(request)
    while not await request.is_disconnected():
        await asyncio.sleep(0.01)
    return PlainTextResponse("too late")


async def _body(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


@asynccontextmanager
async def _site(budgets: Budgets, *addresses: str) -> AsyncIterator[Site]:
    routes = [
        Route("/", _page),
        Route("/large", _large),
        Route("/wait", _wait),
        Route("/body", _body, methods=["POST"]),
    ]
    listening, listener = bound(Listening(port=0))
    visitors = Visitors(budgets)
    hosts = Hosts((*listening.origins(tls=False), *addresses), listening.port)
    app = Starlette(routes=[*routes, WebSocketRoute("/ws", _greet)])
    server = Server(server_config(app, listening, None), hosts, visitors)
    serving = asyncio.create_task(server.serve([listener]))
    await until(lambda: server.started)
    try:
        yield Site(Target(listening.port, path="/"), visitors)
    finally:
        server.should_exit = True
        await serving


def _on_a_site(test: Callable[[Site], Awaitable[None]], budgets: Budgets | None = None, *addresses: str) -> None:
    async def run() -> None:
        async with _site(budgets or Budgets(request_within_s=0.3), *addresses) as site:
            await test(site)

    uvloop.run(run())


async def _answered(site: Site, request: str, comes_from: str = "") -> tuple[int, bytes]:
    """Status and body of what is answered to a request in plain text."""
    stranger = await attacks.connected(site.target._replace(comes_from=comes_from))
    stranger.send(request.replace("\n", "\r\n").encode())
    await until(lambda: _is_whole(stranger))
    head, _, body = bytes(stranger.heard).partition(b"\r\n\r\n")
    stranger.leave()
    return int(head.split()[1]), body


def _is_whole(stranger: Stranger) -> bool:
    head, end, body = bytes(stranger.heard).partition(b"\r\n\r\n")
    length = next((int(line[16:]) for line in head.split(b"\r\n") if line.startswith(b"content-length: ")), 0)
    return stranger.over.is_set() or (bool(end) and len(body) >= length)


# The host


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ("GET / HTTP/1.1\nHost: {host}\n\n", 200),
        ("GET / HTTP/1.1\nHost: LOCALHOST:{port}\n\n", 200),
        ("GET / HTTP/1.1\nHost: floor.example\n\n", 200),
        ("GET / HTTP/1.1\nHost: floor.example:443\n\n", 200),
        ("GET http://{host}/ HTTP/1.1\nHost: {host}\n\n", 200),
        ("GET / HTTP/1.1\nHost: evil.example\n\n", 421),
        ("GET / HTTP/1.1\nHost: evil.example:{port}\n\n", 421),
        ("GET / HTTP/1.1\nHost: 127.0.0.1:1\n\n", 421),
        ("GET / HTTP/1.1\nHost: floor.example:{port}\n\n", 421),
        ("GET / HTTP/1.1\nHost: {host}.evil.example\n\n", 421),
        ("GET http://evil.example/ HTTP/1.1\nHost: {host}\n\n", 421),
        ("GET http://{host}/ HTTP/1.1\nHost: evil.example\n\n", 421),
        ("GET http://evil.example/ HTTP/1.1\nHost: evil.example\n\n", 421),
        ("GET http://{host}@evil.example/ HTTP/1.1\nHost: {host}\n\n", 421),
        ("GET / HTTP/1.1\nHost:\n\n", 421),
        ("GET / HTTP/1.1\n\n", 400),
        ("GET / HTTP/1.0\n\n", 400),
        ("GET / HTTP/1.1\nHost: {host}\nHost: {host}\n\n", 400),
        ("GET / HTTP/1.1\nHost: {host}\nhost: evil.example\n\n", 400),
    ],
)
def test_only_a_request_to_one_of_the_floors_hosts_is_answered(request_: str, status: int) -> None:
    async def test(site: Site) -> None:
        said = request_.format(host=site.host, port=site.target.port)
        got, body = await _answered(site, said)
        assert got == status, body
        if status != 200:
            told = json.loads(body)
            assert told["code"] == {421: "foreign_host", 400: "malformed"}[status]
            assert told["text"]

    _on_a_site(test, None, "https://floor.example")


def test_a_socket_to_a_foreign_host_is_refused_before_it_is_one() -> None:
    async def test(site: Site) -> None:
        async with connect(f"ws://{site.host}/ws"):
            pass
        with pytest.raises(InvalidStatus) as no:
            await connect(f"ws://{site.host}/ws", additional_headers={"Host": "evil.example"})
        assert no.value.response.status_code in (400, 421)
        said = f"GET /ws HTTP/1.1\nHost: evil.example\n{attacks.UPGRADE.format(key='AAAAAAAAAAAAAAAAAAAAAA==')}"
        assert (await _answered(site, said.replace("\r\n", "\n")))[0] == 421

    _on_a_site(test)


def test_a_machine_knows_itself_by_names_that_others_may_not_use() -> None:
    hosts = Hosts(("https://floor.example:8443",), 8443)
    for name in (b"localhost:8443", b"127.0.0.1:8443", b"[::1]:8443"):
        assert hosts.refusal_of([(b"host", name)], b"/", "127.0.0.1") is None
        assert hosts.refusal_of([(b"host", name)], b"/", "10.0.0.7") is not None
    assert hosts.refusal_of([(b"host", b"floor.example:8443")], b"/", "10.0.0.7") is None


# Head and body


@pytest.mark.parametrize(("fields", "bytes_", "status"), [(MOST_FIELDS, 0, 200), (MOST_FIELDS + 1, 0, 431)])
def test_a_head_has_so_many_fields(fields: int, bytes_: int, status: int) -> None:
    async def test(site: Site) -> None:
        more = "".join(f"X-{number}: y\n" for number in range(fields - 1))
        assert (await _answered(site, f"GET / HTTP/1.1\nHost: {site.host}\n{more}\n"))[0] == status + bytes_

    _on_a_site(test)


def test_a_head_has_so_many_bytes_however_they_come() -> None:
    async def test(site: Site) -> None:
        for length, status in ((MOST_HEAD_BYTES - 200, 200), (MOST_HEAD_BYTES + 1, 431)):
            said = f"GET / HTTP/1.1\nHost: {site.host}\nX: {'y' * length}\n\n"
            assert (await _answered(site, said))[0] == status

    _on_a_site(test)


def test_a_body_in_chunks_is_read_whole_and_another_request_follows() -> None:
    async def test(site: Site) -> None:
        async def pieces() -> AsyncIterator[bytes]:
            for _ in range(100):
                yield b"x" * 600

        async with httpx.AsyncClient(base_url=f"http://{site.host}", timeout=PATIENCE_S, verify=NO_TLS) as web:
            for _ in range(3):
                assert (await web.post("/body", content=pieces())).text == "60000"
                assert (await web.get("/")).text == "a page"
        assert not site.visitors.cut_off

    _on_a_site(test)


@pytest.mark.parametrize(("chunks", "is_cut_off"), [(MOST_CHUNKS - 1, False), (MOST_CHUNKS, True)])
def test_a_body_has_so_many_chunks(chunks: int, *, is_cut_off: bool) -> None:
    """The last chunk, which is empty, is one of them."""

    async def test(site: Site) -> None:
        stranger = await attacks.connected(site.target)
        stranger.send(site.target.head("/body").replace(b"GET", b"POST") + b"Transfer-Encoding: chunked\r\n\r\n")
        stranger.send(b"1\r\nx\r\n" * chunks + b"0\r\n\r\n")
        await until(lambda: stranger.over.is_set() or _is_whole(stranger))
        assert stranger.over.is_set() is is_cut_off
        assert site.visitors.cut_off["too_large"] == is_cut_off
        stranger.leave()

    _on_a_site(test)


def test_a_connection_waits_for_its_next_request_longer_than_for_the_rest_of_one() -> None:
    async def test(site: Site) -> None:
        async with httpx.AsyncClient(base_url=f"http://{site.host}", timeout=PATIENCE_S, verify=NO_TLS) as web:
            await web.get("/")
            idle = await attacks.connected(site.target)
            idle.send(b"GET")
            await until(idle.over.is_set)
            assert (await web.get("/")).status_code == 200
        assert site.visitors.cut_off == {"too_slow": 1}

    _on_a_site(test)


def test_one_who_does_not_read_what_he_asked_for_is_cut_off() -> None:
    async def test(site: Site) -> None:
        stranger = await attacks.connected(site.target)
        stranger.transport.pause_reading()
        stranger.send(site.target.head("/large") + b"\r\n")
        try:
            await until(lambda: site.visitors.cut_off["too_slow"] == 1)
        finally:
            stranger.transport.abort()
        assert site.visitors.unproved == 0

    _on_a_site(test)


def test_what_comes_after_an_upgrade_that_is_none_is_not_read() -> None:
    async def test(site: Site) -> None:
        stranger = await attacks.connected(site.target)
        stranger.send(site.target.head() + b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
        became = await stranger.became()
        assert became.is_cut_off
        assert became.heard.startswith(b"HTTP/1.1 200 ")

    _on_a_site(test)


def test_few_requests_of_one_connection_wait() -> None:
    async def test(site: Site) -> None:
        stranger = await attacks.connected(site.target)
        stranger.send((site.target.head("/wait") + b"\r\n") * (MOST_PIPELINED + 1))
        await until(lambda: len(waiting) == 1)
        assert not stranger.over.is_set()
        stranger.send(site.target.head("/wait") + b"\r\n")
        await until(stranger.over.is_set)
        assert site.visitors.cut_off == {"too_fast": 1}

    waiting.clear()
    _on_a_site(test)


# Turns


def test_a_few_requests_begin_in_each_round_however_many_wait() -> None:
    async def test() -> None:
        turns, begun = Turns(), list[int]()
        for number in range(10):
            turns.take(lambda number=number: begun.append(number))  # type: ignore[misc]
        for rounds in range(1, 6):
            await asyncio.sleep(0)
            assert begun == list(range(A_ROUND * rounds))

    asyncio.run(test())
