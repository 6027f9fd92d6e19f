"""Sums kept beside the records: any period is answered from them as from the records, whatever is kept."""

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.audit import part_cutter, summing
from sabot.audit.gaming_days import end_of_day, end_of_month, gaming_day, shift_of
from sabot.audit.kept_sums import ALWAYS_MS, SumReader, kept_sums
from sabot.audit.part_cutter import DAYS, KINDS, MONTHS, PARTS
from sabot.audit.period_sum import PeriodSum, read_sum
from sabot.audit.problem import Problem, ProblemKind
from sabot.audit.verify import Against, Depth, verify
from sabot.basics.mistake import Mistake
from sabot.journal.journal import Derived
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Record
from tests.audit.forgery import TABLE
from tests.audit.sums import by_states, by_sum, comparable, play_days, records_of
from tests.floor.nights import BUILD, memory

T = TypeVar("T")
Kept = tuple[MemoryJournal, list[Record], list[Derived]]


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


async def missing(journal: MemoryJournal, until: int | None = None, stream: str = TABLE) -> list[Derived]:
    return [one async for one in SumReader(journal, stream).missing(until)]


async def shelf(journal: MemoryJournal, stream: str = TABLE) -> list[Derived]:
    return [one for kind in KINDS async for one in kept_sums(journal, stream, kind)]


@pytest.fixture(scope="module")
def short_parts() -> Iterator[None]:
    """Parts of two coups or forty records, and no coup but the newest at hand for a correction."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(part_cutter, "PART_COUPS", 2)
        patch.setattr(part_cutter, "PART_RECORDS", 40)
        patch.setattr(summing, "RECENT", 1)
        yield


@pytest.fixture(scope="module")
def kept(short_parts: None) -> Kept:  # noqa: ARG001
    journal = memory()
    run(play_days(journal))
    return journal, records_of(journal, TABLE), run(missing(journal))


async def keep_only(journal: MemoryJournal, values: Sequence[Derived]) -> None:
    await journal.drop_derived(TABLE)
    await journal.keep(values)


def test_the_parts_follow_each_other_from_the_first_record_and_few_records_are_left(kept: Kept) -> None:
    _, records, found = kept
    parts = [read_sum(one.value) for one in found if one.name.startswith(PARTS)]
    version = 0
    for part in parts:
        assert part is not None
        assert part.before.version == version
        version = part.after.version
    assert len(parts) > 5
    assert len(records) - version <= 40
    assert [one.name for one in found if one.name.startswith(PARTS)] == sorted(
        one.name for one in found if one.name.startswith(PARTS)
    )


@given(data=st.data())
def test_any_period_is_answered_whatever_is_kept(data: st.DataObject, kept: Kept) -> None:
    journal, records, found = kept
    there = data.draw(st.lists(st.booleans(), min_size=len(found), max_size=len(found)))
    run(keep_only(journal, [one for one, is_there in zip(found, there, strict=True) if is_there]))
    times = sorted({record.entry.at_ms for record in records})
    from_ms, to_ms = sorted(data.draw(st.lists(st.sampled_from([0, *times, ALWAYS_MS]), min_size=2, max_size=2)))
    one = run(SumReader(journal, TABLE, patrons=True).between(from_ms, to_ms))
    if one.accepted:
        assert comparable(by_sum(one, from_ms, to_ms)) == comparable(by_states(records, from_ms, to_ms))
    assert one == run(SumReader(journal, TABLE, from_records=True, patrons=True).between(from_ms, to_ms))
    without = run(SumReader(journal, TABLE).between(from_ms, to_ms))
    assert (without.patrons, without.dealing, without.late) == (b"", one.dealing, one.late)


@given(data=st.data())
def test_periods_that_follow_each_other_are_those_that_are_asked_for_one_by_one(
    data: st.DataObject, kept: Kept
) -> None:
    journal, records, found = kept
    there = data.draw(st.lists(st.booleans(), min_size=len(found), max_size=len(found)))
    run(keep_only(journal, [one for one, is_there in zip(found, there, strict=True) if is_there]))
    times = st.sampled_from(sorted({record.entry.at_ms for record in records}))
    from_ms, *ends = sorted(data.draw(st.lists(times, min_size=2, max_size=6, unique=True)))

    async def one_by_one() -> list[PeriodSum]:
        begins = [from_ms, *ends[:-1]]
        return [await SumReader(journal, TABLE).between(*span) for span in zip(begins, ends, strict=True)]

    async def in_one_pass() -> list[PeriodSum]:
        return [one async for one in SumReader(journal, TABLE).each(from_ms, ends)]

    assert run(in_one_pass()) == run(one_by_one())


@given(stops=st.lists(st.integers(1, 10**6), max_size=4), lost=st.integers(0, 10**6))
def test_sums_kept_as_they_happen_are_those_of_one_pass_and_lost_ones_come_back(
    stops: list[int], lost: int, kept: Kept
) -> None:
    journal, records, found = kept

    async def as_they_happen() -> None:
        await journal.drop_derived(TABLE)
        for stop in sorted(one % len(records) + 1 for one in stops):
            await journal.keep(await missing(journal, stop))
        await journal.keep(await missing(journal))
        assert sorted(await shelf(journal), key=lambda one: one.name) == sorted(found, key=lambda one: one.name)
        assert await missing(journal) == []
        parts = [one for one in found if one.name.startswith(PARTS)]
        gap = parts[lost % len(parts)]
        await keep_only(journal, [one for one in found if one is not gap])
        if not any(one.name.startswith(DAYS) and one.version >= gap.version for one in found):
            assert gap in await missing(journal)

    run(as_they_happen())


def test_a_period_reads_only_the_records_that_kept_sums_leave_out(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    journal, records, found = kept
    run(keep_only(journal, found))
    read = 0
    take = summing.Summing.take

    def counted(self: summing.Summing, record: Record) -> tuple[int, ...]:
        nonlocal read
        read += 1
        return take(self, record)

    monkeypatch.setattr(summing.Summing, "take", counted)
    assert run(SumReader(journal, TABLE).between(0, ALWAYS_MS)).records == len(records)
    assert read <= 40


def test_each_gaming_day_is_kept_once_it_is_over(kept: Kept) -> None:
    _, records, found = kept
    days = [read_sum(one.value) for one in found if one.name.startswith(DAYS)]
    assert len(days) == 4
    begins = 0
    for day in days:
        assert day is not None
        assert day.before.version == begins
        begins = day.after.version
        ends_ms = end_of_day(day.from_ms, "Australia/Melbourne", "06:00")
        assert day.to_ms < ends_ms <= records[begins].entry.at_ms
    assert any(day is not None and day.late for day in days), "a coup of an earlier day was corrected"


def test_a_gaming_day_begins_at_the_casinos_hour() -> None:
    zone, starts = "Australia/Melbourne", "06:00"
    start, end = gaming_day("2026-04-04", zone, starts)  # The clocks go back in this night.
    assert end - start == 25 * 3_600_000
    assert [end_of_day(at_ms, zone, starts) for at_ms in (start, end - 1)] == [end, end]
    assert end_of_day(start - 1, zone, starts) == start
    assert end_of_day(end, zone, starts) == gaming_day("2026-04-05", zone, starts)[1]
    assert end_of_day(0, "no/zone", "00:00") == 86_400_000


def test_each_month_of_gaming_days_is_kept_once_it_is_over(kept: Kept) -> None:
    _, records, found = kept
    months = [read_sum(one.value) for one in found if one.name.startswith(MONTHS)]
    assert len(months) == 1
    assert months[0] is not None
    begins = records[months[0].after.version].entry.at_ms
    assert months[0].to_ms < end_of_month(months[0].from_ms, "Australia/Melbourne", "06:00") <= begins


def test_a_month_ends_with_the_gaming_day_that_is_its_last() -> None:
    zone, starts = "Australia/Melbourne", "06:00"
    end = gaming_day("2026-02-28", zone, starts)[1]
    for day in ("2026-02-01", "2026-02-28"):
        first, last = gaming_day(day, zone, starts)
        assert [end_of_month(at_ms, zone, starts) for at_ms in (first, last - 1)] == [end, end]
    assert end_of_month(end, zone, starts) == gaming_day("2026-03-31", zone, starts)[1]
    assert (
        end_of_month(gaming_day("2026-12-31", zone, starts)[0], zone, starts)
        == gaming_day("2027-01-01", zone, starts)[0]
    )


def test_shifts_follow_each_other_through_a_gaming_day_and_by_the_clock_on_the_wall() -> None:
    zone, starts, shifts = "Australia/Melbourne", "06:00", ("06:00", "14:00", "22:00")
    for day, hours in (("2026-01-31", (8, 8, 8)), ("2026-04-04", (8, 8, 9)), ("2026-10-03", (8, 8, 7))):
        found = [shift_of(day, start, shifts, zone, starts) for start in shifts]
        assert [(end - first) / 3_600_000 for first, end in found] == list(hours)
        assert (found[0][0], found[-1][1]) == gaming_day(day, zone, starts)
        assert [one[1] for one in found[:-1]] == [one[0] for one in found[1:]]
    late = shift_of("2026-01-31", "02:00", ("10:00", "18:00", "02:00"), zone, starts)
    assert late[0] == gaming_day("2026-01-31", zone, starts)[1] - 4 * 3_600_000
    assert late[1] == shift_of("2026-02-01", "10:00", ("10:00", "18:00", "02:00"), zone, starts)[0]
    with pytest.raises(Mistake, match="no shift begins at '15:00'"):
        shift_of("2026-01-31", "15:00", shifts, zone, starts)


def problems(journal: MemoryJournal) -> list[Problem]:
    return run(verify(journal, Against(BUILD), lambda *_: None, depth=Depth.RECORDED)).problems


@given(place=st.integers(0, 10**6), flip=st.integers(0, 10**6))
def test_verify_finds_any_kept_sum_that_the_records_do_not_give(place: int, flip: int, kept: Kept) -> None:
    journal, _, found = kept
    one = found[place % len(found)]
    value = bytearray(one.value)
    value[flip % len(value)] ^= 1
    other = Derived(one.stream, one.name, one.version, bytes(value))
    run(keep_only(journal, [*(each for each in found if each is not one), other]))
    (wrong,) = problems(journal)
    assert (wrong.stream, wrong.kind, wrong.version) == (TABLE, ProblemKind.SUM, one.version)
    assert one.name in wrong.why


def test_verify_finds_a_kept_sum_of_a_part_that_is_none_and_misses_none_that_is_not_kept(kept: Kept) -> None:
    journal, _, found = kept
    run(keep_only(journal, found[::2]))
    assert problems(journal) == []
    part = next(one for one in found[2:] if one.name.startswith(PARTS))
    strange = Derived(part.stream, part.name[:-1] + ("0" if part.name[-1] != "0" else "1"), part.version, part.value)
    run(keep_only(journal, [*found, strange]))
    (wrong,) = problems(journal)
    assert strange.name in wrong.why


def test_a_lost_sum_of_a_month_or_of_a_day_comes_back(kept: Kept) -> None:
    journal, _, found = kept
    for kind in (MONTHS, DAYS):
        *_, lost = [one for one in found if one.name.startswith(kind)]
        run(keep_only(journal, [one for one in found if one is not lost]))
        assert lost in run(missing(journal))
    run(keep_only(journal, found))
