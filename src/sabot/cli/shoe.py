"""`sabot shoe`: deals one shoe and prints it with the exact odds before each coup."""

import random
from collections.abc import Iterator, Mapping

import msgspec
from rich.text import Text

from sabot.cli.arguments import (
    AllOptions,
    DragonBonus,
    Flag,
    Json,
    Number,
    OptionArguments,
    PerfectPairs,
    read_rule_set_argument,
    typed_options,
)
from sabot.cli.odds import read_study
from sabot.cli.terminal import card_text, cards_text, console, print_json, table, title_text, winner_text
from sabot.odds.answer import write_fraction
from sabot.odds.bet_odds import BetOdds
from sabot.odds.dealing import Dealing
from sabot.odds.dealt_shoe import CoupAhead, before_each_coup
from sabot.odds.next_coup import NextCoup
from sabot.odds.study import Study
from sabot.rules.cards import Card, write_cards
from sabot.rules.coup import Coup
from sabot.rules.rule_set import RuleSet
from sabot.rules.shoe import Burned, burn, full_shoe

MAIN = ("player", "banker", "tie")
"""The bets that the printed table has columns for; the JSON form has all of them."""


class CoupAnswer(msgspec.Struct, frozen=True):
    number: int
    unseen: int
    """How many cards are unseen before this coup."""
    house_edge: dict[str, str]
    """Before the coup, by bet, given every card that was shown."""
    cards: str
    result: str
    cutting_card_seen: bool


class ShoeAnswer(msgspec.Struct, frozen=True):
    rule_set: str
    decks: int
    seed: int | None
    burned: int
    shown: str | None
    coups: list[CoupAnswer]


def shoe(
    rule_set: str = "crown-traditional",
    /,
    *,
    decks: Number = 8,
    seed: Number | None = None,
    dragon_bonus: DragonBonus = None,
    perfect_pairs: PerfectPairs = None,
    option: OptionArguments = (),
    all_options: AllOptions = False,
    burn_by_face_value: Flag = False,
    behind_cutting_card: Number | None = None,
    json: Json = False,
) -> int:
    """Deal one shoe, and before each coup work out the exact odds from the unseen cards.

        sabot shoe --seed 7

        sabot shoe rws-non-commission --decks 6 --seed 7 --json

    An edge below zero favours a patron who counted the cards.

    Parameters
    ----------
    rule_set
        The id of a rule set, or the path of a rule set file.
    decks
        How many decks the shoe holds.
    seed
        The same number deals the same shoe; without it the shuffle uses the operating system's randomness.
    burn_by_face_value
        Show the first card and burn as many more as its face value.
    behind_cutting_card
        How many cards lie behind the cutting card, within what the rule set permits.
    """
    rules = read_rule_set_argument(rule_set)
    options = typed_options(option, dragon_bonus=dragon_bonus, perfect_pairs=perfect_pairs)
    study = read_study(rules, decks, options, all_options=all_options)
    dealing = Dealing.of(rules, decks, burns_by_face_value=burn_by_face_value, behind_cutting_card=behind_cutting_card)
    cards = list(full_shoe(decks))
    (random.SystemRandom() if seed is None else random.Random(seed)).shuffle(cards)  # noqa: S311  A seed is for study.
    burned = burn(cards, by_face_value=dealing.burns_by_face_value)
    coups = _with_odds(study, cards, burned, dealing.behind_cutting_card)
    if json:
        shown = None if burned.shown is None else burned.shown.notation
        answers = [_answer(before, odds) for before, odds in coups]
        print_json(ShoeAnswer(rules.id, decks, seed, len(burned.cards), shown, answers))
    else:
        _show(rules, decks, burned, coups)
    return 0


def _with_odds(
    study: Study, cards: list[Card], burned: Burned, behind: int
) -> Iterator[tuple[CoupAhead, Mapping[str, BetOdds]]]:
    for before in before_each_coup(cards, study.terms.rule_set.shoe, burned, behind):
        yield before, study.odds(NextCoup(before.unseen))


def _answer(before: CoupAhead, odds: Mapping[str, BetOdds]) -> CoupAnswer:
    coup = before.dealt.coup
    return CoupAnswer(
        number=before.dealt.number,
        unseen=before.unseen.size,
        house_edge={name: write_fraction(bet.house_edge) for name, bet in odds.items()},
        cards=write_cards(coup.cards),
        result=coup.sentence,
        cutting_card_seen=before.dealt.cutting_card_seen,
    )


def _show(rules: RuleSet, decks: int, burned: Burned, coups: Iterator[tuple[CoupAhead, Mapping[str, BetOdds]]]) -> None:
    out = console()
    out.print(title_text(rules, f"{decks} decks"))
    if burned.shown is None:
        out.print("Burned 1 card face down.", style="dim")
    else:
        out.print("Burned ", card_text(burned.shown), f" and {len(burned.cards) - 1} cards face down.")
    out.print()
    shown = table("", "unseen|", *(f"{bet}|" for bet in MAIN), "Player", "Banker", "result")
    for before, odds in coups:
        edges = [f"{float(odds[bet].house_edge):+.3%}" if bet in odds else "—" for bet in MAIN]
        shown.add_row(str(before.dealt.number), str(before.unseen.size), *edges, *_result(before.dealt.coup))
        if before.dealt.cutting_card_seen:
            shown.add_row("▌", "", "", "", "", "the cutting card", "", "")
    out.print(shown)
    out.print("House edges before the coup, from the unseen cards.", style="dim")


def _result(coup: Coup) -> tuple[Text, Text, Text]:
    hands = (cards_text(coup.player.cards), cards_text(coup.banker.cards))
    return (*hands, winner_text(coup.winner, coup.sentence))
