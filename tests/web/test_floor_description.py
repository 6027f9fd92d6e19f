"""Schemathesis asks a real process what nobody thought of, from its own description: no 5xx, answers as described."""

import asyncio
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from sabot.web.http.floor_routes import FloorRoutes
from tests.served.floor_file import TOKEN, staffed_floor
from tests.served.process import serving
from tests.served.staff import Staff

OPERATIONS = [name for name in vars(FloorRoutes) if not name.startswith("_") and name != "operations"]
WATCHED = ["health", "readiness", "metrics", "outbox"]
EXAMPLES = 8
"""For each operation: more would only meet the limit on how often one place may ask."""


def test_every_answer_of_the_floor_s_paths_is_as_described(tmp_path: Path) -> None:
    with serving(staffed_floor(tmp_path)) as process:
        token = asyncio.run(Staff(process.url).token())
        described: Any = schemathesis.openapi.from_url(f"{process.url}/openapi.json")
        known = {one.ok().definition.raw["operationId"] for one in described.get_all_operations()}
        assert {*OPERATIONS, *WATCHED} <= known
        for name in OPERATIONS:
            _ask(described.find_operation_by_id(name), token)
        for name in WATCHED:
            _ask(described.find_operation_by_id(name), TOKEN)
        assert process.stop() == 0
    assert "Traceback" not in process.log


def _ask(operation: Any, token: str) -> None:
    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), database=None, derandomize=True)
    @given(operation.as_strategy())
    def asked(case: schemathesis.Case[Any]) -> None:
        # What fits the description may still name a table, a station or a ticket that is not there.
        answer = case.call_and_validate(
            headers={"Authorization": f"Bearer {token}"}, excluded_checks=[positive_data_acceptance]
        )
        assert answer.status_code < 500

    asked()
