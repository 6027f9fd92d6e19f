"""What steps may say to a table: anything that can be said to it in shorthand.

The table of a scenario comes with the rulebook's usual configuration: CROWN's under a CROWN rule set, Singapore's under
the others.
"""

import json
from typing import Any

import msgspec

from sabot.basics.at_once import at_once
from sabot.basics.mistake import Mistake
from sabot.basics.money import read_amount, write_amount
from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.lines.words import WORDS, read_line
from sabot.floor.records.record_codec import table_stream
from sabot.floor.records.record_codec import written as written_out
from sabot.journal.record import Entry
from sabot.rulebook.stepping import step
from sabot.rulebook.world import World
from sabot.table.acts import ConfirmRecords
from sabot.table.configuration import Configuration, read_configuration
from sabot.table.events import CardsBurned, DifferenceBooked, Event
from sabot.table.fixtures import fixture

_LINE = r"((?:[@+][0-9][0-9T:.-]* )?(?:\w+: )?\w+ (?:" + "|".join(WORDS) + r")(?: .+)?)"


def _usual_configuration(world: World) -> Configuration:
    if world.usual is not None:
        return world.usual
    name = "crown" if world.rule_set.startswith("crown") else "singapore"
    return msgspec.structs.replace(fixture(name), rule_set=world.rule_set)


def talk_of(world: World) -> LineTable:
    if world.talk is None:
        world.talk = world.floor.enter(_usual_configuration(world))
    return world.talk


def say(world: World, line: str) -> None:
    heard_by = world.lines or talk_of(world)
    tell(world, read_line(line, heard_by.now_ms, heard_by.zone))


def tell(world: World, line: dict[str, Any]) -> None:
    """Say a line to the table; a refusal is the scenario's to expect."""
    table = talk_of(world)
    heed(world, table.answer(line) if world.lines is None else world.lines.answer({"table": table.name, **line}))


def heed(world: World, answer: LineAnswer) -> None:
    world.answer = answer
    refusal = answer.refusal
    world.refusal_clause = refusal.clause if refusal else None
    if refusal is not None:
        raise Mistake(refusal.text)


@step("given", r"the table is configured with {rest}")
def _configured(world: World, settings: str) -> None:
    """`decks=6, offered=["super_6"]`: keys of the configuration with JSON values, or plain words."""
    world.floor = LineFloor()
    changed = changed_keys(_usual_configuration(world), settings, takes_out=True)
    world.talk = world.floor.enter(read_configuration(changed))


@step("when", r"the table is configured with {rest}")
def _reconfigured(world: World, settings: str) -> None:
    """The operator tries to change the configuration of the table as it stands."""
    talk = talk_of(world)
    written = changed_keys(talk.state.configuration, settings)
    heed(world, talk.answer({"do": "configure", "configuration": written}))


def changed_keys(configuration: Configuration, settings: str, *, takes_out: bool = False) -> dict[str, Any]:
    """A key without a value is blank, or is taken out."""
    written: dict[str, Any] = msgspec.to_builtins(configuration, enc_hook=str)
    for setting in settings.split("; "):
        key, _, value = setting.partition("=")
        place = written
        *path, last = key.strip().split(".")
        for part in path:
            place = place.setdefault(part, {})
        if takes_out and not value:
            del place[last]
        else:
            place[last] = value_of(value)
    return written


def value_of(written: str) -> object:
    try:
        return json.loads(written)
    except ValueError:
        return written.strip()


@step("given", r"the table is open")
def _open(world: World) -> None:
    cards = 52 * talk_of(world).state.configuration.decks
    for line in ("D1 sign_on", "D1 open_table", f"GS1 check_cards {cards}", "D1 new_shoe", "GS1 cut 100", "D1 burn"):
        say(world, line)


@step("given", r"(\w+) has {amount}")
def _has(world: World, station: str, amount: str) -> None:
    """A buy-in at the table, or notes at a remote station."""
    configuration = talk_of(world).state.configuration
    if not configuration.stations[station].remote:
        say(world, f"D1 buy_in {station} {amount}")
        return
    rest = int(read_amount(amount))
    for note in sorted(configuration.notes, reverse=True):
        while rest >= note:
            say(world, f"{station} note {write_amount(note).replace(',', '')}")
            rest -= note
    assert rest == 0, f"{write_amount(rest)} is too small for a note"


@step("given", r"another table is open")
def _another(world: World) -> None:
    """A second table of the same house, with everything of its own."""
    first, world.talk = world.talk, None
    _open(world)
    world.other, world.talk = world.talk, first


@step("given|when", r"at the other table " + _LINE)
def _at_the_other(world: World, line: str) -> None:
    world.talk, world.other = world.other, world.talk
    try:
        say(world, line)
    finally:
        world.talk, world.other = world.other, world.talk


@step("given", r"(\w+) of the other table has {amount}")
def _other_has(world: World, station: str, amount: str) -> None:
    _at_the_other(world, f"D1 buy_in {station} {amount}")


@step("given|when", r"coup {cards}")
def _coup(world: World, cards: str) -> None:
    """Close the wagering if it is open, deal these cards and confirm; open it first if it is not."""
    talk = talk_of(world)
    if talk.state.phase == "between_coups":
        say(world, "D1 open")
    if talk.state.phase == "wagering":
        say(world, "D1 close")
    for card in cards.split():
        say(world, f"D1 card {card}")
    say(world, "D1 confirm")


@step("given", r"the shoe has {number} cards left")
def _shoe_has(world: World, cards: str) -> None:
    """As if so many cards had already left it, unseen."""
    shoe = talk_of(world).state.shoe
    hidden = shoe.left - int(cards)
    burned = CardsBurned(shown=None, hidden=hidden, still_due=0, coup=0, left=int(cards), clause="CROWN 3.8.1")
    go_on_from(world, burned)


@step("given", r"the meters of (\w+) count {amount} too (much|little)")
def _meters_count_wrongly(world: World, station: str, amount: str, which: str) -> None:
    """As if a fault of the memory had changed them."""
    cents = read_amount(amount) * (1 if which == "much" else -1)
    reason, clause = "a fault of the memory", "CROWN 1.6"
    go_on_from(
        world,
        DifferenceBooked(
            station=station, right="ledger", ledger_cents=cents, meters_cents=0, reason=reason, by="", clause=clause
        ),
    )


def go_on_from(world: World, *events: Event) -> None:
    """Have the table's next owner find these events in its records, as if they had been played."""
    table, journal = talk_of(world), world.floor.backing.journal
    at_once(table.leave())
    head = at_once(journal.head(table_stream(table.name)))
    given = Entry(f"given/{head.version}", "clock", "", table.now_ms, msgspec.Raw(written_out({"accepted": events})))
    at_once(journal.append(head.stream, head.version, head.then(head.epoch, [given])))
    at_once(table.begin())
    if table.state.awaits_confirmation:  # What a new owner asks for in the middle of a coup is none of the scenario's.
        table.give(ConfirmRecords(), table.state.dealer or "")


@step("given|when", _LINE)
def _line(world: World, line: str) -> None:
    say(world, line)


def written(amount: str) -> str:
    cents = 0 if amount.strip("0.,") == "" else read_amount(amount.replace(",", "").removeprefix("-"))
    return write_amount(-cents if amount.startswith("-") else cents)
