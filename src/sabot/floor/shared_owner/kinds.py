"""The kinds of streams that processes share: how each begins, decides, goes on, is read and is saved."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Generic, NamedTuple, TypeVar

from sabot.basics.stamp import Stamp
from sabot.floor.records.record_codec import (
    HOUSE,
    Answered,
    read_house_decision,
    read_house_events,
    read_tournament_decision,
    read_tournament_events,
    tournament_stream,
)
from sabot.floor.records.recovery import (
    HOUSE_SNAPSHOT_EVERY,
    TOURNAMENT_SNAPSHOT_EVERY,
    Recovered,
    house_mark,
    recover_house,
    recover_tournament,
    tournament_mark,
)
from sabot.house.decide import decide as decide_house
from sabot.house.events import HouseEvent
from sabot.house.evolve import fold as fold_house
from sabot.house.refusal import HouseRefused
from sabot.house.state import HouseState
from sabot.journal.journal import ReadableJournal
from sabot.tournament.decide import decide as decide_tournament
from sabot.tournament.events import TournamentEvent
from sabot.tournament.evolve import fold as fold_tournament
from sabot.tournament.refusal import TournamentRefused
from sabot.tournament.state import TournamentState

S = TypeVar("S")
E = TypeVar("E")
R = TypeVar("R")

HouseDecision = tuple[HouseEvent, ...] | HouseRefused
TournamentDecision = tuple[TournamentEvent, ...] | TournamentRefused


class SharedKind(NamedTuple, Generic[S, E, R]):
    stream: str
    beginning: S
    decide: Callable[[S, Any, Stamp], tuple[E, ...] | R]
    left_by: Callable[[R], tuple[E, ...]]
    """What a refusal leaves on record."""
    fold: Callable[[Iterable[E], S], S]
    read_events: Callable[[Answered], tuple[E, ...]]
    read_decision: Callable[[Answered], tuple[E, ...] | R]
    mark: Callable[[S, int, int], bytes]
    """What a snapshot holds."""
    recover: Callable[[ReadableJournal], Awaitable[Recovered[S]]]
    """The state as the records leave it."""
    snapshot_every: int
    """Records from one snapshot to the next."""


HOUSE_KIND: SharedKind[HouseState, HouseEvent, HouseRefused] = SharedKind(
    stream=HOUSE,
    beginning=HouseState(),
    decide=decide_house,
    left_by=lambda refused: refused.leaves,
    fold=fold_house,
    read_events=read_house_events,
    read_decision=read_house_decision,
    mark=house_mark,
    recover=recover_house,
    snapshot_every=HOUSE_SNAPSHOT_EVERY,
)


def tournament_kind(tournament: str) -> SharedKind[TournamentState, TournamentEvent, TournamentRefused]:
    return SharedKind(
        stream=tournament_stream(tournament),
        beginning=TournamentState(),
        decide=decide_tournament,
        left_by=lambda _: (),
        fold=fold_tournament,
        read_events=read_tournament_events,
        read_decision=read_tournament_decision,
        mark=tournament_mark,
        recover=lambda journal: recover_tournament(journal, tournament),
        snapshot_every=TOURNAMENT_SNAPSHOT_EVERY,
    )
