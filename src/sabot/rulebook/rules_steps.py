"""What steps may say of the rules alone: cards, hands, coups, terms, settlement."""

from sabot.basics.money import read_amount, write_amount, write_net
from sabot.rulebook.stepping import expect, step
from sabot.rulebook.world import World
from sabot.rules.cards import read_cards, write_cards
from sabot.rules.coup import next_card, read_coup
from sabot.rules.hand import Hand, Side
from sabot.rules.rule_set import Bet


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
    expect(world.coup.sentence.casefold(), f"{side} wins {high} to {low}".casefold())


@step("then", r"tie at {number}")
def _tie(world: World, total: str) -> None:
    assert world.coup is not None, "no coup has been dealt"
    expect((world.coup.winner, world.coup.player.total), ("tie", int(total)))


@step("then", r"{side} hand is {cards}, counting {number}")
def _hand_is(world: World, side: str, cards: str, total: str) -> None:
    hand = world.hand_of(side.lower())
    expect((write_cards(hand.cards), hand.total), (cards.upper(), int(total)))


@step("then", r"{side} has (a|no) natural")
def _natural(world: World, side: str, article: str) -> None:
    expect(world.hand_of(side.lower()).natural, article == "a")


@step("then", r"{side} has (no|a mixed|a coloured|a perfect) pair")
def _pair(world: World, side: str, pair: str) -> None:
    expect(world.hand_of(side.lower()).pair, {"no": "none"}.get(pair, pair.removeprefix("a ")))


@step("then", r"it counts {number}")
def _counts(world: World, total: str) -> None:
    assert world.hand is not None, "no hand has been shown"
    expect(world.hand.total, int(total))


@step("then", r"it is (a|no) natural")
def _is_natural(world: World, article: str) -> None:
    assert world.hand is not None, "no hand has been shown"
    expect(world.hand.natural, article == "a")


@step("then", r"it is (no|a mixed|a coloured|a perfect) pair")
def _is_pair(world: World, pair: str) -> None:
    assert world.hand is not None, "no hand has been shown"
    expect(world.hand.pair, {"no": "none"}.get(pair, pair.removeprefix("a ")))


@step("then", r"the next card goes to {side}(?:, because {rest})?")
def _next(world: World, side: str, because: str | None) -> None:
    assert world.next is not None, "no card is due"
    expect(world.next.side, side.lower())
    assert because is None or because in world.next.reason, f"because {world.next.reason}"


@step("then", r"the next card goes to {side} by {rest}")
def _next_by(world: World, side: str, clause: str) -> None:
    assert world.next is not None, "no card is due"
    expect((world.next.side, world.terms.clause_of(world.next)), (side.lower(), clause))


@step("then", r"no further card is due")
def _complete(world: World) -> None:
    assert world.guided, "no cards have been shown"
    assert world.next is None, f"found {world.next}"


@step("then", r"{bet} net {amount}")
def _net(world: World, bet: str, amount: str) -> None:
    expect(write_net(world.settlement(bet).net_cents), _signed(amount))


@step("then", r"{bet} net {amount} of gross {amount} less commission {amount}")
def _net_of(world: World, bet: str, net: str, gross: str, commission: str) -> None:
    found = world.settlement(bet)
    expect(
        (write_net(found.net_cents), write_amount(found.gross_cents), write_amount(found.commission_cents)),
        (_signed(net), _signed(gross).removeprefix("+"), _signed(commission).removeprefix("+")),
    )


@step("then", r"{bet} is returned")
def _returned(world: World, bet: str) -> None:
    found = world.settlement(bet)
    expect((found.outcome, found.net_cents, found.commission_cents), ("push", 0, 0))


@step("then", r"{bet} is decided by {rest}")
def _decided_by(world: World, bet: str, clause: str) -> None:
    expect(world.settlement(bet).clause, clause)


@step("then", r"{side} (draws|stands) by {rest}")
def _drawn_by(world: World, side: str, does: str, clause: str) -> None:
    assert world.coup is not None, "no coup has been dealt"
    draw = world.coup.draws[0 if side.lower() == Side.PLAYER else 1]
    expect(("draws" if draw.drawn else "stands", world.terms.clause_of(draw)), (does, clause))


@step("then", r"the shoe holds {number} cards")
def _shoe_holds(world: World, cards: str) -> None:
    expect(world.terms.decks * 52, int(cards))


@step("then", r"no bet is called {bet}")
def _no_bet(world: World, bet: str) -> None:
    assert Bet(bet) not in world.terms.rule_set.bets, f"{bet} is offered"


def _signed(amount: str) -> str:
    """Bring `+95`, `-100.00` or `0` to the form in which nets are written."""
    sign, digits = ("-", amount[1:]) if amount.startswith("-") else ("", amount.removeprefix("+"))
    cents = 0 if digits.strip("0.,") == "" else read_amount(digits.replace(",", ""))
    return write_net(-cents if sign else cents)
