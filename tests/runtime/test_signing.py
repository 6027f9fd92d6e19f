"""A running floor signs every stream up to its head, with a key that the ring on record knows."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sabot.audit.verify import Against, Standing, Verdict, verify
from sabot.basics.stamp import operator_stamp
from sabot.house.acts import ConfigureHouse
from sabot.journal.journal import Journal
from sabot.journal.key_ring import KEYS
from sabot.journal.keys import SigningKey, admit, new_key, read_signing_key, ring_path, rotate
from sabot.journal.memory import MemoryJournal
from sabot.runtime.floor import RunningFloor
from sabot.runtime.key_file import KeyFile
from sabot.runtime.shared_runner import Unreachable
from tests.runtime.floors import PATIENCE_S, backing, running, table_for, until, wall_ms


async def _proved(journal: Journal, key: SigningKey, tail_ms: int = 0) -> Verdict:
    against = Against("a build", key.ring, tail_ms=tail_ms)
    return await verify(journal, against, lambda *_: None)


def _configure(days: int) -> ConfigureHouse:
    return ConfigureHouse(ticket_validity_days=days)


async def _signed_to(journal: Journal, stream: str) -> int:
    return max((one.head.version for one in await journal.checkpoints(stream)), default=0)


async def _signers(journal: Journal, stream: str) -> list[str]:
    return [one.key_id for one in await journal.checkpoints(stream)]


def test_after_an_orderly_stop_every_stream_is_signed_to_its_head(tmp_path: Path) -> None:
    async def scene() -> Verdict:
        journal, key = MemoryJournal(wall_ms), new_key(tmp_path / "signing.key")
        async with running(journal, table_for(), table_for(name="T2"), key=key) as floor:
            await until(lambda: floor.is_ready)
            await floor.house.ask(_configure(7), operator_stamp())
        return await _proved(journal, key)

    verdict = asyncio.run(scene())
    assert (verdict.standing, verdict.unsigned, verdict.problems) == (Standing.PROVED, [], [])
    assert {one.stream for one in verdict.streams} == {"house", KEYS, "table/T1", "table/T2"}


def test_the_house_is_signed_while_the_floor_runs_and_a_quiet_table_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No coup is settled here, and nobody stops in order: a kill would leave no more than a short tail unsigned."""
    monkeypatch.setattr("sabot.runtime.signing.LOOK_S", 0.01)
    monkeypatch.setattr("sabot.runtime.signing.SHARED_MS", 20)
    monkeypatch.setattr("sabot.runtime.signing.TABLE_MS", 20)

    async def scene() -> None:
        journal, key = MemoryJournal(wall_ms), new_key(tmp_path / "signing.key")
        async with running(journal, key=key) as floor:
            await until(lambda: floor.is_ready)
            await floor.house.ask(_configure(7), operator_stamp())
            give_up = time.monotonic() + PATIENCE_S
            while (verdict := await _proved(journal, key)).standing is not Standing.PROVED:
                assert time.monotonic() < give_up, verdict.unsigned
                await asyncio.sleep(0.01)
            before = await _signed_to(journal, "house")
            await asyncio.sleep(0.1)
            assert await _signed_to(journal, "house") == before, "nothing is signed again where nothing is new"

    asyncio.run(asyncio.wait_for(scene(), 2 * PATIENCE_S))


def test_a_process_whose_key_the_ring_does_not_know_takes_nothing_until_it_is_admitted(tmp_path: Path) -> None:
    async def scene() -> None:
        journal = MemoryJournal(wall_ms)
        first, second = new_key(tmp_path / "first.key"), new_key(tmp_path / "second.key")
        async with running(journal, key=first) as floor:
            await until(lambda: floor.is_ready)
        heads = [await journal.head(stream) for stream in await journal.streams()]
        key_file = KeyFile(tmp_path / "second.key")
        waiting = RunningFloor(backing(journal, "west", second), (table_for(),), alone=False, key_file=key_file)
        await waiting.start()
        try:
            [(_, _, said)] = waiting.alarms
            assert first.public.id in said
            assert f"does not know key {second.public.id}" in said
            assert waiting.signing is not None
            assert str(waiting.signing.trouble) in said
            with pytest.raises(Unreachable, match="does not know key"):
                await waiting.house.ask(_configure(7), operator_stamp())
            await asyncio.sleep(1.2)  # Longer than a candidate waits before it tries again.
            assert not waiting.is_ready
            assert heads == [await journal.head(stream) for stream in await journal.streams()]
            admit(tmp_path / "first.key", ring_path(tmp_path / "second.key"))
            await until(lambda: waiting.is_ready)
            assert [table.term is not None for table in waiting.tables.values()] == [True]
        finally:
            await waiting.stop()
        assert (await _signers(journal, "table/T1"))[-1] == second.public.id
        assert (await _proved(journal, first)).standing is Standing.PROVED
        assert (await _proved(journal, second)).standing is Standing.WRONG, "the second vouches not for the first"

    asyncio.run(scene())


def test_processes_that_start_for_the_first_time_together_make_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as together:
        for number in range(20):
            place = tmp_path / str(number) / "signing.key"
            made = list(together.map(lambda _, place=place: KeyFile(place), range(8)))
            assert len({one.key.public.id for one in made}) == 1
            assert sum(one.is_new for one in made) == 1


def test_a_key_is_rotated_while_the_floor_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sabot.runtime.signing.LOOK_S", 0.01)
    monkeypatch.setattr("sabot.runtime.signing.SHARED_MS", 0)

    async def scene() -> None:
        journal, path = MemoryJournal(wall_ms), tmp_path / "signing.key"
        key_file = KeyFile(path)
        first = key_file.key
        floor = RunningFloor(backing(journal, "east", first), (table_for(),), key_file=key_file)
        await floor.start()
        try:
            await until(lambda: floor.is_ready)
            fresh = rotate(path)
            await until(lambda: floor.backing.signer and floor.backing.signer.key.public == fresh.public)
            await floor.house.ask(_configure(7), operator_stamp())
            while fresh.public.id not in await _signers(journal, "house"):
                await asyncio.sleep(0.01)
            assert floor.tables["T1"].term is not None, "no table was let go"
            stranger = new_key(tmp_path / "stranger.key")
            for one in (path, ring_path(path)):
                one.write_bytes((tmp_path / one.name.replace("signing", "stranger")).read_bytes())
            await until(lambda: floor.alarms)
            assert f"does not know key {stranger.public.id}" in floor.alarms[-1][2]
            assert floor.is_ready, "it signs on with the key that it has"
        finally:
            await floor.stop()
        signers = await _signers(journal, "table/T1")
        assert signers[-1] == fresh.public.id
        assert stranger.public.id not in signers
        assert (await _proved(journal, first)).standing is Standing.PROVED

    asyncio.run(asyncio.wait_for(scene(), 2 * PATIENCE_S))


def test_a_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    made = KeyFile(tmp_path / "keys" / "signing.key")
    again = KeyFile(tmp_path / "keys" / "signing.key")
    assert (made.is_new, again.is_new) == (True, False)
    assert made.key.public == again.key.public == read_signing_key(made.path).public
    assert [path.stat().st_mode & 0o077 for path in (made.path, made.path.parent, ring_path(made.path))] == [0, 0, 0]
    assert again.replaced() is None
