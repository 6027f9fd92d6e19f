"""A table of fifty stations over any number of coups, written quickly: 25 coups are played, and written over and over.

Every record has its own key, time, version and hash, and the coups are numbered on; the cards and wagers come back
every 25 coups. 2,000 coups make a day.
"""

import asyncio
import random
import re
from typing import NamedTuple

import msgspec

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, operator_stamp
from sabot.floor.records.record_codec import Started, entry_of, started_entry, table_stream
from sabot.journal.journal import Appended, Journal
from sabot.journal.opening import open_journal
from sabot.journal.ownership import Ownership, take
from sabot.journal.record import Entry, Head, head_after
from sabot.rules.cards import DECK
from sabot.rules.coup import next_card
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.configuration import StationPart
from sabot.table.decide import decide
from sabot.table.evolve import evolve, fold
from sabot.table.fixtures import fixture
from sabot.table.refusal import Refused
from sabot.table.state import UNCONFIGURED

STREAM = table_stream("T1")
STATIONS = [f"A{number}" for number in range(1, 51)]
PLAYED = 25
COUP_MS = 43_200
"""2,000 coups a day."""
FIRST_MS = 1_767_225_600_000
_DEALER = Stamp(by="D1", role=Role.DEALER)
_CLOSES = Stamp(by="D1", role=Role.DEALER, salts=dict.fromkeys(STATIONS, "5a" * 16))
_SUPERVISOR = Stamp(by="GS1", role=Role.GAME_SUPERVISOR)
_COUP = re.compile(rb'"coup":(\d+)')


class _Template(NamedTuple):
    opening: list[Entry]
    coups: list[list[Entry]]


def write_stream(place: str, coups: int) -> None:
    """Write a journal of so many coups."""
    asyncio.run(_write(place, coups))


async def _write(place: str, coups: int) -> None:
    template = play_coups()
    journal = await open_journal(place)
    owned = await take(journal, STREAM, "bench", 60_000)
    assert isinstance(owned, Ownership)
    head = await _append(
        journal, owned.head, [started_entry(Started("bench"), "bench", 1, FIRST_MS), *template.opening]
    )
    for first in range(0, coups, PLAYED):
        entries = [
            _again(entry, first, place) for place, coup in enumerate(template.coups[: coups - first]) for entry in coup
        ]
        head = await _append(journal, head, entries)
    await journal.close()


def _again(entry: Entry, first: int, place: int) -> Entry:
    """The same a number of coups later."""
    answer = _COUP.sub(lambda found: b'"coup":%d' % (int(found[1]) + first), bytes(entry.answer))
    at_ms = FIRST_MS + (first + place) * COUP_MS
    return Entry(f"{entry.key}/{first}", entry.actor, entry.second_actor, at_ms, msgspec.Raw(answer))


async def _append(journal: Journal, head: Head, entries: list[Entry]) -> Head:
    records = head.then(1, entries)
    assert isinstance(await journal.append(STREAM, head.version, records), Appended)
    return head_after(records[-1])


def play_coups() -> _Template:
    """The opening of the table, and its 25 coups."""
    table = _Table()
    table.do(acts.SignOn(), msgspec.structs.replace(_DEALER, sign_on=1))
    table.do(acts.OpenTable(), msgspec.structs.replace(_DEALER, build="bench"))
    table.do(acts.CheckCards(cards=416), _SUPERVISOR)
    table.do(acts.NewShoe(), _DEALER)
    table.do(acts.Cut(at=200), _SUPERVISOR)
    table.do(acts.Burn(), _DEALER)
    for station in STATIONS:
        table.do(acts.BuyIn(station=station, cents=10**9), _DEALER)
    opening = table.drained()
    return _Template(opening, [table.coup() for _ in range(PLAYED)])


class _Table:
    """A table that is told acts and asked for no answers."""

    def __init__(self) -> None:
        stations = {name: StationPart(approval="bench") for name in STATIONS}
        act = acts.Configure(configuration=msgspec.structs.replace(fixture("crown"), stations=stations))
        decision = decide(UNCONFIGURED, act, operator_stamp())
        assert not isinstance(decision, Refused), decision
        self._state = evolve(UNCONFIGURED, decision[0])
        self._chance, self._n = random.Random(6), 1
        self._entries = [_dated(entry_of("console/1", act, operator_stamp(), decision))]

    def drained(self) -> list[Entry]:
        entries, self._entries = self._entries, []
        return entries

    def do(self, act: acts.Act, stamp: Stamp) -> None:
        assert self._tries(act, stamp), act

    def _tries(self, act: acts.Act, stamp: Stamp) -> bool:
        self._n += 1
        decision = decide(self._state, act, stamp)
        self._entries.append(_dated(entry_of(f"console/{self._n}", act, stamp, decision)))
        if isinstance(decision, Refused):
            return False
        self._state = fold(decision, self._state)
        return True

    def coup(self) -> list[Entry]:
        """A coup with a wager or two at each station."""
        chance = self._chance
        self.do(acts.Open(), _DEALER)
        for place, station in enumerate(STATIONS):
            stamp = Stamp(by=station, role=Role.STATION)
            cents = chance.randrange(2_500, 20_001, 500)
            self.do(acts.SetWager(bet=Bet(chance.choice(("player", "banker"))), cents=cents), stamp)
            if place % 2:
                self.do(acts.SetWager(bet=Bet("tie"), cents=500), stamp)
        self.do(acts.Close(), _CLOSES)
        while self._state.coup is not None and next_card(self._state.coup.cards) is not None:
            self._tries(acts.Card(card=chance.choice(DECK).notation), _DEALER)
        self.do(acts.Confirm(), _DEALER)
        return self.drained()


def _dated(entry: Entry) -> Entry:
    return msgspec.structs.replace(entry, at_ms=FIRST_MS)
