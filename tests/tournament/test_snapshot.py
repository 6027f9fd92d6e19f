"""Equal states of a tournament give equal bytes, and the bytes give the state back."""

from collections.abc import Iterator
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest
from msgspec.structs import replace

from sabot.basics.growing_list import GrowingList
from sabot.basics.persistent_map import PersistentMap
from sabot.tournament import acts
from sabot.tournament.events import Placed, SeatAllotted
from sabot.tournament.evolve import fold
from sabot.tournament.snapshot import read_state, write_state
from sabot.tournament.state import PlayOff, RoundProgress, SeatOrder, Sitting, TournamentState
from tests.tournament.desk import Desk, plays


def _full() -> TournamentState:
    """A state with something in every part."""
    desk = Desk().closed(40)
    desk.do(acts.Brief(tournament=desk.id), "TD1")
    desk.do(acts.DesignateTables(tournament=desk.id, tables=("T2", "T1")), "TD1", tables={"T1": plays(), "T2": plays()})
    scores = GrowingList[Any]().then({2: 105_000, 1: 95_000}).then({2: 100_000, 1: -5_000})
    sitting = Sitting(
        round="heats",
        session=1,
        table="T1",
        seats={"A1": SeatAllotted(1, "P-1", 100_000, present=True)},
        scores=scores,
        told={"A1": acts.SeatTold(1, bust=True)},
        orders=(SeatOrder(1, "close", "A1"),),
        conclusion=(2, 2, True),
    )
    heats = RoundProgress(
        drawn=(Placed(1, 1, "T1", "A1"),),
        starts_ms={2: 7},
        called=frozenset({16, 8, 0}),
        play_offs=(PlayOff(1, (1, 2), 1),),
        through={"final": (1,)},
    )
    return replace(
        desk.state,
        sittings={"SPRING/heats/1/T1": sitting},
        rounds={"heats": heats},
        on=("heats", 1),
        commitments={"SPRING/semi-final": "0f" * 32},
    )


def test_bytes_give_the_state_back() -> None:
    state = _full()
    again = read_state(write_state(state))
    assert again == state
    assert write_state(again) == write_state(state)
    assert list(again.tables) == ["T2", "T1"], "the order of designation means something"


def test_equal_states_give_equal_bytes_however_they_came_about() -> None:
    state = _full()
    backwards = PersistentMap(dict(reversed(list(state.entrants.whole().items()))))
    called = frozenset([0, 8, 16])
    heats = replace(state.rounds["heats"], called=called)
    other = replace(state, entrants=backwards, rounds={"heats": heats})
    assert other == state
    assert write_state(other) == write_state(state)


def test_the_history_gives_the_bytes_of_the_state() -> None:
    desk = Desk().closed(20)
    assert write_state(fold(desk.history)) == write_state(desk.state)


def test_what_is_no_state_is_refused() -> None:
    with pytest.raises(msgspec.DecodeError):
        read_state(b"\x93\x01\x02")


def test_a_decision_after_reading_back_is_the_same() -> None:
    desk, other = Desk().opened().entered(3), Desk()
    other.state, other.now_ms = read_state(write_state(desk.state)), desk.now_ms
    assert desk.register("P-4") == other.register("P-4")


def _types(kind: Any, seen: set[Any]) -> Iterator[Any]:
    """Every type that a state is made of."""
    if kind in seen:
        return
    seen.add(kind)
    yield kind
    inner = list(get_args(kind))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        inner += get_type_hints(kind).values()
    for one in inner:
        yield from _types(one, seen)


def test_every_set_of_a_state_is_one_that_the_snapshot_sorts() -> None:
    sets = [
        (struct.__name__, name)
        for struct in _types(TournamentState, set())
        if isinstance(struct, type) and issubclass(struct, msgspec.Struct)
        for name, kind in get_type_hints(struct).items()
        if get_origin(kind) in (set, frozenset)
    ]
    assert sets == [("RoundProgress", "called"), ("RoundProgress", "ended")]
