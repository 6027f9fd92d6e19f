"""What every vault must keep, as tests that each kind of store inherits."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

import msgspec

from sabot.house.state import DeviceKind
from sabot.web.identity.vault import (
    ANY,
    FORGOTTEN_AFTER_MS,
    LOCKED_FOR_MIN,
    MINUTE_MS,
    TAKEN_FOR_MS,
    Approval,
    EnrolmentRequest,
    EnrolmentStatus,
    Guard,
    StaffSession,
    Vault,
)

SESSION = StaffSession("d1", "CS1", "T1-console", "127.0.0.1", 1_000, 1_000, 2**52)
GUARD = Guard("CS1", "C1", 0, 5)
ENROLMENT = EnrolmentRequest("e1", DeviceKind.STATION, "key", "code", "127.0.0.1", 9_000)


class VaultContract:
    def opened(self) -> AbstractAsyncContextManager[Vault]:
        """The vault, with whatever was left in it; closed when the context ends."""
        raise NotImplementedError

    def run(self, *tests: Callable[[Vault], Awaitable[None]]) -> None:
        """Each with the vault opened anew."""

        async def opened_and_tested() -> None:
            for test in tests:
                async with self.opened() as vault:
                    await test(vault)

        asyncio.run(opened_and_tested())

    def test_a_pin_is_set_replaced_and_forgotten(self) -> None:
        async def test(vault: Vault) -> None:
            assert await vault.pin_of("CS1") is None
            await vault.set_pin("CS1", "one")
            await vault.set_pin("GS1", "other")
            await vault.set_pin("CS1", "two")
            assert [await vault.pin_of(person) for person in ("CS1", "GS1")] == ["two", "other"]
            assert await vault.forget_pin("CS1")
            assert not await vault.forget_pin("CS1")
            assert await vault.pin_of("CS1") is None

        self.run(test)

    def test_what_was_kept_outlives_the_vault_that_kept_it(self) -> None:
        async def kept(vault: Vault) -> None:
            await vault.set_pin("CS1", "one")
            await vault.open_session(SESSION)

        async def found(vault: Vault) -> None:
            assert await vault.pin_of("CS1") == "one"
            assert await vault.session("d1") == SESSION

        self.run(kept, found)

    def test_attempts_are_counted_one_by_one_even_all_at_once(self) -> None:
        async def test(vault: Vault) -> None:
            counted = await asyncio.gather(*(vault.count_guess(GUARD, 1_000) for _ in range(20)))
            assert sorted(one.failures for one in counted if one.is_counted) == [1, 2, 3, 4, 5]
            assert {one.failures for one in counted if not one.is_counted} == {5}
            assert (await vault.count_guess(GUARD._replace(person="GS1"), 1_000)).failures == 1
            assert (await vault.count_guess(GUARD._replace(place="C2"), 1_000)).failures == 1

        self.run(test)

    def test_every_fifth_guess_locks_for_longer_and_the_lock_ends_by_itself(self) -> None:
        async def test(vault: Vault) -> None:
            now_ms = FORGOTTEN_AFTER_MS
            for minutes in (*LOCKED_FOR_MIN, LOCKED_FOR_MIN[-1]):
                for _ in range(4):
                    assert (await vault.count_guess(GUARD, now_ms)).until_ms == 0
                until_ms = now_ms + minutes * MINUTE_MS
                last = await vault.count_guess(GUARD, now_ms)
                assert (last.until_ms, last.is_counted) == (until_ms, True), "the one that locks may still be right"
                refused = await vault.count_guess(GUARD, until_ms - 1)
                assert refused == (last.failures, until_ms, False)
                now_ms = until_ms

        self.run(test)

    def test_an_unlocking_the_right_pin_and_a_day_without_a_guess_each_begin_anew(self) -> None:
        async def test(vault: Vault) -> None:
            guard, now_ms = GUARD, FORGOTTEN_AFTER_MS
            wide = (GUARD._replace(place=ANY), GUARD._replace(person=ANY))

            async def locked() -> None:
                assert [(await vault.count_guess(guard, now_ms)).failures for _ in range(5)] == [1, 2, 3, 4, 5]
                assert not (await vault.count_guess(guard, now_ms)).is_counted

            await locked()
            guard = guard._replace(series=1)
            await locked()
            for one in wide:
                await vault.count_guess(one, now_ms)
            await vault.forget_guesses("CS1", "C1")
            assert [(await vault.count_guess(one, now_ms)).failures for one in wide] == [1, 1]
            await locked()
            now_ms += FORGOTTEN_AFTER_MS
            await locked()
            await vault.forget_guesses_of("CS1")
            await locked()

        self.run(test)

    def test_an_unlocking_from_the_machine_is_taken_by_one_and_again_only_when_it_was_not_done(self) -> None:
        async def test(vault: Vault) -> None:
            for _ in range(6):
                await vault.count_guess(GUARD, 1_000)
            await vault.ask_to_unlock("CS1", "a digit was wrong")
            assert (await vault.count_guess(GUARD, 1_000)).failures == 1
            taken = await asyncio.gather(*(vault.take_unlockings(TAKEN_FOR_MS) for _ in range(4)))
            (unlocking,) = [one for found in taken for one in found]
            assert unlocking[1:] == ("CS1", "a digit was wrong")
            assert await vault.take_unlockings(2 * TAKEN_FOR_MS - 1) == []
            assert await vault.take_unlockings(2 * TAKEN_FOR_MS) == [unlocking]
            await vault.settle_unlocking(unlocking)
            assert await vault.take_unlockings(9 * TAKEN_FOR_MS) == []

        self.run(test)

    def test_sessions_end_one_by_one_by_person_and_by_device(self) -> None:
        async def test(vault: Vault) -> None:
            for digest, person, device in (("a", "P1", ""), ("b", "P1", "C1"), ("c", "P2", "C1"), ("d", "P3", "C2")):
                await vault.open_session(msgspec.structs.replace(SESSION, digest=digest, person=person, device=device))
            assert [session.digest for session in await vault.sessions()] == ["a", "b", "c", "d"]
            assert await vault.end_session("d")
            assert not await vault.end_session("d")
            await vault.end_sessions_of("P1")
            assert [session.digest for session in await vault.sessions()] == ["c"]
            await vault.end_sessions_at("C1")
            assert await vault.sessions() == []
            assert await vault.session("c") is None

        self.run(test)

    def test_a_session_is_never_seen_earlier_than_before(self) -> None:
        async def test(vault: Vault) -> None:
            await vault.open_session(SESSION)
            for at_ms in (5_000, 4_000):
                await vault.see_session("d1", at_ms)
            assert await vault.session("d1") == msgspec.structs.replace(SESSION, seen_ms=5_000)

        self.run(test)

    def test_an_approval_is_taken_once_however_many_reach_for_it(self) -> None:
        async def test(vault: Vault) -> None:
            approval = Approval("x", "GS1", "d1", "enrol", 9_000)
            await vault.keep_approval(approval)
            taken = await asyncio.gather(*(vault.take_approval("x") for _ in range(8)))
            assert [one for one in taken if one is not None] == [approval]

        self.run(test)

    def test_an_invitation_is_taken_once_and_not_after_its_time(self) -> None:
        async def test(vault: Vault) -> None:
            await vault.keep_invitation("a", "words", 9_000)
            await vault.keep_invitation("b", "words", 9_000)
            taken = await asyncio.gather(*(vault.take_invitation("a", 8_999) for _ in range(8)))
            assert sorted(taken, key=str) == [*[None] * 7, "words"]
            assert await vault.take_invitation("b", 9_000) is None

        self.run(test)

    def test_an_enrolment_waits_counts_its_tries_and_is_settled_once(self) -> None:
        async def test(vault: Vault) -> None:
            later = msgspec.structs.replace(ENROLMENT, id="e0", expires_ms=9_001)
            for one in (later, ENROLMENT):
                await vault.ask_to_enrol(one)
            assert await vault.waiting(8_999) == [ENROLMENT, later]
            assert await vault.waiting(9_000) == [later]
            assert sorted(await asyncio.gather(*(vault.try_code("e1") for _ in range(3)))) == [1, 2, 3]
            assert await vault.settle_enrolment("e1", EnrolmentStatus.ENROLLED, "T1-A1")
            assert not await vault.settle_enrolment("e1", EnrolmentStatus.REFUSED)
            assert await vault.try_code("e1") == 0
            assert await vault.enrolment("e1") == msgspec.structs.replace(
                ENROLMENT, tries=3, status="enrolled", device="T1-A1"
            )
            assert await vault.enrolment("nobody") is None

        self.run(test)

    def test_a_key_is_kept_by_its_fingerprint_and_never_replaced(self) -> None:
        async def test(vault: Vault) -> None:
            await vault.keep_key("f", "first")
            await vault.keep_key("f", "second")
            assert [await vault.key("f"), await vault.key("g")] == ["first", None]

        self.run(test)

    def test_what_has_expired_is_swept_out_and_nothing_else(self) -> None:
        async def test(vault: Vault) -> None:
            await vault.open_session(msgspec.structs.replace(SESSION, expires_ms=10))
            await vault.open_session(msgspec.structs.replace(SESSION, digest="d2", expires_ms=11))
            await vault.ask_to_enrol(msgspec.structs.replace(ENROLMENT, expires_ms=10))
            await vault.keep_approval(Approval("x", "GS1", "d1", "enrol", 10))
            await vault.keep_invitation("a", "words", 11)
            await vault.sweep(10)
            assert [session.digest for session in await vault.sessions()] == ["d2"]
            assert [await vault.enrolment("e1"), await vault.take_approval("x")] == [None, None]
            assert await vault.take_invitation("a", 10) == "words"

        self.run(test)
