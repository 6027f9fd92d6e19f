"""What is played and wagered (CROWN 12.1.1, 12.2.1(c))."""

from collections.abc import Mapping, Sequence

from sabot.basics.mistake import Mistake
from sabot.basics.money import write_amount
from sabot.rules import shipped
from sabot.rules.limits import Limits, limit_problems
from sabot.rules.rule_set import Bet
from sabot.rules.terms import Terms
from sabot.tournament.conditions.check.entry import DOCUMENT
from sabot.tournament.conditions.check.written import WrittenParts
from sabot.tournament.conditions.parts import EachCoup, GamePart, Missed, RoundPart, WagersPart
from sabot.tournament.conditions.problem import ConditionsProblem, Problems, problem


def game_problems(written: WrittenParts) -> Problems:
    game = written.game
    if game is not None:
        terms = _terms(game)
        if isinstance(terms, ConditionsProblem):
            yield terms
        else:
            yield from _bets(game, terms)
            yield from _limits(game, terms)
        if game.period_ms <= 0:
            yield problem("game.period_ms", f"a wagering period of {game.period_ms} ms is not above 0")
    if written.wagers is not None:
        yield from _wagers(written.wagers)
        if game is not None and written.wagers.each_coup is not EachCoup.NONE and written.wagers.credits > 0:
            yield from _reachable(written.wagers.credits, game.limits, written.rounds or ())


def smallest_minimum(game: GamePart) -> int:
    return min((limits.minimum for limits in game.limits.values()), default=0)


def offered_in(game: GamePart, terms: Terms) -> tuple[Bet, ...]:
    """The bets of the rule set that are always offered, and the side bets that the conditions choose."""
    return tuple(bet for bet, rules in terms.bets.items() if rules.offered == "always" or bet in game.side_bets)


def _terms(game: GamePart) -> Terms | ConditionsProblem:
    key = "game.rule_set"
    clause = ""
    try:
        rule_set = shipped.rule_set(game.rule_set)
        if rule_set.document != DOCUMENT:
            why = f"{rule_set.id} is of document {rule_set.document}, which has no tournaments"
            return problem(key, why)
        key, clause = "game.decks", rule_set.decks.clause
        rule_set.check_decks(game.decks)
        key, clause = "game.options", ""
        return Terms(rule_set, game.decks, game.options)
    except Mistake as mistake:
        return problem(key, str(mistake), clause)


def _bets(game: GamePart, terms: Terms) -> Problems:
    offered = offered_in(game, terms)
    for number, bet in enumerate(game.side_bets):
        key = f"game.side_bets[{number}]"
        rules = terms.rule_set.bets.get(bet)
        if rules is None:
            yield problem(key, f"{terms.rule_set.id} has no bet {bet!r}")
        elif rules.only_with is not None and bet not in terms.bets:
            only = rules.only_with
            yield problem(key, f"{rules.title} needs {only.decks} decks, not {game.decks}", only.clause)
        elif rules.offered == "always":
            yield problem(key, f"{rules.title} is always offered and is no side bet")
        elif rules.beside is not None and rules.beside.bet not in offered:
            other = terms.rule_set.bet(rules.beside.bet).title
            yield problem(key, f"{rules.title} is offered together with {other}, or neither is", rules.beside.clause)


def _limits(game: GamePart, terms: Terms) -> Problems:
    offered = offered_in(game, terms)
    for bet in offered:
        if bet not in game.limits:
            yield problem(f"game.limits.{bet}", f"{terms.bets[bet].title} is offered without limits")
    for bet, limits in game.limits.items():
        if bet not in offered:
            yield problem(f"game.limits.{bet}", f"{bet} is not offered")
            continue
        for clause, why in limit_problems(limits, terms.unit(bet)):
            yield problem(f"game.limits.{bet}", why, clause)


def _wagers(wagers: WagersPart) -> Problems:
    """A key that the others leave without effect is no problem: nothing is played by it."""
    if wagers.each_coup is not EachCoup.NONE and wagers.credits <= 0:
        yield problem("wagers.credits", f"{wagers.each_coup} needs an amount above 0")
    if wagers.each_coup is not EachCoup.COMPULSORY:
        return
    if wagers.missed is None:
        why = "is missing: a missed compulsory wager has a consequence, forfeit, warning or disqualification"
        yield problem("wagers.missed", why)
    if wagers.missed is Missed.WARNING and not wagers.warnings:
        yield problem("wagers.warnings", "is missing: how many warnings are given before a disqualification")


def _reachable(credits_due: int, limits: Mapping[Bet, Limits], rounds: Sequence[RoundPart]) -> Problems:
    """An entrant must be able to lay the amount, no more and no less, on a single bet (CROWN 12.2.1(c))."""
    due = write_amount(credits_due)
    sound = [one for one in limits.values() if one.step > 0]
    if sound and all(one.permitted(credits_due) != credits_due for one in sound):
        yield problem("wagers.credits", f"by limits and steps no bet takes a wager of {due}")
    for one in rounds:
        if 0 < one.credit < credits_due:
            why = f"{due} is more than the credit of {write_amount(one.credit)} in {one.name}"
            yield problem("wagers.credits", why)
