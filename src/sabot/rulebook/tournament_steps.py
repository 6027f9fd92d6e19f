"""What steps may say to a tournament: its planning, its entrants, its tables, and how far a sitting has come.

The floor of a scenario has the tables T1 to T4 with the stations A1 to A8, the directors TD1 and TD2, and a cage with
the cashier CA1. A line that names no table is said at T1:

    given SPRING is planned with rounds.0.coups = 6       conditions that come with Sabot, with some keys changed
    given 40 entrants have entered SPRING                 each has paid what is due
    given heats of SPRING are drawn                       all are briefed and have signed, and the tables are designated
    given session 1 of heats of SPRING is on              the tables that play it have a fresh shoe
    given at T1 after 18 coups the balances are A1 6000, A2 5500
    when  @2026-06-06T13:00 TD1 call_session SPRING heats 1
    when  T2: D1 open

What came of it is said by `tournament_figures_steps.py`.
"""

import json
from collections.abc import Iterator, Mapping

import msgspec

from sabot.basics.at_once import at_once
from sabot.basics.mistake import Mistake
from sabot.basics.money import read_amount
from sabot.floor.lines.floor_lines import FloorLines, floor_configurations
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.rulebook.scenario import Step
from sabot.rulebook.stepping import Action, find, step
from sabot.rulebook.table_steps import changed_keys, go_on_from, say, tell
from sabot.rulebook.world import World
from sabot.table.configuration import read_configuration
from sabot.table.events import CreditsAdded, CreditsForfeited, Event, SessionPlayed, SessionScored
from sabot.table.fixtures import fixture
from sabot.table.sessions.state import SessionState
from sabot.tournament.state import EntrantStatus, SittingState, TournamentState

TABLES, STATIONS = 4, 8
WORDS = "AS KD 7C 2H 9S TD"
FORM = "0" * 64
_TABLE = r"(T[0-9]+)"
_NAME = r"([A-Z][A-Z0-9-]+)"
_ROUND = r"([a-z][\w+-]*)"
_CHANGES = r"(?: (with .+|without .+))?"
_ROUNDS = "CROWN 12.2.1(d)"
_TIED = ("4S", "4H", "4D", "4C")
"""Eight against eight: wagers on Player and Banker stay, so that a coup counts and changes no balance."""


# The floor


@step("given", r"a floor of {number} tables with {number} stations(?:, (T[0-9]+) (like|with) (.+))?")
def _floor(world: World, tables: str, stations: str, *other: str | None) -> None:
    """`…, T2 with decks = 6`: keys of its configuration with JSON values; `…, T4 like singapore`: another fixture."""
    changed, how, what = (*other, None, None, None)[:3]
    usual = msgspec.structs.replace(fixture("crown"), rule_set=world.rule_set)
    world.floor = LineFloor()
    for one in floor_configurations(usual, int(tables), int(stations)):
        if one.table != changed:
            world.floor.enter(one)
        elif how == "like":
            world.floor.enter(msgspec.structs.replace(fixture(what or ""), table=one.table, staff=one.staff))
        else:
            world.floor.enter(read_configuration(changed_keys(one, what or "")))
    world.lines = FloorLines(world.floor)
    world.talk = world.floor.tables["T1"]


def changes_of(said: str | None) -> dict[str, object]:
    """`with a.b = 1; c = "x"` as values by key, and `without a.b` as a key with nothing."""
    how, _, keys = (said or "").partition(" ")
    if how == "without":
        return dict.fromkeys(keys.split("; "))
    pairs = [part.partition(" = ") for part in keys.split("; ") if part]
    try:
        return {key.strip(): json.loads(value) for key, _, value in pairs}
    except ValueError:
        raise Mistake(f"{keys!r}: write KEY = VALUE with a value of JSON") from None


def contest(world: World, name: str) -> TournamentState:
    assert name in world.floor.tournaments, f"there is no tournament {name}"
    return world.floor.tournaments[name]


def table_of(world: World, name: str) -> LineTable:
    assert name in world.floor.tables, f"there is no table {name}"
    return world.floor.tables[name]


def session_at(world: World, table: str) -> SessionState:
    session = table_of(world, table).state.session
    assert session is not None, f"no session is on at {table}"
    return session


def _at(keyword: str) -> Action:
    def act(world: World, table: str, rest: str) -> None:
        before, world.talk = world.talk, table_of(world, table)
        said = Step(keyword, rest, 0)  # type: ignore[arg-type]  # One of the three words.
        found = find(said)
        assert found is not None, "no step says this"
        try:
            found[0](world, *found[1])
        finally:
            world.talk = before

    return act


# Planning and entry


@step("given|when", rf"the conditions of {_NAME} are saved{_CHANGES}")
def _save(world: World, name: str, changes: str | None) -> None:
    if world.lines is None:
        _floor(world, str(TABLES), str(STATIONS))
    if name not in world.floor.tournaments:
        say(world, f"operator create_tournament {name} The {name} tournament")
    line = {"do": "save_conditions", "by": "operator", "tournament": name, "conditions": name.lower()}
    tell(world, line | ({"set": changes_of(changes)} if changes else {}))


@step("given", rf"{_NAME} is planned{_CHANGES}")
def _plan(world: World, name: str, changes: str | None) -> None:
    """Its conditions are approved, and TD1 is appointed."""
    _save(world, name, changes)
    version = contest(world, name).saved
    say(world, f"operator approve_conditions {name} {version} VCGR-7 second=CS1")
    say(world, f"operator appoint_director {name} TD1")


@step("given", rf"entry of {_NAME} is open{_CHANGES}")
def _open_entry(world: World, name: str, changes: str | None) -> None:
    """By the clock, at its time; TD1 is present from then on."""
    if name not in world.floor.tournaments:
        _plan(world, name, changes)
    saved = contest(world, name).plays_by
    say(world, f"@{saved.opens_ms // 1000} clock tick")
    say(world, f"TD1 be_present {name}")


@step("given", rf"{{number}} entrants have entered {_NAME}{_CHANGES}")
def _enter(world: World, number: str, name: str, changes: str | None) -> None:
    """P-1, P-2 and so on register at the cage and pay what is due."""
    if name not in world.floor.tournaments or not contest(world, name).entry_opened:
        _open_entry(world, name, changes)
    first = len(contest(world, name).entrants) + 1
    for entrant in range(first, first + int(number)):
        register(world, name, f"P-{entrant}")
        _pay(world, name)


def register(world: World, name: str, player: str) -> None:
    """Somebody who meets all criteria, with form and identity on record."""
    met = ",".join(one.id for one in contest(world, name).conditions.eligibility.criteria)
    say(world, f"CA1 register_entrant {name} {player} {met} identity_checked=yes form_digest={FORM}".replace("  ", " "))


@step("given|when", rf"the cage settles every slip of {_NAME}")
def _pay(world: World, name: str) -> None:
    for number, slip in sorted(world.floor.house.slips.items()):
        if slip.tournament == name and slip.status == "open":
            say(world, f"CA1 {slip.direction}_slip {number} second=CS1")


@step("given|when", rf"(P-\w+) registers for {_NAME}")
def _registers(world: World, player: str, name: str) -> None:
    register(world, name, player)


@step("given", rf"everybody in {_NAME} is briefed and has signed")
def _brief(world: World, name: str) -> None:
    say(world, f"TD1 brief {name}")
    for number, entrant in sorted(contest(world, name).entrants.items(), key=lambda one: int(one[0])):
        if entrant.status is EntrantStatus.ENTERED:
            say(world, f"TD1 sign_conditions {name} {number}")


@step("given", rf"everybody seated in {_NAME} signs")
def _sign(world: World, name: str) -> None:
    for number, entrant in sorted(contest(world, name).entrants.items(), key=lambda one: int(one[0])):
        if entrant.status is EntrantStatus.SEATED:
            say(world, f"TD1 sign_conditions {name} {number}")


@step("given", rf"{{number}} eliminated entrants of {_NAME} buy back")
def _buy_back(world: World, number: str, name: str) -> None:
    """Those with the lowest numbers; each pays at once."""
    entrants = sorted(contest(world, name).entrants.items(), key=lambda one: int(one[0]))
    out = [one for one, entrant in entrants if entrant.status is EntrantStatus.ELIMINATED]
    for one in out[: int(number)]:
        say(world, f"CA1 buy_back {name} {one}")
        _pay(world, name)


# Tables and seats


@step("given", rf"entry of {_NAME} is closed")
def _close_entry(world: World, name: str) -> None:
    """By the clock, at its time."""
    say(world, f"@{contest(world, name).plays_by.closes_ms // 1000} clock tick")


@step("given", rf"the tables of {_NAME} are designated")
def _designate(world: World, name: str) -> None:
    """Every table of the floor, half an hour before the first session."""
    for table in world.floor.tables:
        if table_of(world, table).state.phase == "closed":
            for line in ("D1 sign_on", "D1 open_table", "GS1 check_cards 416"):
                say(world, f"{table}: {line}")
    first = min(ms for starts in contest(world, name).plays_by.starts_ms.values() for ms in starts)
    say(world, f"@{first // 1000 - 1800} TD1 designate_tables {name} {','.join(world.floor.tables)}")


@step("given", rf"{_NAME} is ready to draw")
def _ready(world: World, name: str) -> None:
    """Entry is closed, everybody is briefed and has signed, and the tables are designated."""
    _close_entry(world, name)
    _brief(world, name)
    _designate(world, name)


@step("given", rf"{_ROUND} of {_NAME} (?:is|are) drawn")
def _draw(world: World, round_name: str, name: str) -> None:
    if not contest(world, name).tables:
        _ready(world, name)
    say(world, f"TD1 draw_seats {name} {round_name} {WORDS}")


@step("given", rf"session {{number}} of {_ROUND} of {_NAME} is on(?: without entrants? ([0-9,]+))?")
def _on(world: World, session: str, round_name: str, name: str, absent: str | None) -> None:
    """It is called at its start, and every table that plays it has a fresh shoe."""
    if contest(world, name).progress(round_name).drawn is None and "+" not in round_name:
        _draw(world, round_name, name)
    starts = contest(world, name).plays_by.starts_ms.get(round_name, ())
    when = f"@{max(starts[int(session) - 1], _now(world)) // 1000} " if starts else ""
    without = f" absent={absent}" if absent else ""
    say(world, f"{when}TD1 call_session {name} {round_name} {session}{without}")
    for sitting in list(contest(world, name).sittings.values()):
        if sitting.state is SittingState.CALLED:
            _shuffle(world, sitting.table)


def _now(world: World) -> int:
    assert world.lines is not None, "there is no floor"
    return world.lines.now_ms


@step("given", rf"{_TABLE} has a fresh shoe")
def _shuffle(world: World, table: str) -> None:
    for line in ("D1 new_shoe", "GS1 cut 208", "D1 burn"):
        say(world, f"{table}: {line}")


# Play


@step("given", rf"at {_TABLE} {{number}} tied coups? (?:is|are) played")
def _tied_coups(world: World, table: str, number: str) -> None:
    """Everybody who sits there lays 50.00 on Player and has it back."""
    for _ in range(int(number)):
        say(world, f"{table}: D1 open")
        for station in session_at(world, table).open_seats:
            say(world, f"{table}: {station} set_wager player 50")
        say(world, f"{table}: D1 close")
        for card in _TIED:
            say(world, f"{table}: D1 card {card}")
        say(world, f"{table}: D1 confirm")


@step("given", rf"at {_TABLE} after {{number}} coups the balances are {{rest}}")
def _balances(world: World, table: str, number: str, balances: str) -> None:
    """As if the coups up to this one had led to them; who is not named keeps the balance."""
    pairs = [one.split() for one in balances.split(", ")]
    wanted = {station: 0 if amount == "0" else int(read_amount(amount)) for station, amount in pairs}
    before, world.talk = world.talk, table_of(world, table)
    try:
        go_on_from(world, *_played_on(world.talk, int(number), wanted))
        at_once(world.floor.carry())
    finally:
        world.talk = before


def _played_on(table: LineTable, counted: int, wanted: Mapping[str, int]) -> Iterator[Event]:
    state, session = table.state, table.state.session
    assert session is not None, f"no session is on at {table.name}"
    scores = {seat.entrant: state.purse(name).balance for name, seat in session.open_seats.items()}
    for station, balance in wanted.items():
        entrant = session.seats[station].entrant
        yield from _moved(session, station, balance - state.purse(station).balance)
        scores[entrant] = balance
    for nth in range(session.counted + 1, counted + 1):
        yield SessionScored(
            sitting=session.sitting,
            coup=state.coups,
            counted=nth,
            left=None if session.terms.coups is None else session.terms.coups - nth,
            revision=session.revision + nth - session.counted,
            scores=scores,
            clause=_ROUNDS,
        )
    if session.terms.coups == counted:
        yield SessionPlayed(sitting=session.sitting, counted=counted, why="coups", clause=_ROUNDS)


def _moved(session: SessionState, station: str, change: int) -> Iterator[Event]:
    sitting, entrant = session.sitting, session.seats[station].entrant
    if change > 0:
        yield CreditsAdded(sitting=sitting, station=station, entrant=entrant, credits=change, order=0, clause=_ROUNDS)
    elif change < 0:
        yield CreditsForfeited(
            sitting=sitting, station=station, entrant=entrant, credits=-change, coup=0, clause=_ROUNDS
        )


@step("when", rf"{{number}} s later the game system of {_TABLE} dies, and is started again")
def _dies(world: World, seconds: str, table: str) -> None:
    """Its next owner takes the table as the records leave it."""
    say(world, f"+{seconds} {table}: clock tick")
    at_once(table_of(world, table).leave())
    at_once(table_of(world, table).begin())
    at_once(world.floor.carry())


@step("given|when", rf"the session of {_NAME} is closed")
def _close_session(world: World, name: str) -> None:
    say(world, f"TD1 close_session {name}")


@step("given", rf"the money of {_TABLE} is noted")
def _note_money(world: World, table: str) -> None:
    world.money[table] = money_of(world, table)


def money_of(world: World, table: str) -> bytes:
    """Ledger, meters, limits and offered bets as they are, or as they are put aside while a session is on."""
    state = table_of(world, table).state
    aside = state.session.money if state.session else state
    books = {str(account): cents for account, cents in aside.ledger.books.items()}
    purses = {name: (one.balance, one.held, dict(one.layout)) for name, one in aside.ledger.purses.items()}
    signs = (dict(aside.limits), sorted(aside.offered), dict(aside.minimums), aside.aggregate_minimum)
    return msgspec.json.encode((books, purses, dict(aside.meters), signs), order="deterministic", enc_hook=str)


# Last, since what follows it may be any step.
for _word in ("given", "when", "then"):
    step(_word, rf"at {_TABLE} {{rest}}")(_at(_word))
