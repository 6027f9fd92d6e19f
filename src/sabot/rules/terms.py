"""Terms: a rule set with the decks and options of one table. They settle wagers."""

import enum
from collections.abc import Iterable, Mapping
from math import lcm

import msgspec

from sabot.basics.mistake import Mistake
from sabot.basics.money import Cents, check_stake
from sabot.rules.aspect import union
from sabot.rules.coup import Coup
from sabot.rules.drawing import clauses_by_cell
from sabot.rules.odds import Odds
from sabot.rules.part import Clause
from sabot.rules.rule_set import Bet, BetRules, PayTableLine, RuleSet
from sabot.rules.table_of_play import Decision


class Outcome(enum.StrEnum):
    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


class Settlement(msgspec.Struct, frozen=True, gc=False):
    """The result of one wager, with its clause.

    Always `net_cents = gross_cents - commission_cents`: a win earns its gross less commission, a loss costs the
    stake, a push moves nothing. The stake of a win or a push is returned in addition.
    """

    bet: Bet
    stake_cents: Cents
    outcome: Outcome
    gross_cents: Cents
    commission_cents: Cents
    net_cents: Cents
    clause: Clause


class Ruling(msgspec.Struct, frozen=True):
    """How a coup decides one bet under the chosen option: a pay table line, ready to be applied to stakes."""

    outcome: Outcome
    name: str
    clause: Clause
    gross: Odds
    """Winnings for each cent staked."""
    commission: Odds
    """The part of the winnings that the house keeps, for each cent staked."""

    def settle(self, bet: Bet, stake: Cents) -> Settlement:
        outcome = self.outcome
        if outcome is _LOSE:
            loss = Cents(-stake)
            return Settlement(bet, stake, outcome, loss, _NOTHING, loss, self.clause)
        if outcome is not _WIN:
            return Settlement(bet, stake, outcome, _NOTHING, _NOTHING, _NOTHING, self.clause)
        gross = self.gross.of(stake)
        commission = _NOTHING if self.commission is _NO_ODDS else self.commission.of(stake)
        return Settlement(bet, stake, outcome, gross, commission, Cents(gross - commission), self.clause)


_WIN, _LOSE = Outcome.WIN, Outcome.LOSE
"""Bound once, because looking up a member of an enumeration takes as long as settling a wager."""
_NOTHING = Cents(0)
_NO_ODDS = Odds(0)


class Terms:
    """Decks and options never change: a table that changes them between coups gets new terms."""

    def __init__(self, rule_set: RuleSet, decks: int = 8, options: Mapping[str, int] | None = None) -> None:
        rule_set.check_decks(decks)
        self.rule_set = rule_set
        self.decks = decks
        self.options = rule_set.choose(options or {})
        self.bets = {
            bet: rules
            for bet, rules in rule_set.bets.items()
            if rules.only_with is None or rules.only_with.decks == decks
        }
        self.needing = frozenset(bet for bet, rules in rule_set.bets.items() if rules.needs)
        """The bets that stand only beside another."""
        self._clauses = clauses_by_cell(rule_set.table_of_play)
        self._lines = {
            bet: [(line.when, self._ruling(rules, line)) for line in rules.lines] for bet, rules in self.bets.items()
        }
        self._losing = {
            bet: Ruling(Outcome.LOSE, f"{rules.title} loses", rules.otherwise, _NO_ODDS, _NO_ODDS)
            for bet, rules in self.bets.items()
        }
        aspect = union(rules.aspect for rules in self.bets.values())
        self._finer = aspect.finer_class if aspect.is_finer else None
        """What the rulings depend on beside ending and pairs; the approved rule sets have no such bet."""
        self._rulings: dict[tuple[object, ...], dict[Bet, Ruling]] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terms) and (self.rule_set, self.decks, self.options) == (
            *(other.rule_set, other.decks, other.options),
        )

    def __hash__(self) -> int:
        return hash((self.rule_set.id, self.decks, *self.options.items()))

    def clause_of(self, decision: Decision) -> Clause:
        """The clause of this rule set's document that demands the decision."""
        return self._clauses[decision.cell]

    def rulings(self, coup: Coup) -> dict[Bet, Ruling]:
        """How the coup decides every bet of these terms; worked out once for each outcome class."""
        player, banker = coup.player, coup.banker
        basic = (player.total, len(player.cards), player.pair, banker.total, len(banker.cards), banker.pair)
        outcome_class = basic if self._finer is None else (*basic, *self._finer(coup))
        rulings = self._rulings.get(outcome_class)
        if rulings is None:
            rulings = self._rulings[outcome_class] = {bet: self._rule(bet, coup) for bet in self.bets}
        return rulings

    def check_playable(self, bets: Iterable[Bet]) -> None:
        """Refuse a bet that the rule set does not have, or does not permit with these decks."""
        for bet in bets:
            rules = self.rule_set.bet(bet)
            if rules.only_with and bet not in self.bets:
                raise Mistake(
                    f"{rules.title} may be offered only with {rules.only_with.decks} decks, "
                    f"not {self.decks} ({rules.only_with.clause})"
                )

    def settle(self, wagers: Mapping[Bet, int], coup: Coup) -> list[Settlement]:
        """Settle each wager by itself, in the order given. Limits and qualifying wagers are not checked."""
        rulings = self.rulings(coup)
        settled = []
        for bet, stake in wagers.items():
            if bet not in rulings:
                self.check_playable([bet])
            try:
                settled.append(rulings[bet].settle(bet, check_stake(stake)))
            except Mistake as mistake:
                raise Mistake(f"{self.rule_set.id}, {bet}: {mistake}") from mistake
        return settled

    def unit(self, bet: Bet) -> Cents:
        """The smallest stake of which every multiple is paid in whole cents whatever the cards (G-50)."""
        return Cents(lcm(*(odds.denominator for _, win in self._lines[bet] for odds in (win.gross, win.commission))))

    def _rule(self, bet: Bet, coup: Coup) -> Ruling:
        return next((ruling for when, ruling in self._lines[bet] if when.holds(coup)), self._losing[bet])

    def _ruling(self, rules: BetRules, line: PayTableLine) -> Ruling:
        if line.result != "win":
            return Ruling(Outcome(line.result), line.name, line.clause, _NO_ODDS, _NO_ODDS)
        choice = self.options[rules.option] if rules.option and len(line.pays) > 1 else 1
        gross = line.pays[choice - 1]
        commission = Odds(gross * line.commission) if line.commission else _NO_ODDS
        return Ruling(Outcome.WIN, line.name, line.clause, gross, commission)
