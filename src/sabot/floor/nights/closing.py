"""The way out: from any state a Casino Supervisor, with a second person, brings the table to a lawful end.

`close_down` gives the acts one after the other, each decided by the table itself, until the table is closed and
everybody is paid. It has 20 acts, and two more for each open account, payable or case; a state from which it does not
come through is a dead end.
"""

from collections.abc import Iterator

from sabot.basics.stamp import Stamp
from sabot.floor.simulator.violation import Violation
from sabot.ledger.account import AccountKind
from sabot.table import acts
from sabot.table.cases.state import CaseKind
from sabot.table.decide import decide
from sabot.table.evolve import fold
from sabot.table.irregularities.deciding import resolutions
from sabot.table.phase import Phase
from sabot.table.refusal import Refused
from sabot.table.role import Role
from sabot.table.state import CardCheck, Stage, TableState

SUPERVISOR, SECOND = "CS1", "GS1"
ACTS, EACH = 20, 2
WHY = "the night is over"


def close_down(state: TableState, at_ms: int) -> int:
    """How many acts it took; a dead end raises `Violation`."""
    most = ACTS + EACH * _open_matters(state)
    for count in range(most + 1):
        if is_over(state):
            return count
        at_ms += 1
        state = _step(state, at_ms)
    raise Violation(f"the table is not closed within {most} acts: {_described(state)}")


def is_over(state: TableState) -> bool:
    """Closed, and nothing is open: no account, no payable, no case that waits for a decision."""
    return state.phase is Phase.CLOSED and not _open_matters(state)


def way_out(state: TableState) -> Iterator[acts.Act]:
    """What a supervisor would try now, the most pressing first."""
    yield from trouble(state)
    if state.coup is not None:
        yield acts.Invalidate(coup=state.coup.number, cause="malfunction", reason=WHY)
    yield from _cases(state)
    for name, station in state.stations.items():
        if station.is_open:
            yield acts.Pay(station=name)
            yield acts.Leave(station=name)
    for name, control in _payables(state):
        yield acts.PayPayable(station=name, control=control)
    if state.shoe.stage is not Stage.NONE and state.cards_checked is not CardCheck.CLOSING:
        yield acts.CheckCards(cards=52 * state.configuration.decks, when="closing")
    yield acts.CloseTable()


def trouble(state: TableState) -> Iterator[acts.Act]:
    """What stands in the way of everything else: a freeze, a stated fact, a failure."""
    if state.frozen_at_ms is not None:
        yield acts.Recalculate()
        yield acts.Unfreeze()
    if state.fact is not None:
        yield acts.WithdrawFact(reason=WHY)
        for one in resolutions(state, state.fact):
            yield acts.Resolve(id=one.id)
    if state.awaits_confirmation:
        yield acts.ConfirmRecords()


def _cases(state: TableState) -> Iterator[acts.Act]:
    for number, case in state.cases.items():
        if not case.closed and case.kind is CaseKind.CLAIM:
            yield acts.DecideClaim(case=number, accepted=False, reason=WHY)
            yield acts.RemedyDone(case=number, text=WHY)
        elif not case.closed and case.kind is CaseKind.DISPUTE:
            yield acts.DecideDispute(case=number, decision=WHY)
        elif case.seized:
            yield acts.Release(case=number, reason=WHY)


def _step(state: TableState, at_ms: int) -> TableState:
    refusals = []
    for act in way_out(state):
        stamp = Stamp(
            by=SUPERVISOR,
            role=Role.CASINO_SUPERVISOR,
            at_ms=at_ms,
            second=SECOND,
            second_role=Role.GAME_SUPERVISOR,
            ticket=f"9{at_ms % 10**17:017}",
        )
        decision = decide(state, act, stamp)
        if not isinstance(decision, Refused) and decision:
            return fold(decision, state)
        refusals.append(f"{act.verb}: {decision.text if isinstance(decision, Refused) else 'nothing happens'}")
    raise Violation(f"a dead end: {_described(state)}; {'; '.join(refusals)}")


def _payables(state: TableState) -> list[tuple[str, int]]:
    return [
        (account.station, int(account.part))
        for account, cents in state.money_ledger.books.items()
        if account.kind is AccountKind.PAYABLE and cents
    ]


def _open_matters(state: TableState) -> int:
    accounts = sum(station.is_open for station in state.stations.values())
    waiting = (CaseKind.CLAIM, CaseKind.DISPUTE)
    cases = sum(bool(case.seized) or (not case.closed and case.kind in waiting) for case in state.cases.values())
    return accounts + len(_payables(state)) + cases


def _described(state: TableState) -> str:
    where = [f"phase {state.phase}", f"shoe {state.shoe.stage}"]
    where += [f"locked ({state.locked})"] if state.locked else []
    where += ["frozen"] if state.frozen_at_ms is not None else []
    where += [f"fact {state.fact.kind}"] if state.fact is not None else []
    where += ["a dummy coup"] if state.coup is not None and state.coup.dummy else []
    return ", ".join(where)
