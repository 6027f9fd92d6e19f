"""The HTTP operations of identities: each says yes or no in the form that it promises."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from sabot.client.key import DeviceKey
from sabot.rulebook.clauses import clauses, readings
from sabot.web.http.identity_routes import IdentityRoutes
from sabot.web.http.operation import SECOND
from sabot.web.http.refusal import WebCause
from sabot.web.identity import enrolments
from sabot.web.identity.device_key import is_signed
from sabot.web.identity.vault import Unavailable, Vault
from sabot.web.socket.rates import Rate
from tests.house.talking import KEY, say_all
from tests.served.identities import ORIGIN, UNHURRIED, Floor, a_floor, client, mark
from tests.served.staff import PINS

Test = Callable[[Floor, httpx.AsyncClient], Awaitable[None]]


def run(folder: Path, test: Test, usual: Rate = UNHURRIED, guarded: Rate = UNHURRIED) -> None:
    async def prepared() -> None:
        async with a_floor(folder) as floor, client(floor.app(usual, guarded)) as web:
            floor.enrol("T1-console", "console", KEY)
            await test(floor, web)

    asyncio.run(prepared())


async def sign_on(web: httpx.AsyncClient, person: str, **more: str) -> dict[str, str]:
    """The headers of somebody who has signed on."""
    answer = await web.post("/api/sign-on", json={"person": person, "pin": PINS[person], **more})
    assert answer.status_code == 200, answer.text
    return {"Authorization": f"Bearer {answer.json()['token']}"}


async def proved(web: httpx.AsyncClient, person: str, device: str, key: DeviceKey, pin: str = "") -> dict[str, str]:
    """What somebody says who signs on at a device that proves its key."""
    given = (await web.post("/api/challenge")).json()
    signature = key.prove(given["floor"], given["nonce"])
    pin = pin or PINS[person]
    return {"person": person, "pin": pin, "device": device, "nonce": given["nonce"], "signature": signature}


async def approval(web: httpx.AsyncClient, first: dict[str, str], person: str, act: str = "enrol") -> dict[str, str]:
    body = {"person": person, "pin": PINS[person], "act": act}
    answer = await web.post("/api/approvals", json=body, headers=first)
    assert answer.status_code == 200, answer.text
    return first | {SECOND: answer.json()["token"]}


def assert_trouble(answer: httpx.Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert set(answer.json()) == {"code", "text", "clause", "values"}
    assert answer.json()["text"]


def test_signing_on_looking_and_signing_off(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:
        body = {"person": "CS1", "pin": PINS["CS1"], "device": "T1-console"}
        answer = (await web.post("/api/sign-on", json=body)).json()
        assert (answer["person"], answer["roles"], answer["device"]) == ("CS1", ["casino_supervisor"], "T1-console")
        assert (answer["idle_ms"], answer["expires_ms"]) == (120_000, floor.clock.now_ms + 12 * 3_600_000)
        headers = {"Authorization": f"bearer {answer['token']}"}
        shown = await web.get("/api/session", headers=headers)
        assert (shown.status_code, shown.json()["person"]) == (200, "CS1")
        assert answer["token"] not in shown.text
        assert (await web.post("/api/sign-off", headers=headers)).status_code == 204
        assert_trouble(await web.get("/api/session", headers=headers), 401, "session_over")

    run(tmp_path, test)


def test_a_wrong_pin_and_no_token(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:  # noqa: ARG001
        wrong = await web.post("/api/sign-on", json={"person": "CS1", "pin": "000000"})
        assert_trouble(wrong, 401, "sign_on_refused")
        nobody = await web.get("/api/session")
        assert_trouble(nobody, 401, "sign_on_first")
        assert nobody.headers["WWW-Authenticate"] == "Bearer"
        assert_trouble(await web.get("/api/session", headers={"Authorization": "Basic eDp5"}), 401, "sign_on_first")

    run(tmp_path, test)


def test_a_stolen_token_is_refused_at_another_address(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:
        headers = await sign_on(web, "CS1")
        async with client(floor.app(), "10.6.6.6") as thief:
            assert_trouble(await thief.get("/api/session", headers=headers), 401, "token_from_elsewhere")
        assert_trouble(await web.get("/api/session", headers=headers), 401, "session_over")

    run(tmp_path, test)


def test_supervisors_see_sessions_and_end_them(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:  # noqa: ARG001
        supervisor, dealer = await sign_on(web, "GS1"), await sign_on(web, "D1", device="T1-console")
        listed = (await web.get("/api/sessions", headers=supervisor)).json()
        assert {(one["person"], one["device"]) for one in listed} == {("GS1", ""), ("D1", "T1-console")}
        assert_trouble(await web.get("/api/sessions", headers=dealer), 403, "wrong_role")
        (identity,) = [one["id"] for one in listed if one["person"] == "D1"]
        assert_trouble(await web.delete(f"/api/sessions/{identity}", headers=dealer), 403, "wrong_role")
        assert (await web.delete(f"/api/sessions/{identity}", headers=supervisor)).status_code == 204
        assert_trouble(await web.get("/api/session", headers=dealer), 401, "session_over")
        assert_trouble(await web.delete(f"/api/sessions/{identity}", headers=supervisor), 404, "no_such_path")

    run(tmp_path, test)


def test_a_pin_is_changed_by_its_owner(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:  # noqa: ARG001
        headers = await sign_on(web, "CS1")
        weak = await web.post("/api/pin", json={"pin": PINS["CS1"], "new_pin": "123456"}, headers=headers)
        assert_trouble(weak, 422, "weak_pin")
        changed = await web.post("/api/pin", json={"pin": PINS["CS1"], "new_pin": "193748"}, headers=headers)
        assert changed.status_code == 204
        old = await web.post("/api/sign-on", json={"person": "CS1", "pin": PINS["CS1"]})
        assert_trouble(old, 401, "sign_on_refused")

    run(tmp_path, test)


def test_a_device_asks_shows_its_code_and_is_enrolled_by_two(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:
        key = DeviceKey.make()
        asked = await web.post("/api/enrolments", json={"kind": "station", "key": key.public})
        assert asked.status_code == 201
        identity, code = asked.json()["id"], asked.json()["code"]
        assert (await web.get(f"/api/enrolments/{identity}")).json()["status"] == "waiting"
        headers = await sign_on(web, "TE1")
        listed = await web.get("/api/enrolments", headers=headers)
        assert [one["id"] for one in listed.json()] == [identity]
        assert code not in listed.text
        body = {"code": code, "device": "T1-A1", "table": "T1", "station": "A1", "approval": "ATS-1"}
        path = f"/api/enrolments/{identity}/approval"
        for _ in range(3):  # A person who may not enrol uses up no tries either.
            wrong = await web.post(path, json=body | {"code": "WRONG"}, headers=await sign_on(web, "D1"))
            assert_trouble(wrong, 403, "wrong_role")
        assert_trouble(await web.post(path, json=body, headers=headers), 403, "second_person_due")
        two = await approval(web, headers, "CS1")
        granted = await web.post(path, json=body, headers=two)
        assert granted.json() == {"device": "T1-A1", "kind": "station", "table": "T1", "station": "A1"}
        assert floor.desk.state.devices["T1-A1"].key == mark(key)
        shown = (await web.get(f"/api/enrolments/{identity}")).json()
        assert (shown["status"], shown["device"]) == ("enrolled", "T1-A1")
        assert_trouble(await web.post(path, json=body, headers=two), 403, "approval_over")

    run(tmp_path, test)


def test_a_device_is_turned_away_by_those_who_may_enrol(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:  # noqa: ARG001
        asked = (await web.post("/api/enrolments", json={"kind": "display", "key": DeviceKey.make().public})).json()
        path, dealer = f"/api/enrolments/{asked['id']}", await sign_on(web, "D1")
        assert_trouble(await web.delete(path, headers=dealer), 403, "wrong_role")
        assert_trouble(await web.get("/api/enrolments", headers=dealer), 403, "wrong_role")
        technician = await sign_on(web, "TE1")
        assert (await web.delete(path, headers=technician)).status_code == 204
        assert_trouble(await web.delete(path, headers=technician), 404, "unknown_enrolment")
        assert (await web.get(path)).json()["status"] == "refused"

    run(tmp_path, test)


def test_an_invitation_is_written_by_two_and_serves_once(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:  # noqa: ARG001
        body = {"kind": "display", "device": "T1-display", "table": "T1", "approval": "WND-1"}
        assert_trouble(
            await web.post("/api/invitations", json=body, headers=await sign_on(web, "D1")), 403, "wrong_role"
        )
        two = await approval(web, await sign_on(web, "CS1"), "GS1")
        invited = await web.post("/api/invitations", json=body, headers=two)
        assert invited.status_code == 201
        path = f"/api/invitations/{invited.json()['code']}"
        assert_trouble(await web.post(path, json={"key": "no key"}), 422, "bad_key")
        accepted = await web.post(path, json={"key": DeviceKey.make().public})
        assert accepted.json() == {"device": "T1-display", "kind": "display", "table": "T1", "station": ""}
        assert_trouble(await web.post(path, json={"key": DeviceKey.make().public}), 404, "unknown_invitation")

    run(tmp_path, test)


def test_the_houses_refusals_are_passed_on_with_their_clause(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:
        say_all(floor.table, "TE1 enrol T1-display display " + "cd" * 32 + " WND-1 second=CS1")
        body = {"kind": "display", "device": "T1-display", "table": "T1", "approval": "WND-1"}
        two = await approval(web, await sign_on(web, "CS1"), "GS1")
        code = (await web.post("/api/invitations", json=body, headers=two)).json()["code"]
        again = await web.post(f"/api/invitations/{code}", json={"key": DeviceKey.make().public})
        assert_trouble(again, 409, "enrolled_already")
        assert again.json()["clause"] == 'CROWN 1.1 "game system"(b)'

    run(tmp_path, test)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "malformed"),
        (b"{", 400, "malformed"),
        (b"\xff\xfe", 400, "malformed"),
        (b"[]", 400, "malformed"),
        (b'{"person": "CS1"}', 400, "malformed"),
        (b'{"person": "CS1", "pin": 482913}', 400, "malformed"),
        (b'{"person": "CS1", "pin": "482913", "role": "operator"}', 400, "malformed"),
        (b'{"person": "C S", "pin": "482913"}', 400, "malformed"),
        (b'{"person": "CS1", "pin": "482913", "pin": "482913"}', 400, "malformed"),
        (b'{"person": "CS1", "pin": "482913"' + b" " * 4_096 + b"}", 413, "too_large"),
    ],
)
def test_a_body_is_read_strictly(tmp_path: Path, body: bytes, status: int, code: str) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:  # noqa: ARG001
        headers = {"Content-Type": "application/json"}
        assert_trouble(await web.post("/api/sign-on", content=body, headers=headers), status, code)

    run(tmp_path, test)


def test_other_forms_paths_and_methods(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:  # noqa: ARG001
        assert_trouble(await web.post("/api/sign-on", data={"person": "CS1"}), 415, "not_json")
        assert_trouble(await web.post("/api/sign-up", json={}), 404, "no_such_path")
        wrong = await web.get("/api/sign-on")
        assert_trouble(wrong, 405, "wrong_method")
        assert wrong.headers["Allow"] == "POST"

    run(tmp_path, test)


def test_a_vault_that_does_not_answer_is_told_from_a_refusal() -> None:
    class Silent:
        async def fetch(self, statement: str, *values: Any) -> Any:  # noqa: ARG002
            raise Unavailable("gone")

        async def close(self) -> None: ...

    async def test() -> None:
        floor = Floor(Vault(Silent()))
        async with client(floor.app()) as web:
            body = {"person": "CS1", "pin": PINS["CS1"]}
            assert_trouble(await web.post("/api/sign-on", json=body), 503, "unavailable")

    asyncio.run(test())


# Proofs


@pytest.mark.clause("G-118")
def test_a_pin_is_tried_only_with_the_key_of_an_enrolled_console_or_desk(tmp_path: Path) -> None:
    """Whatever is wrong with the device, the answer is the same, and no PIN is looked at."""

    async def test(floor: Floor, web: httpx.AsyncClient) -> None:  # noqa: ARG001
        names = ("C1", "gone", "A1", "desk-1")
        keys = {name: DeviceKey.make() for name in names}
        for name, kind in zip(names, ("console", "console", "station", "desk"), strict=True):
            floor.enrol(name, kind, mark(keys[name]))
            await floor.vault.keep_key(mark(keys[name]), keys[name].public)
        say_all(floor.table, "TE1 revoke gone stolen")
        async with client(floor.app(desks=())) as device:
            good = await proved(device, "CS1", "C1", keys["C1"])
            used = await device.post("/api/sign-on", json=good)
            assert (used.status_code, used.json()["device"]) == (200, "C1")
            again = await device.post("/api/sign-on", json=good)
            assert (
                await device.post("/api/sign-on", json=await proved(device, "GS1", "desk-1", keys["desk-1"]))
            ).is_success
            late = await proved(device, "CS1", "C1", keys["C1"])
            floor.clock.now_ms += 60_000
            wrong = [
                {"person": "CS1", "pin": PINS["CS1"]},
                {"person": "CS1", "pin": PINS["CS1"], "device": "C1"},
                late,
                {**await proved(device, "CS1", "C1", keys["C1"]), "nonce": "9999999999999.x.y"},
                await proved(device, "CS1", "C1", keys["A1"]),
                await proved(device, "CS1", "A1", keys["A1"]),
                await proved(device, "CS1", "gone", keys["gone"]),
                await proved(device, "CS1", "nothing", keys["C1"]),
            ]
            answers = [again, *[await device.post("/api/sign-on", json=body) for body in wrong]]
        assert {(answer.status_code, answer.text) for answer in answers} == {(401, answers[0].text)}
        assert_trouble(answers[0], 401, "proof_failed")

    run(tmp_path, test)


@pytest.mark.parametrize("device", ["nothing", "gone", "C1"])
def test_a_proof_takes_the_same_work_whoever_is_named(
    tmp_path: Path, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One key is looked up and one signature is checked, for a device that is there, was revoked or never was."""
    checked: list[bytes] = []

    def counted(key: bytes, text: bytes, signature: str) -> bool:
        checked.append(key)
        return is_signed(key, text, signature)

    async def test(floor: Floor, web: httpx.AsyncClient) -> None:  # noqa: ARG001
        for name in ("C1", "gone"):
            key = DeviceKey.make()
            floor.enrol(name, "console", mark(key))
            await floor.vault.keep_key(mark(key), key.public)
        say_all(floor.table, "TE1 revoke gone stolen")
        monkeypatch.setattr(enrolments, "is_signed", counted)
        looked_up = floor.asked_of_the_vault()
        async with client(floor.app(desks=())) as stranger:
            body = await proved(stranger, "CS1", device, DeviceKey.make())
            assert_trouble(await stranger.post("/api/sign-on", json=body), 401, "proof_failed")
        assert len(checked) == 1
        assert len(looked_up) == 1

    run(tmp_path, test)


# Rates


def test_one_address_guesses_only_so_often(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:
        async def guess() -> httpx.Response:
            return await web.post("/api/sign-on", json={"person": "nobody", "pin": "000000"})

        for _ in range(3):
            assert_trouble(await guess(), 401, "sign_on_refused")
        fourth = await guess()
        assert_trouble(fourth, 429, "too_fast")
        assert fourth.headers["Retry-After"] == "10"
        floor.clock.now_ms += 10_000
        assert_trouble(await guess(), 401, "sign_on_refused")

    run(tmp_path, test, guarded=Rate(at_once=3, a_minute=6))


def test_a_stranger_s_guesses_cost_nobody_anything(tmp_path: Path) -> None:
    """Two minutes of wrong PINs for every name, from one address and from many: none of them is tried at all."""

    async def test(floor: Floor, web: httpx.AsyncClient) -> None:  # noqa: ARG001
        key = DeviceKey.make()
        floor.enrol("desk-1", "desk", mark(key))
        await floor.vault.keep_key(mark(key), key.public)
        app = floor.app(guarded=Rate(at_once=10, a_minute=20), desks=())
        records = floor.desk.version
        for number in range(60):
            async with client(app, f"10.6.6.{number % 7}") as stranger:
                for person in PINS:
                    claim = {"device": "T1-console", "nonce": "x", "signature": "y"} if number % 2 else {}
                    guess = await stranger.post("/api/sign-on", json={"person": person, "pin": "000000", **claim})
                    assert_trouble(guess, 401, "proof_failed")
            floor.clock.now_ms += 2_000
        assert floor.desk.version == records
        async with client(app, "10.6.6.1") as desk:
            for person in floor.desk.state.staff.keys() & PINS:
                answer = await desk.post("/api/sign-on", json=await proved(desk, person, "desk-1", key))
                assert answer.status_code == 200, answer.text

    run(tmp_path, test)


def test_a_flood_is_held_off(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:  # noqa: ARG001
        statuses = [(await web.get("/api/enrolments/nothing")).status_code for _ in range(7)]
        assert statuses == [*[404] * 5, 429, 429]

    run(tmp_path, test, usual=Rate(at_once=5, a_minute=60))


# Protection


def test_every_answer_carries_what_protects_it(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:
        for answer in (await web.get("/openapi.json"), await web.get("/nothing"), await web.post("/api/sign-off")):
            policy = dict(part.strip().split(" ", 1) for part in answer.headers["Content-Security-Policy"].split(";"))
            assert policy["default-src"] == "'none'"
            assert policy["script-src"] == policy["style-src"] == "'self'"
            assert policy["connect-src"] == "'self' ws://127.0.0.1:8080"
            assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
            assert "unsafe" not in answer.headers["Content-Security-Policy"]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert "Strict-Transport-Security" not in answer.headers
            assert "Set-Cookie" not in answer.headers
        assert (await web.post("/api/sign-off")).headers["Cache-Control"] == "no-store"
        async with client(floor.app(tls=True)) as secured:
            answer = await secured.get("/openapi.json")
            assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"

    run(tmp_path, test)


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (ORIGIN, 200),
        (None, 200),
        ("null", 403),
        ("http://127.0.0.1:8081", 403),
        ("https://127.0.0.1:8080", 403),
        ("http://127.0.0.1:8080.evil.example", 403),
        ("http://evil.example\x01", 403),
    ],
)
def test_only_our_own_pages_may_change_something(tmp_path: Path, origin: str | None, status: int) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:  # noqa: ARG001
        headers = {} if origin is None else {"Origin": origin}
        answer = await web.post("/api/sign-on", json={"person": "CS1", "pin": PINS["CS1"]}, headers=headers)
        assert answer.status_code == status
        if status == 403:
            assert_trouble(answer, 403, "foreign_origin")
        assert (await web.get("/openapi.json", headers=headers)).status_code == 200

    run(tmp_path, test)


# The description


def test_the_description_names_every_operation_and_what_it_takes(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:  # noqa: ARG001
        described = (await web.get("/openapi.json")).json()
        assert described["openapi"] == "3.1.0"
        assert set(described["paths"]["/api/enrolments/{id}"]) == {"get", "delete"}
        signing = described["paths"]["/api/sign-on"]["post"]
        assert signing["requestBody"]["content"]["application/json"]["schema"] == {
            "$ref": "#/components/schemas/SignOnBody"
        }
        assert set(signing["responses"]) >= {"200", "400", "401", "413", "415", "429"}
        assert described["components"]["schemas"]["SignOnBody"]["additionalProperties"] is False
        names = [one["operationId"] for path in described["paths"].values() for one in path.values()]
        assert len(names) == len(set(names)) == 18
        text = msgspec.json.encode(described).decode()
        parts = described["components"]["schemas"]
        assert {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]} <= set(parts)

    run(tmp_path, test)


DOCS = (Path(__file__).parents[2] / "docs" / "identities.md").read_text(encoding="utf-8")


def test_the_documents_name_every_operation_and_every_refusal(tmp_path: Path) -> None:
    async def test(floor: Floor, web: httpx.AsyncClient) -> None:  # noqa: ARG001
        for operation in IdentityRoutes(floor.identities).operations():
            (row,) = [
                line for line in DOCS.splitlines() if line.startswith(f"| `{operation.method} {operation.path}` |")
            ]
            for field in operation.body.__struct_fields__ if isinstance(operation.body, type) else ():
                assert f"`{field}`" in row, field

    run(tmp_path, test)
    for cause in WebCause:
        assert f"| `{cause.code}` | {cause.status} |" in DOCS
    assert all(cause.clause in clauses() or cause.clause in readings() for cause in WebCause if cause.clause)
