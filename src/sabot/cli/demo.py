"""`sabot demo`: one shoe of virtual coups in the terminal."""

import random
import time
from collections import Counter

from rich.console import Console
from rich.text import Text

from sabot.cli.arguments import Flag, Number, read_rule_set_argument
from sabot.cli.road_picture import picture
from sabot.cli.terminal import card_text, cards_text, console, title_text, winner_text
from sabot.roads.result import Result
from sabot.roads.roads import Roads
from sabot.rules.coup import Winner
from sabot.rules.hand import Hand
from sabot.rules.mistake import Mistake
from sabot.rules.rule_set import RuleSet
from sabot.rules.shoe import Burned, Dealt, burn, deal_shoe, full_shoe


def demo(
    rule_set: str = "crown-traditional",
    /,
    *,
    decks: Number = 8,
    seed: Number | None = None,
    burn_by_face_value: Flag = False,
    pace: float = 0.0,
) -> int:
    """Play one virtual shoe: shuffle, burn, coups with the reason of each draw, cutting card, last coup, roads.

        sabot demo

        sabot demo rws-non-commission --decks 6 --seed 7 --pace 0.5

    Without --seed the shuffle uses the operating system's randomness. No money is played for.

    Parameters
    ----------
    rule_set
        The id of a rule set, or the path of a rule set file.
    decks
        How many decks the shoe holds.
    seed
        Deal the same shoe again for the same number.
    burn_by_face_value
        Show the first card and burn as many more as its face value.
    pace
        Seconds to wait after each coup.
    """
    rules = read_rule_set_argument(rule_set)
    rules.check_decks(decks)
    if not 0 <= pace <= 60:
        raise Mistake(f"a pace of {pace} seconds is outside 0 to 60")
    cards = list(full_shoe(decks))
    (random.SystemRandom() if seed is None else random.Random(seed)).shuffle(cards)  # noqa: S311  A seed is for demos.
    out = console()
    procedure = rules.shoe.cutting_card[0]
    out.print(title_text(rules, f"{decks} decks", f"{len(cards)} cards"))
    ways: dict[str, str] = {one.procedure: one.clause for one in rules.shoe.burns}
    way = "face value" if "one" not in ways or (burn_by_face_value and "face value" in ways) else "one"
    burned = burn(cards, by_face_value=way == "face value")
    _show_burn(out, burned, ways[way])
    out.print()
    roads, wins = Roads(), Counter[Winner]()
    for dealt in deal_shoe(cards, rules.shoe, len(burned.cards), procedure.from_back):
        _show_coup(out, dealt, rules)
        roads = roads.then(Result.of(dealt.coup))
        wins[dealt.coup.winner] += 1
        time.sleep(pace)
    out.print()
    for line in picture(roads, width=out.width):
        out.print(line)
    out.print()
    counts = " · ".join(f"{winner.capitalize()} {wins[winner]}" for winner in Winner)
    out.print(Text.assemble((f"{wins.total()} coups", "bold"), f" · {counts}"))
    return 0


def _show_burn(out: Console, burned: Burned, clause: str) -> None:
    if burned.shown is None:
        out.print(f"Burned 1 card face down ({clause}).", style="dim")
    else:
        hidden = f" and {len(burned.cards) - 1} cards face down ({clause})."
        out.print(Text.assemble("Burned ", card_text(burned.shown), hidden))


def _show_coup(out: Console, dealt: Dealt, rules: RuleSet) -> None:
    coup = dealt.coup
    out.print(
        Text.assemble(
            (f"{dealt.number:3}  ", "dim"),
            _hand(Winner.PLAYER, coup.player),
            _hand(Winner.BANKER, coup.banker),
            winner_text(coup.winner, coup.sentence),
        )
    )
    for draw in coup.draws:
        if draw.cell.rule == "table" or draw.cell.side is draw.side:  # One hand's natural is one reason for both.
            out.print(f"       {draw.reason}", style="dim")
    if dealt.cutting_card_seen and not dealt.last:
        out.print(f"     ▌ The cutting card: the next coup is the last of this shoe ({rules.shoe.last_coup}).")


def _hand(side: Winner, hand: Hand) -> Text:
    shown = Text.assemble(winner_text(side), " ", cards_text(hand.cards), f" = {hand.total}")
    shown.pad_right(max(0, 22 - len(shown)))
    return shown
