"""A table cites its own document, its house's rules and our readings, and never the law of another country.

Everything that the scenarios say to a table is said again at tables under the documents of Singapore, whatever comes of
it; nothing in the answers, the postings and the screens may cite CROWN's document or Victorian law. The short form
says every second scenario at each of the two tables, so that each is said at one, and looks at the screens when a
scenario has come to its end. The long form says all at both, and looks after each act.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sabot.basics.mistake import Mistake
from sabot.house.refusal import HouseCause
from sabot.rulebook import run  # noqa: F401  Importing it registers the steps.
from sabot.rulebook.scenario import Scenario, Step, all_scenarios
from sabot.rulebook.screen_steps import scorecard_of, views_of
from sabot.rulebook.stepping import find
from sabot.rulebook.table_steps import talk_of
from sabot.rulebook.world import World
from sabot.rules.shipped import all_rule_sets, rule_set
from sabot.table.configuration import Configuration
from sabot.table.events import Event
from sabot.table.fixtures import fixture
from sabot.table.money import postings
from sabot.table.no import No, refused
from sabot.table.refusal import Cause
from sabot.table.rules import RULES
from sabot.views.recall import recall
from tests.cli.sabot import sabot

FOREIGN = re.compile(r"CROWN|Crown|VCGR|VGCCC|Victoria|s66|Casino Control Act")
SINGAPORE = [one.id for one in all_rule_sets() if one.document != "CROWN"]
"""Every rule set of another document than CROWN's."""
REPLAYED = ("mbs-baccarat", "rws-non-commission")
"""One for each set of house rules."""
CATALOGUES = Path(__file__).resolve().parents[2] / "screens" / "src"


@cache
def _configuration(under: str) -> Configuration:
    """A table under a Singapore document with the stations and the staff that CROWN's scenarios speak of."""
    crown, singapore = fixture("crown"), fixture("singapore")
    return msgspec.structs.replace(
        singapore, rule_set=under, stations={**singapore.stations, **crown.stations}, staff=crown.staff
    )


def _is_of_every_document(scenario: Scenario) -> bool:
    """Tournaments are CROWN's alone (CROWN 12.1), and a table of another document is never reserved for one."""
    return not any(clause.startswith("CROWN 12.") or "ournament" in clause for clause in scenario.clauses)


def _acts(scenario: Scenario) -> Iterator[Step]:
    """What the scenario does, but for what names foreign law itself."""
    for step in scenario.steps:
        if step.keyword != "then" and not FOREIGN.search(step.text):
            yield step


def _play(world: World, step: Step) -> None:
    """Whatever comes of it: at this table it may be refused, or be impossible."""
    found = find(step)
    assert found is not None
    action, arguments = found
    try:
        action(world, *arguments)
    except (Mistake, AssertionError, KeyError):
        world.refusal = None


def _strings(place: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(place, str):
        yield path, place
    elif isinstance(place, dict):
        for key, one in place.items():
            yield path, str(key)
            yield from _strings(one, f"{path}.{key}")
    elif isinstance(place, list):
        for one in place:
            yield from _strings(one, path)


def _foreign(place: Any, path: str) -> Iterator[tuple[str, str]]:
    """The strings that cite foreign law; they are looked for one by one only where the text of the whole has some."""
    text = msgspec.json.encode(place, enc_hook=str)
    if FOREIGN.search(text.decode()):
        yield from (one for one in _strings(json.loads(text), path) if FOREIGN.search(one[1]))


def _told(world: World) -> Iterator[tuple[str, str]]:
    """What the answer to the last line and the postings of its events cite."""
    if world.answer is None:
        return
    yield from _foreign(world.answer, "answer")
    for event in world.answer.events:
        if isinstance(event, Event):
            yield from _foreign([one.clause for one in postings(event)], f"posting of {type(event).__name__}")


def _shown(world: World) -> Iterator[tuple[str, str]]:
    """What all screens cite, and what each station recalls."""
    for who in ("every screen", "the floor"):
        yield from _foreign(views_of(world, who), who)
    card = scorecard_of(world)
    for station in talk_of(world).state.stations:
        yield from _foreign(recall(card, station), f"{station} recalls")


@pytest.mark.parametrize("looks", ["at the end", pytest.param("after each act", marks=pytest.mark.whole)])
@pytest.mark.parametrize("under", REPLAYED)
def test_nothing_that_is_said_at_a_table_of_another_document_cites_crown(under: str, looks: str) -> None:
    found: dict[tuple[str, str], str] = {}
    happened: set[str] = set()
    refusals: set[str] = set()
    scenarios = list(filter(_is_of_every_document, all_scenarios()))
    is_whole = looks == "after each act"
    for scenario in scenarios if is_whole else scenarios[REPLAYED.index(under) :: len(REPLAYED)]:
        world = World(under, usual=_configuration(under))
        acts = list(_acts(scenario))
        for number, step in enumerate(acts, 1):
            _play(world, step)
            if world.answer is not None:
                happened |= {type(event).__name__ for event in world.answer.events}
                refusals |= {world.answer.refusal.code} if world.answer.refusal else set()
                assert world.answer.refusal is None or "{" not in world.answer.refusal.clause
            is_shown = number == len(acts) or (is_whole and step.keyword == "when")
            told = [*_told(world), *(_shown(world) if is_shown and world.talk else ())]
            found |= dict.fromkeys(told, f"{scenario.file}: {step.text}")
    assert found == {}
    assert len(happened) > 80
    assert len(refusals) > 90


@pytest.fixture(scope="module", params=SINGAPORE)
def table(request: pytest.FixtureRequest) -> World:
    return World(request.param, usual=_configuration(request.param))


def test_no_refusal_of_the_table_cites_crown(table: World) -> None:
    state = talk_of(table).state
    gaps = {gap for cause in Cause for gap in re.findall(r"{(\w+)", cause.sentence)}
    figures: dict[str, Any] = {gap: 0 if gap.endswith(("_cents", "_ms")) else "x" for gap in gaps}
    for cause in Cause:
        clause = "CROWN 5 footnote s66(2)" if cause.crown == "{clause}" else None
        said = refused(state, No(cause, clause=clause, **figures))
        assert not FOREIGN.search(said.clause + said.text), cause
        assert said.clause


def test_nobody_is_turned_away_from_an_act_by_crown(table: World) -> None:
    for kind, rule in RULES.items():
        if isinstance(rule.clause, str):
            assert not FOREIGN.search(talk_of(table).state.cites(rule.clause)), kind


def test_no_refusal_of_the_house_cites_crown(table: World) -> None:
    talk = talk_of(table)
    for cause in HouseCause:
        assert not FOREIGN.search(talk.floor.house.cites(cause.clause) + cause.sentence), cause


@pytest.mark.parametrize("under", SINGAPORE)
def test_the_rules_that_are_printed_name_only_the_document_and_the_house(under: str) -> None:
    printed = sabot("rules", under).out
    assert not FOREIGN.search(printed)
    own = rule_set(under)
    assert own.document in printed
    assert own.house_rules is not None
    assert all(rule.id in printed for rule in own.house_rules.rules)


def test_no_sentence_of_the_screens_names_crowns_clauses() -> None:
    """In no language: a clause comes with its message, and is the one that the table cites."""
    for path in (
        *(CATALOGUES / "catalogue").glob("*/*.ts"),
        CATALOGUES / "wire" / "told.ts",
        CATALOGUES / "wire" / "refusals.ts",
    ):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"CROWN [0-9]|VCGR|s66|Casino Control Act", text), path
