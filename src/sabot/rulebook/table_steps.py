"""What steps may say of a table: anything that can be said to it in shorthand, and what it answered.

The table of a scenario comes with the rulebook's usual configuration: CROWN's under a CROWN rule set, Singapore's under
the others.
"""

import json
from typing import Any

import msgspec

from sabot.basics.at_once import at_once
from sabot.basics.mistake import Mistake
from sabot.basics.money import read_amount, write_amount, write_net
from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.lines.words import WORDS, read_line
from sabot.floor.records.record_codec import table_stream
from sabot.floor.records.record_codec import written as written_out
from sabot.floor.sentences import told
from sabot.house.events import HouseEvent
from sabot.journal.record import Entry
from sabot.ledger.account import STRANGE, Account, AccountKind
from sabot.rulebook.stepping import expect, step
from sabot.rulebook.world import World
from sabot.table.acts import ConfirmRecords
from sabot.table.configuration import Configuration, read_configuration
from sabot.table.events import CardsBurned, DifferenceBooked, Event
from sabot.table.fixtures import fixture
from sabot.table.irregularities.deciding import Resolution
from sabot.table.money import postings
from sabot.table.role import Role
from sabot.tournament.events import TournamentEvent

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
            place[last] = _value(value)
    return written


def _value(written: str) -> object:
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


@step("then", r"(\w+) disagrees: {amount} in the ledger, {amount} by the meters")
def _disagrees(world: World, account: str, ledger: str, meters: str) -> None:
    assert world.answer is not None
    assert not isinstance(world.answer.disagreements, msgspec.UnsetType), "the table is not locked"
    found = [
        (one.account, write_amount(one.ledger_cents), write_amount(one.meters_cents))
        for one in world.answer.disagreements
    ]
    assert (account, written(ledger), written(meters)) in found, f"found {found}"


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


@step("then", r"refused by ([^,]+)(?:, because {rest})?")
def _refused_by(world: World, clause: str, because: str | None) -> None:
    assert world.refusal is not None, "it was not refused"
    expect(world.refusal_clause, world.own_rule(clause))
    assert because is None or because.casefold() in world.refusal.casefold(), f"it was refused: {world.refusal}"
    world.refusal = None


@step("then", r"the alarm is {rest}")
def _alarm(world: World, alarm: str) -> None:
    assert world.answer is not None
    assert world.answer.refusal is not None
    expect(world.answer.refusal.alarm, alarm)


@step("then", r"the floor is alarmed: {rest}")
def _floor_alarmed(world: World, text: str) -> None:
    assert any(text in alarm for alarm in world.floor.alarms), f"the alarms are {world.floor.alarms}"


@step("then", r"the floor is alarmed of nothing")
def _floor_not_alarmed(world: World) -> None:
    expect(world.floor.alarms, [])


@step("then", r"the balance of (\w+) is {amount}")
def _balance(world: World, station: str, amount: str) -> None:
    expect(write_amount(talk_of(world).state.purse(station).balance), written(amount))


@step("then", r"{amount} is held for (\w+)")
def _held(world: World, amount: str, station: str) -> None:
    expect(write_amount(talk_of(world).state.purse(station).held), written(amount))


@step("then", r"the layout of (\w+) is {rest}")
def _layout(world: World, station: str, layout: str) -> None:
    """`banker 25.00, tie 5.00`, in any order, or `empty`."""
    found = {bet: write_amount(cents) for bet, cents in talk_of(world).state.purse(station).layout.items()}
    pairs = [] if layout == "empty" else [part.split() for part in layout.split(", ")]
    expect(found, {bet: written(amount) for bet, amount in pairs})


@step("then", r"(\w+) is (open|closed)")
def _is_open(world: World, station: str, how: str) -> None:
    expect(talk_of(world).state.stations[station].is_open, how == "open")


@step("then", r"the phase is {rest}")
def _phase(world: World, phase: str) -> None:
    expect(talk_of(world).state.phase.replace("_", " "), phase)


@step("then", r"wagering is open until {number}\.?([0-9]*) s")
def _deadline(world: World, seconds: str, milliseconds: str) -> None:
    state = talk_of(world).state
    assert state.coup is not None, "no coup is open"
    expect(state.coup.deadline_ms, int(seconds) * 1000 + int((milliseconds or "0").ljust(3, "0")))


@step("then", r"the console asks for a card to {side}(?:, because {rest})?")
def _asks(world: World, side: str, because: str | None) -> None:
    assert world.answer is not None
    assert world.answer.next is not None, "no card is asked for"
    expect(world.answer.next.hand, side.lower())
    assert because is None or because in world.answer.next.reason, f"because {world.answer.next.reason}"


@step("then", r"the console asks for no card")
def _asks_for_none(world: World) -> None:
    assert world.answer is not None, "nothing was said to the table"
    expect(world.answer.next, None)


@step("then", r"the shoe has {number} cards left")
def _left(world: World, cards: str) -> None:
    expect(talk_of(world).state.shoe.left, int(cards))


@step("then", r"account (\w+)(?::(\w+))?(?::(\w+))? is {amount}")
def _account(world: World, kind: str, station: str | None, bet: str | None, amount: str) -> None:
    account, state = Account(AccountKind(kind), station or "", bet or ""), talk_of(world).state
    ledger = state.money_ledger if account.kind in STRANGE[state.ledger.unit] else state.ledger
    expect(write_amount(ledger.balance(account)), written(amount))


@step("then", r"posted {amount} from (\S+) to (\S+)(?: by {rest})?")
def _posted(world: World, amount: str, debit: str, credit: str, clause: str | None) -> None:
    found = [
        (write_amount(one.cents), str(one.debit), str(one.credit), one.clause)
        for event in _table_events(world)
        for one in postings(event)
    ]
    wanted = (written(amount), debit, credit)
    clause = clause and world.own_rule(clause)
    assert any(one[:3] == wanted and clause in (None, one[3]) for one in found), f"found {found}"


@step("then", r"to confirm for (\w+): {rest}")
def _to_confirm(world: World, station: str, words: str) -> None:
    """`player 100, acknowledged, not seen`: what the records say of a station, and what speaks for it beside them."""
    assert world.answer is not None
    assert not isinstance(world.answer.confirmation, msgspec.UnsetType), "nothing waits to be confirmed"
    line = next(one for one in world.answer.confirmation if one.station == station)
    told = [f"{bet} {write_amount(cents).removesuffix('.00')}" for bet, cents in line.wagers.items()]
    evidence = {"acknowledged": line.acknowledged, "seen": line.seen}
    told += [name if yes else f"not {name}" for name, yes in evidence.items() if yes is not None]
    expect(", ".join(told), words)


@step("then", r"nothing was posted")
def _nothing_posted(world: World) -> None:
    expect([str(one) for event in _table_events(world) for one in postings(event)], [])


@step("then", r"(?!nothing )(\w+) happened(?: with {rest})?")
def _happened(world: World, name: str, fields: str | None) -> None:
    """`CardDealt happened with position=27; card=9S`: an event of the last line, and some of its fields."""
    found = [event for event in _events(world) if type(event).__name__ == name]
    assert found, f"found {[type(event).__name__ for event in _events(world)]}"
    wanted = dict(field.partition("=")[::2] for field in fields.split("; ")) if fields else {}
    wanted = {key.strip(): world.own_rule(value) for key, value in wanted.items()}
    assert any(all(_same(_field(event, key), value) for key, value in wanted.items()) for event in found), (
        f"found {found}"
    )


@step("then", r"it is on record of (\w+) at {number} s")
def _on_record(world: World, who: str, seconds: str) -> None:
    """Every command is kept with who gave it and when, whether it was accepted or refused."""
    record = talk_of(world).records[-1]
    expect((record.stamp.by, record.at_ms), (who, int(seconds) * 1000))


def _field(event: object, path: str) -> object:
    """A field of an event, or with dots a field of a field, as JSON has it."""
    place: object = event
    for part in path.split("."):
        place = place.get(part) if isinstance(place, dict) else getattr(place, part, None)
    return json.loads(msgspec.json.encode(place, enc_hook=str))


@step("then", r"(\w+) did not happen")
def _did_not_happen(world: World, name: str) -> None:
    known = {event.__name__ for room in (Event, HouseEvent, TournamentEvent) for event in room.__subclasses__()}
    assert name in known, f"there is no event {name}"
    assert name not in {type(event).__name__ for event in _events(world)}, "it happened"


_CARD_ORDER = r"(?:\w\w|\?)(?: (?:\w\w|\?))*"
_RESOLUTION = (
    r"(a|the only) resolution is (\w+) by ([^,]+)"
    r"(?:, for a ([^,]+?))?(?:, cards (" + _CARD_ORDER + r"))?((?:, \w+ [+-][0-9.,]*[0-9])*)"
)


@step("then", _RESOLUTION)
def _resolution(world: World, how: str, name: str, clause: str, *rest: str | None) -> None:
    """`a resolution is void by G-80, for a Casino Supervisor, cards 4S 4D, A1 +100.00`; no amount: nothing changes."""
    role, cards, effects = rest
    found = _resolutions(world)
    if how == "the only":
        expect([one.id for one in found], [name])
    one = next((one for one in found if one.id == name), None)
    assert one is not None, f"found {[one.id for one in found]}"
    expect(one.clause, world.own_rule(clause))
    if role is not None:
        expect(one.by.in_words, role)
    if cards is not None:
        expect(" ".join(one.card_order), cards.upper())
    pairs = [part.split() for part in (effects or "").split(", ") if part]
    wanted = {station: amount[0] + written(amount[1:]) for station, amount in pairs}
    expect({each.station: write_net(each.change_cents) for each in one.effects if each.change_cents}, wanted)


@step("then", r"the resolution (\w+) is said by the (document|house rule|reading)")
def _said_by(world: World, name: str, source: str) -> None:
    expect([one.source.value for one in _resolutions(world) if one.id == name], [source])


@step("then", r"no resolution is (\w+)")
def _no_resolution(world: World, name: str) -> None:
    assert name not in [one.id for one in _resolutions(world)], "it is"


def _resolutions(world: World) -> list[Resolution]:
    assert world.answer is not None, "nothing was said to the table"
    assert not isinstance(world.answer.resolutions, msgspec.UnsetType), "no fact was stated"
    return world.answer.resolutions


@step("then", r"nothing happened")
def _nothing_happened(world: World) -> None:
    expect([told(event) for event in _events(world)], [])


@step("then", r"(\w+) is signed on as {rest}")
def _signed_on(world: World, who: str, role: str) -> None:
    expect(talk_of(world).state.signed_on.get(who), Role(role))


@step("then", r"the meters of (\w+) show (\w+) {amount}")
def _meters(world: World, station: str, meter: str, amount: str) -> None:
    meters = talk_of(world).state.meters[station]
    figures = {"in": sum(meters.came_in.values()), "paid": sum(meters.paid.values())}
    found = figures.get(meter, getattr(meters, meter, None))
    assert isinstance(found, int), f"there is no meter {meter}"
    expect(write_amount(found), written(amount))


def _events(world: World) -> tuple[object, ...]:
    assert world.answer is not None, "nothing was said to the table"
    return world.answer.events


def _table_events(world: World) -> list[Event]:
    return [event for event in _events(world) if isinstance(event, Event)]


def _same(found: object, written: str) -> bool:
    return found == _value(written) or str(found) == written.strip()


def written(amount: str) -> str:
    cents = 0 if amount.strip("0.,") == "" else read_amount(amount.replace(",", "").removeprefix("-"))
    return write_amount(-cents if amount.startswith("-") else cents)
