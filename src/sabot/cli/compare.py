"""`sabot compare`: the same coup under all rule sets, side by side."""

import msgspec
from rich.table import Table
from rich.text import Text

from sabot.basics.mistake import Mistake
from sabot.basics.money import Cents, write_amount
from sabot.cli.arguments import Json, Number, WagerArguments, read_cards_and_wagers
from sabot.cli.terminal import cards_text, console, net_text, print_json, table, winner_text
from sabot.rules.cards import check_copies
from sabot.rules.coup import Coup, Winner, read_coup
from sabot.rules.explanation import HandExplained
from sabot.rules.rule_set import Bet, RuleSet
from sabot.rules.shipped import all_rule_sets
from sabot.rules.terms import Settlement, Terms


class UnderRuleSet(msgspec.Struct):
    """The settlements of the wagers under one rule set; null for a bet that it does not have."""

    rule_set: str
    refusal: str | None
    """Why the rule set cannot settle the wagers, such as a number of decks that it does not permit."""
    wagers: dict[Bet, Settlement | None]


class Comparison(msgspec.Struct):
    decks: int
    player: HandExplained
    banker: HandExplained
    winner: Winner
    margin: int
    rule_sets: list[UnderRuleSet]
    differing: list[Bet]
    """The bets on which the rule sets do not all agree."""


def compare(
    *cards: str,
    wager: WagerArguments = (),
    dragon_bonus: Number = 1,
    perfect_pairs: Number = 1,
    decks: Number = 8,
    json: Json = False,
) -> int:
    """Settle the same coup under all six rule sets, side by side, and mark where they differ.

        sabot compare 2S 3H 3D 3C TH --wager banker=100 tie=5 super_6=5

    Parameters
    ----------
    cards
        The cards in shoe order: Player, Banker, Player, Banker, then third cards.
    wager
        BET=AMOUNT in currency units, such as banker=100 or tie=12.50; may be repeated. 100 on each bet unless given.
    dragon_bonus
        Pay table option 1, 2 or 3 of the Dragon Bonus, where a set has it.
    perfect_pairs
        Pay table option 1 or 2 of Perfect Pairs, where a set has it.
    decks
        How many decks the shoe holds.
    """
    rule_sets = all_rule_sets()
    dealt, wagers = read_cards_and_wagers(cards, wager)
    check_copies(dealt, decks)
    coup = read_coup(dealt)
    known = list(dict.fromkeys(bet for one in rule_sets for bet in one.bets))
    for bet in wagers:
        if bet not in known:
            raise Mistake(f"no rule set has a bet {bet!r}; the bets are {', '.join(known)}")
    stakes = wagers or dict.fromkeys(known, Cents(10000))
    options = {"dragon_bonus": dragon_bonus, "perfect_pairs": perfect_pairs}
    columns = [_under(one, decks, options, stakes, coup) for one in rule_sets]
    if all(column.refusal for column in columns):
        raise Mistake(columns[0].refusal or "")
    playable = [column for column in columns if column.refusal is None]
    differing = [bet for bet in stakes if len({_net(column, bet) for column in playable}) > 1]
    comparison = Comparison(
        *(
            decks,
            HandExplained.of(coup.player),
            HandExplained.of(coup.banker),
            coup.winner,
            coup.margin,
            columns,
            differing,
        )
    )
    if json:
        print_json(comparison)
    else:
        _show(coup, comparison, stakes, rule_sets)
    return 0


def _under(one: RuleSet, decks: int, options: dict[str, int], stakes: dict[Bet, Cents], coup: Coup) -> UnderRuleSet:
    had = {name: choice for name, choice in options.items() if name in one.options}
    one.choose(had)
    try:
        terms = Terms(one, decks, had)
        offered = {bet: stake for bet, stake in stakes.items() if bet in terms.bets}
        settled = {settlement.bet: settlement for settlement in terms.settle(offered, coup)}
    except Mistake as refusal:
        return UnderRuleSet(one.id, str(refusal), dict.fromkeys(stakes))
    return UnderRuleSet(one.id, None, {bet: settled.get(bet) for bet in stakes})


def _net(column: UnderRuleSet, bet: Bet) -> int | None:
    settlement = column.wagers[bet]
    return None if settlement is None else settlement.net_cents


def _show(coup: Coup, comparison: Comparison, stakes: dict[Bet, Cents], rule_sets: list[RuleSet]) -> None:
    out = console()
    player = ("Player ", cards_text(coup.player.cards), f" = {coup.player.title}   ")
    banker = ("Banker ", cards_text(coup.banker.cards), f" = {coup.banker.title}   ")
    out.print(Text.assemble(*player, *banker, winner_text(coup.winner, coup.sentence)))
    out.print()
    out.print(_side_by_side(comparison, stakes, rule_sets, wide=out.width >= 110))
    for column in comparison.rule_sets:
        if column.refusal:
            out.print(column.refusal, style="dim")
    if comparison.differing:
        out.print(
            "≠ marks a bet on which the rule sets differ; — is a bet that a rule set does not settle.", style="dim"
        )


def _side_by_side(comparison: Comparison, stakes: dict[Bet, Cents], rule_sets: list[RuleSet], *, wide: bool) -> Table:
    headings = [column.rule_set.replace("-", "-\n", 1 if wide else -1) + "|" for column in comparison.rule_sets]
    shown = table("", "bet", *(["stake|"] if wide else []), *headings)
    shown.padding = (0, 2 if wide else 1, 0, 0)
    titles = {bet: rules.title for one in rule_sets for bet, rules in one.bets.items()}
    for bet, stake in stakes.items():
        nets = [_net(column, bet) for column in comparison.rule_sets]
        mark = Text("≠", style="bold yellow") if bet in comparison.differing else Text("")
        named = [titles[bet], write_amount(stake)] if wide else [f"{titles[bet]} {write_amount(stake)}"]
        shown.add_row(mark, *named, *(_cell(net) for net in nets))
    return shown


def _cell(net: int | None) -> Text:
    return Text("—", style="dim") if net is None else net_text(net)
