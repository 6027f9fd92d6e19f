"""Conditions files: both forms are read, digested alike, and their local times become moments."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.tournament.conditions.file import (
    digest_of,
    problems_of,
    raw_conditions,
    read_conditions,
    write_conditions,
)
from sabot.tournament.conditions.fixtures import NAMES, fixture, fixture_raw
from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.conditions.problem import ConditionsRefused
from sabot.tournament.conditions.times import resolve_times
from tests.tournament.changing import changed

_MELBOURNE = "Australia/Melbourne"


@pytest.mark.parametrize("file", NAMES)
def test_conditions_written_as_json_are_read_back_equal(file: str) -> None:
    conditions = fixture(file)
    again = raw_conditions(write_conditions(conditions), "conditions.json")
    assert isinstance(again, dict)
    assert read_conditions(again) == conditions
    assert digest_of(read_conditions(again)) == digest_of(conditions)


def _shuffled(raw: Any, turn: int) -> Any:
    """The same values with the keys of every table in another order; lists keep theirs."""
    if isinstance(raw, dict):
        items = [(name, _shuffled(value, turn)) for name, value in raw.items()]
        turned = turn % max(len(items), 1)
        return dict(items[turned:] + items[:turned])
    return [_shuffled(one, turn) for one in raw] if isinstance(raw, list) else raw


@given(st.sampled_from(NAMES), st.integers(1, 50))
def test_the_digest_does_not_depend_on_the_order_of_keys(file: str, turn: int) -> None:
    assert digest_of(read_conditions(_shuffled(fixture_raw(file), turn))) == digest_of(fixture(file))


@pytest.mark.clause("CROWN 12.1.3")
@pytest.mark.parametrize(
    "change",
    [
        'approval = {"reference": "R-1", "dated": "2026-02-01", "by": "the Commission"}',
        'director = {"person": "TD9"}',
    ],
)
def test_approval_and_director_make_no_new_digest(change: str) -> None:
    assert digest_of(read_conditions(changed("spring", change))) == digest_of(fixture("spring"))


@pytest.mark.clause("CROWN 12.1.3")
@pytest.mark.parametrize(
    "change",
    [
        "entry.fee_cents = 6001",
        "rounds[0].coups = 21",
        'title = {"en": "Spring", "zh": "春季"}',
        "prizes[0].share = 51; prizes[1].share = 24",
        "entry.alternates = 0",
    ],
)
def test_every_other_change_makes_a_new_digest(change: str) -> None:
    assert digest_of(read_conditions(changed("spring", change))) != digest_of(fixture("spring"))


def test_a_default_that_is_written_out_makes_no_new_digest() -> None:
    written_out = changed("autumn", 'entry.alternates = 0; rounds[0].kind = "round"; rounds[0].buy_in_cents = 0')
    assert digest_of(read_conditions(written_out)) == digest_of(fixture("autumn"))


def test_a_refusal_names_the_file_and_has_all_problems() -> None:
    raw = changed("spring", "delete prizes; delete entry.fee_cents")
    with pytest.raises(ConditionsRefused, match=r"^own\.toml: entry\.fee_cents: is missing") as refused:
        read_conditions(raw, "own.toml")
    assert refused.value.problems == problems_of(raw)
    assert len(refused.value.problems) == 2


@pytest.mark.parametrize(("text", "file"), [(b"id = ", "a.toml"), (b"{", "a.json"), (b"\xff", "a.toml")])
def test_a_text_that_is_neither_toml_nor_json_is_refused(text: bytes, file: str) -> None:
    with pytest.raises(ConditionsRefused, match="cannot be read"):
        raw_conditions(text, file)


def _moment(written: str) -> int:
    return round(datetime.fromisoformat(written).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.clause("CROWN 12.2.1(g)", "CROWN 12.2.1(d)")
def test_local_times_are_those_of_the_house() -> None:
    times = resolve_times(fixture("spring"), _MELBOURNE)
    assert times.opens_ms == _moment("2026-05-01T00:00")
    assert times.closes_ms == _moment("2026-06-05T08:00")
    assert times.withdraw_free_until_ms == _moment("2026-06-01T02:00")
    assert times.starts_ms["heats"] == (_moment("2026-06-06T03:00"), _moment("2026-06-06T04:30"))
    assert list(times.starts_ms) == [one.name for one in fixture("spring").rounds]


def _opening(local: str) -> Conditions:
    return read_conditions(changed("autumn", f'entry.opens = "{local}"'))


def test_a_time_that_comes_twice_is_the_first_of_both() -> None:
    """On 5 April 2026 clocks in Melbourne went from 03:00 back to 02:00."""
    change = (
        'entry.closes = "2026-04-05T02:30"; entry.withdraw_free_until = "2026-04-05T02:30"; '
        'rounds[0].starts = ["2026-04-05T03:30"]'
    )
    times = resolve_times(read_conditions(changed("autumn", change)), _MELBOURNE)
    assert times.closes_ms == _moment("2026-04-04T15:30")
    assert times.starts_ms["session"] == (_moment("2026-04-04T17:30"),)


def test_a_time_that_never_comes_is_refused() -> None:
    """On 5 October 2025 clocks in Melbourne went from 02:00 to 03:00."""
    with pytest.raises(ConditionsRefused, match="never comes in Australia/Melbourne") as refused:
        resolve_times(_opening("2025-10-05T02:30"), _MELBOURNE)
    assert (refused.value.problems[0].key, refused.value.problems[0].clause) == ("entry.opens", "CROWN 12.2.1(g)")


@pytest.mark.parametrize("zone", ["Australia/Atlantis", "", "../etc/passwd", "\0"])
def test_an_unknown_time_zone_is_refused(zone: str) -> None:
    with pytest.raises(ConditionsRefused, match="no time zone"):
        resolve_times(fixture("autumn"), zone)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=5,
    ),
    st.sampled_from([field.name for field in msgspec.structs.fields(Conditions)]),
)
def test_whatever_stands_in_a_part_is_accepted_or_refused_and_never_breaks_the_checks(value: Any, part: str) -> None:
    raw = fixture_raw("spring") | {part: value}
    problems = problems_of(raw)
    if not problems:
        assert read_conditions(raw).id == raw["id"]
    assert all(one.key and one.clause and one.why for one in problems)


_LEAVES: st.SearchStrategy[Any] = st.sampled_from(
    [-1, 0, 1, 10**6, 10**13, True, False, "", "heats", "2026-06-06T13:00", [], {}, None]
)


@given(st.data())
def test_any_value_changed_to_another_never_breaks_the_checks(data: st.DataObject) -> None:
    raw: Any = fixture_raw(data.draw(st.sampled_from(NAMES)))
    holder, step = raw, data.draw(st.sampled_from(sorted(raw)))
    while isinstance(holder[step], dict | list) and holder[step] and data.draw(st.booleans()):
        holder = holder[step]
        step = data.draw(st.sampled_from(list(holder) if isinstance(holder, dict) else range(len(holder))))
    holder[step] = data.draw(_LEAVES)
    if not problems_of(raw):
        assert digest_of(read_conditions(raw))
