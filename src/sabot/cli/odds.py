"""`sabot odds`: the exact odds of the next coup."""

import json as stdlib_json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.table import Table

from sabot.basics.mistake import Mistake
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
from sabot.cli.terminal import answer_lines, console, print_json, table, title_text
from sabot.odds.answer import answer
from sabot.odds.bet_odds import BetOdds
from sabot.odds.composition import Composition
from sabot.odds.next_coup import NextCoup
from sabot.odds.removal import effects_of_removal
from sabot.odds.study import Study
from sabot.rules.cards import check_copies, read_cards
from sabot.rules.rule_set import RuleSet
from sabot.rules.terms import Terms

Without = Annotated[tuple[str, ...], Parameter(negative="", show_default=False, consume_multiple=True)]


def odds(
    rule_set: RuleSetArgument,
    /,
    *,
    decks: Number = 8,
    dragon_bonus: DragonBonus = None,
    perfect_pairs: PerfectPairs = None,
    option: OptionArguments = (),
    all_options: AllOptions = False,
    without: Without = (),
    shoe: str | None = None,
    covariance: Flag = False,
    removal: Flag = False,
    batch: Flag = False,
    json: Json = False,
) -> int:
    """Work out the exact odds of the next coup, from a fresh shoe or from any cards left in it.

        sabot odds crown-traditional

        sabot odds mbs-baccarat --decks 6 --all-options --json

        sabot odds crown-baccarat --without 9S 8H TD

    A house edge above zero favours the house. The JSON counts ordered sequences of six cards, as text, and writes
    probabilities and edges as fractions. With --batch it reads a composition a line from standard input, by card
    {"AS":8,...} or by rank {"A":32,...}, and writes one JSON line each, in order; with counts by rank, bets that depend
    on suits are left out. A bad line gives {"line":n,"error":"..."} and the exit code is then 1.

    Parameters
    ----------
    decks
        How many decks the full shoe holds; bets not permitted with so many are left out.
    without
        Cards that are missing from a fresh shoe.
    shoe
        A file with the cards that the shoe still holds, or with their counts in JSON as --batch reads them.
    covariance
        Add the covariance of every two bets.
    removal
        Add the effect of removing one more card, by card, on the expected net of each bet.
    batch
        Answer compositions from standard input.
    """
    rules = read_rule_set_argument(rule_set)
    options = typed_options(option, dragon_bonus=dragon_bonus, perfect_pairs=perfect_pairs)
    study = read_study(rules, decks, options, all_options=all_options)
    if batch:
        if without or shoe is not None:
            raise Mistake("--batch takes its compositions from standard input; leave out --without and --shoe")
        return answer_lines(OddsBatch(study, covariance=covariance, removal=removal).answer)
    coming = NextCoup(_composition(decks, without, shoe))
    if json:
        print_json(answer(study, coming, covariance=covariance, removal=removal))
    else:
        _show(study, coming, covariance=covariance, removal=removal)
    return 0


def read_study(rules: RuleSet, decks: int, options: dict[str, int], *, all_options: bool) -> Study:
    if all_options:
        if options:
            raise Mistake("--all-options shows every option; leave out the choice of one")
        return Study.of_all_options(rules, decks)
    terms = Terms(rules, decks, options)
    # Choosing an option implies that its bet is offered, which the number of decks may forbid.
    terms.check_playable(bet for bet, bet_rules in rules.bets.items() if bet_rules.option in options)
    return Study.of(terms)


def _composition(decks: int, without: tuple[str, ...], shoe: str | None) -> Composition:
    if without and shoe is not None:
        raise Mistake("say either which cards have gone, --without, or what is left, --shoe")
    if shoe is None:
        gone = read_cards([token for word in without for token in word.replace(",", " ").split()])
        return Composition.fresh(decks).without(gone)
    try:
        return read_shoe(Path(shoe).read_bytes(), decks)
    except OSError as error:
        raise Mistake(f"{shoe} cannot be read: {error.strerror}") from None
    except Mistake as mistake:
        raise Mistake(f"{shoe} is not a shoe: {mistake}") from None


def read_shoe(text: bytes, decks: int) -> Composition:
    """Read the cards that a shoe still holds: counts in JSON, or the cards in any order; `#` begins a comment."""
    if text.lstrip().startswith((b"{", b"[")):
        return read_counts(text, decks)
    try:
        lines = text.decode().splitlines()
    except UnicodeDecodeError:
        raise Mistake("it is not text") from None
    cards = read_cards([token for line in lines for token in line.split("#")[0].replace(",", " ").split()])
    check_copies(cards, decks)
    return Composition.of(cards)


def read_counts(text: bytes, decks: int) -> Composition:
    try:
        counts = msgspec.json.decode(text, type=dict[str, int])
        stdlib_json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        if isinstance(error, Mistake):
            raise
        reason = str(error).partition(" - at ")[0]
        raise Mistake(f'not whole counts by card, such as {{"AS":8}}, or by rank: {reason}') from None
    return Composition.read(counts, decks)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuse a key that appears twice, of which the JSON decoder would silently drop one."""
    if len(dict(pairs)) < len(pairs):
        twice = next(name for number, (name, _) in enumerate(pairs) if name in dict(pairs[:number]))
        raise Mistake(f"{twice} is said twice")
    return dict(pairs)


class OddsBatch:
    """Answers compositions line by line, all with one study."""

    def __init__(self, study: Study, *, covariance: bool = False, removal: bool = False) -> None:
        self._study, self._covariance, self._removal = study, covariance, removal
        self._encode = msgspec.json.Encoder().encode

    def answer(self, line: bytes) -> bytes:
        if not line.strip():
            raise Mistake("the line is empty")
        coming = NextCoup(read_counts(line, self._study.terms.decks))
        return self._encode(answer(self._study, coming, covariance=self._covariance, removal=self._removal))


def _show(study: Study, coming: NextCoup, *, covariance: bool, removal: bool) -> None:
    out = console()
    terms = study.terms
    out.print(title_text(terms.rule_set, f"{terms.decks} decks", f"{coming.composition.size} cards left"))
    out.print()
    out.print(_outcomes(coming))
    out.print()
    answered = study.odds(coming)
    out.print(_bets(answered))
    out.print("Edges above zero favour the house; “resolved” leaves pushes out of account.", style="dim")
    if covariance:
        out.print()
        out.print(_covariances(study, list(answered), coming))
    if removal:
        out.print()
        out.print(_removal(study, coming.composition))


def _outcomes(coming: NextCoup) -> Table:
    shown = table("outcome", "sequences of six cards|", "probability|")
    for name, count in msgspec.structs.asdict(coming.outcomes).items():
        shown.add_row(name.replace("_", " ").capitalize(), f"{count:,}", f"{count / coming.total:.6f}")
    shown.add_section()
    shown.add_row("All", f"{coming.total:,}", "1.000000", style="bold")
    return shown


def _bets(answered: Mapping[str, BetOdds]) -> Table:
    shown = table("bet", "win|", "push|", "lose|", "house edge|", "resolved|", "sd|", "house edge, exactly|")
    for name, bet in answered.items():
        resolved = bet.house_edge_resolved
        shown.add_row(
            name,
            *(f"{float(part):.6f}" for part in (bet.win, bet.push, bet.lose)),
            f"{float(bet.house_edge):.5%}",
            "—" if resolved is None else f"{float(resolved):.5%}",
            f"{bet.sd:.6f}",
            str(bet.house_edge),
        )
    return shown


def _covariances(study: Study, answered: list[str], coming: NextCoup) -> Table:
    shown = table("covariance of", "and|", "is|")
    for number, one in enumerate(answered):
        for other in answered[number + 1 :]:
            shown.add_row(one, other, f"{float(study.covariance(one, other, coming)):+.6f}")
    return shown


def _removal(study: Study, composition: Composition) -> Table:
    """By card, in millionths of a unit staked."""
    effects = effects_of_removal(study, composition)
    shown = table("one fewer", *(f"{name}|" for name in effects))
    for card in next(iter(effects.values())):
        shown.add_row(card, *(f"{float(row[card]) * 1e6:+.2f}" for row in effects.values()))
    shown.caption = "Change in the expected net of a wager, in millionths of the stake."
    return shown
