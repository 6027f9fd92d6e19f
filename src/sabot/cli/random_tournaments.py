"""Tournaments in foul weather: played to their end by robots, held to the laws at every step and to their records."""

from collections.abc import Iterable, Iterator

import msgspec

from sabot.audit.money_aside import check_tournament_records
from sabot.audit.verify import Against, verify
from sabot.basics.at_once import at_once
from sabot.floor.contests.contest import Contest, ContestPlan
from sabot.floor.contests.outcome import LawBroken
from sabot.floor.contests.upsets import FOUL, ContestWeather, digest_of
from sabot.tournament.conditions.fixtures import fixture
from sabot.tournament.conditions.parts import Conditions, PoolPart, Prize

KINDS = {"spring": 17, "night": 7, "autumn": 11}
"""The conditions that are played, each with its players: odd numbers, so that tables are unequal and cents are left."""


class ContestTrial(msgspec.Struct, frozen=True):
    kind: str
    seed: int
    upsets: dict[str, int]
    """How often each came."""
    coups: int
    digest: str
    """Of everything that was recorded."""


def trial(kind: str, seed: int, weather: ContestWeather = FOUL) -> ContestTrial:
    """Play one; whatever law is broken is raised."""
    contest = Contest(ContestPlan(_uneven(fixture(kind)), KINDS[kind], seed, weather=weather))
    contest.play()
    journal = contest.floor.backing.journal
    verdict = at_once(verify(journal, Against(contest.floor.backing.build), lambda *_: None))
    money = at_once(check_tournament_records(journal, contest.name))
    for problem in (*verdict.problems, *money.problems):
        raise LawBroken(str(problem))
    return ContestTrial(kind, seed, contest.upsets.seen, contest.coups, digest_of(contest.floor))


def _uneven(conditions: Conditions) -> Conditions:
    """A pool that cannot be shared in whole cents."""
    prizes = tuple(Prize(place=place, share=share) for place, share in enumerate((47, 31, 22), 1))
    entry = msgspec.structs.replace(conditions.entry, to_pool_cents=conditions.entry.to_pool_cents - 1)
    return msgspec.structs.replace(conditions, prizes=prizes, entry=entry, pool=PoolPart())


class BrokenTournament(msgspec.Struct, frozen=True):
    seed: int
    why: str


def first_broken_law(seeds: Iterable[int]) -> BrokenTournament | None:
    """What the first failing tournament says; nothing where none fails."""
    return next(_broken(seeds), None)


def _broken(seeds: Iterable[int]) -> Iterator[BrokenTournament]:
    for seed in seeds:
        for kind in KINDS:
            try:
                trial(kind, seed)
            except LawBroken as broken:
                yield BrokenTournament(seed, f"{kind} with seed {seed}: {broken}")
