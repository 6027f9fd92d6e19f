"""Permissible wagers: minimum, step and maximum of each bet, the aggregate minimum, and which wagers they leave.

The rules are CROWN's rule 5 with our readings G-31 to G-38; they apply under the other documents too, which are silent.
"""

from collections.abc import Iterator, Mapping

import msgspec

from sabot.basics.mistake import Mistake
from sabot.basics.money import Cents, write_amount
from sabot.rules.rule_set import Bet, RuleSet
from sabot.rules.terms import Terms

StationLayout = Mapping[Bet, int]
"""What one station shows: the cents on each bet."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The wagers permitted on one bet: the minimum, and every step above it up to the maximum."""

    minimum: Cents
    step: Cents
    maximum: Cents

    def permitted(self, requested: int) -> Cents:
        """What a station shows when a patron asks for this much on the bet.

        Nothing below the minimum (CROWN 5.3.1); otherwise the next lowest permitted wager (CROWN 5.3.2, G-35).
        """
        if requested < self.minimum:
            return Cents(0)
        within = min(requested, self.maximum)
        return Cents(within - (within - self.minimum) % self.step)


class Refunded(msgspec.Struct, frozen=True):
    """Wagers that do not stand when wagering closes, and why."""

    wagers: dict[Bet, int]
    clause: str
    reason: str


def unqualified(rule_set: RuleSet, layout: StationLayout) -> dict[Bet, str]:
    """The wagers on a layout that lack a qualifying wager, each with the clause that demands one.

    A station returns such wagers in the same step that takes their qualifying wager away (G-31). A bet that needs a
    qualifying wager never qualifies another, so one pass finds all.
    """
    orphans: dict[Bet, str] = {}
    for bet in layout:
        needs = rule_set.bet(bet).needs
        if needs and not any(layout.get(qualifier, 0) > 0 for qualifier in needs.bets):
            orphans[bet] = needs.clause
    return orphans


def recognised(
    rule_set: RuleSet, layout: StationLayout, aggregate_minimum: int
) -> tuple[StationLayout, list[Refunded]]:
    """The wagers of a layout that stand when wagering closes, and those that are refunded.

    Unqualified wagers are refunded first; the aggregate minimum is tested on the rest (G-31, G-38).
    """
    refunds = []
    orphans = unqualified(rule_set, layout)
    if orphans:
        returned = {bet: layout[bet] for bet in orphans}
        clause = next(iter(orphans.values()))
        refunds.append(Refunded(returned, clause, "no qualifying wager stands beside it"))
        layout = {bet: cents for bet, cents in layout.items() if bet not in orphans}
    if layout and sum(layout.values()) < aggregate_minimum:
        reason = f"below the aggregate minimum of {write_amount(aggregate_minimum)}"
        refunds.append(Refunded(dict(layout), "CROWN 5.3.3", reason))
        layout = {}
    return layout, refunds


def check_limits(terms: Terms, limits: Mapping[Bet, Limits]) -> None:
    """Refuse limits that would permit a wager that cannot be placed or cannot be paid exactly."""
    for bet, limit in limits.items():
        if bet not in terms.bets:
            raise Mistake(f"limits for {bet}: {terms.rule_set.id} does not offer it with {terms.decks} decks")
        for _, why in limit_problems(limit, terms.unit(bet)):
            raise Mistake(f"limits for {bet}: {why}")


def limit_problems(limit: Limits, unit: Cents) -> Iterator[tuple[str, str]]:
    """What is wrong with the limits of a bet of which every multiple of `unit` is paid exactly: clause and sentence."""
    minimum, step, maximum = map(write_amount, (limit.minimum, limit.step, limit.maximum))
    if limit.minimum <= 0:
        yield "CROWN 5.1", f"the minimum {minimum} is not above zero"
    if limit.step <= 0:
        yield "CROWN 5.1", f"the step {step} is not above zero"
    for name, cents in (("minimum", limit.minimum), ("step", limit.step)):
        if cents % unit:
            why = f"the {name} {write_amount(cents)} would pay fractions: use multiples of {write_amount(unit)} (G-50)"
            yield "G-50", why
    if limit.maximum < limit.minimum:
        yield "CROWN 5.1", f"the maximum {maximum} is below the minimum {minimum}"
    elif limit.step > 0 and (limit.maximum - limit.minimum) % limit.step:
        why = f"the maximum {maximum} is not a whole number of steps of {step} above the minimum {minimum} (G-35)"
        yield "G-35", why
