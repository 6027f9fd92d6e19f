"""The content of a PAR sheet as data, before it is laid out as HTML, PDF or CSV."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import ceil, log10, sqrt
from typing import Final

import msgspec

from sabot.odds.bet_odds import BetOdds
from sabot.odds.composition import Composition
from sabot.odds.next_coup import NextCoup
from sabot.odds.outcome_class import outcome_classes
from sabot.odds.par.chart import Bar, Bars, Chart, Curve, Panel, Panels
from sabot.odds.removal import effects_of_removal
from sabot.odds.study import Study
from sabot.rules.aspect import Aspect
from sabot.rules.rule_set import RuleSet
from sabot.rules.rule_set_file import digest
from sabot.rules.terms import Outcome, Ruling, Terms

NORMAL_95: Final = 1.959964
"""A normal variable is within this many standard deviations of its mean in 95 per cent of cases."""

COUPS: Final = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
_COLOURS: Final = {"player": "#1f5fbf", "banker": "#c0392b", "tie": "#2e8b57"}


class Section(msgspec.Struct, frozen=True):
    title: str
    words: str
    headings: tuple[str, ...]
    """A heading that ends in `|` marks a column of figures, which is right-aligned."""
    rows: tuple[tuple[str, ...], ...]
    chart: Chart | None = None


class Sheet(msgspec.Struct, frozen=True):
    title: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]


def par_sheet(rule_set: RuleSet, decks: int, program: str, dated: str | None = None) -> Sheet:
    """The sheet of a rule set: in detail for one number of decks, edges for every number that it permits."""
    study, coming = Study.of_all_options(rule_set, decks), NextCoup(Composition.fresh(decks))
    odds = study.odds(coming)
    return Sheet(
        title=f"PAR sheet: {rule_set.title}",
        facts=_facts(rule_set, decks, program, dated),
        sections=(
            _outcomes(coming),
            _summary(odds),
            *(_pay_table(name, study, bet) for name, bet in odds.items()),
            _edges_by_decks(rule_set),
            _volatility(odds, [name for name in odds if study.bets[name].rules.offered == "always"]),
            _covariances(rule_set, decks, coming),
            _removals(rule_set, decks, coming),
        ),
    )


def json_form(sheet: Sheet) -> dict[str, object]:
    """The sheet for programs: figures as they are printed, and no pictures."""
    return {
        "title": sheet.title,
        "facts": dict(sheet.facts),
        "sections": [
            {
                "title": one.title,
                "words": one.words,
                "headings": [heading.removesuffix("|") for heading in one.headings],
                "rows": one.rows,
            }
            for one in sheet.sections
        ],
    }


def _facts(rule_set: RuleSet, decks: int, program: str, dated: str | None) -> tuple[tuple[str, str], ...]:
    effective = "" if rule_set.effective is None else f", effective {rule_set.effective}"
    return (
        ("Rule set", f"{rule_set.id} ({rule_set.operator})"),
        ("Document", f"{rule_set.document}, version {rule_set.version}{effective}"),
        ("Digest", f"SHA-256 {digest(rule_set)}"),
        ("Decks", f"{decks} in detail; {rule_set.decks.minimum} to {rule_set.decks.maximum} ({rule_set.decks.clause})"),
        ("Program", program),
        *((("Date", dated),) if dated else ()),
        (
            "Method",
            "Every figure follows from an exact count of all ordered sequences of six cards from a full, fairly "
            "shuffled shoe, in whole numbers, ruled by the pay tables below. Decimals are rounded from fractions.",
        ),
    )


def _outcomes(coming: NextCoup) -> Section:
    counts = msgspec.structs.asdict(coming.outcomes)
    leads = dict.fromkeys(range(-9, 10), 0)
    for count, outcome_class in zip(coming.cells, outcome_classes(Aspect.ENDING), strict=True):
        leads[outcome_class.player.total - outcome_class.banker.total] += count
    bars = tuple(
        Bar(f"{abs(lead)}", count / coming.total, _COLOURS["player" if lead > 0 else "banker" if lead < 0 else "tie"])
        for lead, count in leads.items()
    )
    return Section(
        "Outcomes",
        f"All {coming.total:,} ordered sequences of six cards. A coup that needs four or five of them counts with "
        "every way to go on.",
        ("Outcome", "Sequences|", "Probability|", "Once in coups|"),
        tuple(
            (name.replace("_", " ").capitalize(), f"{count:,}", f"{count / coming.total:.8f}", _once_in(count, coming))
            for name, count in counts.items()
        ),
        Bars(bars, "points by which Banker (left, red) or Player (right, blue) leads", "probability"),
    )


def _once_in(count: int, coming: NextCoup) -> str:
    return f"{coming.total / count:.2f}" if count else "never"


def _pay_table(name: str, study: Study, bet: BetOdds) -> Section:
    rules, option = study.bets[name].rules, name.partition(".")[2]
    resolved = bet.house_edge_resolved
    rows = tuple(
        (
            one.ruling.name,
            _pays(one.ruling),
            one.ruling.clause,
            f"{one.sequences:,}",
            f"{one.sequences / bet.total:.8f}",
            f"{float(one.net * one.sequences / bet.total):+.8f}",
        )
        for one in bet.chances
    )
    return Section(
        f"{bet.title}, option {option}" if option else bet.title,
        f"{rules.clause}. House edge {float(bet.house_edge):.6%} = {bet.house_edge}; return to player "
        f"{float(1 - bet.house_edge):.6%}; of resolved wagers "
        f"{'none' if resolved is None else f'{float(resolved):.6%}'}. Hit frequency {float(bet.win):.6%}, "
        f"push {float(bet.push):.6%}. Variance {float(bet.variance):.6f}, standard deviation {bet.sd:.6f}.",
        ("Line", "Pays", "Clause", "Sequences|", "Probability|", "Part of mean|"),
        rows,
    )


def _pays(ruling: Ruling) -> str:
    if ruling.outcome is not Outcome.WIN:
        return "stake returned" if ruling.outcome is Outcome.PUSH else "loses"
    odds = f"{ruling.gross.numerator} to {ruling.gross.denominator}"
    return f"{odds} less {ruling.commission / ruling.gross * 100}%" if ruling.commission else odds


def _summary(odds: Mapping[str, BetOdds]) -> Section:
    return Section(
        "All bets",
        "For each unit staked. Resolved wagers are those that are won or lost.",
        ("Bet", "Win|", "Push|", "Lose|", "House edge|", "Resolved|", "SD|", "House edge, exactly|"),
        tuple(
            (
                name,
                *(f"{float(part):.6f}" for part in (bet.win, bet.push, bet.lose)),
                f"{float(bet.house_edge):.5%}",
                "—" if bet.house_edge_resolved is None else f"{float(bet.house_edge_resolved):.5%}",
                f"{bet.sd:.6f}",
                str(bet.house_edge),
            )
            for name, bet in odds.items()
        ),
    )


def _edges_by_decks(rule_set: RuleSet) -> Section:
    permitted = range(rule_set.decks.minimum, rule_set.decks.maximum + 1)
    by_decks = {
        decks: Study.of_all_options(rule_set, decks).odds(NextCoup(Composition.fresh(decks))) for decks in permitted
    }
    names = list(dict.fromkeys(name for odds in by_decks.values() for name in odds))
    everywhere = [name for name in names if all(name in odds for odds in by_decks.values())]
    bets = list(dict.fromkeys(name.partition(".")[0] for name in everywhere))
    return Section(
        "House edge by number of decks",
        "A dash is a bet that may not be offered with so many decks.",
        ("Bet", *(f"{decks} decks|" for decks in permitted)),
        tuple(
            (name, *(f"{float(odds[name].house_edge):.5%}" if name in odds else "—" for odds in by_decks.values()))
            for name in names
        ),
        Panels(
            tuple(
                Panel(
                    bet.replace("_", " "),
                    tuple(
                        _curve(name, {decks: odds[name] for decks, odds in by_decks.items()})
                        for name in everywhere
                        if name.partition(".")[0] == bet
                    ),
                )
                for bet in bets
            ),
            "decks",
            "house edge, %",
        ),
    )


def _curve(name: str, by_decks: dict[int, BetOdds]) -> Curve:
    option = name.partition(".")[2]
    edges = tuple(float(odds.house_edge) * 100 for odds in by_decks.values())
    return Curve(f"option {option}" if option else "", tuple(map(float, by_decks)), edges)


def _volatility(odds: Mapping[str, BetOdds], drawn: list[str]) -> Section:
    return Section(
        "Volatility",
        "In 95 of 100 cases the actual return to player after so many equal wagers lies within these bounds, by the "
        "normal approximation with coups taken as independent. The last column is the number of wagers after which the "
        "house is ahead in 97.5 of 100 cases.",
        ("Bet", "Return|", *(f"{coups:,}|" for coups in COUPS), "House ahead after|"),
        tuple(
            (
                name,
                f"{float(1 - bet.house_edge):.4%}",
                *("{:.2%} – {:.2%}".format(*_band(bet, coups)) for coups in COUPS),
                f"{ceil((NORMAL_95 * bet.sd / float(bet.house_edge)) ** 2):,}" if bet.house_edge > 0 else "never",
            )
            for name, bet in odds.items()
        ),
        Panels(
            tuple(Panel(odds[name].title, (_band_curve(odds[name]),)) for name in drawn),
            "coups",
            "actual return, %",
            powers_of_ten=True,
        ),
    )


def _band(bet: BetOdds, coups: int) -> tuple[float, float]:
    middle, half = float(1 - bet.house_edge), NORMAL_95 * bet.sd / sqrt(coups)
    return middle - half, middle + half


def _band_curve(bet: BetOdds) -> Curve:
    first, last = (round(log10(coups)) for coups in (COUPS[0], COUPS[-1]))
    coups = tuple(10 ** (quarter / 4) for quarter in range(4 * first, 4 * last + 1))
    bands = [_band(bet, round(number)) for number in coups]
    middle = float(1 - bet.house_edge) * 100
    return Curve(
        "", coups, (middle,) * len(coups), tuple(low * 100 for low, _ in bands), tuple(high * 100 for _, high in bands)
    )


def _covariances(rule_set: RuleSet, decks: int, coming: NextCoup) -> Section:
    study = Study.of(Terms(rule_set, decks))
    names = list(study.bets)
    return Section(
        "Covariance of two bets on one coup",
        "Of the nets of one unit on each. Bets with options are under option 1. The diagonal is the variance.",
        ("Bet", *(f"{name}|" for name in names)),
        tuple((one, *(f"{float(study.covariance(one, other, coming)):+.4f}" for other in names)) for one in names),
    )


def _removals(rule_set: RuleSet, decks: int, coming: NextCoup) -> Section:
    study = Study.of(Terms(rule_set, decks))
    effects = effects_of_removal(study, coming.composition)
    return Section(
        "Effects of removal",
        "By how many millionths of a unit the mean net of a wager changes when one such card is known to have gone "
        "from the full shoe; in a full shoe every suit does the same. Bets with options are under option 1.",
        ("Card", *(f"{name}|" for name in effects)),
        tuple(_removal_rows(effects)),
    )


def _removal_rows(effects: dict[str, dict[str, Fraction]]) -> Iterator[tuple[str, ...]]:
    spades: Iterable[str] = [card for card in next(iter(effects.values())) if card.endswith("S")]
    for card in spades:
        yield (card[0], *(f"{float(by_card[card]) * 1e6:+.2f}" for by_card in effects.values()))
