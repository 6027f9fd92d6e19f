"""Devices: asking, the code, two persons, invitations, and the proof at every connection."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP384R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from sabot.client.key import DeviceKey
from sabot.floor.stamper import Giver
from sabot.house.events import DeviceEnrolled
from sabot.house.state import DeviceKind
from sabot.web.identity.device_key import from_base64url, is_signed, read_public_key, to_base64url
from sabot.web.identity.enrolments import (
    CODE_LENGTH,
    INVITED_MS,
    LETTERS,
    WAITING_MS,
    Granted,
    new_code,
    read_code,
)
from sabot.web.identity.waiting_list import MOST_WAITING
from tests.house.talking import say_all
from tests.served.device import FLOOR
from tests.served.identities import Floor, mark, on_a_floor, refused

HERE = "10.0.0.1"
TWO = Giver("TE1", "CS1")
A1 = Granted(device="T1-A1", table="T1", approval="ATS-1", station="A1")


def test_two_persons_enrol_the_device_whose_code_they_read(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        enrolments, key = floor.identities.enrolments, DeviceKey.make()
        code, asked = await enrolments.ask(DeviceKind.STATION, key.public, HERE)
        assert [one.id for one in await enrolments.waiting()] == [asked.id]
        typed = f"{code[:4]}-{code[4:]} ".lower()
        _, device = await enrolments.grant(asked.id, typed, A1, TWO)
        assert (device.kind, device.table, device.station, device.key) == ("station", "T1", "A1", mark(key))
        assert (await enrolments.look(asked.id)).status == "enrolled"
        assert (await enrolments.look(asked.id)).device == "T1-A1"
        assert await enrolments.waiting() == []
        event = floor.table.floor.history[-1]
        assert isinstance(event, DeviceEnrolled)
        assert (event.by, event.second) == ("TE1", "CS1")

    on_a_floor(tmp_path, test)


@pytest.mark.parametrize(
    ("signed", "code"),
    [
        (Giver("TE1"), "second_person_due"),
        (Giver("CS1", "CS1"), "same_person"),
        (Giver("D1", "CS1"), "wrong_role"),
        (Giver("TE1", "CA1"), "second_role"),
    ],
)
def test_the_house_has_the_last_word_about_who_enrols(tmp_path: Path, signed: Giver, code: str) -> None:
    async def test(floor: Floor) -> None:
        enrolments = floor.identities.enrolments
        shown, asked = await enrolments.ask(DeviceKind.STATION, DeviceKey.make().public, HERE)
        assert await refused(enrolments.grant(asked.id, shown, A1, signed)) == code
        assert floor.desk.state.devices == {}
        await enrolments.grant(asked.id, shown, A1, TWO)

    on_a_floor(tmp_path, test)


def test_three_wrong_codes_settle_the_matter_against_the_device(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        enrolments = floor.identities.enrolments
        code, asked = await enrolments.ask(DeviceKind.STATION, DeviceKey.make().public, HERE)
        for _ in range(3):
            assert await refused(enrolments.grant(asked.id, "WRONG", A1, TWO)) == "wrong_code"
        assert await refused(enrolments.grant(asked.id, code, A1, TWO)) == "unknown_enrolment"
        assert (await enrolments.look(asked.id)).status == "refused"

    on_a_floor(tmp_path, test)


def test_one_devices_code_enrols_no_other(tmp_path: Path) -> None:
    """Another device's request has another code than the screen before the two persons."""

    async def test(floor: Floor) -> None:
        enrolments = floor.identities.enrolments
        honest, _ = await enrolments.ask(DeviceKind.STATION, DeviceKey.make().public, HERE)
        _, slipped_in = await enrolments.ask(DeviceKind.STATION, DeviceKey.make().public, "10.6.6.6")
        assert await refused(enrolments.grant(slipped_in.id, honest, A1, TWO)) == "wrong_code"

    on_a_floor(tmp_path, test)


def test_a_request_waits_ten_minutes_and_can_be_turned_away(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        enrolments = floor.identities.enrolments
        code, asked = await enrolments.ask(DeviceKind.STATION, DeviceKey.make().public, HERE)
        _, other = await enrolments.ask(DeviceKind.STATION, DeviceKey.make().public, HERE)
        await enrolments.turn_away(other.id)
        assert (await enrolments.look(other.id)).status == "refused"
        assert await refused(enrolments.turn_away(other.id)) == "unknown_enrolment"
        floor.clock.now_ms += WAITING_MS
        assert await refused(enrolments.grant(asked.id, code, A1, TWO)) == "unknown_enrolment"
        assert await refused(enrolments.look(asked.id)) == "unknown_enrolment"
        assert await enrolments.waiting() == []

    on_a_floor(tmp_path, test)


def ten_addresses() -> list[str]:
    return [f"10.6.6.{number}" for number in range(1, 11)]


def a_thousand_networks() -> list[str]:
    return [f"10.{number // 250}.{number % 250}.9" for number in range(1_000)]


@pytest.mark.parametrize("strangers", [ten_addresses(), ["10.0.0.9"], [f"fd00:0:0:{n:x}::1" for n in range(20)]])
@pytest.mark.parametrize("honest", ["10.0.0.1", "10.6.6.250", "fd00:1::7"])
def test_strangers_who_fill_the_list_keep_no_honest_device_out(
    tmp_path: Path, strangers: list[str], honest: str
) -> None:
    """They ask before it and go on after it: it waits where two persons find it, and is enrolled by its code."""

    async def test(floor: Floor) -> None:
        enrolments, key = floor.identities.enrolments, DeviceKey.make()
        stranger = DeviceKey.make()

        async def flood() -> None:
            for number in range(110):
                await enrolments.ask(DeviceKind.STATION, stranger.public, strangers[number % len(strangers)])
                floor.clock.now_ms += 1

        await flood()
        code, asked = await enrolments.ask(DeviceKind.STATION, key.public, honest)
        await flood()
        waiting = await enrolments.waiting()
        assert len(waiting) <= MOST_WAITING
        shown = [one.id for one in waiting]
        assert shown.index(asked.id) < len(strangers) + 1, "the newest of every address come first"
        await enrolments.grant(asked.id, code, A1, TWO)

    on_a_floor(tmp_path, test)


def test_networks_share_the_list_and_the_greediest_gives_way(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        enrolments, key = floor.identities.enrolments, DeviceKey.make()
        for number in range(2 * MOST_WAITING):
            await enrolments.ask(DeviceKind.STATION, key.public, f"10.6.6.{number}")
        for address in a_thousand_networks()[:40]:
            await enrolments.ask(DeviceKind.STATION, key.public, address)
        waiting = [one.address for one in await enrolments.waiting()]
        assert len(waiting) == MOST_WAITING
        assert set(a_thousand_networks()[:40]) <= set(waiting)

    on_a_floor(tmp_path, test)


def test_the_newest_of_every_address_comes_first_and_one_address_is_turned_away_whole(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        enrolments, key = floor.identities.enrolments, DeviceKey.make()
        asked = []
        for address in ("10.6.6.6", HERE, "10.6.6.6"):
            asked.append((await enrolments.ask(DeviceKind.STATION, key.public, address)).enrolment.id)
            floor.clock.now_ms += 1
        first, here, second = asked
        assert [one.id for one in await enrolments.waiting()] == [second, here, first]
        await enrolments.turn_away_all("10.6.6.6")
        assert [one.address for one in await enrolments.waiting()] == [HERE]

    on_a_floor(tmp_path, test)


def test_an_invitation_enrols_one_device_at_once(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        enrolments, key = floor.identities.enrolments, DeviceKey.make()
        code = await enrolments.invite(DeviceKind.STATION, A1, TWO)
        name, device = await enrolments.accept(code.lower(), key.public)
        assert (name, device.station, device.key) == ("T1-A1", "A1", mark(key))
        assert await refused(enrolments.accept(code, DeviceKey.make().public)) == "unknown_invitation"

    on_a_floor(tmp_path, test)


def test_an_invitation_expires_and_is_worth_what_its_writers_are_worth_then(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        enrolments = floor.identities.enrolments
        late, forged = (
            await enrolments.invite(DeviceKind.STATION, A1, TWO),
            await enrolments.invite(DeviceKind.STATION, A1, TWO),
        )
        floor.clock.now_ms += INVITED_MS - 1
        say_all(floor.table, "operator dismiss TE1 left")
        assert await refused(enrolments.accept(forged, DeviceKey.make().public)) == "not_on_staff"
        floor.clock.now_ms += 1
        assert await refused(enrolments.accept(late, DeviceKey.make().public)) == "unknown_invitation"
        assert floor.desk.state.devices == {}

    on_a_floor(tmp_path, test)


def test_a_bad_key_uses_up_no_invitation(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        code = await floor.identities.enrolments.invite(DeviceKind.STATION, A1, TWO)
        assert await refused(floor.identities.enrolments.accept(code, "no key")) == "bad_key"
        await floor.identities.enrolments.accept(code, DeviceKey.make().public)

    on_a_floor(tmp_path, test)


# The proof


def test_a_device_proves_itself_with_its_own_key_for_this_challenge_and_floor(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        enrolments, key, other = floor.identities.enrolments, DeviceKey.make(), DeviceKey.make()
        for name, its_key in (("T1-A1", key), ("T1-A2", other)):
            granted = Granted(device=name, table="T1", approval="ATS-1")
            await enrolments.accept(await enrolments.invite(DeviceKind.STATION, granted, TWO), its_key.public)
        nonce, _ = enrolments.challenges.new()
        assert nonce != enrolments.challenges.new()[0]
        assert (await enrolments.prove("T1-A1", nonce, key.prove(FLOOR, nonce))).station == "T1-A1"
        for device, signature in (
            ("T1-A1", other.prove(FLOOR, nonce)),
            ("T1-A2", key.prove(FLOOR, nonce)),
            ("T1-A1", key.prove(FLOOR, enrolments.challenges.new()[0])),
            ("T1-A1", key.prove("another floor", nonce)),
            ("T1-A1", ""),
            ("T1-A1", "A" * 86),
            ("T1-A1", key.prove(FLOOR, nonce) + "AA"),
            ("T1-A1", "not base64url!"),
            ("nobody", key.prove(FLOOR, nonce)),
        ):
            assert await refused(enrolments.prove(device, nonce, signature)) == "proof_failed"
        say_all(floor.table, "TE1 revoke T1-A1 stolen")
        assert await refused(enrolments.prove("T1-A1", nonce, key.prove(FLOOR, nonce))) == "proof_failed"

    on_a_floor(tmp_path, test)


def test_a_key_that_was_enrolled_by_hand_and_never_brought_proves_nothing(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        key = DeviceKey.make()
        floor.enrol("T1-A1", "station", mark(key))
        nonce, _ = floor.identities.enrolments.challenges.new()
        assert (
            await refused(floor.identities.enrolments.prove("T1-A1", nonce, key.prove(FLOOR, nonce))) == "proof_failed"
        )

    on_a_floor(tmp_path, test)


def test_only_keys_on_p256_are_keys_of_devices() -> None:
    form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    wrong_curve = generate_private_key(SECP384R1()).public_key().public_bytes(*form)
    written = [to_base64url(wrong_curve), to_base64url(Ed25519PrivateKey.generate().public_key().public_bytes(*form))]
    for text in (*written, "", "AAAA", DeviceKey.make().public[:-4], "ü", "+/"):
        with pytest.raises(ValueError, match="the key is not"):
            read_public_key(text)
    assert read_public_key(KEY.public) == SPKI


KEY = DeviceKey.make()
SPKI = from_base64url(KEY.public)
TEXT = b"sabot device proof\n" + FLOOR.encode() + b"\nnonce"
SIGNATURE = KEY.prove(FLOOR, "nonce")


@given(st.integers(0, 511), st.integers(0, 8 * len(TEXT) - 1))
def test_one_wrong_bit_is_no_signature(in_signature: int, in_text: int) -> None:
    raw = bytearray(from_base64url(SIGNATURE))
    raw[in_signature // 8] ^= 1 << in_signature % 8
    assert is_signed(SPKI, TEXT, SIGNATURE)
    assert not is_signed(SPKI, TEXT, to_base64url(bytes(raw)))
    text = bytearray(TEXT)
    text[in_text // 8] ^= 1 << in_text % 8
    assert not is_signed(SPKI, bytes(text), SIGNATURE)


@given(st.binary(max_size=80))
def test_base64url_goes_there_and_back(raw: bytes) -> None:
    assert from_base64url(to_base64url(raw)) == raw


def test_codes_are_short_unambiguous_and_never_the_same() -> None:
    codes = {new_code() for _ in range(500)}
    assert len(codes) == 500
    assert {len(code) for code in codes} == {CODE_LENGTH}
    assert set("".join(codes)) == set(LETTERS)
    assert not set(LETTERS) & set("01258BILOQSUVZG")
    assert read_code(" ab-c d") == "ABCD"
