import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.applications import Starlette

from sabot.web.http.pages import page_routes
from sabot.web.http.protection import Protection
from tests.screens import stage


@pytest.fixture(scope="session")
def chromium() -> Iterator[stage.Stage]:
    with stage.set_up() as ready:
        yield ready


@pytest.fixture(scope="session")
def pages() -> Iterator[str]:
    """The address of a server that has nothing but the pages."""
    listening = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    app = Protection(Starlette(routes=page_routes()), [address], tls=False)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield address
    server.should_exit = True
    thread.join()
