"""Signing on: who gets in, how often one may guess, what a token is good for, and what ends it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal

import pytest
from argon2 import PasswordHasher
from structlog.testing import capture_logs

from sabot.basics.role import Role
from sabot.house.events import PersonLockedOut, PersonUnlocked
from sabot.web.http.refusal import Refusal
from sabot.web.identity.pin import PinHasher
from sabot.web.identity.sessions import MINUTES, Sessions, digest_of, set_pin
from sabot.web.identity.vault import ANY, Guard, StaffSession
from tests.house.talking import KEY, say, say_all
from tests.served.identities import Floor, on_a_floor, refused
from tests.served.staff import PINS

HERE = "10.0.0.1"
CONSOLE = "T1-console"
Test = Callable[[Floor], Awaitable[None]]


def run(folder: Path, test: Test) -> None:
    async def with_a_console(floor: Floor) -> None:
        floor.enrol(CONSOLE, "console", KEY)
        await test(floor)

    on_a_floor(folder, with_a_console)


def test_a_person_signs_on_and_has_the_roles_that_the_house_gives_now(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        token, session = await sessions.sign_on("CS1", PINS["CS1"], "", HERE)
        assert await sessions.over_http(token, HERE) == session
        assert sessions.roles(session) == (Role.CASINO_SUPERVISOR,)
        say_all(floor.table, "operator appoint CS1 cashier,dealer")
        assert sessions.roles(session) == (Role.CASHIER, Role.DEALER)

    run(tmp_path, test)


def test_the_vault_never_sees_a_token(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        opened = await floor.identities.sessions.sign_on("CS1", PINS["CS1"], "", HERE)
        assert len(opened.token) >= 40
        assert await floor.vault.session(opened.token) is None
        assert await floor.vault.session(digest_of(opened.token)) == opened.session
        stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert opened.token.encode() not in stored
        assert PINS["CS1"].encode() not in stored

    run(tmp_path, test)


@pytest.mark.parametrize(
    ("person", "pin"), [("CS1", "482914"), ("CS1", ""), ("nobody", "482913"), ("S7", "482913"), ("", "")]
)
def test_every_wrong_sign_on_gets_the_same_answer(tmp_path: Path, person: str, pin: str) -> None:
    """S7 works here and has no PIN."""

    async def test(floor: Floor) -> None:
        with pytest.raises(Refusal) as no:
            await floor.identities.sessions.sign_on(person, pin, "", HERE)
        assert (no.value.code, no.value.status, no.value.clause) == ("sign_on_refused", 401, "G-118")
        assert person not in no.value.text or not person

    run(tmp_path, test)


class Counting(PasswordHasher):
    """The real thing, with a count of the work it did."""

    looked_at = 0

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
        self.looked_at += 1
        return super().verify(hash, password)


def test_every_sign_on_takes_the_same_work(tmp_path: Path) -> None:
    """One hash each: for the right PIN, a wrong one, a stranger, somebody without a PIN, and who is locked out."""

    async def test(floor: Floor) -> None:
        hasher = Counting(time_cost=1, memory_cost=8, parallelism=1)
        sessions = Sessions(floor.vault, floor.desk, PinHasher(hasher), floor.clock)
        say_all(floor.table, "clock lock_out GS1")
        for person, pin in (("CS1", "000000"), ("nobody", "000000"), ("S7", "000000"), ("GS1", PINS["GS1"])):
            before = hasher.looked_at
            assert await refused(sessions.sign_on(person, pin, "", HERE)) == "sign_on_refused"
            assert hasher.looked_at == before + 1, person
        before = hasher.looked_at
        await sessions.sign_on("CS1", PINS["CS1"], "", HERE)
        assert hasher.looked_at == before + 1

    run(tmp_path, test)


def test_a_hash_from_times_of_less_work_is_made_anew_when_its_pin_comes_by(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        before = await floor.vault.pin_of("CS1")
        hasher = PinHasher(PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
        sessions = Sessions(floor.vault, floor.desk, hasher, floor.clock)
        await refused(sessions.sign_on("CS1", "000000", "", HERE))
        assert await floor.vault.pin_of("CS1") == before
        await sessions.sign_on("CS1", PINS["CS1"], "", HERE)
        after = await floor.vault.pin_of("CS1")
        assert after != before
        assert await hasher.agrees(after, PINS["CS1"])

    run(tmp_path, test)


@pytest.mark.clause("G-118")
def test_five_wrong_pins_lock_a_person_out_there_for_a_while_and_the_journal_says_so(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        for minutes in (1, 5, 15, 60, 60):
            for _ in range(5):
                assert await refused(sessions.sign_on("CS1", "000000", CONSOLE, HERE)) == "sign_on_refused"
            await floor.identities.settle()
            until_ms = floor.clock.now_ms + minutes * MINUTES
            assert floor.desk.state.locked_at["CS1"][CONSOLE] == until_ms
            floor.clock.now_ms = until_ms - 1
            assert await refused(sessions.sign_on("CS1", PINS["CS1"], CONSOLE, HERE)) == "sign_on_refused"
            floor.clock.now_ms = until_ms
        await sessions.sign_on("CS1", PINS["CS1"], CONSOLE, HERE)
        locked = [event for event in floor.table.floor.history if isinstance(event, PersonLockedOut)]
        at_the_console = [event for event in locked if event.console]
        assert [event.failures for event in at_the_console] == [5, 10, 15, 20, 25]
        assert {(event.person, event.console) for event in at_the_console} == {("CS1", CONSOLE)}

    run(tmp_path, test)


@pytest.mark.clause("G-118")
def test_a_person_who_is_locked_out_at_one_console_signs_on_at_another(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        floor.enrol("C2", "console", "cd" * 32)
        for _ in range(50):
            await refused(sessions.sign_on("CS1", "000000", CONSOLE, HERE))
        assert await refused(sessions.sign_on("CS1", PINS["CS1"], CONSOLE, HERE)) == "sign_on_refused"
        await sessions.sign_on("CS1", PINS["CS1"], "C2", HERE)
        await sessions.sign_on("GS1", PINS["GS1"], CONSOLE, HERE)

    run(tmp_path, test)


@pytest.mark.clause("G-118")
def test_twenty_wrong_pins_at_several_consoles_lock_a_person_out_everywhere_for_a_while(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        consoles = [f"C{number}" for number in range(2, 8)]
        for number, console in enumerate(consoles):
            floor.enrol(console, "console", f"{number:02}" * 32)
        for console in consoles[:4]:
            for _ in range(5):
                await refused(sessions.sign_on("CS1", "000000", console, HERE))
        await floor.identities.settle()
        assert floor.desk.state.locked_at["CS1"][""] == floor.clock.now_ms + MINUTES
        assert await refused(sessions.sign_on("CS1", PINS["CS1"], "C6", HERE)) == "sign_on_refused"
        floor.clock.now_ms += MINUTES
        await sessions.sign_on("CS1", PINS["CS1"], "C6", HERE)

    run(tmp_path, test)


@pytest.mark.clause("G-118")
def test_a_console_where_everybodys_pin_is_guessed_takes_none_for_a_while(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        floor.enrol("C2", "console", "cd" * 32)
        people = sorted(floor.desk.state.staff.keys() - {"CS1"})
        with capture_logs() as logged:
            for number in range(25):
                await refused(sessions.sign_on(people[number % len(people)], "000000", CONSOLE, HERE))
        assert [line["place"] for line in logged if line["log_level"] == "error"] == [CONSOLE]
        assert await refused(sessions.sign_on("CS1", PINS["CS1"], CONSOLE, HERE)) == "sign_on_refused"
        await sessions.sign_on("CS1", PINS["CS1"], "C2", HERE)
        floor.clock.now_ms += MINUTES
        await sessions.sign_on("CS1", PINS["CS1"], CONSOLE, HERE)

    run(tmp_path, test)


@pytest.mark.clause("G-118")
def test_a_supervisor_and_the_machine_itself_unlock_at_once_and_on_record(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions

        async def lock() -> None:
            for _ in range(6):
                await refused(sessions.sign_on("CS1", "000000", CONSOLE, HERE))
            await floor.identities.settle()

        await lock()
        say_all(floor.table, "GS1 unlock CS1 a digit was wrong")
        await sessions.sign_on("CS1", PINS["CS1"], CONSOLE, HERE)
        await lock()
        await floor.vault.ask_to_unlock("CS1", "nobody else is here (at the machine by root)")
        await sessions.sign_on("CS1", PINS["CS1"], CONSOLE, HERE)
        for _ in range(2):
            await floor.identities.carry_unlockings()
        unlocked = [event for event in floor.table.floor.history if isinstance(event, PersonUnlocked)]
        assert [(event.by, event.reason) for event in unlocked] == [
            ("GS1", "a digit was wrong"),
            ("operator", "nobody else is here (at the machine by root)"),
        ]
        assert not floor.desk.state.locked_at

    run(tmp_path, test)


@pytest.mark.clause("G-118")
def test_a_lock_out_without_end_from_earlier_records_ends_with_an_unlocking(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        say_all(floor.table, "clock lock_out CS1")
        assert await refused(sessions.sign_on("CS1", PINS["CS1"], CONSOLE, HERE)) == "sign_on_refused"
        await floor.vault.ask_to_unlock("CS1", "an old lock-out")
        await floor.identities.carry_unlockings()
        await sessions.sign_on("CS1", PINS["CS1"], CONSOLE, HERE)

    run(tmp_path, test)


def test_the_right_pin_in_time_starts_the_count_anew(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        for _ in range(3):
            for _ in range(4):
                await refused(sessions.sign_on("CS1", "000000", "", HERE))
            await sessions.sign_on("CS1", PINS["CS1"], "", HERE)
        assert not floor.desk.state.locked_at

    run(tmp_path, test)


def test_a_hundred_guesses_at_once_are_no_better_than_five(tmp_path: Path) -> None:
    """The right PIN is among the later ones: were they all looked at, one would get in."""

    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        guesses = ["000000"] * 5 + [PINS["CS1"]] * 20
        answers = await asyncio.gather(
            *(sessions.sign_on("CS1", pin, "", HERE) for pin in guesses), return_exceptions=True
        )
        await floor.identities.settle()
        assert {type(answer) for answer in answers} == {Refusal}
        assert floor.desk.state.locked_at.keys() == {"CS1"}

    run(tmp_path, test)


def test_nobody_unknown_is_ever_locked_out_or_fills_the_vault(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        records = floor.desk.version
        for number in range(8):
            await refused(floor.identities.sessions.sign_on(f"X{number}", "000000", "", HERE))
        assert floor.desk.version == records
        strangers = await floor.vault.count_guess(Guard("", ANY, 0, 20), floor.clock())
        assert strangers.failures == 6, "strangers share one row, and what is locked is not counted"

    run(tmp_path, test)


def test_who_is_locked_out_goes_on_in_the_session_he_has(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        token, _ = await sessions.sign_on("CS1", PINS["CS1"], "", HERE)
        say_all(floor.table, "clock lock_out CS1")
        assert (await sessions.over_http(token, HERE)).person == "CS1"

    run(tmp_path, test)


@pytest.mark.parametrize(("device", "idle_ms"), [(CONSOLE, 2 * MINUTES), ("", 15 * MINUTES)])
def test_a_session_is_over_when_nobody_has_acted_for_long(tmp_path: Path, device: str, idle_ms: int) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        token, session = await sessions.sign_on("CS1", PINS["CS1"], device, HERE)
        assert sessions.idle_ms(session) == idle_ms
        for _ in range(5):
            floor.clock.now_ms += idle_ms - 1
            await sessions.over_http(token, HERE)
        floor.clock.now_ms += idle_ms
        assert await refused(sessions.over_http(token, HERE)) == "session_over"
        floor.clock.now_ms -= idle_ms
        assert await refused(sessions.over_http(token, HERE)) == "session_over", "what is over stays over"

    run(tmp_path, test)


@pytest.mark.clause("G-118")
def test_a_clock_that_was_ahead_leaves_nobody_locked_out_signed_on_or_approved(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions, true_ms = floor.identities.sessions, floor.clock.now_ms
        floor.clock.now_ms += 24 * 60 * MINUTES
        for _ in range(5):
            await refused(sessions.sign_on("GS1", "000000", CONSOLE, HERE))
        token, first = await sessions.sign_on("CS1", PINS["CS1"], "", HERE)
        approval = (await sessions.approve(first, "TE1", PINS["TE1"], "enrol")).token
        floor.clock.now_ms = true_ms
        await sessions.sign_on("GS1", PINS["GS1"], CONSOLE, HERE)
        assert await refused(sessions.second(approval, first, "enrol")) == "approval_over"
        assert await refused(sessions.over_http(token, HERE)) == "session_over"

    run(tmp_path, test)


def test_no_session_lasts_beyond_its_shift(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        token, session = await sessions.sign_on("CS1", PINS["CS1"], "", HERE)
        while floor.clock.now_ms + 10 * MINUTES < session.expires_ms:
            floor.clock.now_ms += 10 * MINUTES
            await sessions.over_http(token, HERE)
        floor.clock.now_ms = session.expires_ms
        assert await refused(sessions.over_http(token, HERE)) == "session_over"

    run(tmp_path, test)


def test_signing_off_ends_this_session_and_no_other(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        first, second = [await sessions.sign_on("CS1", PINS["CS1"], "", HERE) for _ in range(2)]
        await sessions.sign_off(first.session)
        assert await refused(sessions.over_http(first.token, HERE)) == "session_over"
        assert await sessions.over_http(second.token, HERE) == second.session

    run(tmp_path, test)


def test_a_token_from_elsewhere_is_refused_logged_and_worth_nothing_afterwards(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        thefts: list[Callable[[str], Awaitable[StaffSession]]] = [
            lambda token: sessions.over_http(token, "10.6.6.6"),
            lambda token: sessions.at_a_console(token, "T2-console"),
            lambda token: sessions.at_a_console(token, ""),
        ]
        for steal in thefts:
            token, _ = await sessions.sign_on("CS1", PINS["CS1"], CONSOLE, HERE)
            assert (await sessions.at_a_console(token, CONSOLE)).person == "CS1"
            with capture_logs() as logged:
                assert await refused(steal(token)) == "token_from_elsewhere"
            assert [(one["log_level"], one["person"], one["made_at"]) for one in logged] == [("error", "CS1", CONSOLE)]
            assert token not in str(logged)
            assert await refused(sessions.at_a_console(token, CONSOLE)) == "session_over"

    run(tmp_path, test)


def test_a_token_of_a_desk_is_no_token_of_a_console(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        token, _ = await floor.identities.sessions.sign_on("CS1", PINS["CS1"], "", HERE)
        assert await refused(floor.identities.sessions.at_a_console(token, CONSOLE)) == "token_from_elsewhere"

    run(tmp_path, test)


def test_no_token_and_a_made_up_one(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        assert await refused(sessions.over_http("", HERE)) == "sign_on_first"
        assert await refused(sessions.at_a_console("x" * 43, CONSOLE)) == "session_over"

    run(tmp_path, test)


def test_one_signs_on_only_at_an_enrolled_console_and_is_not_told_what_else_there_is(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        floor.enrol("T1-A1", "station", "ab" * 32)
        for device in ("T1-A1", "nowhere"):
            signing = floor.identities.sessions.sign_on("CS1", PINS["CS1"], device, HERE)
            assert await refused(signing) == "sign_on_refused"

    run(tmp_path, test)


def test_a_dismissal_ends_the_session_at_once(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        token, _ = await sessions.sign_on("GS1", PINS["GS1"], "", HERE)
        events = say(floor.table, "operator dismiss GS1 theft").events
        assert await sessions.live() == []
        assert await refused(sessions.over_http(token, HERE)) == "session_over"
        await floor.identities.hear(event for event in floor.table.floor.history if event in events)
        say_all(floor.table, "operator appoint GS1 game_supervisor")
        assert await refused(sessions.over_http(token, HERE)) == "session_over", "coming back brings no session back"

    run(tmp_path, test)


def test_a_revoked_console_takes_its_sessions_with_it(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        token, _ = await sessions.sign_on("GS1", PINS["GS1"], CONSOLE, HERE)
        say_all(floor.table, f"TE1 revoke {CONSOLE} stolen")
        assert await refused(sessions.at_a_console(token, CONSOLE)) == "session_over"
        floor.identities.listen(floor.table.floor.history)
        await floor.identities.settle()
        assert await floor.vault.sessions() == []

    run(tmp_path, test)


def test_a_console_that_is_enrolled_anew_knows_nobody_who_signed_on_before(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        token, _ = await sessions.sign_on("GS1", PINS["GS1"], CONSOLE, HERE)
        say_all(floor.table, f"TE1 revoke {CONSOLE} moved")
        floor.enrol(CONSOLE, "console", "cd" * 32)
        anew = floor.desk.state.devices[CONSOLE].enrolment_of(CONSOLE)
        assert await refused(sessions.over_http(token, HERE)) == "session_over"
        token, _ = await sessions.sign_on("GS1", PINS["GS1"], anew, HERE)
        floor.identities.listen(floor.table.floor.history)
        await floor.identities.settle()
        assert (await sessions.at_a_console(token, anew)).person == "GS1", "what was revoked is the one before"
        assert await refused(sessions.sign_on("GS1", PINS["GS1"], CONSOLE, HERE)) == "sign_on_refused"

    run(tmp_path, test)


# The second person


def test_an_approval_is_good_once_for_one_act_of_one_session(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        first = (await sessions.sign_on("CS1", PINS["CS1"], "", HERE)).session
        other = (await sessions.sign_on("TE1", PINS["TE1"], "", HERE)).session

        async def approval() -> str:
            return (await sessions.approve(first, "GS1", PINS["GS1"], "enrol")).token

        token = await approval()
        assert await sessions.second(token, first, "enrol") == "GS1"
        assert await refused(sessions.second(token, first, "enrol")) == "approval_over"
        assert await refused(sessions.second(await approval(), first, "void_ticket")) == "approval_over"
        assert await refused(sessions.second(await approval(), other, "enrol")) == "approval_over"
        token = await approval()
        floor.clock.now_ms += MINUTES
        assert await refused(sessions.second(token, first, "enrol")) == "approval_over"
        assert await refused(sessions.second("made up", first, "enrol")) == "approval_over"
        assert await sessions.second("", first, "enrol") == "", "nobody approves where nobody is named"

    run(tmp_path, test)


def test_a_session_is_no_approval_and_an_approval_no_session(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        first = (await sessions.sign_on("CS1", PINS["CS1"], "", HERE)).session
        second = await sessions.sign_on("GS1", PINS["GS1"], "", HERE)
        assert await refused(sessions.second(second.token, first, "enrol")) == "approval_over"
        approved = await sessions.approve(first, "GS1", PINS["GS1"], "enrol")
        assert await refused(sessions.over_http(approved.token, HERE)) == "session_over"

    run(tmp_path, test)


def test_nobody_approves_himself_and_wrong_pins_count_there_too(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        first = (await sessions.sign_on("CS1", PINS["CS1"], "", HERE)).session
        assert await refused(sessions.approve(first, "CS1", PINS["CS1"], "enrol")) == "same_person"
        for _ in range(5):
            assert await refused(sessions.approve(first, "GS1", "000000", "enrol")) == "sign_on_refused"
        await floor.identities.settle()
        assert floor.desk.state.locked_at.keys() == {"GS1"}
        assert await refused(sessions.approve(first, "GS1", PINS["GS1"], "enrol")) == "sign_on_refused"

    run(tmp_path, test)


# PINs


def test_changing_the_pin_asks_for_the_old_one_and_ends_the_other_sessions(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        sessions = floor.identities.sessions
        here, there = [await sessions.sign_on("CS1", PINS["CS1"], "", HERE) for _ in range(2)]
        assert await refused(sessions.change_pin(here.session, "000000", "193748")) == "sign_on_refused"
        assert await refused(sessions.change_pin(here.session, PINS["CS1"], "123456")) == "weak_pin"
        await sessions.change_pin(here.session, PINS["CS1"], "193748")
        assert await sessions.over_http(here.token, HERE) == here.session
        assert await refused(sessions.over_http(there.token, HERE)) == "session_over"
        assert await refused(sessions.sign_on("CS1", PINS["CS1"], "", HERE)) == "sign_on_refused"
        await sessions.sign_on("CS1", "193748", "", HERE)

    run(tmp_path, test)


def test_a_pin_set_at_the_desk_clears_the_count(tmp_path: Path) -> None:
    async def test(floor: Floor) -> None:
        for _ in range(4):
            await refused(floor.identities.sessions.sign_on("CS1", "000000", "", HERE))
        await set_pin(floor.vault, floor.hasher, "CS1", "193748")
        assert (await floor.vault.count_guess(Guard("CS1", HERE, 0, 5), floor.clock())).failures == 1

    run(tmp_path, test)
