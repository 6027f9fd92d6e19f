"""`sabot docs`: the site of the documents, served on this machine alone."""

from pathlib import Path
from typing import TYPE_CHECKING

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag
from sabot.cli.ports import USUAL_OF_DOCS, Port, port_for

if TYPE_CHECKING:
    from http.server import ThreadingHTTPServer

SITE = Path(__file__).resolve().parents[1] / "site"
OWN_WORDS = {".toml": "text/plain", ".service": "text/plain", ".timer": "text/plain", "": "text/plain"}
"""How files that pages link to are shown; a browser would save them otherwise."""
POLICY = "default-src 'self' 'unsafe-inline' data: blob:"
"""Nothing that a page asks for may come from another host."""


def docs(*, port: Port = None, no_browser: Flag = False, build: Path | None = None) -> int:
    """Show the documents as a site with a search: tutorial, handbooks, guides, reference, decisions and glossary.

        sabot docs

        sabot docs --port 0 --no-browser

        sabot docs --build site

    It prints the link and opens it in a browser, until Ctrl-C ends it. It is served to this machine alone, and works
    without a network.

    Parameters
    ----------
    port
        Where it listens, on this machine alone: 8081, or the next free one; 0 takes any free port.
    no_browser
        Print the link, and open no browser.
    build
        Write the site to this folder instead, for a web server of your own. It is a new folder, or an earlier site.
    """
    if build is not None:
        return _build(build)
    at = port_for(port, USUAL_OF_DOCS)
    if not (SITE / "index.html").exists():
        raise Mistake("the site of the documents is not built; in a checkout python3 bootstrap.py docs builds it")
    return _serve(at, open_it=not no_browser)


def _build(folder: Path) -> int:
    """A checkout builds it from docs/; an installed program has it built."""
    import shutil

    if folder.exists() and not (folder.is_dir() and ((folder / "search.json").exists() or not any(folder.iterdir()))):
        raise Mistake(f"{folder} exists and is no site; name a new folder")
    if not (SITE / "index.html").exists():
        raise Mistake("the site of the documents is not built; in a checkout python3 bootstrap.py docs builds it")
    try:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(SITE, folder, copy_function=shutil.copyfile, ignore=shutil.ignore_patterns(".built"))
    except OSError as error:
        raise Mistake(f"{folder} cannot be written: {error.strerror or error}") from None
    print(f"The site is in {folder}.")  # noqa: T201  It is the answer.
    return 0


def _serve(port: int, *, open_it: bool) -> int:
    import webbrowser
    from contextlib import suppress

    try:
        server = listening(port)
    except OSError as error:
        raise Mistake(f"port {port} cannot be used: {error.strerror}; --port 0 takes any free one") from None
    link = f"http://127.0.0.1:{server.server_address[1]}/"
    print(f"The documents are at {link} (Ctrl-C ends it)", flush=True)  # noqa: T201  It is the answer.
    if open_it:
        webbrowser.open(link)
    with server, suppress(KeyboardInterrupt):
        server.serve_forever()
    return 0


def listening(port: int) -> "ThreadingHTTPServer":
    """A server of the site that has its port, and answers as soon as it is told to."""
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    class Pages(SimpleHTTPRequestHandler):
        extensions_map = {**SimpleHTTPRequestHandler.extensions_map, **OWN_WORDS}

        def __init__(self, *given: object) -> None:
            super().__init__(*given, directory=str(SITE))  # type: ignore[arg-type]

        def end_headers(self) -> None:
            self.send_header("Content-Security-Policy", POLICY)
            self.send_header("X-Content-Type-Options", "nosniff")
            super().end_headers()

        def log_message(self, *_: object) -> None:
            """Standard error is for what a person should know."""

    return ThreadingHTTPServer(("127.0.0.1", port), Pages)
