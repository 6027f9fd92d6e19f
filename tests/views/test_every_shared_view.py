"""Of every state that a tournament or the house can come to, boards, desks and the floor's view can be made: acts of
all kinds are said by everybody who may, with values that fit or lie at the edge of their bounds.
"""

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect as shape

from sabot.basics.act import Act
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.floor.simulator.chance import Chance
from sabot.house import decide as house
from sabot.house import evolve as house_evolve
from sabot.house.acts import RecallPapers
from sabot.house.filed_book import PutAway
from sabot.house.refusal import HouseRefused
from sabot.house.state import HouseState
from sabot.tournament import acts
from sabot.tournament import decide as tournament
from sabot.tournament.state import TournamentState
from sabot.views.floor import floor_view
from sabot.views.tournament_board import board_of
from sabot.views.tournament_desk import desk_of
from tests.floor.test_bounds import SAMPLES, bare, fields_of, is_time
from tests.tournament.desk import ZONE, Desk
from tests.views.test_every_view import extreme

SEED = "ab" * 32
FITTING: dict[str, tuple[Any, ...]] = {
    "tournament": ("SPRING",),
    "entrant": (1, 2, 3, 16, 17, 99),
    "entrants": ((), (1, 2)),
    "absent": ((), (1,)),
    "round": ("heats", "final", "no_such_round"),
    "session": (1, 2),
    "table": ("T1", "T2", "T9"),
    "tables": (("T1",), ("T1", "T2"), ()),
    "station": ("A1", "A9", ""),
    "player": ("P-1", "P-2", "P-99"),
    "patron": ("P7", "P8"),
    "person": ("CA1", "TE1", "X"),
    "device": ("S1", "S2"),
    "ticket": ("1" * 18, "2" * 18),
    "slip": ("SPRING-000001", "SPRING-000002"),
    "key": ("a" * 64, "b" * 64),
    "state": ("reserved", "open", "played", "closed"),
    "words": ("AS KH 5D 2C 9S TD", ""),
    "version": (1, 2),
}
_encode = msgspec.json.Encoder(enc_hook=str).encode


def filled(kind: type[Act], chance: Chance, at_ms: int) -> Act:
    given = {}
    for field in fields_of(kind):
        if not field.required and chance.happens(0.4):
            continue
        value: Any = msgspec.UNSET
        if field.name in FITTING and chance.happens(0.8):
            value = chance.pick(FITTING[field.name])
        elif chance.happens(0.3):
            value = extreme(field.type, chance, at_ms)
        given[field.name] = _some(field.type, chance, at_ms) if value is msgspec.UNSET else value
    return kind(**given)


def _some(info: shape.Type, chance: Chance, at_ms: int) -> Any:  # noqa: PLR0911  Each shape has its line.
    match bare(info):
        case shape.IntType():
            return at_ms + chance.pick((0, 1_000, 86_400_000)) if is_time(info) else chance.pick((1, 2, 100))
        case shape.StrType(pattern=pattern):
            return "x" if pattern is None else SAMPLES[pattern]
        case shape.BoolType():
            return chance.happens(0.5)
        case shape.LiteralType(values=values):
            return chance.pick(values)
        case shape.EnumType(cls=cls):
            return chance.pick(list(cls))
        case shape.UnionType(types=types):
            return _some(chance.pick(types), chance, at_ms)
        case shape.VarTupleType(item_type=item, min_length=least):
            return tuple(_some(item, chance, at_ms) for _ in range(least or chance.between(0, 2)))
        case shape.DictType(key_type=key, value_type=value):
            is_open = isinstance(bare(value), shape.AnyType) or chance.happens(0.3)
            return {} if is_open else {_some(key, chance, at_ms): _some(value, chance, at_ms)}
        case shape.StructType(cls=cls, fields=fields):
            return cls(**{field.name: _some(field.type, chance, at_ms) for field in fields})
        case _:
            return None


def stamps(who: frozenset[Role], chance: Chance, at_ms: int) -> Iterator[Stamp]:
    by = {Role.TOURNAMENT_DIRECTOR: "TD1", Role.CLOCK: "clock", Role.OPERATOR: "operator"}
    second = chance.pick((Role.CASINO_SUPERVISOR, Role.OPERATOR))
    for role in sorted(who):
        yield Stamp(
            *(by.get(role, "X"), role, at_ms, "Y", second),
            time_zone=ZONE,
            seed=SEED,
            is_staff=chance.happens(0.5),
            ticket="3" * 18,
        )


def _tournaments() -> Iterator[Desk]:
    yield from (Desk().created(), Desk().created().saved(), Desk().opened(), Desk().opened().entered(5))
    yield Desk().closed(16)
    yield Desk().closed(16).seated(1, 2, 3)


def check_tournaments(seeds: range) -> None:
    accepted = 0
    kinds = [kind for kind in tournament.RULES if kind is not acts.SaveConditions]
    for seed in seeds:
        chance = Chance(random.Random(seed).random)
        for desk in _tournaments():
            for _ in range(60):
                act = filled(chance.pick(kinds), chance, desk.now_ms)
                for stamp in stamps(tournament.RULES[type(act)].who, chance, desk.now_ms):
                    if isinstance(desk.say(act, stamp), tuple):  # type: ignore[arg-type]  # It is a tournament's.
                        accepted += 1
                        _look_at_tournament(desk.state, desk.now_ms)
    assert accepted > 50 * len(seeds), f"hardly anything was accepted: {accepted}"


def _look_at_tournament(state: TournamentState, at_ms: int) -> None:
    _encode(board_of(state, {}, at_ms))
    _encode(desk_of(state, at_ms, ZONE))


def check_house(seeds: range) -> None:
    """Papers are recalled by the floor alone, and only those that were put away."""
    said, accepted = [one for one in house.RULES if one is not RecallPapers], 0
    for seed in seeds:
        chance = Chance(random.Random(seed).random)
        state = HouseState(staff={"X": tuple(Role), "Y": tuple(Role)})
        at_ms = 1_790_000_000_000
        for _ in range(300):
            act = filled(chance.pick(said), chance, at_ms)
            for stamp in stamps(house.RULES[type(act)].who, chance, at_ms):
                try:
                    decision = house.decide(state, act, stamp)
                except PutAway:  # The act waits for a paper, and there is no shelf here.
                    continue
                events = decision.leaves if isinstance(decision, HouseRefused) else decision
                accepted += not isinstance(decision, HouseRefused)
                state = house_evolve.fold(events, state)
                _encode(floor_view(state, {}))
    assert accepted > 50 * len(seeds), f"hardly anything was accepted: {accepted}"


def test_boards_and_desks_can_be_made_whatever_is_said_to_a_tournament() -> None:
    check_tournaments(range(2))


def test_the_view_of_the_floor_can_be_made_whatever_is_said_to_the_house() -> None:
    check_house(range(3))


@pytest.mark.whole
def test_the_same_of_many() -> None:
    check_tournaments(range(2, 60))
    check_house(range(3, 100))
