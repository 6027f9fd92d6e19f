"""What steps may say of a tournament: how far it is brought before the scenario begins, and what came of it.

The conditions are shipped ones, played by the scenario's rule set; `with entry.fee_cents=0; rounds.0.coups=2` changes
some keys. TD1 is the director and is present; CA1 is at the cage, CS1 approves, D1 deals.
"""

from typing import Any

from sabot.basics.money import write_amount, write_net
from sabot.floor.lines.floor_lines import FloorLines
from sabot.floor.lines.table import LineFloor
from sabot.floor.lines.tournament_figures import standing_of
from sabot.floor.lines.tournament_tables import equal_tables
from sabot.rulebook.stepping import expect, step
from sabot.rulebook.table_steps import heed, read_value, say, usual_configuration, written
from sabot.rulebook.world import World
from sabot.tournament.sittings import final_scores, ranked_sittings
from sabot.tournament.state import EntrantStatus, SittingState, TournamentState

FORM = "0" * 64
WORDS = "AS KD 7C 2H 9S TD"
_TABLE = r"(T[0-9]+)"
_NAME = r"([A-Z][A-Z0-9-]*)"
_WITH = r"(?: with {rest})?"


# What is given


@step("given", r"{number} tables of {number} stations")
def _tables(world: World, tables: str, stations: str) -> None:
    """A floor of equal tables T1, T2 and so on, each open, with the staff of a tournament."""
    world.floor = LineFloor()
    for one in equal_tables(usual_configuration(world), int(tables), int(stations)):
        world.floor.enter(one)
    world.lines = FloorLines(world.floor)
    world.talk = world.floor.tables["T1"]


@step("given", rf"tournament {_NAME} is planned by (\w+){_WITH}")
def _planned(world: World, name: str, conditions: str, changes: str | None) -> None:
    """Created, with conditions that are saved and wait for their approval."""
    lines = _lines(world)
    say(world, f"operator create_tournament {name} {conditions.title()}")
    heed(world, lines.answer(saving(world, name, conditions, changes)))


@step("given|when", rf"operator saves {_NAME} by (\w+){_WITH}")
def _saves(world: World, name: str, conditions: str, changes: str | None) -> None:
    heed(world, _lines(world).answer(saving(world, name, conditions, changes)))


def saving(world: World, name: str, conditions: str, changes: str | None) -> dict[str, Any]:
    keys = dict(change.partition("=")[::2] for change in changes.split("; ")) if changes else {}
    wanted = {key.strip(): read_value(value) if value else None for key, value in keys.items()}
    return {
        "do": "save_conditions",
        "by": "operator",
        "tournament": name,
        "conditions": conditions,
        "set": {"id": name, "game.rule_set": world.rule_set, **wanted},
    }


@step("given", rf"tournament {_NAME} is approved by (\w+){_WITH}")
def _approved(world: World, name: str, conditions: str, changes: str | None) -> None:
    """Planned, approved, and directed by TD1, who is present."""
    _planned(world, name, conditions, changes)
    say(world, f"operator approve_conditions {name} 1 EC-2026-17 second=CS1")
    say(world, f"operator appoint_director {name} TD1")
    say(world, f"TD1 be_present {name}")


@step("given", rf"entry to {_NAME} is open")
def _entry_open(world: World, name: str) -> None:
    say(world, f"@{_tournament(world, name).conditions.entry.opens} clock tick")


@step("given", rf"{{number}} players have entered {_NAME}")
def _entered(world: World, players: str, name: str) -> None:
    """Registered from number 1 on, with all that is due taken at the cage."""
    if not _tournament(world, name).entry_opened:
        _entry_open(world, name)
    criteria = ",".join(one.id for one in _tournament(world, name).conditions.eligibility.criteria)
    for number in range(1, int(players) + 1):
        met = f" {criteria}" if criteria else ""
        say(world, f"CA1 register_entrant {name} P-{number}{met} identity_checked=yes form_digest={FORM}")
    _cage_settles(world, name)


@step("given", rf"the cage settles every slip of {_NAME}")
def _cage_settles(world: World, name: str) -> None:
    for number, slip in sorted(world.floor.house.slips.items()):
        if slip.tournament == name and slip.status == "open":
            say(world, f"CA1 {slip.direction}_slip {number} second=CS1")


@step("given", rf"entry to {_NAME} is closed")
def _entry_closed(world: World, name: str) -> None:
    """At its time; everybody is briefed and has signed."""
    say(world, f"@{_tournament(world, name).conditions.entry.closes} clock tick")
    say(world, f"TD1 brief {name}")
    for number in sorted(_tournament(world, name).entrants, key=int):
        if _tournament(world, name).entrants[number].status is EntrantStatus.ENTERED:
            say(world, f"TD1 sign_conditions {name} {number}")


@step("given", rf"the tables of {_NAME} are designated")
def _designated(world: World, name: str) -> None:
    """Every table is open and reserved, an hour before the first start."""
    for table, played in world.floor.tables.items():
        if not played.state.signed_on:
            cards = 52 * played.state.configuration.decks
            for line in ("D1 sign_on", "D1 open_table", f"GS1 check_cards {cards}"):
                say(world, f"{table}: {line}")
    start = min(min(starts) for starts in _tournament(world, name).plays_by.starts_ms.values())
    earlier = max(_lines(world).now_ms, start - 3_600_000)
    say(world, f"@{earlier / 1000:.3f} TD1 designate_tables {name} {','.join(world.floor.tables)}")


@step("given", rf"the seats of {_NAME} ([\w-]+) are drawn")
def _drawn(world: World, name: str, round_name: str) -> None:
    say(world, f"TD1 draw_seats {name} {round_name} {WORDS}")


@step("given", rf"{{number}} players are ready for {_NAME} by (\w+){_WITH}")
def _ready(world: World, players: str, name: str, conditions: str, changes: str | None) -> None:
    """Four tables of eight stations, everything before the first session done, and the seats drawn."""
    if world.lines is None:
        _tables(world, "4", "8")
    _approved(world, name, conditions, changes)
    _entered(world, players, name)
    _entry_closed(world, name)
    _designated(world, name)
    _drawn(world, name, _tournament(world, name).conditions.rounds[0].name)


@step("given|when", rf"session {{number}} of {_NAME} ([\w+-]+) is called(?: without {{rest}})?")
def _called(world: World, session: str, name: str, round_name: str, absent: str | None) -> None:
    """At its time, or at once for a play-off; its tables have fresh shoes and open it."""
    starts = _tournament(world, name).plays_by.starts_ms.get(round_name)
    at = f"@{max(_lines(world).now_ms, starts[int(session) - 1]) / 1000:.3f} " if starts else ""
    without = f" absent={absent.replace(' ', '')}" if absent else ""
    say(world, f"{at}TD1 call_session {name} {round_name} {session}{without}")
    called = world.answer
    for sitting in _tournament(world, name).sittings.values():
        if sitting.state is SittingState.CALLED:
            for line in ("D1 new_shoe", "GS1 cut 208", "D1 burn"):
                say(world, f"{sitting.table}: {line}")
    world.answer = called


@step("given|when", rf"at {_TABLE} coup {{cards}}(?: with {{rest}})?")
def _coup(world: World, table: str, cards: str, wagers: str | None) -> None:
    """`at T1 coup 4S 2H 4D 4C with A1 player 100, A2 banker 50`: opened, laid, closed, dealt and confirmed."""
    say(world, f"{table}: D1 open")
    for wager in wagers.split(", ") if wagers else ():
        station, bet, amount = wager.split()
        say(world, f"{table}: {station} set_wager {bet} {amount}")
    say(world, f"{table}: D1 close")
    for card in cards.split():
        say(world, f"{table}: D1 card {card}")
    say(world, f"{table}: D1 confirm")


@step("given|when", rf"{{number}} coups without wagers are played at {_TABLE}")
def _empty_coups(world: World, coups: str, table: str) -> None:
    """Each is void for want of wagers, and counts (G-123)."""
    for _ in range(int(coups)):
        for line in ("D1 open", "D1 close", "D1 void"):
            say(world, f"{table}: {line}")


# What came of it


@step("then", rf"tournament {_NAME} is {{rest}}")
def _phase(world: World, name: str, phase: str) -> None:
    expect(_tournament(world, name).phase.replace("_", " "), phase)


@step("then", rf"entrant {{number}} of {_NAME} is {{rest}}")
def _status(world: World, number: str, name: str, status: str) -> None:
    entrant = _tournament(world, name).entrant(int(number))
    assert entrant is not None, "there is no such entrant"
    expect(entrant.status.replace("_", " "), status)


@step("then", rf"{{number}} entrants of {_NAME} are {{rest}}")
def _statuses(world: World, count: str, name: str, status: str) -> None:
    found = [one for one in _tournament(world, name).entrants.values() if one.status.replace("_", " ") == status]
    expect(len(found), int(count))


@step("then", rf"the score of entrant {{number}} of {_NAME} in ([\w+-]+) is {{amount}}")
def _score(world: World, number: str, name: str, round_name: str, amount: str) -> None:
    sittings = ranked_sittings(_tournament(world, name), round_name)
    scores = {entrant: score for one in sittings.values() for entrant, score in final_scores(one).items()}
    assert int(number) in scores, f"found {scores}"
    expect(write_net(scores[int(number)]).removeprefix("+"), written(amount))


@step("then", rf"entrant {{number}} of {_NAME} is ranked {{number}} in ([\w-]+)")
def _rank(world: World, number: str, name: str, rank: str, round_name: str) -> None:
    ranks = {line.entrant: line.rank for line in standing_of(_tournament(world, name))[round_name]}
    expect(ranks.get(int(number)), int(rank))


@step("then", rf"entrant {{number}} of {_NAME} sits at {_TABLE}/(\w+)")
def _sits(world: World, number: str, name: str, table: str, station: str) -> None:
    places = {
        (sitting.table, at)
        for sitting in _tournament(world, name).sittings.values()
        for at, seat in sitting.seats.items()
        if seat.entrant == int(number)
    }
    assert (table, station) in places, f"found {sorted(places)}"


@step("then", r"sitting (\S+) is {rest}")
def _sitting(world: World, sitting: str, state: str) -> None:
    """`open`, `played`, or `called, because the sign is due`."""
    found = _tournament(world, sitting.partition("/")[0]).sittings[sitting]
    wanted, _, because = state.partition(", because ")
    expect(found.state.value, wanted)
    assert because.casefold() in found.why.casefold(), f"because {found.why}"


@step("then", r"sitting (\S+) has {number} coups counted(?: and {number} left)?")
def _counted(world: World, sitting: str, counted: str, left: str | None) -> None:
    found = _tournament(world, sitting.partition("/")[0]).sittings[sitting]
    expect(found.counted, int(counted))
    if left is not None:
        expect(found.left, int(left))


@step("then", r"the balance of (T[0-9]+)/(\w+) is {amount}")
def _balance(world: World, table: str, station: str, amount: str) -> None:
    expect(write_amount(world.floor.tables[table].state.purse(station).balance), written(amount))


@step("then", rf"{_TABLE} is (reserved|not reserved)")
def _reserved(world: World, table: str, how: str) -> None:
    expect(world.floor.tables[table].state.reserved is not None, how == "reserved")


@step("then", rf"{_TABLE} of {_NAME} is (\w+)(?:, because {{rest}})?")
def _table_state(world: World, table: str, name: str, state: str, because: str | None) -> None:
    found = _tournament(world, name).tables[table]
    expect(found.state, state)
    assert (because or "").casefold() in found.why.casefold(), f"because {found.why}"


@step("then", r"slip (\S+) is (\w+)")
def _slip(world: World, number: str, status: str) -> None:
    """As the house has it."""
    assert number in world.floor.house.slips, f"the house knows {sorted(world.floor.house.slips)}"
    expect(world.floor.house.slips[number].status.value, status)


@step("then", r"slip (\S+) is to (take|pay) {amount} for (\w+)")
def _slip_says(world: World, number: str, direction: str, amount: str, purpose: str) -> None:
    slip = world.floor.house.slips[number]
    expect((slip.direction, write_amount(slip.cents), slip.purpose), (direction, written(amount), purpose))


@step("then", rf"the house's account (\w+) of {_NAME} is {{amount}}")
def _books(world: World, kind: str, name: str, amount: str) -> None:
    books = {str(account): cents for account, cents in world.floor.house.ledger.books.items()}
    found = books.get(f"{kind}:{name}", 0)
    expect(write_net(found).removeprefix("+") if found else "0.00", written(amount))


@step("then", rf"prize {{number}} of {_NAME} is {{amount}} to entrant {{number}}")
def _prize(world: World, place: str, name: str, amount: str, entrant: str) -> None:
    found = [(one.place, write_amount(one.cents), one.entrant) for one in _tournament(world, name).prizes]
    assert (int(place), written(amount), int(entrant)) in found, f"found {found}"


def _tournament(world: World, name: str) -> TournamentState:
    assert name in world.floor.tournaments, f"there is no tournament {name}"
    return world.floor.tournaments[name]


def _lines(world: World) -> FloorLines:
    """The conversation with the whole floor; one table where the scenario gives no more."""
    if world.lines is None:
        _tables(world, "1", "8")
    assert world.lines is not None
    return world.lines
