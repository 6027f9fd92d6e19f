"""The log: one line per event, as JSON or, on a terminal, in a readable form.

Messages of uvicorn and other libraries pass through the same processors. A value named as a PIN, a token, a password or
the like is struck out, so that a mistake elsewhere does not write a secret to a disk.
"""

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any, Literal, TextIO

import structlog

SECRET = frozenset(
    {"pin", "new_pin", "token", "second", "password", "authorization", "secret", "code", "invitation", "signature"}
)
STRUCK_OUT = "(struck out)"
_IN_A_PATH = re.compile(r"(/api/invitations/)[^/?\s\"']+")
_QUIET = ("uvicorn.access", "uvicorn.error", "asyncio", "websockets")
"""Loggers that write lines for every request or socket; only their warnings are kept."""


def strike_out_secrets(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Strike out values with the name of a secret, at any depth, and the invitation in a path."""
    for name, value in event.items():
        event[name] = _without_secrets(name, value)
    return event


def set_up_logs(level: str, form: Literal["auto", "json", "console"], stream: TextIO | None = None) -> None:
    """Send the whole log to this stream, by default standard error."""
    out = stream or sys.stderr
    for_people = form == "console" or (form == "auto" and out.isatty())
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        strike_out_secrets,
    ]
    renderers: list[Any] = (
        [structlog.dev.ConsoleRenderer(colors=out.isatty())]
        if for_people
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(default=str, sort_keys=False)]
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared[:-1], structlog.stdlib.PositionalArgumentsFormatter(), strike_out_secrets],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers = []


def _without_secrets(name: object, value: Any) -> Any:
    if isinstance(name, str) and name.lower() in SECRET:
        return STRUCK_OUT
    if isinstance(value, dict):
        return {key: _without_secrets(key, one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_without_secrets("", one) for one in value]
    if isinstance(value, str):
        return _IN_A_PATH.sub(rf"\1{STRUCK_OUT}", value)
    return value
