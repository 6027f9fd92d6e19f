"""The port that a command listens on: the one that was named, or the first free one from the usual one on."""

from typing import Annotated

from cyclopts import Parameter

from sabot.cli.arguments import Number

USUAL = 8080
USUAL_OF_DOCS = 8081
TRIED = 100
"""How many ports are tried, so that a machine on which none can be had is told soon."""

Port = Annotated[Number | None, Parameter(show_default=False)]
"""A port that may be left open; `port_for` chooses it then."""


def port_for(named: int | None, usual: int = USUAL) -> int:
    """Raises `Mistake` where what was named is no port, or where none is free."""
    from sabot.basics.mistake import Mistake

    if named is None:
        free = next((port for port in range(usual, usual + TRIED) if _is_free(port)), None)
        if free is None:
            raise Mistake(f"no port from {usual} to {usual + TRIED - 1} is free; --port names another")
        return free
    if not 0 <= named <= 65535:
        raise Mistake(f"{named} is no port: they go from 0 to 65535")
    return named


def _is_free(port: int) -> bool:
    import socket

    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
