"""PINs: which are refused, and how one is kept."""

import asyncio

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError
from hypothesis import given
from hypothesis import strategies as st

from sabot.web.identity.pin import PinHasher, weakness
from tests.cli.loaded import CHEAP

digits = st.text("0123456789", min_size=6, max_size=16)


@pytest.mark.parametrize("pin", ["", "12345", "1" * 17, "12a456", "12 456", "１２３４５６", "482913\n"])
def test_a_pin_is_six_to_sixteen_digits(pin: str) -> None:
    assert weakness(pin) == "a PIN has 6 to 16 digits"


@pytest.mark.parametrize(
    "pin",
    [
        *("000000", "123456", "654321", "890123", "135791", "975319", "24680246"),
        *("123123", "121212", "12341234", "4848484"),
        *("112233", "998877", "100000", "122212", "159753", "314159"),
    ],
)
def test_what_everybody_chooses_is_refused(pin: str) -> None:
    assert weakness(pin) is not None


@pytest.mark.parametrize("pin", ["482913", "070459", "19283746", "3141592653", "112358"])
def test_what_nobody_guesses_is_good(pin: str) -> None:
    assert weakness(pin) is None


@given(digits, st.integers(1, 9))
def test_turning_every_digit_by_the_same_changes_no_run(pin: str, by: int) -> None:
    """A run is a run wherever it starts: the judgement looks at steps, not at digits."""
    turned = "".join(str((int(digit) + by) % 10) for digit in pin)
    assert (weakness(pin) == "a PIN is no run of digits") == (weakness(turned) == "a PIN is no run of digits")


def test_only_the_pin_itself_agrees_with_its_hash() -> None:
    async def test() -> None:
        hasher = PinHasher(CHEAP)
        hashed = await hasher.hash("482913")
        assert "482913" not in hashed
        assert hashed.startswith("$argon2id$")
        assert await hasher.hash("482913") != hashed, "the same PIN of two persons looks different"
        assert await hasher.agrees(hashed, "482913")
        assert not await hasher.agrees(hashed, "482914")
        assert not await hasher.agrees(None, "482913")
        assert not await hasher.agrees(None, ""), "nor does the decoy let anybody in"
        assert not await hasher.agrees("no hash at all", "482913")

    asyncio.run(test())


def test_the_decoy_takes_the_work_of_a_real_hash_and_no_pin_has_it() -> None:
    async def test() -> None:
        hasher = PinHasher(CHEAP)
        assert extract_parameters(hasher.decoy) == extract_parameters(await hasher.hash("482913"))
        with pytest.raises(VerifyMismatchError):
            CHEAP.verify(hasher.decoy, "")

    asyncio.run(test())


def test_a_floor_hashes_with_as_much_work_as_is_advised() -> None:
    async def test() -> None:
        usual = extract_parameters(await PinHasher().hash("482913"))
        assert (usual.memory_cost, usual.time_cost, usual.parallelism) == (65_536, 3, 4)
        assert PinHasher().is_outdated(await PinHasher(CHEAP).hash("482913"))

    asyncio.run(test())


def test_a_hash_made_with_less_work_is_outdated() -> None:
    async def test() -> None:
        hashed = await PinHasher(CHEAP).hash("482913")
        assert not PinHasher(CHEAP).is_outdated(hashed)
        assert PinHasher(PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)).is_outdated(hashed)

    asyncio.run(test())
