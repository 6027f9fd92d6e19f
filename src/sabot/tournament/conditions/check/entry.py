"""Heading, entry and eligibility (CROWN 12.1, 12.2.1(a), (f), (g), (k))."""

from collections.abc import Sequence
from itertools import pairwise

from sabot.basics.money import write_amount
from sabot.tournament.conditions.capacity import places
from sabot.tournament.conditions.check.written import WrittenParts
from sabot.tournament.conditions.parts import DirectorPart, EligibilityPart, EntryPart, Prize, RoundPart
from sabot.tournament.conditions.problem import Problems, problem

DOCUMENT = "CROWN"
"""The only document that knows tournaments."""
STATEMENTS = ("entitled_only", "rules_prevail", "may_refuse")


def entry_problems(written: WrittenParts) -> Problems:
    if written.document is not None and written.document != DOCUMENT:
        yield problem("document", f"{written.document} has no tournaments; only {DOCUMENT} has")
    if written.statements is not None:
        yield from _statements(written.statements, written.eligibility)
    if written.approval is not None and not written.approval.reference.strip():
        yield problem("approval.reference", "an approval is in writing and has a reference")
    if written.director is not None:
        yield from _director(written.director)
    if written.entry is not None:
        yield from _fee(written.entry)
        yield from _times(written.entry, written.rounds)
        yield from _players(written.entry, written.rounds, written.prizes)
        signed = written.conduct is not None and written.conduct.signature
        yield from _form(written.entry, signed=signed)
    if written.eligibility is not None:
        yield from _criteria(written.eligibility)


def _statements(statements: Sequence[str], eligibility: EligibilityPart | None) -> Problems:
    if "entitled_only" not in statements:
        why = "entitled_only is missing: only persons who may enter the casino and gamble there are eligible"
        yield problem("statements", why, "CROWN 12.2.1(f)(i)")
    if eligibility is not None and eligibility.may_refuse != ("may_refuse" in statements):
        why = (
            "may_refuse is missing, while eligibility.may_refuse reserves the right"
            if eligibility.may_refuse
            else "may_refuse is printed, while eligibility.may_refuse reserves no right"
        )
        yield problem("statements", why, "CROWN 12.2.1(f)(ii)")
    if "rules_prevail" not in statements:
        why = "rules_prevail is missing: the tournament is run under these conditions and the rules, which prevail"
        yield problem("statements", why, "CROWN 12.2.1(k)")
    for number, one in enumerate(statements):
        if one not in STATEMENTS:
            yield problem(f"statements[{number}]", f"{one!r} is none of {', '.join(STATEMENTS)}", "CROWN 12.2.1(k)")
        elif one in statements[:number]:
            yield problem(f"statements[{number}]", f"{one} stands there twice", "CROWN 12.2.1(k)")


def _director(director: DirectorPart) -> Problems:
    if not director.person.strip():
        yield problem("director.person", "names nobody")
    for number, one in enumerate(director.deputies):
        if not one.strip() or one == director.person or one in director.deputies[:number]:
            yield problem(f"director.deputies[{number}]", f"{one!r} is no further person")


def _fee(entry: EntryPart) -> Problems:
    fee, part = entry.fee_cents, entry.to_pool_cents
    if fee < 0:
        yield problem("entry.fee_cents", f"a fee of {write_amount(fee)} is below nothing")
    if part < 0:
        yield problem("entry.to_pool_cents", f"a part of {write_amount(part)} is below nothing")
    elif part > max(fee, 0):
        why = f"{write_amount(part)} for the pool is more than the fee of {write_amount(fee)}"
        yield problem("entry.to_pool_cents", why)


def _times(entry: EntryPart, rounds: Sequence[RoundPart] | None) -> Problems:
    """opens < withdraw_free_until <= closes <= the first start. Local times of one form sort as text."""
    if entry.withdraw_free_until <= entry.opens:
        why = f"{entry.withdraw_free_until} is not after the opening, {entry.opens}"
        yield problem("entry.withdraw_free_until", why)
    if entry.withdraw_free_until > entry.closes:
        yield problem("entry.withdraw_free_until", f"{entry.withdraw_free_until} is after the close, {entry.closes}")
    if entry.closes <= entry.opens:
        yield problem("entry.closes", f"{entry.closes} is not after the opening, {entry.opens}")
    first = min((start for one in rounds or () for start in one.starts), default=None)
    if first is not None and first < entry.closes:
        yield problem("entry.closes", f"{entry.closes} is after the first start, {first}")


def _players(entry: EntryPart, rounds: Sequence[RoundPart] | None, prizes: Sequence[Prize] | None) -> Problems:
    minimum, maximum = entry.minimum_players, entry.maximum_players
    if minimum < 2:
        yield problem("entry.minimum_players", f"{minimum} is below 2, and a tournament has several players")
    won = sum(1 for prize in prizes or () if not prize.of)
    if minimum < won:
        why = f"{minimum} players are fewer than the {won} prize places"
        yield problem("entry.minimum_players", why, "CROWN 12.2.1(j)")
    if minimum > maximum:
        yield problem("entry.minimum_players", f"{minimum} is above the maximum of {maximum}")
    if rounds and maximum > places(rounds[0]):
        one = rounds[0]
        why = f"{maximum} may enter, and {one.name} has {places(one)} places"
        yield problem("entry.maximum_players", why)


def _form(entry: EntryPart, *, signed: bool) -> Problems:
    if not entry.form:
        yield problem("entry.form", "asks for nothing")
        return
    for number, one in enumerate(entry.form):
        if not one.strip() or one in entry.form[:number]:
            yield problem(f"entry.form[{number}]", f"{one!r} is no further field")
    if "name" not in entry.form:
        yield problem("entry.form", "has no field name")
    if signed and "signature" not in entry.form:
        yield problem("entry.form", "has no field signature, while conduct.signature requires one")


def _criteria(eligibility: EligibilityPart) -> Problems:
    ids = [one.id for one in eligibility.criteria]
    for number, one in enumerate(ids):
        if not one.strip():
            yield problem(f"eligibility.criteria[{number}].id", "is blank")
        elif one in ids[:number]:
            yield problem(f"eligibility.criteria[{number}].id", f"{one} stands there twice")


def rising(times: Sequence[str]) -> bool:
    return all(earlier < later for earlier, later in pairwise(times))
