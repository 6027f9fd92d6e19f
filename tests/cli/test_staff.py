"""`sabot staff`, run as an operator runs it."""

import asyncio
import getpass
import os
import pty
import stat
import subprocess
from pathlib import Path

import pytest

from sabot.web.identity.pin import PinHasher
from sabot.web.identity.vault import Guard
from sabot.web.identity.vault_sqlite import open_vault
from tests.cli.sabot import SABOT, assert_one_clear_sentence, sabot
from tests.served.floor_file import write_floor
from tests.served.staff import PINS, give_pins


def agrees(store: Path, person: str, pin: str) -> bool:
    async def look() -> bool:
        async with open_vault(store) as vault:
            return await PinHasher().agrees(await vault.pin_of(person), pin)

    return asyncio.run(look())


def test_a_pin_is_read_from_standard_input_and_kept_as_a_hash(tmp_path: Path) -> None:
    store = tmp_path / "floor.vault"
    ran = sabot("staff", "set-pin", "CS1", "--store", str(store), given="482913\n")
    assert (ran.code, ran.error) == (0, "")
    assert "482913" not in ran.out
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    assert b"482913" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert agrees(store, "CS1", "482913")
    assert sabot("staff", "forget-pin", "CS1", "--store", str(store)).code == 0
    assert_one_clear_sentence(sabot("staff", "forget-pin", "CS1", "--store", str(store)))
    assert not agrees(store, "CS1", "482913")


def test_what_was_done_is_told_as_json(tmp_path: Path) -> None:
    store = str(tmp_path / "floor.vault")
    assert sabot("staff", "set-pin", "CS1", "--store", store, "--json", given="731904\n").json == {
        "person": "CS1",
        "pin": "set",
    }
    unlocked = sabot("staff", "unlock", "CS1", "--store", store, "--reason", "a digit was wrong", "--json")
    assert unlocked.json == {"person": "CS1", "may_try": True}
    assert sabot("staff", "forget-pin", "CS1", "--store", store, "--json").json == {"person": "CS1", "pin": "forgotten"}


@pytest.mark.parametrize("pin", ["", "123456", "12345", "four"])
def test_a_weak_pin_is_refused_in_one_sentence(tmp_path: Path, pin: str) -> None:
    store = tmp_path / "floor.vault"
    assert_one_clear_sentence(sabot("staff", "set-pin", "CS1", "--store", str(store), given=f"{pin}\n"))


@pytest.mark.parametrize("person", ["", "two words", "x" * 41])
def test_what_is_no_reference_gets_no_pin(tmp_path: Path, person: str) -> None:
    store = tmp_path / "floor.vault"
    assert_one_clear_sentence(sabot("staff", "set-pin", person, "--store", str(store), given="482913\n"))
    assert not store.exists()


def test_only_a_first_pin_makes_a_vault(tmp_path: Path) -> None:
    store = str(tmp_path / "flor.vault")
    for words in (("forget-pin", "CS1"), ("unlock", "CS1", "--reason", "a digit was wrong")):
        assert_one_clear_sentence(sabot("staff", *words, "--store", store))
    assert list(tmp_path.iterdir()) == []


def test_a_pin_for_nobody_s_name_and_a_new_vault_are_told_and_a_bad_table_s_file_keeps_no_pin_waiting(
    tmp_path: Path,
) -> None:
    """Each is more often a slip of the keyboard than meant."""
    config = write_floor(tmp_path)

    def told(person: str) -> str:
        ran = sabot("staff", "set-pin", person, "--store", str(config), given="482913\n")
        assert (ran.code, ran.error) == (0, "")
        return ran.out.strip()

    assert told("CS1") == f"CS1 has a new PIN in the new vault {tmp_path / 'floor.vault'}"
    assert told("CS11") == (
        "CS11 has a new PIN; no table's file names CS11, who has a role only when appointed at the desk"
    )
    (tmp_path / "T1.toml").write_text("decks = 'eight'\n")
    assert told("CS1") == "CS1 has a new PIN"
    assert sabot("staff", "unlock", "CS1", "--store", str(config), "--reason", "a slip").code == 0


def test_a_pin_is_never_an_argument(tmp_path: Path) -> None:
    assert_one_clear_sentence(sabot("staff", "set-pin", "CS1", "482913", "--store", str(tmp_path / "v")))


@pytest.mark.parametrize("store", ["nowhere/floor.vault", "postgresql://nobody@127.0.0.1:1/none"])
def test_a_store_that_cannot_be_opened_is_told_in_one_sentence(store: str) -> None:
    assert_one_clear_sentence(sabot("staff", "set-pin", "CS1", "--store", store, given="482913\n"))
    assert_one_clear_sentence(sabot("staff", "make-store", store))


@pytest.mark.parametrize(("again", "code"), [("482913", 0), ("482914", 2)])
def test_at_a_terminal_it_is_asked_for_twice_and_not_shown(tmp_path: Path, again: str, code: int) -> None:
    ours, theirs = pty.openpty()
    words = [str(SABOT), "staff", "set-pin", "CS1", "--store", str(tmp_path / "floor.vault")]
    process = subprocess.Popen(  # noqa: S603  Our own command at a terminal of its own.
        words, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    shown = b""
    try:
        for question, answer in ((b"PIN: ", "482913"), (b"once more: ", again)):
            while question not in shown:
                shown += os.read(ours, 1_000)
            os.write(ours, f"{answer}\n".encode())
        assert process.wait(timeout=120) == code
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert b"482913" not in shown
    assert agrees(tmp_path / "floor.vault", "CS1", "482913") is (code == 0)


def test_an_unlocking_from_the_machine_lets_a_person_try_at_once_and_waits_for_its_record(tmp_path: Path) -> None:
    store, guard = tmp_path / "floor.vault", Guard("CS1", "C1", 0, 5)

    async def guess_on() -> bool:
        async with open_vault(store) as vault:
            counted = [await vault.count_guess(guard, 1_000) for _ in range(6)]
            return counted[-1].is_counted

    async def left() -> list[tuple[str, str]]:
        async with open_vault(store) as vault:
            return [(one.person, one.reason) for one in await vault.take_unlockings(2**50)]

    assert not asyncio.run(guess_on())
    assert_one_clear_sentence(sabot("staff", "unlock", "CS1", "--store", str(store), "--reason", " "))
    assert sabot("staff", "unlock", "CS1", "--store", str(store), "--reason", "a digit was wrong").code == 0
    assert not asyncio.run(guess_on()), "the sixth of a new series, which it could not be without one"
    assert sabot("staff", "set-pin", "CS1", "--store", str(store), given="482913\n").code == 0
    unlocked, renewed = sorted(asyncio.run(left()), key=lambda one: "PIN" in one[1])
    assert unlocked == ("CS1", f"a digit was wrong (at the machine by {getpass.getuser()})")
    assert renewed == ("CS1", f"a new PIN, set at the machine by {getpass.getuser()}")


def test_an_invitation_from_the_machine_needs_the_pins_of_two_persons(tmp_path: Path) -> None:
    store = str(tmp_path / "floor.vault")

    async def give() -> None:
        async with open_vault(Path(store)) as vault:
            await give_pins(vault, ("TE1", "CS1"))

    asyncio.run(give())
    pins = f"{PINS['TE1']}\n{PINS['CS1']}\n"
    words = ("staff", "invite", "desk-1", "--store", store, "--approval", "x", "--by", "TE1", "--second")
    assert_one_clear_sentence(sabot(*words, "TE1", given=f"{PINS['TE1']}\n{PINS['TE1']}\n"))
    assert_one_clear_sentence(sabot(*words, "CS1", given=f"{PINS['TE1']}\n{PINS['TE1']}\n"))
    invited = sabot(*words, "CS1", given=pins)
    assert (invited.code, len(invited.out.strip())) == (0, 16)


def test_a_copy_of_the_vault_knows_the_pins_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    store, copy = tmp_path / "floor.vault", tmp_path / "copy.vault"
    assert sabot("staff", "set-pin", "CS1", "--store", str(store), given="482913\n").code == 0
    assert sabot("staff", "backup", str(copy), "--store", str(store)).code == 0
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert agrees(copy, "CS1", "482913")
    assert_one_clear_sentence(sabot("staff", "backup", str(copy), "--store", str(store)))
    assert_one_clear_sentence(sabot("staff", "backup", str(tmp_path / "c"), "--store", str(tmp_path / "none")))
