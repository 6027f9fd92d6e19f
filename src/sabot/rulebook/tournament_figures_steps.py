"""What steps may say of a tournament after the fact: scores, ranks, statuses, seats, slips, books, and what is refused.

then entrant 5 is through
then the score of entrant 3 is 950
then the books of SPRING hold cage 2760, prize_pool 2360, tournament_fees 400
then slip SPRING-000041 is to pay 60.00 and is open
then conditions spring without rounds.0.balances are refused at rounds.0.balances by CROWN 12.2.1(b)
"""

from collections import Counter

from sabot.basics.money import write_amount
from sabot.floor.lines.reader import wanted_conditions
from sabot.floor.lines.tournament_figures import StandingLine, books_of, slips_of, standing_of
from sabot.house.liability import liability
from sabot.rulebook.stepping import expect, step
from sabot.rulebook.table_steps import written
from sabot.rulebook.tournament_steps import changes_of, contest, money_of, session_at, table_of
from sabot.rulebook.world import World
from sabot.tournament.conditions.file import problems_of
from sabot.tournament.state import Entrant, TournamentState

_TABLE = r"(T[0-9]+)"
_NAME = r"([A-Z][A-Z0-9-]+)"
_ROUND = r"([a-z][\w+-]*)"
_CHANGED = r"conditions (autumn|spring|night)(?: (with .+|without .+))?"


def _only(world: World) -> TournamentState:
    """The tournament of a scenario that has one."""
    (one,) = world.floor.tournaments.values()
    return one


def _entrant(world: World, number: str) -> Entrant:
    found = _only(world).entrant(int(number))
    assert found is not None, f"there is no entrant {number}"
    return found


# Conditions


@step("then", _CHANGED + r" are refused at (\S+) by ([^,]+)(?:, because {rest})?")
def _conditions_refused(world: World, file: str, changes: str | None, *wanted: str | None) -> None:
    del world
    key, clause, because = wanted
    found = problems_of(wanted_conditions(file, changes_of(changes)))
    told = [str(one) for one in found]
    named = [one for one in found if (one.key, one.clause) == (key, clause)]
    assert named, f"found {told}"
    assert because is None or any(because in one.why for one in named), f"found {told}"


@step("then", _CHANGED + r" are accepted")
def _conditions_accepted(world: World, file: str, changes: str | None) -> None:
    del world
    expect([str(one) for one in problems_of(wanted_conditions(file, changes_of(changes)))], [])


# Entrants


@step("then", r"the tournament " + _NAME + r" is ([a-z ]+)")
def _phase(world: World, name: str, phase: str) -> None:
    expect(contest(world, name).phase.value.replace("_", " "), phase)


@step("then", r"entrants? ([0-9, ]+) (?:is|are) ([a-z]+(?: [a-z]+)?)")
def _status(world: World, numbers: str, status: str) -> None:
    for number in numbers.replace(",", " ").split():
        expect(_entrant(world, number).status.value.replace("_", " "), status)


@step("then", r"{number} entrants? (?:is|are) ([a-z]+(?: [a-z]+)?)")
def _how_many(world: World, number: str, status: str) -> None:
    found = Counter(one.status.value.replace("_", " ") for one in _only(world).entrants.whole().values())
    expect(found[status], int(number))


@step("then", r"entrant {number} was ([a-z, _]+)")
def _history(world: World, number: str, statuses: str) -> None:
    """Every earlier status in its order; none is ever removed."""
    expect(", ".join(status.value for status, _ in _entrant(world, number).history), statuses)


@step("then", r"entrant {number} is (P-\w+), briefed on version {number} and signed version {number}")
def _told(world: World, number: str, player: str, briefed: str, signed: str) -> None:
    one = _entrant(world, number)
    expect((one.player, one.briefed, one.signed), (player, int(briefed), int(signed)))


# Seats and scores


@step("given|then", r"entrant {number} sits at " + _TABLE + r"/(\w+)(?:, played by (\S+))?")
def _sits(world: World, number: str, table: str, station: str, substitute: str | None) -> None:
    seat = session_at(world, table).seats.get(station)
    assert seat is not None, f"nobody has {station}"
    expect((seat.entrant, seat.substitute), (int(number), substitute or ""))


@step("then", _ROUND + r" (?:has|have) sittings of ([0-9, /]+)")
def _sittings(world: World, round_name: str, wanted: str) -> None:
    """`8, 8, 8 / 8, 8`: seats at each table, session by session."""
    drawn = _only(world).progress(round_name).drawn
    assert drawn is not None, "no seats are drawn"
    sessions: dict[int, Counter[str]] = {}
    for placed in drawn:
        sessions.setdefault(placed.session, Counter())[placed.table] += 1
    found = [", ".join(str(tables[one]) for one in sorted(tables)) for _, tables in sorted(sessions.items())]
    expect(" / ".join(found), wanted)


@step("then", r"the score of entrant {number}(?: in " + _ROUND + r")? is {amount}")
def _score(world: World, number: str, round_name: str | None, amount: str) -> None:
    found = [one for one in _lines(world, round_name) if one.entrant == int(number)]
    assert found, f"entrant {number} is not ranked"
    expect(write_amount(found[-1].score), written(amount))


@step("then", r"entrant {number} is ranked {number}(?: in " + _ROUND + r")?")
def _rank(world: World, number: str, rank: str, round_name: str | None) -> None:
    expect([one.rank for one in _lines(world, round_name) if one.entrant == int(number)], [int(rank)])


@step("then", r"entrant {number} has no rank")
def _unranked(world: World, number: str) -> None:
    assert int(number) not in [one.entrant for one in _lines(world, None)], "the entrant has a rank"


def _lines(world: World, round_name: str | None) -> list[StandingLine]:
    """The standing of a round; of the newest one, where none is named."""
    rounds = standing_of(_only(world))
    assert rounds, "no round has begun"
    return rounds[round_name or list(rounds)[-1]]


@step("then", r"{number} coups? counts? at " + _TABLE + r"(?:, {number} (?:is|are) left)?")
def _counted(world: World, counted: str, table: str, left: str | None) -> None:
    session = session_at(world, table)
    expect(session.counted, int(counted))
    if left is not None:
        expect(session.left, int(left))


@step("then", r"the sitting at " + _TABLE + r" is (\w+)(?:, because {rest})?")
def _sitting(world: World, table: str, state: str, because: str | None) -> None:
    found = [one for one in _only(world).sittings.values() if one.table == table]
    assert found, "there is none"
    expect(found[-1].state.value, state)
    assert because is None or because in found[-1].why, f"because {found[-1].why!r}"


@step("then", _TABLE + r" is (reserved for|free of) " + _NAME)
def _reserved(world: World, table: str, how: str, name: str) -> None:
    reserved = table_of(world, table).state.reserved
    expect(reserved is not None and reserved.tournament == name, how == "reserved for")


# Money


@step("then", r"the money of " + _TABLE + r" is as before")
def _money(world: World, table: str) -> None:
    assert table in world.money, "it was not noted"
    expect(money_of(world, table), world.money[table])


@step("then", r"the books of " + _NAME + r" hold {rest}")
def _books(world: World, name: str, accounts: str) -> None:
    """The cage and every account of the tournament that is not nothing; `nothing` where there is none."""
    found = {kind: write_amount(cents) for kind, cents in books_of(contest(world, name), world.floor.house).items()}
    pairs = [] if accounts == "nothing" else [one.split() for one in accounts.split(", ")]
    wanted = {kind: written(amount) for kind, amount in pairs}
    expect({kind: amount for kind, amount in found.items() if amount != "0.00"}, wanted)
    assert liability(world.floor.house).agrees, "slips and books do not come to the same"


@step("then", r"slip ([A-Z0-9-]+) is to (take|pay) {amount} and is (\w+)")
def _slip(world: World, number: str, direction: str, amount: str, status: str) -> None:
    slips = slips_of(_only(world), world.floor.house)
    assert number in slips, f"there are {', '.join(slips)}"
    one = slips[number]
    expect((one.direction, write_amount(one.cents), one.house or one.status), (direction, written(amount), status))


@step("then", r"there is no slip ([A-Z0-9-]+)")
def _no_slip(world: World, number: str) -> None:
    assert number not in _only(world).slips, "there is"


@step("then", r"the prizes are {rest}")
def _prizes(world: World, prizes: str) -> None:
    """`1 entrant 5 1180, 2 entrant 3 590`."""
    found = [f"{one.place} entrant {one.entrant} {write_amount(one.cents)}" for one in _only(world).prizes]
    wanted = [one.rpartition(" ") for one in prizes.split(", ")]
    expect(found, [f"{whose} {written(amount)}" for whose, _, amount in wanted])
