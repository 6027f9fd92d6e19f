"""The table of the demo: any rule set, a few stations with robots, and limits under which every wager pays exactly."""

import math
from collections.abc import Iterable
from typing import Any

import msgspec

from sabot.basics.money import Cents
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.virtual.dealer import Crew
from sabot.floor.virtual.robots import Habit, Robot
from sabot.rules import shipped
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet, RuleSet
from sabot.rules.terms import Terms
from sabot.table.configuration import Configuration, StationPart
from sabot.table.fixtures import fixture

TABLE = "DEMO"
CREW = Crew("D1", "GS1", "CS1")
PERSONS = (CREW.dealer, CREW.game_supervisor, CREW.casino_supervisor)
PATRONS: dict[str, tuple[str, Habit]] = {
    "A1": ("flat on Banker", "banker"),
    "A2": ("follows the last result", "follower"),
    "A3": ("tries the side bets", "side_bets"),
}
"""Who sits where, in words, and by which habit."""
CHIP = 500
MINIMUMS = 400
"""What each robot brings, in minimums on Banker: more than the flat one can lose in a shoe."""
EVEN_BETS = ("player", "banker")


def demo_table(rules: RuleSet, decks: int, stations: Iterable[str] = tuple(PATRONS)) -> LineTable:
    """An open table where every robot has bought in."""
    stations = tuple(stations)
    configuration = configuration_of(rules, decks, stations)
    talk = LineFloor().enter(configuration)
    cents = MINIMUMS * configuration.limits[Bet("banker")].minimum
    lines: list[dict[str, Any]] = [
        {"do": "sign_on", "by": CREW.dealer},
        {"do": "open_table", "by": CREW.dealer},
        *({"do": "buy_in", "by": CREW.dealer, "station": name, "cents": cents} for name in stations),
    ]
    for line in lines:
        answer = talk.answer(line)
        assert answer.ok, answer.refusal
    return talk


def robots(seed: int) -> list[Robot]:
    return [Robot(station, habit, seed) for station, (_, habit) in PATRONS.items()]


def configuration_of(rules: RuleSet, decks: int, stations: Iterable[str], table: str = TABLE) -> Configuration:
    """A table where any rule set can be tried, with everything that it offers."""
    own = None if rules.id in shipped.IDS and shipped.rule_set(rules.id) == rules else _under_its_own_name(rules)
    played = own or rules
    return msgspec.structs.replace(
        fixture("crown" if played.document == "CROWN" else "singapore"),
        table=table,
        rule_set=played.id,
        own_rule_set=own,
        decks=decks,
        options={},
        limits=_limits(Terms(played, decks)),
        stations={name: StationPart(approval=f"demo {name}") for name in stations},
        ticket_at_table=False,
    )


def _under_its_own_name(rules: RuleSet) -> RuleSet:
    """A table takes no changed rule set for a shipped one, so that a copy of one is played as what it is."""
    identity = f"own-{rules.id}" if rules.id in shipped.IDS else rules.id
    document = f"OWN {rules.document}" if rules.document in shipped.documents() else rules.document
    return msgspec.structs.replace(rules, id=identity, document=document)


def _limits(terms: Terms) -> dict[Bet, Limits]:
    made = {}
    for bet in terms.bets:
        step = math.lcm(CHIP, terms.unit(bet))
        minimum = step * (5 if bet in EVEN_BETS else 1)
        made[bet] = Limits(Cents(minimum), Cents(step), Cents(minimum + 100 * step))
    return made
