"""What steps may say of the screens: what a station, the console, the display or the floor shows.

    then A1 shows purse.balance 475.00                    a value by its place in the view; amounts in currency units
    then the console shows seats.A1.idle 3                an entry of a list by its name
    then every screen shows the message last_coup by CROWN 3.9.3: LAST COUP OF THIS SHOE
    then the display shows no message dummy_coup
    then A1 has the areas player_pair tie banker_pair / player banker
    then A1 may not clear by CROWN 4.7

`every station` is each station of the table, `every screen` each of them, the console and the display.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from sabot.basics.money import write_amount
from sabot.rulebook.stepping import expect, step
from sabot.rulebook.table_steps import talk_of, written
from sabot.rulebook.world import World
from sabot.views.console import StationConnection, console_view
from sabot.views.display import display_view
from sabot.views.floor import floor_view
from sabot.views.public import Public, public_view
from sabot.views.recall import recall
from sabot.views.scorecard import Scorecard
from sabot.views.station import station_view
from sabot.views.tournament_board import board_of

_WHO = r"(the console|the display|the floor|every station|every screen|[A-Z]\w*)"
_NAMES = ("station", "bet", "code", "verb", "table", "case", "name", "coup", "kind", "device")
"""By which of its fields an entry of a list is called."""

View = dict[str, Any]


def scorecard_of(world: World) -> Scorecard:
    """The card as the records of the scenario's table lead to it."""
    card = Scorecard()
    for record in talk_of(world).records:
        card = card.then(record.state, record.act, record.stamp, record.refusal or record.events)
    return card


def _public(world: World) -> Public:
    talk = talk_of(world)
    reserved = talk.state.reserved
    contest = world.floor.tournaments.get(reserved.tournament) if reserved else None
    board = board_of(contest, {}, talk.now_ms) if contest else None
    return public_view(talk.state, scorecard_of(world), talk.now_ms, board=board)


def views_of(world: World, who: str) -> list[View]:
    """The views of everybody that the words name, as they go over the wire."""
    public = _public(world)
    stations = list(public.state.stations)
    if who == "the floor":
        tables = {name: table.state for name, table in world.floor.tables.items()}
        return [_told(floor_view(world.floor.house, tables))]
    found = []
    if who in ("every screen", "the console"):
        found.append(_told(console_view(public, world.connections)))
    if who in ("every screen", "the display"):
        found.append(_told(display_view(public)))
    if who in ("every screen", "every station"):
        found += [_told(station_view(public, name)) for name in stations]
    if who in stations:
        found.append(_told(station_view(public, who)))
    assert found, f"there is no screen {who!r}"
    return found


def _told(view: object) -> View:
    return msgspec.json.decode(msgspec.json.encode(view))  # type: ignore[no-any-return]


@step("then", _WHO + r" shows (?!the message|no message)(\w[\w.-]*) {rest}")
def _shows(world: World, who: str, path: str, value: str) -> None:
    for view in views_of(world, who):
        expect(_at(view, path), _as_shown(value))


@step("then", r"no alarm is on the console")
def _no_alarm(world: World) -> None:
    expect([view["alarms"] for view in views_of(world, "the console")], [[]])


def _at(view: View, path: str) -> str:
    """What stands at a place of a view, in the form in which a step writes it."""
    place: Any = view
    parts = path.split(".")
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if isinstance(place, dict) and last and f"{part}_cents" in place:
            cents = place[f"{part}_cents"]
            return "nothing" if cents is None else write_amount(cents)
        place = _entry(place, part, path)
    return _as_text(place)


def _entry(place: Any, part: str, path: str) -> Any:
    if isinstance(place, list):
        named = [one for one in place if isinstance(one, dict) and any(str(one.get(name)) == part for name in _NAMES)]
        if named:
            return named[0]
        assert part.isdecimal(), f"there is no {part} in {path}"
        return place[int(part)]
    assert isinstance(place, dict), f"there is nothing at {path}"
    assert part in place, f"there is no {part} in {path}; there are {', '.join(place)}"
    return place[part]


def _as_text(found: Any) -> str:
    if isinstance(found, dict):
        if "text" in found and "code" in found:
            return str(found["text"])
        amounts = (f"{name} {write_amount(value)}" for name, value in found.items() if isinstance(value, int))
        return ", ".join(amounts) or "nothing"
    if isinstance(found, list):
        return " ".join(_as_text(one) for one in found) or "nothing"
    if isinstance(found, bool):
        return "yes" if found else "no"
    return "nothing" if found in (None, "") else str(found)


def _as_shown(value: str) -> str:
    """An amount may be written short, `475` for `475.00`, but only with a point is it taken for one."""
    whole, point, _ = value.partition(".")
    if point and whole.replace(",", "").removeprefix("-").isdecimal():
        return written(value)
    return value


@step("then", _WHO + r" shows the message (\w+)(?: by ([^:]+))?(?:: {rest})?")
def _shows_message(world: World, who: str, code: str, clause: str | None, text: str | None) -> None:
    for view in views_of(world, who):
        found = [one for one in _messages(view) if one["code"] == code]
        assert found, f"it shows {_codes(view)}"
        assert clause is None or clause in [one["clause"] for one in found], f"by {found[0]['clause']}"
        assert text is None or text in [one["text"] for one in found], f"it says {found[0]['text']!r}"


@step("then", _WHO + r" shows no message (\w+)")
def _shows_no_message(world: World, who: str, code: str) -> None:
    for view in views_of(world, who):
        found = [one["text"] for one in _messages(view) if one["code"] == code]
        assert not found, f"it says {found[0]!r}"


def _codes(view: View) -> list[str]:
    """What a screen shows beside the rules, duties and steps that it always shows."""
    codes = {one["code"] for one in _messages(view)}
    return sorted(code for code in codes if not code.startswith(("rule_", "duty_", "step_")))


def _messages(place: Any) -> Iterator[dict[str, Any]]:
    """Every message in a view, wherever it stands."""
    if isinstance(place, dict):
        if {"code", "text", "clause"} <= place.keys():
            yield place
        for one in place.values():
            yield from _messages(one)
    elif isinstance(place, list):
        for one in place:
            yield from _messages(one)


@step("then", _WHO + r" has the areas {rest}")
def _areas(world: World, who: str, rows: str) -> None:
    for view in views_of(world, who):
        expect(" / ".join(" ".join(row) for row in view["table"]["rows"]), rows)
        laid = {bet for row in view["table"]["rows"] for bet in row}
        expect({area["bet"] for area in view["table"]["areas"]}, laid)


@step("then", _WHO + r" has no area (\w+)")
def _no_area(world: World, who: str, bet: str) -> None:
    for view in views_of(world, who):
        assert bet not in [area["bet"] for area in view["table"]["areas"]], "it has one"


@step("then", _WHO + r" may (?!not )(\w+)")
def _may(world: World, who: str, verb: str) -> None:
    for view in views_of(world, who):
        action = view["actions"][verb]
        assert action["open"], f"no: {action['why']} ({action['clause']})"


@step("then", _WHO + r" may not (\w+)(?: by ([^,]+))?(?:, because {rest})?")
def _may_not(world: World, who: str, verb: str, clause: str | None, because: str | None) -> None:
    for view in views_of(world, who):
        action = view["actions"][verb]
        assert not action["open"], "it may"
        assert clause is None or clause == action["clause"], f"by {action['clause']}"
        assert because is None or because in action["why"], f"because {action['why']}"


@step("then", _WHO + r" has no (section|action) (\w+)")
def _has_none(world: World, who: str, what: str, name: str) -> None:
    for view in views_of(world, who):
        assert name not in (view if what == "section" else view["actions"]), "it has one"


@step("given", r"(\w+) is connected and shows (the sign|another sign)")
def _connected(world: World, device: str, sign: str) -> None:
    shown = _public(world).table.sign if sign == "the sign" else "another"
    world.connections[device] = StationConnection(connected=True, sign=shown)


@step("given", r"(\w+) is disconnected")
def _disconnected(world: World, device: str) -> None:
    world.connections[device] = StationConnection(connected=False, seen_ms=talk_of(world).now_ms)


@step("then", r"(\w+) recalls {rest}")
def _recalls(world: World, station: str, told: str) -> None:
    """`coup 3: Coup 3 is settled: 95.00 | balance 195.00`: a step of a coup, and the balance that it left."""
    number, _, rest = told.removeprefix("coup ").partition(": ")
    text, _, balance = rest.partition(" | balance ")
    coups = [coup for coup in recall(scorecard_of(world), station).coups if coup.coup == int(number)]
    assert coups, "nothing is told of that coup"
    steps = [(one.what.text, write_amount(one.balance_cents)) for one in coups[0].steps]
    assert (text, written(balance)) in steps, f"it tells {steps}"
