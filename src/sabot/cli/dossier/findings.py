"""What a dossier reports, worked out by the functions of `trace`, `drill`, `par`, `rules` and `keys`."""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from sabot.cli.dossier.vectors import NightVectors, night_vectors
from sabot.cli.drill import DrillOutcome, broken_rules
from sabot.cli.version import ProgramVersion, program_version
from sabot.floor.records.program_digest import package_digest
from sabot.floor.virtual.source_statistics import SourceStatistics, source_statistics
from sabot.journal.keys import read_ring
from sabot.rulebook.clauses import ClauseText, clauses
from sabot.rulebook.scenario import Scenario, all_scenarios
from sabot.rulebook.trace import Results, Status, Traced, trace
from sabot.rulebook.transcript import Transcript, transcribed
from sabot.rules.rule_set import RuleSet
from sabot.rules.shipped import rule_set as shipped

TellStep = Callable[[str], None]


class DossierWish(msgspec.Struct, frozen=True):
    rule_sets: tuple[RuleSet, ...]
    keys: tuple[Path, ...]
    cards: int
    seed: int
    shoes: int
    """Of each night of the replay vectors."""
    every: int
    """Of the clauses and of the broken rules the first of so many."""
    dated: str | None


class KeyShown(msgspec.Struct, frozen=True):
    file: str
    id: str
    sha256: str
    """Of the 32 bytes of the public key."""


class Findings(msgspec.Struct, frozen=True):
    program: ProgramVersion
    decks: dict[str, int]
    traced: tuple[Traced, ...]
    transcripts: tuple[Transcript, ...]
    drilled: tuple[DrillOutcome, ...]
    nights: tuple[NightVectors, ...]
    source: SourceStatistics
    keys: tuple[KeyShown, ...]

    @property
    def wrong(self) -> list[str]:
        """What speaks against the program, in sentences."""
        failing = [row.id for row in self.traced if row.status in (Status.FAILING, Status.ABSENT)]
        unnoticed = [one.what for one in self.drilled if not one.noticed]
        return [
            *(f"The clause {one} is not proved." for one in failing),
            *(f"No scenario noticed that a rule was broken: {one}" for one in unnoticed),
            *(() if self.source.fits else ("The random source deviates further than chance allows.",)),
        ]


def findings(root: Path, wish: DossierWish, tell: TellStep) -> Findings:
    decks = {rules.id: min(8, rules.decks.maximum) for rules in wish.rule_sets}
    keys = tuple(shown for path in wish.keys for shown in _keys_in(path))
    nights = []
    for rules in wish.rule_sets:
        tell(f"a night of {rules.id}: {wish.shoes} shoes")
        nights.append(night_vectors(rules, decks[rules.id], wish.shoes, wish.seed))
    transcripts, traced = _traced(wish, tell)
    tell("the drill: rules broken on purpose")
    drilled = broken_rules(root, wish.every)
    tell(f"the random source: {wish.cards:,} cards")
    source = source_statistics(wish.cards, wish.seed, 8, lambda done: tell(f"{done:,} cards"))
    return Findings(program_version(), decks, traced, transcripts, tuple(drilled), tuple(nights), source, keys)


def _traced(wish: DossierWish, tell: TellStep) -> tuple[tuple[Transcript, ...], tuple[Traced, ...]]:
    """The clauses of the documents, each proved by its scenarios under every rule set of its document."""
    documents = {rules.document for rules in wish.rule_sets}
    wanted = [clause for clause in clauses().values() if clause.document in documents][:: wish.every]
    scenarios = _proving(wanted, documents)
    tell(f"the trace: {len(scenarios):,} scenarios of {len(wanted)} clauses")
    transcripts: list[Transcript] = []
    for scenario in scenarios:
        transcripts += (transcribed(scenario, one) for one in scenario.rule_sets if shipped(one).document in documents)
        tell(f"{len(transcripts):,} transcripts")
    failures: dict[str, str | None] = {}
    for one in transcripts:
        failures[one.scenario] = failures.get(one.scenario) or one.failure
    return tuple(transcripts), tuple(trace(wanted, Results(package_digest(), failures)))


def _proving(wanted: Iterable[ClauseText], documents: set[str]) -> list[Scenario]:
    ids = {clause.id for clause in wanted}
    return [
        scenario
        for scenario in all_scenarios()
        if not ids.isdisjoint(scenario.clauses)
        and any(shipped(one).document in documents for one in scenario.rule_sets)
    ]


def _keys_in(path: Path) -> list[KeyShown]:
    return [KeyShown(path.name, one.key.id, hashlib.sha256(one.key.raw).hexdigest()) for one in read_ring(path)]
