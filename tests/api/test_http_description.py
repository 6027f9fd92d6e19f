"""`/openapi.json` is valid, says the form of every answer, and a client that a generator makes from it works."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from openapi_spec_validator import validate

from sabot.web.http.openapi import description
from sabot.web.http.operation import BareCall, Operation
from tests.served import plain_http
from tests.served.floor_file import TOKEN, staffed_floor
from tests.served.process import Process, serving
from tests.served.staff import PINS

CONFIG = "content_type_overrides:\n  application/x-ndjson: text/plain\npost_hooks: []\n"
"""Lines of JSON are a text to the generator, and the files need no formatting."""
GENERATE = ("--path", "openapi.json", "--config", "config.yml", "--meta", "none", "--fail-on-warning",
            "--output-path", "generated_floor")  # fmt: skip
NOTHING_SAID = {"204", "304"}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    with serving(staffed_floor(tmp_path_factory.mktemp("floor"))) as process:
        yield process


@pytest.fixture(scope="module")
def described(floor: Process) -> Any:
    return plain_http.get(f"{floor.url}/openapi.json").json()


@pytest.fixture(scope="module")
def generated(described: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a package that a generator has made from the description alone."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(described))
    (folder / "config.yml").write_text(CONFIG)
    made = subprocess.run(  # noqa: S603  Our own command.
        [sys.executable, "-m", "openapi_python_client", "generate", *GENERATE],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    sys.path.insert(0, str(folder))
    yield "generated_floor"
    sys.path.remove(str(folder))


def test_the_description_is_valid_openapi(described: Any) -> None:
    validate(described)


def test_every_operation_has_a_name_of_its_own_and_every_answer_a_schema(described: Any) -> None:
    operations = [one for methods in described["paths"].values() for one in methods.values()]
    names = [one["operationId"] for one in operations]
    assert len(names) == len(set(names))
    for one in operations:
        for status, answer in one["responses"].items():
            forms = answer.get("content", {})
            assert forms or status in NOTHING_SAID, (one["operationId"], status)
            assert all(form["schema"] for form in forms.values()), (one["operationId"], status)
            if int(status) >= 400 and one["operationId"] != "readiness":
                assert forms == {"application/json": {"schema": {"$ref": "#/components/schemas/RefusalAnswer"}}}


def test_the_outbox_says_the_form_of_each_line_and_of_each_event(described: Any) -> None:
    answer = described["paths"]["/api/outbox"]["get"]["responses"]["200"]["content"]["application/x-ndjson"]
    lines = [one["$ref"].rpartition("/")[2] for one in answer["schema"]["contentSchema"]["anyOf"]]
    assert lines == ["OutboxLine", "PatronsTold", "MetersTold", "OutboxEnd"]
    events = described["components"]["schemas"]["OutboxLine"]["properties"]["events"]["items"]["anyOf"]
    assert {"TicketRedeemed", "CoupInvalidated", "DeviceEnrolled"} <= {one["$ref"].rpartition("/")[2] for one in events}


def test_two_operations_of_one_name_are_not_described() -> None:
    async def twice(_: BareCall) -> None: ...

    same = [Operation("GET", path, "Do something.", twice) for path in ("/api/one", "/api/two")]
    with pytest.raises(AssertionError, match="twice"):
        description(same, "Two", "1")


def test_a_generated_client_signs_on_reads_the_floor_and_follows_the_outbox(floor: Process, generated: str) -> None:
    client, models = _part(generated, "client"), _part(generated, "models")
    with client.Client(base_url=floor.url) as stranger:
        body = models.SignOnBody(person="CS1", pin=PINS["CS1"])
        signed = _part(generated, "api.sign_on.sign_on").sync(client=stranger, body=body)
        assert isinstance(signed, models.SignOnAnswer)
        assert isinstance(_part(generated, "api.outbox.outbox").sync(client=stranger), models.RefusalAnswer)
    with client.AuthenticatedClient(base_url=floor.url, token=signed.token) as person:
        shown = _part(generated, "api.floor.show_floor").sync(client=person)
        assert [line.table for line in shown.tables] == ["T1"]
        refused = _part(generated, "api.tables.recall").sync(client=person, table="T9", station="A1")
        assert isinstance(refused, models.RefusalAnswer)
        assert refused.code == "no_such_path"
        asked = {"report": "win", "form": models.ReportFileForm.CSV}
        report = _part(generated, "api.reports.report_file").sync(client=person, **asked)
        assert isinstance(report, models.ReportFile)
        assert report.media_type.startswith("text/csv")
    with client.AuthenticatedClient(base_url=floor.url, token=TOKEN) as monitor:
        *told, end = map(json.loads, _part(generated, "api.outbox.outbox").sync(client=monitor).splitlines())
    lines = [models.OutboxLine.from_dict(line) for line in told if "headings" in line]
    assert any(isinstance(event, models.TableEntered) for line in lines for event in line.events)
    assert [models.MetersTold.from_dict(line).stream for line in told if "meters" in line] == ["table/T1"]
    assert models.OutboxEnd.from_dict(end).signed


def _part(package: str, name: str) -> ModuleType:
    return importlib.import_module(f"{package}.{name}")


def test_the_reference_names_everything_and_asks_no_other_host(floor: Process, described: Any) -> None:
    page, style = plain_http.get(f"{floor.url}/reference").text, plain_http.get(f"{floor.url}/reference.css")
    assert style.headers["Content-Type"].startswith("text/css")
    for methods in described["paths"].values():
        for one in methods.values():
            assert f'id="{one["operationId"]}"' in page
    socket = plain_http.get(f"{floor.url}/asyncapi.json").json()
    assert all(f"<code>{name}</code>" in page for name in socket["components"]["messages"])
    assert "://" not in page + style.text
    linked = {part.partition('"')[0] for part in page.split('href="#')[1:]}
    assert linked <= {part.partition('"')[0] for part in page.split('id="')[1:]}
