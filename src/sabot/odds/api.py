"""The public API: `from sabot.odds import odds, shoe, simulate, …`.

>>> from sabot.odds import odds, shoe
>>> fresh = odds("crown-baccarat")
>>> fresh["player_pair"].house_edge
Fraction(43, 415)
>>> later = odds("crown-baccarat", shoe(8, without="9S 8H TD"))
>>> f"{float(later['tie'].house_edge):.4%}"
'14.1985%'

It is the engine that the command line uses, and gives the same figures.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final

import msgspec
from numpy.typing import ArrayLike

from sabot.basics.mistake import Mistake
from sabot.odds import shoes_ahead
from sabot.odds.composition import Composition
from sabot.odds.dealing import Dealing
from sabot.odds.edges import edges_over_shoes as _edges_over_shoes
from sabot.odds.exact_kernel import CardCounts
from sabot.odds.next_coup import NextCoup
from sabot.odds.odds_arrays import OddsArrays
from sabot.odds.par.sheet import par_sheet as _par_sheet
from sabot.odds.results import Covariances, EdgesOverShoes, OddsTable, ParSheet, Removals, Simulated
from sabot.odds.simulation import Simulation
from sabot.odds.study import Study
from sabot.odds.tally import tally
from sabot.odds.workers import Threads
from sabot.rules import shipped
from sabot.rules.cards import read_cards
from sabot.rules.part import NAME
from sabot.rules.rule_set import RuleSet
from sabot.rules.rule_set_file import read_rule_set, write_rule_set
from sabot.rules.terms import Terms

__all__ = [
    "Composition",
    "Covariances",
    "EdgesOverShoes",
    "OddsArrays",
    "OddsTable",
    "ParSheet",
    "Removals",
    "RuleSet",
    "Simulated",
    "arrays",
    "edges_over_shoes",
    "examples",
    "odds",
    "par_sheet",
    "read_rule_set",
    "rule_set",
    "rule_sets",
    "shoe",
    "simulate",
    "unseen_before_coups",
    "with_bet",
]

Rules = RuleSet | str
"""A rule set, or the id of one that comes with the program."""


MOST_SHOES_AT_ONCE: Final = 100_000
"""So many that the unseen cards before all their coups take less than half a gigabyte."""


def rule_set(identity: str) -> RuleSet:
    """The rule set with this id that comes with the program, an example included.

    >>> rule_set("example-ez").title
    'Example: EZ Baccarat, Dragon 7, Panda 8'
    """
    return shipped.rule_set(identity)


def rule_sets() -> list[RuleSet]:
    """The six approved rule sets."""
    return shipped.all_rule_sets()


def examples() -> list[RuleSet]:
    """Rule sets with side bets of the market, which have no approved document."""
    return shipped.all_examples()


def with_bet(rules: Rules, name: str, lines: Sequence[Mapping[str, object]], title: str | None = None) -> RuleSet:
    """A copy of a rule set with one more bet, or with another pay table of a bet, under an id of its own.

    A line has `when`, as a rule set file writes it, and `pays`, or `result = "push"`; the first that holds decides.

    >>> own = with_bet("crown-baccarat", "six_cards", [{"when": {"coup_cards": 6}, "pays": "2"}])
    >>> f"{float(odds(own)['six_cards'].house_edge):.4%}"
    '4.6938%'
    """
    if not re.fullmatch(NAME, name):
        raise Mistake(f"a bet's name is small letters, digits and _, such as long_tie, not {name!r}")
    if isinstance(lines, Mapping) or not all(isinstance(line, Mapping) for line in lines):
        raise Mistake("the lines are a list of them, such as [{'when': {'winner': 'tie'}, 'pays': '8'}]")
    base = _rules(rules)
    written: dict[str, Any] = msgspec.json.decode(write_rule_set(base))
    clause = f"OWN {name}"
    written |= {"id": f"own-{base.id.removeprefix('own-')}", "document": "OWN", "operator": "no casino"}
    written.pop("diagrams", None)
    written["bets"][name] = {
        "title": title or name.replace("_", " ").capitalize(),
        "clause": clause,
        "offered": "optional",
        "otherwise": clause,
        "lines": [
            {"name": f"Line {number}", "clause": clause, **line, **_paid(line)} for number, line in enumerate(lines, 1)
        ],
    }
    return read_rule_set(msgspec.json.encode(written), f"{written['id']}.json")


def shoe(decks: int = 8, without: str | Iterable[str] = ()) -> Composition:
    """A full shoe without these cards: `shoe(8, without="9S 8H TD")`.

    >>> shoe(6).size, shoe(6, without=["AS", "AS"]).size
    (312, 310)
    """
    _check_whole(decks=decks)
    words = without.replace(",", " ").split() if isinstance(without, str) else list(without)
    return Composition.fresh(decks).without(read_cards(words))


def odds(
    rules: Rules,
    composition: Composition | None = None,
    *,
    decks: int = 8,
    options: Mapping[str, int] | None = None,
    all_options: bool = False,
) -> OddsTable:
    """The exact odds of every bet on the next coup, from a full shoe or from any cards left in it.

    >>> table = odds("mbs-baccarat", decks=6)
    >>> table["banker"].win + table["banker"].push + table["banker"].lose
    Fraction(1, 1)
    """
    if composition is not None and not isinstance(composition, Composition):
        raise Mistake(f"the cards left are a Composition, such as shoe(8, without='9S'), not {composition!r}")
    study = _study(rules, decks, options, all_options=all_options)
    return OddsTable(study, NextCoup(Composition.fresh(decks) if composition is None else composition))


def arrays(rules: Rules, compositions: ArrayLike, *, decks: int = 8) -> OddsArrays:
    """The exact odds of many compositions at once: rows of 52 counts, suit by suit from the ace, or of 13 by rank.

    >>> import numpy as np
    >>> float(arrays("crown-baccarat", np.full((2, 13), 32)).house_edge("player_pair")[1])
    0.10361445783132531
    """
    return OddsArrays(_study(rules, decks, None, all_options=False), compositions)


def simulate(  # noqa: PLR0913  All that the command line has.
    rules: Rules,
    *,
    seed: int,
    shoes: int | None = None,
    coups: int | None = None,
    decks: int = 8,
    coups_a_shoe: int | None = None,
    threads: int | None = None,
) -> Simulated:
    """Deal whole shoes and settle every bet on every coup. The result depends on seed and number of shoes alone.

    >>> dealt = simulate("crown-baccarat", seed=1, shoes=100)
    >>> dealt.tally.coups, dealt["tie"].win
    (8178, 779)
    """
    _check_whole(seed=seed, shoes=shoes, coups=coups, coups_a_shoe=coups_a_shoe, threads=threads)
    study = _study(rules, decks, None, all_options=False)
    dealing = Dealing.of(study.terms.rule_set, decks, coups_a_shoe=coups_a_shoe, told_apart=study.aspect)
    simulation = Simulation(dealing=dealing, seed=seed, shoes=shoes, coups=coups)
    histogram = simulation.run(Threads((os.cpu_count() or 1) if threads is None else threads), lambda _: None)
    return Simulated(tally(study, simulation, histogram, NextCoup(Composition.fresh(decks))))


def edges_over_shoes(rules: Rules, *, seed: int, shoes: int, decks: int = 8) -> EdgesOverShoes:
    """How the exact edges vary over simulated shoes: what a patron who counts every card could find.

    >>> found = edges_over_shoes("crown-baccarat", seed=1, shoes=20)
    >>> found["player_pair"].favourable > 0
    True
    """
    _check_whole(seed=seed, shoes=shoes)
    study = _study(rules, decks, None, all_options=False)
    return EdgesOverShoes(_edges_over_shoes(study, Dealing.of(study.terms.rule_set, decks), seed, shoes))


def unseen_before_coups(rules: Rules, *, seed: int, shoes: int, decks: int = 8) -> CardCounts:
    """The cards not seen before each coup of simulated shoes: a row for each coup, to be given to `arrays`.

    They are the shoes of `edges_over_shoes` with the same seed.

    >>> unseen_before_coups("crown-baccarat", seed=1, shoes=2)[0].sum()
    np.uint64(416)
    """
    _check_whole(seed=seed, shoes=shoes, decks=decks)
    if not 1 <= shoes <= MOST_SHOES_AT_ONCE:
        raise Mistake(f"1 to {MOST_SHOES_AT_ONCE:,} shoes are dealt at once, not {shoes:,}")
    return shoes_ahead.deal(Dealing.of(_rules(rules), decks), seed, range(shoes)).unseen


def par_sheet(rules: Rules, *, decks: int = 8, dated: str | None = None) -> ParSheet:
    """The PAR sheet of a rule set, as `sabot par` writes it.

    >>> sheet = par_sheet("crown-baccarat")
    >>> sheet.csv().decode().splitlines()[0]
    '"PAR sheet: Rapid Baccarat, Crown version"'
    """
    _check_whole(decks=decks)
    one = _rules(rules)
    one.check_decks(decks)
    return ParSheet(_par_sheet(one, decks, f"Sabot {version('sabot')}", dated))


def _rules(rules: Rules) -> RuleSet:
    if isinstance(rules, str) and rules.endswith((".json", ".toml")):
        raise Mistake(
            f"{rules} is a file: read_rule_set(Path({rules!r}).read_bytes(), {rules!r}) makes a rule set of it"
        )
    if not isinstance(rules, str | RuleSet):
        raise Mistake(f"a rule set is its id, such as 'crown-baccarat', or what read_rule_set gives, not {rules!r}")
    return shipped.rule_set(rules) if isinstance(rules, str) else rules


def _check_whole(**figures: object) -> None:
    """What may be left out is None. A whole number of NumPy is one, too."""
    for name, figure in figures.items():
        if figure is not None and not hasattr(figure, "__index__"):
            raise Mistake(f"{name} is a whole number, not {figure!r}")


def _study(rules: Rules, decks: int, options: Mapping[str, int] | None, *, all_options: bool) -> Study:
    _check_whole(decks=decks)
    if all_options:
        if options:
            raise Mistake("all options are wanted; leave out the choice of one")
        return Study.of_all_options(_rules(rules), decks)
    return Study.of(Terms(_rules(rules), decks, options))


def _paid(line: Mapping[str, object]) -> dict[str, list[str]]:
    pays = line.get("pays")
    if pays is None:
        return {}
    return {"pays": [str(one) for one in pays] if isinstance(pays, list | tuple) else [str(pays)]}
