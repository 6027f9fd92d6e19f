"""What a scenario's steps may say, and running them.

A step is a pattern and the few lines that carry it out on a world: the rule set, the wagers, the cards, and what
came of them. A refusal is kept until a `then refused` names it; one that nobody expected fails the scenario.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from sabot.rulebook.scenario import Scenario, Step
from sabot.rules.cards import read_cards, write_cards
from sabot.rules.coup import Coup, next_card, read_coup, read_in_shoe_order
from sabot.rules.hand import Hand, Side
from sabot.rules.mistake import Mistake
from sabot.rules.money import read_amount, write_amount, write_net
from sabot.rules.rule_set import Bet
from sabot.rules.shelf import rule_set
from sabot.rules.table_of_play import Decision
from sabot.rules.terms import Settlement, Terms


@dataclass
class World:
    """What one scenario has built up so far under one rule set; each `when` starts from what was given."""

    rule_set: str
    decks: int = 8
    options: dict[str, int] = field(default_factory=dict)
    wagers: dict[Bet, int] = field(default_factory=dict)
    hand: Hand | None = None
    coup: Coup | None = None
    left_over: str | None = None
    guided: bool = False
    next: Decision | None = None
    settled: dict[Bet, Settlement] = field(default_factory=dict)
    refusal: str | None = None

    @property
    def terms(self) -> Terms:
        return Terms(rule_set(self.rule_set), self.decks, self.options)

    def forget_what_came_of_it(self) -> None:
        """What an earlier act led to must not stand in for what this one does."""
        self.hand, self.coup, self.left_over, self.guided, self.next = None, None, None, False, None
        self.settled = {}

    def settle(self, coup: Coup) -> None:
        self.coup = coup
        self.settled = {settlement.bet: settlement for settlement in self.terms.settle(self.wagers, coup)}

    def hand_of(self, side: str) -> Hand:
        assert self.coup is not None, "no coup has been dealt"
        return self.coup.player if side == Side.PLAYER else self.coup.banker

    def settlement(self, bet: str) -> Settlement:
        assert Bet(bet) in self.settled, f"nothing was settled on {bet}"
        return self.settled[Bet(bet)]


class ScenarioFailed(AssertionError):
    """Says where a scenario failed and what was found instead."""


Action = Callable[..., None]
_STEPS: list[tuple[str, re.Pattern[str], Action]] = []

_PLACES = {
    "bet": r"[a-z0-9_]+",
    "amount": r"[+-]?[0-9][0-9,.]*",
    "number": r"[0-9]+",
    "side": r"player|banker",
    "cards": r"[0-9A-Za-z]{2}(?: [0-9A-Za-z]{2})*",
    "rest": r".+",
}


def step(keyword: str, pattern: str) -> Callable[[Action], Action]:
    """Register a step; `{bet}` and the like in the pattern become arguments, in order."""
    expression = re.sub(r"\{(\w+)\}", lambda place: f"({_PLACES[place[1]]})", pattern)

    def register(action: Action) -> Action:
        _STEPS.append((keyword, re.compile(expression, re.IGNORECASE), action))
        return action

    return register


def run(scenario: Scenario, under: str) -> None:
    """Run a scenario under one rule set, or raise ScenarioFailed."""
    world = World(under)
    for said in scenario.steps:
        where = f"{scenario.file}, line {said.line}, under {under}: {said.text!r}"
        if world.refusal is not None and not (said.keyword == "then" and said.text.startswith("refused")):
            raise ScenarioFailed(f"{where}: it was refused: {world.refusal}")
        action, arguments = _find(said, where)
        if said.keyword == "when":
            world.forget_what_came_of_it()
        try:
            action(world, *arguments)
        except Mistake as mistake:
            if said.keyword != "when":
                raise ScenarioFailed(f"{where}: {mistake}") from mistake
            world.refusal = str(mistake)
        except AssertionError as difference:
            raise ScenarioFailed(f"{where}: {difference}") from difference
    if world.refusal is not None:
        raise ScenarioFailed(f"{scenario.file}, {scenario.name!r}, under {under}: it was refused: {world.refusal}")


def _find(said: Step, where: str) -> tuple[Action, tuple[str, ...]]:
    for keyword, pattern, action in _STEPS:
        if keyword == said.keyword and (match := pattern.fullmatch(said.text)):
            return action, match.groups()
    raise ScenarioFailed(f"{where}: no step says this")


def _expect(found: object, wanted: object) -> None:
    assert found == wanted, f"found {found}"


@step("given", r"{number} decks")
def _decks(world: World, decks: str) -> None:
    world.decks = int(decks)


@step("given", r"(dragon bonus|perfect pairs) option {number}")
def _option(world: World, name: str, choice: str) -> None:
    world.options[name.replace(" ", "_")] = int(choice)


@step("given", r"wager {bet} {amount}")
def _given_wager(world: World, bet: str, amount: str) -> None:
    world.wagers[Bet(bet)] = read_amount(amount)


@step("when", r"deal {cards}")
def _deal(world: World, cards: str) -> None:
    world.settle(read_coup(read_cards(cards.split())))


@step("when", r"cards drawn in order {cards}")
def _draw(world: World, cards: str) -> None:
    coup, left_over = read_in_shoe_order(read_cards(cards.split()))
    world.left_over = write_cards(left_over)
    world.settle(coup)


@step("when", r"cards so far {cards}")
def _partial(world: World, cards: str) -> None:
    world.next = next_card(read_cards(cards.split()))
    world.guided = True


@step("when", r"hand {cards}")
def _hand(world: World, cards: str) -> None:
    world.hand = Hand.of(*read_cards(cards.split()))


@step("when", r"the table is set up with {number} decks")
def _set_up(world: World, decks: str) -> None:
    world.decks = int(decks)
    world.terms.check_playable(world.wagers)


@step("then", r"refused(?:,? because {rest})?")
def _refused(world: World, because: str | None) -> None:
    assert world.refusal is not None, "it was not refused"
    assert because is None or because.casefold() in world.refusal.casefold(), f"it was refused: {world.refusal}"
    world.refusal = None


@step("then", r"{side} wins {number} to {number}")
def _wins(world: World, side: str, high: str, low: str) -> None:
    assert world.coup is not None, "no coup has been dealt"
    _expect(world.coup.sentence.casefold(), f"{side} wins {high} to {low}".casefold())


@step("then", r"tie at {number}")
def _tie(world: World, total: str) -> None:
    assert world.coup is not None, "no coup has been dealt"
    _expect((world.coup.winner, world.coup.player.total), ("tie", int(total)))


@step("then", r"{side} hand is {cards}, counting {number}")
def _hand_is(world: World, side: str, cards: str, total: str) -> None:
    hand = world.hand_of(side.lower())
    _expect((write_cards(hand.cards), hand.total), (cards.upper(), int(total)))


@step("then", r"{side} hand is called {rest}")
def _hand_is_called(world: World, side: str, title: str) -> None:
    _expect(world.hand_of(side.lower()).title, title)


@step("then", r"{side} has (a|no) natural")
def _natural(world: World, side: str, article: str) -> None:
    _expect(world.hand_of(side.lower()).natural, article == "a")


@step("then", r"{side} has (no|a mixed|a coloured|a perfect) pair")
def _pair(world: World, side: str, pair: str) -> None:
    _expect(world.hand_of(side.lower()).pair, {"no": "none"}.get(pair, pair.removeprefix("a ")))


@step("then", r"it counts {number}")
def _counts(world: World, total: str) -> None:
    assert world.hand is not None, "no hand has been shown"
    _expect(world.hand.total, int(total))


@step("then", r"it is (a|no) natural")
def _is_natural(world: World, article: str) -> None:
    assert world.hand is not None, "no hand has been shown"
    _expect(world.hand.natural, article == "a")


@step("then", r"it is (no|a mixed|a coloured|a perfect) pair")
def _is_pair(world: World, pair: str) -> None:
    assert world.hand is not None, "no hand has been shown"
    _expect(world.hand.pair, {"no": "none"}.get(pair, pair.removeprefix("a ")))


@step("then", r"the next card goes to {side}(?:, because {rest})?")
def _next(world: World, side: str, because: str | None) -> None:
    assert world.next is not None, "no card is due"
    _expect(world.next.side, side.lower())
    assert because is None or because in world.next.reason, f"because {world.next.reason}"


@step("then", r"the next card goes to {side} by {rest}")
def _next_by(world: World, side: str, clause: str) -> None:
    assert world.next is not None, "no card is due"
    _expect((world.next.side, world.terms.clause_of(world.next)), (side.lower(), clause))


@step("then", r"no further card is due")
def _complete(world: World) -> None:
    assert world.guided, "no cards have been shown"
    assert world.next is None, f"found {world.next}"


@step("then", r"left over {cards}")
def _left_over(world: World, cards: str) -> None:
    _expect(world.left_over, cards.upper())


@step("then", r"no card is left over")
def _nothing_left(world: World) -> None:
    _expect(world.left_over, "")


@step("then", r"{bet} net {amount}")
def _net(world: World, bet: str, amount: str) -> None:
    _expect(write_net(world.settlement(bet).net_cents), _signed(amount))


@step("then", r"{bet} net {amount} of gross {amount} less commission {amount}")
def _net_of(world: World, bet: str, net: str, gross: str, commission: str) -> None:
    found = world.settlement(bet)
    _expect(
        (write_net(found.net_cents), write_amount(found.gross_cents), write_amount(found.commission_cents)),
        (_signed(net), _signed(gross).removeprefix("+"), _signed(commission).removeprefix("+")),
    )


@step("then", r"{bet} is returned")
def _returned(world: World, bet: str) -> None:
    found = world.settlement(bet)
    _expect((found.outcome, found.net_cents, found.commission_cents), ("push", 0, 0))


@step("then", r"{bet} is decided by {rest}")
def _decided_by(world: World, bet: str, clause: str) -> None:
    _expect(world.settlement(bet).clause, clause)


@step("then", r"{side} (draws|stands) by {rest}")
def _drawn_by(world: World, side: str, does: str, clause: str) -> None:
    assert world.coup is not None, "no coup has been dealt"
    draw = world.coup.draws[0 if side.lower() == Side.PLAYER else 1]
    _expect(("draws" if draw.drawn else "stands", world.terms.clause_of(draw)), (does, clause))


@step("then", r"the shoe holds {number} cards")
def _shoe_holds(world: World, cards: str) -> None:
    _expect(world.terms.decks * 52, int(cards))


@step("then", r"no bet is called {bet}")
def _no_bet(world: World, bet: str) -> None:
    assert Bet(bet) not in world.terms.rule_set.bets, f"{bet} is offered"


def _signed(amount: str) -> str:
    """Bring `+95`, `-100.00` or `0` to the form in which nets are written."""
    sign, digits = ("-", amount[1:]) if amount.startswith("-") else ("", amount.removeprefix("+"))
    cents = 0 if digits.strip("0.,") == "" else read_amount(digits.replace(",", ""))
    return write_net(-cents if sign else cents)
