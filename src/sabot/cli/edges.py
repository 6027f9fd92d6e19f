"""`sabot edges`: how the exact house edges vary over simulated shoes."""

import secrets
import time

from rich.table import Table

from sabot.cli.arguments import (
    AllOptions,
    DragonBonus,
    Flag,
    Json,
    Number,
    OptionArguments,
    PerfectPairs,
    RuleSetArgument,
    read_rule_set_argument,
    typed_options,
)
from sabot.cli.odds import read_study
from sabot.cli.terminal import console, print_json, table, title_text
from sabot.odds.dealing import Dealing
from sabot.odds.edges import EdgesAnswer, edges_over_shoes

DEFAULT_SHOES = 1_000


def edges(
    rule_set: RuleSetArgument,
    /,
    *,
    shoes: Number = DEFAULT_SHOES,
    decks: Number = 8,
    seed: Number | None = None,
    dragon_bonus: DragonBonus = None,
    perfect_pairs: PerfectPairs = None,
    option: OptionArguments = (),
    all_options: AllOptions = False,
    burn_by_face_value: Flag = False,
    behind_cutting_card: Number | None = None,
    coups_a_shoe: Number | None = None,
    json: Json = False,
) -> int:
    """Deal shoes, work out the exact odds before every coup from the unseen cards, and show how the house edges vary.

        sabot edges crown-traditional --shoes 10000

        sabot edges mbs-baccarat --decks 6 --behind-cutting-card 14 --seed 7 --json

    An edge below zero favours a patron who counted every card. The result depends only on the seed and the number of
    shoes. The shoes are not those of `sabot simulate` with the same seed.

    Parameters
    ----------
    shoes
        How many shoes to deal.
    decks
        How many decks the shoe holds.
    seed
        The same number deals the same shoes; without it they differ each time.
    burn_by_face_value
        Show the first card of a shoe and burn as many more as its face value.
    behind_cutting_card
        How many cards lie behind the cutting card, within what the rule set permits.
    coups_a_shoe
        Deal so many coups from every shoe and ignore the cutting card.
    """
    rules = read_rule_set_argument(rule_set)
    options = typed_options(option, dragon_bonus=dragon_bonus, perfect_pairs=perfect_pairs)
    study = read_study(rules, decks, options, all_options=all_options)
    dealing = Dealing.of(
        rules,
        decks,
        burns_by_face_value=burn_by_face_value,
        behind_cutting_card=behind_cutting_card,
        coups_a_shoe=coups_a_shoe,
    )
    started = time.perf_counter()
    found = edges_over_shoes(study, dealing, secrets.randbelow(10**15) if seed is None else seed, shoes)
    if json:
        print_json(found)
        return 0
    taken = time.perf_counter() - started
    console(to_error=True).print(f"sabot: {found.coups:,} coups in {taken:.1f} s", style="dim")
    out = console()
    dealt = f"{found.coups:,} coups of {found.shoes:,} shoes"
    out.print(title_text(rules, f"{decks} decks", dealt, f"seed {found.seed}"))
    out.print()
    out.print(_bets(found))
    out.print("Exact house edges before each coup; below zero they favour the patron.", style="dim")
    out.print("“gain a shoe” is that of a unit staked on each coup whose edge favours the patron.", style="dim")
    return 0


def _bets(found: EdgesAnswer) -> Table:
    shown = table("bet", "mean|", "sd|", "least|", "1%|", "median|", "99%|", "greatest|", "favourable|", "gain a shoe|")
    for name, bet in found.bets.items():
        percentiles = [bet.percentiles[percent] for percent in ("1", "50", "99")]
        shown.add_row(
            name,
            *(f"{edge:.3%}" for edge in (bet.mean, bet.sd, bet.least)),
            *(f"{edge:.2%}" for edge in percentiles),
            f"{bet.greatest:.3%}",
            f"{bet.favourable / found.coups:.3%}",
            f"{bet.gain_a_shoe:.5f}",
        )
    return shown
