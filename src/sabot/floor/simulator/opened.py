"""The journal with which every simulated world begins: a table that is open, a shoe in play, and funded stations."""

from functools import lru_cache

import msgspec

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, Stamped, operator_stamp
from sabot.floor.records.record_codec import entry_of, table_stream
from sabot.journal.record import Entry, Record, start_of
from sabot.table import acts
from sabot.table.configuration import Configuration, StationPart
from sabot.table.decide import decide
from sabot.table.evolve import evolve
from sabot.table.fixtures import fixture
from sabot.table.refusal import Refused
from sabot.table.state import UNCONFIGURED, AnyTable

PERIOD_MS = 2_500
BOUGHT_IN = 30_000


@lru_cache(maxsize=8)
def configuration_for(stations: int) -> Configuration:
    parts = {f"A{number}": StationPart(approval="in a simulated world") for number in range(1, stations + 1)}
    return msgspec.structs.replace(fixture("crown"), stations=parts, wagering_period_ms=PERIOD_MS)


@lru_cache(maxsize=8)
def opened(stations: int) -> tuple[Record, ...]:
    configuration = configuration_for(stations)
    dealer, supervisor = Stamp(by="D1", role=Role.DEALER, at_ms=1), Stamp(by="GS1", role=Role.GAME_SUPERVISOR, at_ms=1)
    given = [
        Stamped(acts.Configure(configuration=configuration), operator_stamp(1)),
        Stamped(acts.SignOn(), msgspec.structs.replace(dealer, sign_on=1)),
        Stamped(acts.OpenTable(), dealer),
        Stamped(acts.CheckCards(cards=416), supervisor),
        Stamped(acts.NewShoe(), dealer),
        Stamped(acts.Cut(at=200), supervisor),
        Stamped(acts.Burn(), dealer),
        *(Stamped(acts.BuyIn(station=name, cents=BOUGHT_IN), dealer) for name in configuration.stations),
    ]
    state: AnyTable = UNCONFIGURED
    entries: list[Entry] = []
    for number, (act, stamp) in enumerate(given):
        decision = decide(state, act, stamp)
        assert not isinstance(decision, Refused), decision
        for event in decision:
            state = evolve(state, event)
        entries.append(entry_of(f"opening/{number}", act, stamp, decision))
    return tuple(start_of(table_stream(configuration.table)).then(0, entries))
