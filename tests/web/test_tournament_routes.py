"""The leader board and the conditions file over HTTP."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from sabot.tournament.conditions import fixtures
from sabot.tournament.conditions.fixtures import fixture_raw
from tests.runtime.floors import PATIENCE_S
from tests.screens.configurations import crown
from tests.served import plain_http
from tests.served.process import Process, serving_live
from tests.served.staff import PINS

AUTUMN = "/api/tournaments/AUTUMN"


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Process]:
    with serving_live(tmp_path, crown()) as process:
        yield process


@contextmanager
def _operator(url: str) -> Iterator[httpx.Client]:
    """At the desk, with a tournament that has no conditions yet."""
    signed_on = httpx.post(f"{url}/api/sign-on", json={"person": "OP1", "pin": PINS["OP1"]}, timeout=PATIENCE_S)
    token = signed_on.json()["token"]
    with httpx.Client(
        base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE_S, verify=plain_http.NO_TLS
    ) as client:
        created = client.post(AUTUMN, json={"do": "create_tournament", "tournament": "AUTUMN", "name": "Autumn"})
        assert created.status_code == httpx.codes.OK, created.text
        yield client


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_a_board_that_has_not_changed_is_not_sent_again(floor: Process) -> None:
    with _operator(floor.url) as desk:
        first = desk.get(f"{AUTUMN}/board")
        again = desk.get(f"{AUTUMN}/board", headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (httpx.codes.NOT_MODIFIED, b"")
        assert desk.put(
            f"{AUTUMN}/conditions", json={"text": json.dumps(fixture_raw("autumn")), "json": True}
        ).is_success
        changed = desk.get(f"{AUTUMN}/board", headers={"If-None-Match": first.headers["ETag"]})
        assert changed.status_code == httpx.codes.OK
        assert changed.json()["title"]["en"] == "Autumn Accumulation"
        assert changed.headers["ETag"] != first.headers["ETag"]


@pytest.mark.clause("CROWN 12.2", "CROWN 12.1.3")
def test_a_conditions_file_is_saved_as_it_was_written_in_toml_or_json(floor: Process) -> None:
    toml = Path(fixtures.__file__).with_name("autumn.toml").read_text(encoding="utf-8")
    with _operator(floor.url) as desk:
        unread = desk.put(f"{AUTUMN}/conditions", json={"text": "id = "})
        assert (unread.status_code, unread.json()["code"]) == (httpx.codes.BAD_REQUEST, "unread_conditions")
        wrong = desk.put(f"{AUTUMN}/conditions", json={"text": toml.replace("fee_cents = 5000", "")})
        assert (wrong.json()["code"], wrong.json()["clause"]) == ("conditions", "CROWN 12.2.1(a)")
        assert desk.put(f"{AUTUMN}/conditions", json={"text": toml}).is_success
        assert desk.put(
            f"{AUTUMN}/conditions", json={"text": json.dumps(fixture_raw("autumn")), "json": True}
        ).is_success
        versions = desk.get(AUTUMN).json()["versions"]
        assert [one["version"] for one in versions] == [1], "the same in another form is no new version"
