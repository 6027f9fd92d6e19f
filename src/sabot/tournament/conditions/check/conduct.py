"""Leaving, attendance, conduct and rule 6 (CROWN 12.2.1(h), (i), 12.2.2, 12.2.4, 12.3)."""

from collections.abc import Sequence

from sabot.basics.money import write_amount
from sabot.tournament.conditions.check.written import WrittenParts
from sabot.tournament.conditions.parts import (
    AbsentOutcome,
    AccountsPart,
    AttendancePart,
    ConductPart,
    EntryPart,
    LeavingPart,
    RoundPart,
)
from sabot.tournament.conditions.problem import Problems, problem

RULE_6 = (
    *("6.2", "6.2.1", "6.3", "6.3.1", "6.3.2", "6.4", "6.5", "6.5.1", "6.5.2", "6.6", "6.6.1", "6.6.2"),
    *("6.7", "6.7.1", "6.7.2", "6.7.2(a)", "6.7.2(b)", "6.7.2(c)"),
)
"""The clauses of rule 6 that conditions may change. 6.1 is not among them: a station always shows its credits."""


def conduct_problems(written: WrittenParts) -> Problems:
    if written.leaving is not None:
        yield from _leaving(written.leaving, written.entry)
    if written.attendance is not None:
        yield from _late(written.attendance, written.rounds or ())
        yield from _absent(written.attendance, written.entry, written.rounds)
    if written.conduct is not None:
        yield from _conduct(written.conduct)
    if written.accounts is not None:
        yield from _accounts(written.accounts)


def _percent(key: str, percent: int, amounts: Sequence[int]) -> Problems:
    """A refund is a whole number of cents of the fee and of its part for the pool."""
    if not 0 <= percent <= 100:
        yield problem(key, f"{percent} per cent is not between 0 and 100")
        return
    for cents in amounts:
        if percent * cents % 100:
            yield problem(key, f"{percent} per cent of {write_amount(cents)} is a fraction of a cent")
            return


def _fees(entry: EntryPart | None) -> tuple[int, ...]:
    return () if entry is None else (entry.fee_cents, entry.to_pool_cents)


def _leaving(leaving: LeavingPart, entry: EntryPart | None) -> Problems:
    yield from _percent("leaving.retirement.refund_percent", leaving.retirement.refund_percent, _fees(entry))
    if not leaving.grounds:
        yield problem("leaving.grounds", "is empty: without a ground nobody could be disqualified")
    ids = [one.id for one in leaving.grounds]
    for number, one in enumerate(leaving.grounds):
        key = f"leaving.grounds[{number}]"
        if not one.id.strip():
            yield problem(f"{key}.id", "is blank")
        elif one.id in ids[:number]:
            yield problem(f"{key}.id", f"{one.id} stands there twice")
        yield from _percent(f"{key}.refund_percent", one.refund_percent, _fees(entry))


def _late(attendance: AttendancePart, rounds: Sequence[RoundPart]) -> Problems:
    late, key = attendance.late, "attendance.late"
    if late.penalty_credits < 0:
        yield problem(f"{key}.penalty_credits", f"{write_amount(late.penalty_credits)} is below nothing")
    if not late.admitted:
        return
    if late.latest_coup is None or late.latest_coup < 1:
        yield problem(f"{key}.latest_coup", "is missing: the last coup for which a late entrant is seated")
        return
    for one in rounds:
        missed = late.latest_coup - 1
        if one.credit > 0 and late.penalty_credits * missed >= one.credit:
            why = (
                f"{missed} missed coups at {write_amount(late.penalty_credits)} "
                f"leave nothing of the credit of {write_amount(one.credit)} in {one.name}"
            )
            yield problem(f"{key}.penalty_credits", why)


def _absent(attendance: AttendancePart, entry: EntryPart | None, rounds: Sequence[RoundPart] | None) -> Problems:
    absent, key = attendance.absent, "attendance.absent"
    yield from _percent(f"{key}.refund_percent", absent.refund_percent, _fees(entry))
    buy_ins = tuple(one.buy_in_cents for one in rounds or ())
    yield from _percent(f"{key}.buy_in_refund_percent", absent.buy_in_refund_percent, buy_ins)
    caught_up = rounds is None or any(line.missed for one in rounds for line in one.from_)
    if absent.outcome is AbsentOutcome.CATCH_UP and not caught_up:
        yield problem(f"{key}.outcome", "no round takes those who missed another")


def _conduct(conduct: ConductPart) -> Problems:
    if conduct.substitutes.allowed and conduct.substitutes.latest_coup < 1:
        yield problem("conduct.substitutes.latest_coup", "0 lets no substitute sit down")
    if conduct.start_notice_minutes < 1:
        yield problem("conduct.start_notice_minutes", "no notice at all is not reasonable notice", "G-107")


def _accounts(accounts: AccountsPart) -> Problems:
    for number, clause in enumerate(accounts.excluded):
        key = f"accounts.excluded[{number}]"
        yield from _clause_of_rule_6(key, clause)
        if clause in accounts.excluded[:number]:
            yield problem(key, f"{clause} stands there twice")
        if clause in accounts.modified:
            yield problem(key, f"{clause} is excluded and modified")
    for clause in accounts.modified:
        yield from _clause_of_rule_6(f'accounts.modified."{clause}"', clause)


def _clause_of_rule_6(key: str, clause: str) -> Problems:
    if clause == "6.1":
        yield problem(key, "6.1 always applies: an open station shows its credits")
    elif clause not in RULE_6:
        yield problem(key, f"{clause} is no clause of rule 6, and conditions change no other rule (G-106)")
