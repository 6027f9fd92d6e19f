"""What steps may say of a table after the fact: refusals, balances, events, postings, resolutions and meters."""

import json

import msgspec

from sabot.basics.money import write_amount, write_net
from sabot.floor.sentences import told
from sabot.house.events import HouseEvent
from sabot.ledger.account import STRANGE, Account, AccountKind
from sabot.rulebook.stepping import expect, step
from sabot.rulebook.table_steps import talk_of, value_of, written
from sabot.rulebook.world import World
from sabot.table.events import Event
from sabot.table.irregularities.deciding import Resolution
from sabot.table.money import postings
from sabot.table.role import Role
from sabot.tournament.events import TournamentEvent


@step("then", r"(\w+) disagrees: {amount} in the ledger, {amount} by the meters")
def _disagrees(world: World, account: str, ledger: str, meters: str) -> None:
    assert world.answer is not None
    assert not isinstance(world.answer.disagreements, msgspec.UnsetType), "the table is not locked"
    found = [
        (one.account, write_amount(one.ledger_cents), write_amount(one.meters_cents))
        for one in world.answer.disagreements
    ]
    assert (account, written(ledger), written(meters)) in found, f"found {found}"


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
    return found == value_of(written) or str(found) == written.strip()
