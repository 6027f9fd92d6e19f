"""Two processes of a floor: one serves the table that is cheated, at the other somebody looks and sees to it."""

import asyncio
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.journal.postgres.conftest import (  # noqa: F401  Fixtures.
    Database,
    database,
    migrated_template,
    own_server,
    server_dsn,
)
from tests.runtime.floors import PATIENCE_S, table_for
from tests.served import plain_http
from tests.served.planted import StackedTable
from tests.served.process import serving, until_ready
from tests.served.staff import Staff
from tests.web.test_two_processes import admit_both, floor_files

FOUND = "the shoe was changed"


class _Desk:
    """A supervisor at one of the processes."""

    def __init__(self, url: str) -> None:
        self._url, self._as = url, {"Authorization": f"Bearer {asyncio.run(Staff(url).token())}"}

    def get(self, path: str) -> Any:
        answer = plain_http.get(f"{self._url}{path}", headers=self._as, timeout=PATIENCE_S)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def see_to(self, kind: str, subject: str) -> None:
        act = {"do": "see_to_light", "table": "T1", "kind": kind, "subject": subject, "reason": FOUND}
        answer = plain_http.post(f"{self._url}/api/house", json=act, headers=self._as, timeout=PATIENCE_S)
        assert answer.status_code == 200, answer.text

    def on_the_map(self) -> str:
        (table,) = self.get("/api/floor/map")["tables"]
        return str(table["lights"]["integrity"])

    def raised(self) -> dict[str, str]:
        (table,) = self.get("/api/integrity")["tables"]
        return {one["kind"]: one["state"] for one in table["raised"]}


def _until(is_so: Callable[[], bool]) -> None:
    """The watch comes to the newest coup, and the house to a process, within some seconds."""
    patience = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < patience
        time.sleep(0.1)


def test_a_light_is_up_at_every_process_until_somebody_has_seen_to_it_at_one(
    tmp_path: Path,
    database: Database,  # noqa: F811
) -> None:
    config = floor_files(tmp_path, database, table_for(period_ms=600_000), dealer="live")
    admit_both(tmp_path)
    with ExitStack() as stack:
        east = stack.enter_context(serving(config[0]))
        west = stack.enter_context(serving(config[1]))
        assert not any(one["served"] for one in until_ready(west.url).values())
        asyncio.run(StackedTable(east.url).play())
        here, elsewhere = _Desk(east.url), _Desk(west.url)
        raised = elsewhere.raised()
        assert "alarm" in raised.values()
        _until(lambda: here.raised() == raised)
        _until(lambda: (here.on_the_map(), elsewhere.on_the_map()) == ("alarm", "alarm"))
        assert elsewhere.get("/api/floor")["tables"][0]["integrity"] == "alarm"
        assert elsewhere.get("/api/tables/T1/integrity")["state"] == "alarm"
        alarms = [one for one in elsewhere.get("/api/integrity")["tables"][0]["raised"] if one["state"] == "alarm"]
        for one in alarms:
            elsewhere.see_to(one["kind"], one["subject"])
        _until(lambda: (here.on_the_map(), elsewhere.on_the_map()) == ("watch", "watch"))
        for desk in (elsewhere, here):
            assert "alarm" not in desk.raised().values()
            told = desk.get("/api/integrity")["tables"][0]["seen_to"]
            assert {(one["kind"], one["by"], one["found"]) for one in told} == {
                (one["kind"], "CS1", FOUND) for one in alarms
            }
        assert elsewhere.get("/api/tables/T1/integrity")["state"] == "alarm", "what was seen stays to be looked at"
