"""The kinds of streams that processes share: how each begins, decides, goes on, is read and is saved."""

from collections.abc import Awaitable, Callable, Generator
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from sabot.basics.stamp import Stamp
from sabot.floor.records.house_shelf import evolve_and_put_away
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
from sabot.house.filed_book import Sought
from sabot.house.refusal import HouseRefused
from sabot.house.state import HouseState, PapersAway
from sabot.journal.journal import Derived, ReadableJournal
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
    read_events: Callable[[Answered], tuple[E, ...]]
    read_decision: Callable[[Answered], tuple[E, ...] | R]
    mark: Callable[[S, int], Generator[None, None, bytes]]
    """Writes what a snapshot holds, in slices, given the state and its time."""
    recover: Callable[[ReadableJournal], Awaitable[Recovered[S]]]
    """The state as the records leave it."""
    snapshot_every: int
    """Records from one snapshot to the next."""
    evolve: Callable[[S, tuple[E, ...], int, dict[str, Derived]], S]
    """The state after the events of a record; what they put away is added to the mapping."""
    has_shelf: Callable[[S], bool] = lambda _: False
    """Whether something is put away, so that the shelf must be whole before a snapshot is kept."""
    without: Callable[[S, Sought], S] = lambda state, _: state
    """The state in which a paper was looked for that is not on the shelf."""


HOUSE_KIND: SharedKind[HouseState, HouseEvent, HouseRefused] = SharedKind(
    stream=HOUSE,
    beginning=HouseState(),
    decide=decide_house,
    left_by=lambda refused: refused.leaves,
    read_events=read_house_events,
    read_decision=read_house_decision,
    mark=house_mark,
    recover=recover_house,
    snapshot_every=HOUSE_SNAPSHOT_EVERY,
    evolve=evolve_and_put_away,
    has_shelf=lambda state: state.away != PapersAway(),
    without=lambda state, sought: replace(state, absent=(sought.number,)),
)


def tournament_kind(tournament: str) -> SharedKind[TournamentState, TournamentEvent, TournamentRefused]:
    return SharedKind(
        stream=tournament_stream(tournament),
        beginning=TournamentState(),
        decide=decide_tournament,
        left_by=lambda _: (),
        read_events=read_tournament_events,
        read_decision=read_tournament_decision,
        mark=tournament_mark,
        recover=lambda journal: recover_tournament(journal, tournament),
        snapshot_every=TOURNAMENT_SNAPSHOT_EVERY,
        evolve=lambda state, events, _, __: fold_tournament(events, state),
    )
