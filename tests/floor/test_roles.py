"""Roles are additive: one that no list names may do nothing, and those that only read are named by no rule."""

import subprocess
import sys

import msgspec
import pytest

from sabot.basics.act import Act, verb
from sabot.basics.role import PERSONS, Role
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.house.decide import RULES as HOUSE_RULES
from sabot.table.fixtures import fixture
from sabot.table.role import GAME_SUPERVISOR_OR_ABOVE
from sabot.table.rules import RULES
from tests.house.talking import names, refusal, say, say_all

READERS = frozenset({Role.INSPECTOR, Role.SURVEILLANCE})
NEWCOMER = """
import importlib.util, inspect, pkgutil
from sabot.basics import role
source = inspect.getsource(role)
exec(source.replace("    STATION =", "    NEWCOMER = 'newcomer'\\n    STATION =", 1), vars(role))
newcomer, found, sets = role.Role("newcomer"), [], 0
import sabot
def roles_in(value):
    if isinstance(value, (frozenset, set, tuple, list)):
        yield value
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            for part in value:
                yield from roles_in(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from roles_in(part)
for module in pkgutil.walk_packages(sabot.__path__, "sabot."):
    if module.name.endswith("__main__") or not importlib.util.find_spec(module.name).origin.endswith(".py"):
        continue
    for name, value in vars(importlib.import_module(module.name)).items():
        for one in roles_in(value):
            sets += any(isinstance(member, role.Role) for member in one)
            if newcomer in one:
                found.append(f"{module.name}.{name}")
print(sets, found)
"""
"""Imports the whole program with one role more, and looks for it in every set of roles and in every rule."""


@pytest.mark.clause("G-118")
@pytest.mark.parametrize("kind", RULES, ids=verb)
def test_who_only_reads_is_in_no_rule_of_the_table(kind: type[Act]) -> None:
    assert not READERS & RULES[kind].who
    assert not READERS & GAME_SUPERVISOR_OR_ABOVE, "who approves at a table"


@pytest.mark.clause("G-118")
@pytest.mark.parametrize("kind", HOUSE_RULES, ids=verb)
def test_who_only_reads_is_in_no_rule_of_the_house(kind: type[Act]) -> None:
    assert not READERS & (HOUSE_RULES[kind].who | HOUSE_RULES[kind].second)


def test_every_role_but_the_station_and_the_clock_is_a_persons() -> None:
    assert set(Role) - PERSONS == {Role.STATION, Role.CLOCK}


def test_a_role_that_no_list_names_is_in_no_set_of_roles() -> None:
    ran = subprocess.run([sys.executable, "-c", NEWCOMER], capture_output=True, text=True, check=True)  # noqa: S603
    sets, found = ran.stdout.split(maxsplit=1)
    assert int(sets) > len(RULES) + len(HOUSE_RULES)
    assert found.strip() == "[]"


def a_table(*roles: Role) -> LineTable:
    """A table that lists SV1 in these roles."""
    configuration = fixture("crown")
    return LineFloor().enter(msgspec.structs.replace(configuration, staff={**configuration.staff, "SV1": roles}))


@pytest.mark.clause("G-118")
def test_surveillance_signs_on_at_no_table() -> None:
    answer = say(a_table(Role.SURVEILLANCE), "SV1 sign_on")
    assert answer.refusal is not None
    assert (answer.refusal.code, answer.refusal.clause) == ("wrong_role", 'CROWN 1.1 "Dealer"')
    assert answer.refusal.text.endswith("not a Surveillance")


@pytest.mark.clause("G-118")
def test_a_second_role_signs_on_and_surveillance_still_does_not() -> None:
    table = a_table(Role.SURVEILLANCE, Role.DEALER)
    assert refusal(table, "SV1 sign_on surveillance") == "wrong_role"
    assert names(say(table, "SV1 sign_on")) == ["SignedOn"]
    assert table.state.signed_on["SV1"] is Role.DEALER


def test_surveillance_can_be_appointed_and_approves_nothing() -> None:
    table = a_table()
    say_all(table, "operator appoint SV1 surveillance")
    assert table.floor.house.staff["SV1"] == (Role.SURVEILLANCE,)
    assert refusal(table, f"TE1 enrol S-17 station {'0f' * 32} ATS-1 station=A1 second=SV1") == "second_role"
