"""What holds after every act of a night, whatever was done before it. What breaks a law raises `Violation`."""

from collections.abc import Collection, Mapping

from sabot.floor.simulator.violation import insist
from sabot.floor.table_owner.effects import Happening
from sabot.ledger.audit import discrepancy
from sabot.table import events as e
from sabot.table.role import Role
from sabot.table.second_person import approval_due
from sabot.table.state import TableState

Authority = Mapping[str, Collection[Role]]
"""Which roles may give each verb, as a table of its own that the program does not read."""

PAST_A_FACT = (e.WageringOpened, e.CardDealt, e.CoupDecided, e.WagersSettled, e.TableClosed)
"""What must not happen while a stated fact waits for its resolution."""


class Laws:
    def __init__(self, authority: Authority) -> None:
        self._authority = authority
        self._settled: set[int] = set()

    def check(self, before: TableState, happening: Happening) -> None:
        after = happening.state
        if happening.act is None or not happening.events:
            return
        self._check_authority(happening)
        _check_money(after)
        _check_cards(after)
        _check_fact(before, happening)
        _check_second(before, happening)
        self._check_settled_once(happening)

    def _check_authority(self, happening: Happening) -> None:
        act, stamp = happening.act, happening.stamp
        assert act is not None
        if stamp.role in (Role.CLOCK, Role.OPERATOR, Role.STATION):
            return
        insist(stamp.role in self._authority.get(act.verb, ()), f"a {stamp.role} gave {act.verb}")

    def _check_settled_once(self, happening: Happening) -> None:
        for event in happening.events:
            if isinstance(event, e.WagersSettled):
                insist(event.coup not in self._settled, f"coup {event.coup} is settled twice")
                self._settled.add(event.coup)


def _check_money(after: TableState) -> None:
    wrong = discrepancy(after.ledger, after.meters)
    insist(wrong is None or bool(after.locked), f"the books do not agree: {wrong}")
    for name, purse in after.ledger.purses.items():
        insist(min(purse.balance, purse.held, *purse.layout.values(), 0) >= 0, f"{name} is below zero")


def _check_cards(after: TableState) -> None:
    shoe, decks = after.shoe, after.configuration.decks
    insist(0 <= shoe.out <= shoe.cards, f"{shoe.out} of {shoe.cards} cards are out")
    for card, copies in shoe.census.items():
        insist(0 <= copies <= decks, f"{card} has left the shoe {copies} times")
    insist(sum(shoe.census.values()) <= shoe.out, "more cards are known than have left the shoe")


def _check_fact(before: TableState, happening: Happening) -> None:
    """A stated fact stays until it is resolved or withdrawn."""
    if before.fact is None or any(isinstance(event, e.FactResolved) for event in happening.events):
        return
    past = next((event for event in happening.events if isinstance(event, PAST_A_FACT)), None)
    insist(past is None, f"{type(past).__name__} happened past the stated fact {before.fact.kind}")


def _check_second(before: TableState, happening: Happening) -> None:
    due = approval_due(before, happening.events)
    signed = [event for event in happening.events if isinstance(event, e.Countersigned)]
    insist(due is None or bool(signed), f"nobody approved what is for two: {due}")
    insist(all(event.second != event.by for event in signed), "somebody approved an act of their own")
