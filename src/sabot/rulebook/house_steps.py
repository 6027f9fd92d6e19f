"""What steps may say of the house: its tickets, its books and its days, and how much of the past its tables keep."""

from sabot.basics.money import write_amount
from sabot.floor.lines.table import LineFloor
from sabot.floor.table_owner.errands import Backing
from sabot.house.liability import liability
from sabot.house.state import TicketStatus
from sabot.journal.memory import MemoryJournal
from sabot.ledger.account import Account, AccountKind
from sabot.rulebook.stepping import expect, step
from sabot.rulebook.table_steps import talk_of, written
from sabot.rulebook.world import World


@step("then", r"the house owes {amount} for tickets")
def _liability(world: World, amount: str) -> None:
    expect(write_amount(world.floor.house.liability), written(amount))
    assert liability(world.floor.house).agrees, "tickets, slips, days and books do not come to the same"


@step("then", r"the house's account (\w+) is {amount}")
def _account(world: World, kind: str, amount: str) -> None:
    expect(write_amount(world.floor.house.ledger.balance(Account(AccountKind(kind)))), written(amount))


@step("then", r"ticket {number} is ([\w ]+)")
def _status(world: World, ticket: str, status: str) -> None:
    assert ticket in world.floor.house.tickets, "the house does not know it"
    expect(world.floor.house.tickets[ticket].status, TicketStatus(status.replace(" ", "_")))


@step("then", r"ticket {number} is not in the house's state")
def _is_away(world: World, ticket: str) -> None:
    assert ticket not in world.floor.house.tickets, "it is"


@step("then", r"(\w+) outstanding tickets? of {amount} (?:is|are) {number} days? old")
def _age(world: World, status: str, amount: str, days: str) -> None:
    found = [(one.status, write_amount(one.cents), one.days_old) for one in liability(world.floor.house).outstanding]
    assert (TicketStatus(status), written(amount), int(days)) in found, f"found {found}"


@step("given", r"the table's state keeps {number} coups?")
def _keeps(world: World, coups: str) -> None:
    """So few that a scenario comes to what has fallen out of it."""
    journal = MemoryJournal(lambda: 0)
    backing = Backing(journal=journal, owner="a scenario", build="", wall_ms=lambda: 0, keeps=int(coups))
    world.floor = LineFloor(backing)


@step("then", r"coup {number} is not in the table's state")
def _has_fallen(world: World, coup: str) -> None:
    assert all(one.coup != int(coup) for one in talk_of(world).state.played), "it is"
