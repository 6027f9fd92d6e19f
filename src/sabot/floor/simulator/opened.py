"""The journal with which every simulated world begins: a table that is open, a shoe in play, and funded stations."""

from functools import lru_cache
from typing import Any

import msgspec

from sabot.basics.role import Role
from sabot.floor.records.record_codec import entry_of, table_stream
from sabot.journal.record import Entry, Record, start_of
from sabot.table import acts as c
from sabot.table.configuration import Configuration, StationPart
from sabot.table.decide import decide
from sabot.table.evolve import evolve
from sabot.table.fixtures import fixture
from sabot.table.refusal import Refused
from sabot.table.state import TableState

PERIOD_MS = 2_500
BOUGHT_IN = 30_000


@lru_cache(maxsize=8)
def configuration_for(stations: int) -> Configuration:
    parts = {f"A{number}": StationPart(approval="in a simulated world") for number in range(1, stations + 1)}
    return msgspec.structs.replace(fixture("crown"), stations=parts, wagering_period_ms=PERIOD_MS)


@lru_cache(maxsize=8)
def opened(stations: int) -> tuple[Record, ...]:
    configuration = configuration_for(stations)

    def by(who: str, role: Role, kind: type[c.Command], **fields: Any) -> c.Command:
        return kind(by=who, role=role, at_ms=1, **fields)

    commands = [
        by("operator", Role.OPERATOR, c.Configure, configuration=configuration),
        by("D1", Role.DEALER, c.SignOn),
        by("D1", Role.DEALER, c.OpenTable),
        by("GS1", Role.GAME_SUPERVISOR, c.CheckCards, cards=416),
        by("D1", Role.DEALER, c.NewShoe),
        by("GS1", Role.GAME_SUPERVISOR, c.Cut, at=200),
        by("D1", Role.DEALER, c.Burn),
        *(by("D1", Role.DEALER, c.BuyIn, station=name, cents=BOUGHT_IN) for name in configuration.stations),
    ]
    state, entries = TableState(), list[Entry]()
    for number, command in enumerate(commands):
        decision = decide(state, command)
        assert not isinstance(decision, Refused), decision
        for event in decision:
            state = evolve(state, event)
        entries.append(entry_of(f"opening/{number}", command, decision))
    return tuple(start_of(table_stream(configuration.table)).then(0, entries))
