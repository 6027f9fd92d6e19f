"""What steps may say of the house: its tickets, its books and its days."""

from sabot.basics.money import write_amount
from sabot.house.liability import liability
from sabot.house.state import TicketStatus
from sabot.ledger.account import Account, AccountKind
from sabot.rulebook.stepping import expect, step
from sabot.rulebook.table_steps import written
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


@step("then", r"(\w+) outstanding tickets? of {amount} (?:is|are) {number} days? old")
def _age(world: World, status: str, amount: str, days: str) -> None:
    found = [(one.status, write_amount(one.cents), one.days_old) for one in liability(world.floor.house).outstanding]
    assert (TicketStatus(status), written(amount), int(days)) in found, f"found {found}"
