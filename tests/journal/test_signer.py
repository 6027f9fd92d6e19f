"""The ring on record: who founds it, who is let in, and what a signer does when it is not."""

import asyncio
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from sabot.journal.checkpoint import sign
from sabot.journal.key_ring import KEYS, RecordedRing
from sabot.journal.keys import RingKey, SigningKey, admit, new_key, read_signing_key, ring_path, rotate, trusted_keys
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import start_of
from sabot.journal.signer import Signer
from tests.journal.entries import entry


def _signer(journal: MemoryJournal, key: SigningKey, owner: str = "east") -> Signer:
    return Signer(journal, key, owner, lambda: 1)


async def _record(journal: MemoryJournal, stream: str, key: SigningKey) -> None:
    """A stream that was signed before there was a ring."""
    await journal.append(stream, 0, start_of(stream).then(0, [entry("a")]))
    await journal.save_checkpoint(sign(await journal.head(stream), 1, key))


def test_of_two_processes_that_begin_together_one_founds_the_ring(tmp_path: Path) -> None:
    async def scene() -> None:
        journal = MemoryJournal(lambda: 0)
        signers = [_signer(journal, new_key(tmp_path / name), name) for name in ("east", "west")]
        said = await asyncio.gather(*(one.look() for one in signers))
        assert sorted(why is None for why in said) == [False, True]
        [waiting] = [one for one in signers if one.why_not is not None]
        [founder] = [one for one in signers if one.why_not is None]
        head = await journal.head("table/T1")
        assert waiting.sign(head) is None, "nothing is signed with a key that nobody could verify"
        signed = founder.sign(head)
        assert signed is not None
        assert waiting.knows(signed)

    asyncio.run(scene())


def test_a_ring_is_founded_by_a_key_that_signed_the_journal_before_and_the_others_are_admitted(tmp_path: Path) -> None:
    async def scene() -> None:
        journal = MemoryJournal(lambda: 0)
        east, west, stranger = (new_key(tmp_path / name) for name in ("east", "west", "stranger"))
        await _record(journal, "table/T1", east)
        await _record(journal, "table/T2", west)
        assert "which never vouched for key" in str(await _signer(journal, stranger).look())
        assert (await journal.head(KEYS)).version == 0
        assert await _signer(journal, east).look() is None
        assert "does not know key" in str(await _signer(journal, west).look())
        admit(tmp_path / "east", ring_path(tmp_path / "west"))
        signer = _signer(journal, read_signing_key(tmp_path / "west"))
        assert await signer.look() is None
        for stream in ("table/T1", "table/T2"):
            assert [signer.knows(one) for one in await journal.checkpoints(stream)] == [True]

    asyncio.run(scene())


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["rotate", "admit", "stranger"]), st.integers(0, 9)), max_size=8))
def test_the_ring_knows_exactly_the_keys_that_the_first_one_leads_to(steps: list[tuple[str, int]]) -> None:
    """Whatever is rotated, admitted or entered by strangers: what counts is what a verifier of the first key trusts."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / "0.key"]
        new_key(paths[0])

        async def scene() -> None:
            journal = MemoryJournal(lambda: 0)
            first = read_signing_key(paths[0])
            assert await _signer(journal, first).look() is None
            good = {first.public.id}
            entered: list[RingKey] = [*first.ring]
            for number, (step, which) in enumerate(steps, 1):
                fresh = Path(folder) / f"{number}.key"
                if step == "rotate":
                    key = rotate(paths[which % len(paths)])
                else:
                    key = new_key(fresh)
                    if step == "admit":
                        admit(paths[which % len(paths)], ring_path(fresh))
                        key = read_signing_key(fresh)
                        paths.append(fresh)
                is_good = step != "stranger"
                assert (await _signer(journal, key).look() is None) is is_good
                entered += key.ring
                good |= {key.public.id} if is_good else set()
            ring = RecordedRing()
            await ring.read_on(journal)
            assert set(ring.known) == good == set(trusted_keys([first.public], [entered]))

        asyncio.run(scene())
