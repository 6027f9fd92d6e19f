"""A fact or a resolution that was a mistake: taken back, with who and why (G-160, G-163)."""

from collections.abc import Mapping

from sabot.basics.stamp import Stamp
from sabot.ledger.account import IN_PURSES, Account
from sabot.ledger.posting import Posting
from sabot.table import acts
from sabot.table.events import Event, FactResolved, FactWithdrawn, ResolutionTakenBack
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.role import at_least
from sabot.table.state import Resolved, TableState

_TAKEN_BACK = "G-160"


def withdraw_fact(state: TableState, act: acts.WithdrawFact, stamp: Stamp) -> tuple[Event, ...]:
    """It did not happen. What the entries of the coup show is put right at the entries (G-161)."""
    if state.fact is None:
        raise No(Cause.NO_FACT)
    if state.fact.entered and state.coup is not None:
        raise No(Cause.FACT_OF_ENTRIES)
    if not act.reason.strip():
        raise No(Cause.REASON_MISSING, clause="G-163")
    clause = state.terms.rule_set.irregularities[state.fact.kind].clause
    return (FactWithdrawn(kind=state.fact.kind, reason=act.reason, by=stamp.by, clause=clause),)


def unresolve(state: TableState, act: acts.Unresolve, stamp: Stamp) -> tuple[Event, ...]:
    """The money goes back where it came from, as long as it is still there; the fact stands unresolved again."""
    resolved = state.resolved
    if resolved is None:
        raise No(Cause.NOTHING_RESOLVED)
    if not act.reason.strip():
        raise No(Cause.REASON_MISSING, clause=_TAKEN_BACK)
    if stamp.role not in at_least(resolved.role):
        needed = resolved.role.in_words
        raise No(Cause.WRONG_ROLE, clause=_TAKEN_BACK, needed=needed, role=stamp.role.in_words)
    moved = tuple(Posting(one.credit, one.debit, one.cents, _TAKEN_BACK) for one in reversed(resolved.moved))
    _check_still_there(state, resolved, moved)
    coup = resolved.coup
    return (
        ResolutionTakenBack(
            id=resolved.id,
            kind=resolved.fact.kind,
            phase=resolved.phase,
            coup=None if coup is None else coup.number,
            cards=() if coup is None else tuple(card.notation for card in coup.cards),
            moved=moved,
            corrected={station: -cents for station, cents in resolved.corrected.items()},
            restored=resolved.made_invalid,
            reason=act.reason,
            by=stamp.by,
            clause=_TAKEN_BACK,
        ),
    )


def resolved_by_the_end(state: TableState, stamp: Stamp, what: str, text: str, clause: str) -> tuple[Event, ...]:
    """A supervisor ends the coup or the shoe: what was stated is resolved by that, on record."""
    if state.fact is None:
        return ()
    return (FactResolved(id=what, text=text, role=stamp.role, by=stamp.by, clause=clause),)


def _check_still_there(state: TableState, resolved: Resolved, moved: tuple[Posting, ...]) -> None:
    """Nobody's account goes below zero, and no other patron's is touched."""
    balances: dict[Account, int] = {}
    for posting in moved:
        for account, change in ((posting.debit, -posting.cents), (posting.credit, posting.cents)):
            if account.kind in IN_PURSES:
                balances[account] = balances.get(account, state.ledger.balance(account)) + change
                if balances[account] < 0 or not _same_patron(state, resolved.controls, account.station):
                    raise No(Cause.MONEY_GONE, station=account.station)


def _same_patron(state: TableState, controls: Mapping[str, int], station: str) -> bool:
    return state.stations[station].control == controls.get(station)
