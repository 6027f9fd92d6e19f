"""Conditions are refused key by key, each with its clause (CROWN 12.2.1, 12.2.2)."""

import re
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sabot.rulebook.clauses import clauses
from sabot.tournament.conditions.check.conduct import RULE_6
from sabot.tournament.conditions.file import problems_of
from sabot.tournament.conditions.fixtures import NAMES, fixture_raw
from sabot.tournament.conditions.keys import KEYS, ROW, KeyRow, key_row
from sabot.tournament.conditions.parts import Conditions
from tests.tables import rows
from tests.tournament.changing import Place, at, changed, path_of

TABLE = rows("tournament_conditions.tsv")
OPTIONAL = {
    *("director.deputies", "entry.to_pool_cents", "entry.alternates", "eligibility.criteria", "game.side_bets"),
    *("game.fresh_shoe", "wagers.shown", "wagers.hidden_last_coups", "rounds[].kind", "rounds[].sessions"),
    *("buy_back.to_pool_cents", "buy_back.until_minutes_before", "leaving.retirement.refund_percent"),
    *("leaving.retirement.score", "leaving.grounds[].refund_percent", "attendance.grace_minutes"),
    *("attendance.late.penalty_credits", "attendance.absent.refund_percent"),
    *("attendance.absent.buy_in_refund_percent", "conduct.substitutes.latest_coup", "accounts.excluded"),
    *("accounts.modified", "pool", "pool.added_cents", "pool.guaranteed_cents", "rounds[].buy_in_cents"),
}
"""What conditions may leave out, because leaving it out says something."""


@pytest.mark.parametrize("file", NAMES)
@pytest.mark.clause("CROWN 12.2.1(a)")
def test_the_shipped_conditions_have_no_problem(file: str) -> None:
    assert problems_of(fixture_raw(file)) == ()


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['file']}: {row['change']}"[:90])
@pytest.mark.clause(
    *(f"CROWN 12.2.1({letter})" for letter in "abcdeghijk"),
    *(f"CROWN 12.2.1(f)({number})" for number in ("i", "ii", "iii")),
    *("CROWN 12.1", "CROWN 12.1.2", "CROWN 12.1.3", "CROWN 12.2.2", "CROWN 2.2(a)", "CROWN 3.1", "CROWN 5.1"),
    *("G-50", "G-102", "G-103", "G-106", "G-107"),
)
def test_a_change_is_refused_by_key_and_clause(row: dict[str, str]) -> None:
    problems = problems_of(changed(row["file"], row["change"]))
    if row["key"] == "-":
        assert problems == ()
        return
    found = [one for one in problems if (one.key, one.clause) == (row["key"], row["clause"])]
    assert any(row["says"] in one.why for one in found), [str(one) for one in problems]


def test_the_table_breaks_every_key_that_can_be_wrong() -> None:
    """Keys of free text and flags cannot be wrong by their value; everything else fails in some row."""
    broken = {key_row(row["key"]).key for row in TABLE if row["key"] != "-"}
    free = {
        *("approval", "approval.dated", "approval.by", "director", "entry", "eligibility", "eligibility.criteria"),
        *("game", "game.fresh_shoe", "wagers", "wagers.hidden_last_coups", "ranking", "buy_back", "leaving"),
        *("entry.alternates", "rounds[].from[].top_per_table", "rounds[].from[].top_overall", "pool", "accounts"),
        *("rounds[].from[].wild_cards", "rounds[].from[].bought_back_after", "rounds[].from[].missed", "attendance"),
        *("rounds[].from[].eliminated_in", "buy_back.until_minutes_before", "leaving.retirement.score", "conduct"),
        *("leaving.retirement", "leaving.grounds[].text", "attendance.grace_minutes", "attendance.late"),
        *("attendance.absent", "attendance.absent.refund_percent", "conduct.substitutes", "prizes[].text"),
    }
    assert set(ROW) - broken - free == set()


def test_cases_one_to_ten_are_proved() -> None:
    assert {int(row["case"]) for row in TABLE if row["case"]} == set(range(1, 11))


def _places(raw: Any, place: Place = ()) -> Iterator[Place]:
    """Every key of a file; what is inside a text is no key of its own."""
    if isinstance(raw, dict):
        for name, value in raw.items():
            yield (*place, name)
            yield from _places(value, (*place, name))
    elif isinstance(raw, list):
        for number, value in enumerate(raw):
            yield from _places(value, (*place, number))


@pytest.mark.parametrize("file", NAMES)
@pytest.mark.clause("CROWN 12.2.1(a)", "CROWN 12.2.1(b)", "CROWN 12.2.1(j)")
def test_every_required_key_that_is_removed_gives_a_problem_that_names_it(file: str) -> None:
    for place in _places(fixture_raw(file)):
        raw = fixture_raw(file)
        holder = at(raw, place[:-1])
        del holder[place[-1]]
        path = path_of(place)
        named = [one for one in problems_of(raw) if one.key.startswith(path) or path.startswith(one.key)]
        optional = key_row(path).key in OPTIONAL or path.endswith(".zh-Hant") or path.startswith("accounts.modified")
        assert named or optional, path
        assert all(one.clause and one.why for one in named)


def test_all_problems_are_listed_in_the_order_of_the_keys() -> None:
    raw = changed("spring", "delete prizes; delete entry.fee_cents; delete rounds[0].balances; delete wagers.missed")
    raw["odds"] = {}
    assert [one.key for one in problems_of(raw)] == [
        *("entry.fee_cents", "wagers.missed", "rounds[0].balances", "prizes", "odds")
    ]


def test_nothing_but_a_table_is_read() -> None:
    for raw in ((), "spring", None, 7):
        (found,) = problems_of(raw)
        assert found.key == "the file"


def test_rule_6_is_the_clauses_of_rule_6_without_the_first() -> None:
    listed = {one.removeprefix("CROWN ") for one in clauses() if one.startswith("CROWN 6.")}
    assert set(RULE_6) == listed - {"6.1"}


def test_the_clause_of_every_key_exists() -> None:
    cited = {row.clause for row in KEYS} | {row["clause"] for row in TABLE if row["clause"] != "-"}
    assert {one for one in cited if not one.startswith("G-")} - set(clauses()) == set()


def test_an_unknown_key_hides_no_other_problem_of_its_part() -> None:
    raw = changed("spring", "wagers.order = 1; delete wagers.missed; rounds[2].seats = 7; rounds[2].pays = 9")
    assert [one.key for one in problems_of(raw)] == [
        *("wagers.order", "wagers.missed", "rounds[2].pays", "rounds[2].seats")
    ]


def _struct_keys(kind: Any, path: str = "") -> Iterator[str]:
    for field in msgspec.structs.fields(kind):
        key = f"{path}.{field.encode_name}" if path else field.encode_name
        yield key
        if typing.get_origin(field.type) is dict:
            continue
        inner = [one for one in (field.type, *typing.get_args(field.type)) if isinstance(one, type)]
        listed = "[]" if typing.get_origin(field.type) is tuple else ""
        for one in inner:
            if issubclass(one, msgspec.Struct):
                yield from _struct_keys(one, key + listed)


def test_the_keys_are_those_of_the_struct() -> None:
    assert set(_struct_keys(Conditions)) == set(ROW)


def test_the_guide_has_every_key_with_what_it_says_and_its_clause() -> None:
    text = (Path(__file__).parents[2] / "docs" / "conditions.md").read_text(encoding="utf-8")
    shown = [KeyRow(*row) for row in re.findall(r"^\| `([^`]+)` \| (.+?) \| (.+?) \| .+ \|$", text, re.MULTILINE)]
    assert [(row.key, row.says, row.clause) for row in KEYS] == [(row.key, row.clause, row.says) for row in shown]
