"""Schemathesis asks what nobody thought of, from the description alone: no 5xx, and every answer is as described."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from sabot.web.http.identity_routes import IdentityRoutes
from sabot.web.identity.vault_sqlite import open_vault
from tests.served.identities import Floor
from tests.served.staff import PINS, give_pins

ADDRESS = "testclient"
"""Where requests within one process seem to come from."""
OPERATIONS = [name for name in vars(IdentityRoutes) if not name.startswith("_") and name != "operations"]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    vault = open_vault(Path(tmp_path_factory.mktemp("fuzz")) / "vault")
    asyncio.run(give_pins(vault))
    yield Floor(vault)
    asyncio.run(vault.__aexit__(None, None, None))


@pytest.fixture(scope="module")
def described(floor: Floor) -> Any:
    return schemathesis.openapi.from_asgi("/openapi.json", floor.app())


def test_every_operation_is_asked(described: Any) -> None:
    asked = {one.ok().definition.raw["operationId"] for one in described.get_all_operations()}
    assert asked == set(OPERATIONS)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_answer_is_as_described(floor: Floor, described: Any, name: str) -> None:
    operation = described.find_operation_by_id(name)
    staff = "security" in operation.definition.raw
    some = max(5, settings().max_examples // 30)

    @settings(max_examples=some, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
    @given(operation.as_strategy())
    def asked(case: schemathesis.Case[Any]) -> None:
        headers = {}
        if staff:
            opened = asyncio.run(floor.identities.sessions.sign_on("CS1", PINS["CS1"], "", ADDRESS))
            headers["Authorization"] = f"Bearer {opened.token}"
        # A schema cannot say what is a point on a curve, so what it admits may still be no key.
        answer = case.call_and_validate(headers=headers, excluded_checks=[positive_data_acceptance])
        assert answer.status_code < 500

    asked()
