"""Nothing secret reaches the log, from any logger and at any depth."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from sabot.web.serving.logs import STRUCK_OUT, set_up_logs

SECRETS = ("482913", "tok-1234567890", "hush", "CODE3467")


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    stream = io.StringIO()
    yield stream
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()


@pytest.mark.parametrize("form", ["json", "console"])
def test_what_is_called_a_secret_is_struck_out_at_any_depth(form: str, out: io.StringIO) -> None:
    set_up_logs("debug", form, out)  # type: ignore[arg-type]
    log = structlog.get_logger("tests")
    log.info("signed on", person="D1", pin=SECRETS[0], body={"pin": SECRETS[0], "list": [{"token": SECRETS[1]}]})
    log.warning("refused", headers={"Authorization": f"Bearer {SECRETS[1]}"}, password=SECRETS[2])
    log.info("asked", path=f"/api/invitations/{SECRETS[3]}")
    logging.getLogger("uvicorn.error").error("GET /api/invitations/%s broke off", SECRETS[3])
    text = out.getvalue()
    assert "D1" in text
    assert text.count(STRUCK_OUT) >= 6
    assert [secret for secret in SECRETS if secret in text] == []


def test_every_line_is_json_with_its_context_and_failures_are_told_whole(out: io.StringIO) -> None:
    set_up_logs("info", "json", out)
    with structlog.contextvars.bound_contextvars(table="T1", device="A1"):
        structlog.get_logger("tests").info("serves the table")
    try:
        raise ValueError("no")
    except ValueError:
        logging.getLogger("uvicorn.error").exception("it failed")
    structlog.get_logger("tests").debug("nobody wants to know")
    first, second = (json.loads(line) for line in out.getvalue().splitlines())
    assert (first["table"], first["device"], first["event"], first["level"]) == ("T1", "A1", "serves the table", "info")
    assert "ValueError: no" in second["exception"]
