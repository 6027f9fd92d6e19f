"""A stream that is proved in stretches is proved as if it were gone through in one go, and its report is the same."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from sabot.audit.conclusion import joined
from sabot.audit.fast_forward import FastForward
from sabot.audit.problem import ProblemKind
from sabot.audit.replay import TableReplay
from sabot.audit.stretch import Finding, Stretch, prove, split
from sabot.audit.verify import Against, Depth, ProvingWorkers, Verdict, verify
from sabot.floor.records.recovery import table_mark
from sabot.journal.journal import ReadableJournal, Snapshot
from sabot.journal.keys import SigningKey
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Stored, start_of
from sabot.table.snapshot import digest_of
from tests.audit.forgery import TABLE, Forged, again, forged, reworded
from tests.floor.nights import BUILD, Night, begin, key_in, memory, play

HANDS = (2, 3, 5)


def quiet(*_: object) -> None:
    pass


def proved(
    journal: ReadableJournal, hands: int = 1, against: Against | None = None, depth: Depth = Depth.DECIDED
) -> Verdict:
    async def crew(stretches: Sequence[Stretch]) -> list[Finding]:
        return [await prove(journal, stretch, quiet) for stretch in stretches]

    workers = ProvingWorkers(crew, hands)
    return asyncio.run(verify(journal, against or Against(BUILD), quiet, depth=depth, workers=workers))


def boundaries(journal: Forged) -> set[int]:
    """The last records of all stretches but the last, however many hands there are."""
    whole = Stretch(TABLE, 0, len(journal.records()), build=BUILD)
    return {stretch.until for hands in HANDS for stretch in split(whole, hands)[:-1]}


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> tuple[MemoryJournal, SigningKey, Night]:
    """A night with two owners, a corrected coup, a ticket, and wagers that were touched several times."""
    key = key_in(tmp_path_factory.mktemp("keys"))

    async def scene() -> tuple[MemoryJournal, SigningKey, Night]:
        journal = memory()
        first = await play(journal, key=key, coups=3)
        second = await begin(journal, key, seed=2, owner="the second owner")
        await second.another_shoe()
        for _ in range(3):
            await second.coup()
        await second.close()
        second.states = {**first.states, **second.states}
        return journal, key, second

    return asyncio.run(scene())


Signed = tuple[MemoryJournal, SigningKey, Night]


@pytest.mark.parametrize("depth", Depth)
def test_however_deep_and_with_however_many_hands_the_verdict_is_the_same(night: Signed, depth: Depth) -> None:
    good = asyncio.run(forged(night[0]))
    twice = asyncio.run(forged(night[0]))
    at = twice.place_of(b'"WagersSettled"')
    twice.records().insert(at, again(twice.records()[at - 1], "line/9999"))
    twice.chain_anew()
    twice.unsign()
    for journal, is_good in ((good, True), (twice, depth is Depth.CHAIN)):
        alone = proved(journal, depth=depth)
        assert alone.ok is is_good
        assert all(proved(journal, hands, depth=depth) == alone for hands in HANDS)


@pytest.mark.parametrize("hands", HANDS)
def test_a_good_night_is_proved_the_same_in_any_number_of_stretches(night: Signed, hands: int) -> None:
    journal, key, _ = night
    against = Against(BUILD, key.ring)
    verdict = proved(journal, hands, against)
    assert verdict.ok, verdict.problems
    assert verdict == proved(journal, 1, against)


def test_stretches_follow_one_another_from_the_first_record_to_the_last() -> None:
    for pieces in range(1, 9):
        parts = split(Stretch(TABLE, 0, 1_000, tuple(range(1, 1_001)), BUILD), pieces)
        assert len(parts) == pieces
        assert [part.after for part in parts] == [0, *(part.until for part in parts[:-1])]
        assert parts[-1].until == 1_000
        assert [version for part in parts for version in part.wanted] == list(range(1, 1_001))
        lengths = [part.until - part.after for part in parts]
        assert lengths == sorted(lengths, reverse=True)
    assert len(split(Stretch(TABLE, 0, 3, build=BUILD), 8)) <= 3
    assert split(Stretch(TABLE, 0, 0), 8) == [Stretch(TABLE, 0, 0)]
    assert len(split(Stretch("house", 0, 1_000), 8)) == 1


def _flip(journal: Forged, at: int) -> None:
    record = journal.records()[at - 1]
    journal.records()[at - 1] = replace(record, entry=replace(record.entry, at_ms=record.entry.at_ms + 1))


def _swap(journal: Forged, at: int) -> None:
    records = journal.records()
    records[at - 1], records[at - 2] = records[at - 2], records[at - 1]


def _drop(journal: Forged, at: int) -> None:
    del journal.records()[at - 1]


def _change_a_hash(journal: Forged, at: int) -> None:
    journal.records()[at - 1] = replace(journal.records()[at - 1], hash=bytes(32))


def _another_actor(journal: Forged, at: int) -> None:
    record = journal.records()[at - 1]
    journal.records()[at - 1] = replace(record, entry=replace(record.entry, actor="nobody"))
    journal.chain_anew()


def _once_more(journal: Forged, at: int) -> None:
    journal.records().insert(at - 1, again(journal.records()[at - 2], "line/9999"))
    journal.chain_anew()


def _leave_out(journal: Forged, at: int) -> None:
    del journal.records()[at - 1]
    journal.chain_anew()


def _key_of_the_first(journal: Forged, at: int) -> None:
    journal.records()[at - 1] = again(journal.records()[at - 1], journal.records()[4].entry.key)
    journal.chain_anew()


def _unreadable(journal: Forged, at: int) -> None:
    journal.records()[at - 1] = reworded(journal.records()[at - 1], lambda _: b'{"act":7}')
    journal.chain_anew()


@pytest.mark.parametrize(
    "tamper",
    [
        *(_flip, _swap, _drop, _change_a_hash, _another_actor, _once_more, _leave_out, _key_of_the_first, _unreadable),
    ],
)
def test_a_fault_anywhere_is_reported_the_same_in_any_number_of_stretches(
    night: Signed, tamper: Callable[[Forged, int], None]
) -> None:
    """At every boundary, right before and behind it, and in the middle of every stretch."""
    good = asyncio.run(forged(night[0]))
    marks = boundaries(good)
    last = len(good.records())
    places = {at for mark in marks for at in (mark - 1, mark, mark + 1, mark + (last - mark) // 2)}
    for at in sorted(places & set(range(7, last))):
        journal = asyncio.run(forged(night[0]))
        journal.unsign()
        tamper(journal, at)
        alone = proved(journal)
        for hands in HANDS:
            assert proved(journal, hands) == alone, (tamper.__name__, at, hands)
        # To leave out a refusal, or to repeat one, breaks no rule, and an owner's records are not decided.
        if tamper not in (_once_more, _leave_out) and good.records()[at - 1].entry.key.startswith("line/"):
            assert [one.version for one in alone.problems if one.stream == TABLE] == [at - (tamper is _swap)]


def test_a_coup_that_is_settled_again_in_a_later_stretch_is_named_with_both_records(night: Signed) -> None:
    journal = asyncio.run(forged(night[0]))
    journal.unsign()
    first = journal.place_of(b'"WagersSettled"')
    journal.records().append(replace(again(journal.records()[first - 1], "line/9999"), epoch=2))
    journal.chain_anew()
    alone = proved(journal)
    [problem] = alone.problems
    assert (problem.kind, problem.version) == (ProblemKind.SETTLED_TWICE, len(journal.records()))
    assert f"after record {first}" in problem.why
    assert all(proved(journal, hands) == alone for hands in HANDS)


def test_a_key_that_is_used_again_in_a_later_stretch_is_seen(night: Signed) -> None:
    journal = asyncio.run(forged(night[0]))
    journal.unsign()
    journal.records().append(replace(journal.records()[5], epoch=2))
    journal.chain_anew()
    for hands in (1, *HANDS):
        [problem] = proved(journal, hands).problems
        assert (problem.kind, problem.version) == (ProblemKind.REPEATED, len(journal.records()))


def test_the_first_of_two_faults_in_two_stretches_is_named(night: Signed) -> None:
    journal = asyncio.run(forged(night[0]))
    journal.unsign()
    middle = split(Stretch(TABLE, 0, len(journal.records()), build=BUILD), 2)[0].until
    _change_a_hash(journal, middle + 5)
    for at, kind in ((middle + 2, ProblemKind.DECISION), (middle - 3, ProblemKind.DECISION)):
        record = journal.records()[at - 1]
        changed = replace(record, entry=replace(record.entry, second_actor="nobody"))
        journal.records()[at - 1 :] = [changed, *journal.records()[at:]]
        _chain_up_to(journal, middle + 4)
        for hands in (1, *HANDS):
            [problem] = proved(journal, hands).problems
            assert (problem.kind, problem.version) == (kind, at)


def _chain_up_to(journal: Forged, last: int) -> None:
    """Chain the records anew up to one, and leave what follows as it is."""
    later = journal.records()[last:]
    del journal.records()[last:]
    journal.chain_anew()
    journal.records().extend(later)


def test_a_forged_snapshot_with_the_record_to_match_is_of_no_use(night: Signed) -> None:
    """A record is changed, everything chained anew, and a snapshot added that fits the change."""
    original, _, told = night
    journal = asyncio.run(forged(original))
    journal.unsign()
    middle = split(Stretch(TABLE, 0, len(journal.records()), build=BUILD), 2)[0].until
    at = max(version for version in told.states if version <= middle)
    bought = journal.place_of(b'"BoughtIn"')
    journal.records()[bought - 1] = reworded(
        journal.records()[bought - 1],
        lambda text: text.replace(
            b'"BoughtIn","station":"A1","cents":500000', b'"BoughtIn","station":"A1","cents":900000'
        ),
    )
    journal.chain_anew()
    state = told.states[at]
    purse = replace(state.ledger.purses["A1"], balance=state.ledger.purses["A1"].balance + 400_000)
    richer = replace(state, ledger=replace(state.ledger, purses={**state.ledger.purses, "A1": purse}))
    mark = table_mark(richer, 1, 1)
    asyncio.run(journal.save_snapshot(Snapshot(TABLE, at, journal.records()[at - 1].hash, BUILD, mark)))
    alone = proved(journal)
    assert [problem.version for problem in alone.problems if problem.stream == TABLE] == [bought]
    assert all(proved(journal, hands) == alone for hands in HANDS)


def test_a_journal_that_answers_differently_the_second_time_is_gone_through_in_one_go(night: Signed) -> None:
    """The fast-forward reads another history than the check: the good one must not fail, nor the bad one pass."""
    good, bad = asyncio.run(forged(night[0])), asyncio.run(forged(night[0]))
    bad.unsign()
    _another_actor(bad, 20)

    class TwoFaced(Forged):
        async def stored(self, stream: str, after: int, until: int) -> AsyncIterator[Sequence[Stored]]:
            told = good if (after, until) not in heard else bad
            heard.add((after, until))
            async for page in told.stored(stream, after, until):
                yield page

    journal = TwoFaced(good._streams, {})  # noqa: SLF001
    for hands in HANDS:
        heard: set[tuple[int, int]] = set()
        verdict = proved(journal, hands)
        assert verdict.ok, verdict.problems
        assert len(heard) > hands, "it was gone through once more"


def test_stretches_that_do_not_meet_prove_nothing(night: Signed) -> None:
    async def scene() -> None:
        journal, end = night[0], await night[0].head(TABLE)
        one, two = [await prove(journal, part, quiet) for part in split(Stretch(TABLE, 0, end.version, (), BUILD), 2)]
        assert joined(start_of(TABLE), end, [one, two]) is not None
        assert joined(start_of(TABLE), end, [two]) is None
        assert joined(start_of(TABLE), end, [one, replace(two, before=None)]) is None
        assert joined(start_of(TABLE), end, [one, replace(two, believed=False)]) is None
        assert one.keys is not None
        assert two.keys is not None
        assert joined(start_of(TABLE), end, [one, replace(two, keys=None)]) is None
        assert joined(start_of(TABLE), end, [one, replace(two, keys=replace(two.keys, first=one.keys.last))]) is None
        only = joined(start_of(TABLE), end, [one])
        assert only is not None
        assert only.chain.problem is not None
        assert (only.chain.problem.kind, only.chain.problem.version) == (ProblemKind.GAP, one.head.version + 1)

    asyncio.run(scene())


def test_what_is_believed_is_what_was_to_the_last_bit(night: Signed) -> None:
    journal, _, told = night

    async def scene() -> None:
        rows: list[Stored] = [row async for page in journal.stored(TABLE, 0, 10**6) for row in page]
        for version, state in told.states.items():
            replay = TableReplay(TABLE, BUILD)
            forward = FastForward(replay)
            for found, _, body, _, _ in rows[:version]:
                forward.take(found, body)
            assert forward.finish()
            assert digest_of(replay.state) == digest_of(state), version

    asyncio.run(scene())


def test_what_cannot_be_believed_is_not(night: Signed) -> None:
    async def scene() -> None:
        rows: list[Stored] = [row async for page in night[0].stored(TABLE, 0, 10**6) for row in page]
        opened = next(row[0] for row in rows if b'"AccountOpened"' in row[2])
        forward = FastForward(TableReplay(TABLE, BUILD))
        for found, _, body, _, _ in rows:
            if found != opened:
                forward.take(found, body)
        assert not forward.finish()

    asyncio.run(scene())


@pytest.mark.parametrize("hands", [1, *HANDS])
def test_an_anchor_and_a_stranger_s_key_are_looked_at_in_stretches_too(
    night: Signed, hands: int, tmp_path: Path
) -> None:
    journal, key, _ = night
    head = asyncio.run(journal.head(TABLE))
    against = Against(BUILD, key.ring, {TABLE: replace(head, version=head.version + 1)})
    [problem] = [one for one in proved(journal, hands, against).problems if one.stream == TABLE]
    assert problem.kind is ProblemKind.CUT
    signed = asyncio.run(forged(journal))
    signed.sign_anew(key_in(tmp_path))
    stranger = [replace(one, key_id=key.public.id) for one in asyncio.run(signed.checkpoints(TABLE))]
    signed._checkpoints[TABLE] = stranger  # noqa: SLF001
    [problem] = [one for one in proved(signed, hands, Against(BUILD, key.ring)).problems if one.stream == TABLE]
    assert problem.kind is ProblemKind.SIGNATURE
