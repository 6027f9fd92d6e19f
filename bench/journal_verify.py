"""A table of 24 hours, 2,000 coups with fifty stations, in a SQLite journal: how fast it is proved, how soon it is up.

`verify` is the plain command, `verify_decided` the one that decides every command again. The baselines: for the chain,
a bare loop of SHA-256 over the same bytes; for a proof by one process, the chain alone; for a proof by all processors,
that of one process; for the start with a snapshot, the same start without one, which reads and applies every record of
the day.

All figures are CPU time but two: `verify` and `verify_decided` go by the clock on the wall, so leave the machine alone
meanwhile. Those by CPU are what they come to with the processors to themselves: the CPU time of all processes, evenly
shared.
"""

import asyncio
import hashlib
import os
import random
import tempfile
import time
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from sabot.audit.verify import Against, Depth, Hands, Verdict, verify
from sabot.cli.stopwatch import Row, row, seconds
from sabot.cli.worker_processes import crew_of
from sabot.floor.records.record_codec import Started, started_entry, table_entry, table_stream
from sabot.floor.records.recovery import recall_table, snapshot_at, table_mark
from sabot.journal.checkpoint import sign
from sabot.journal.journal import Appended, Journal
from sabot.journal.keys import SigningKey, new_key
from sabot.journal.opening import open_journal, open_to_read
from sabot.journal.ownership import Ownership, take
from sabot.journal.record import Entry, Head, Record, head_after
from sabot.rules.cards import DECK
from sabot.rules.coup import next_card
from sabot.rules.rule_set import Bet
from sabot.table import acts as c
from sabot.table.configuration import StationPart
from sabot.table.conversation import Conversation
from sabot.table.conversation import Record as Decided
from sabot.table.fixtures import fixture
from sabot.table.refusal import Refused
from sabot.table.role import Role

STATIONS = [f"A{number}" for number in range(1, 51)]
COUPS = 2_000
TOGETHER = 50
"""Coups that are written at once; a table writes each as it comes."""
STREAM = table_stream("T1")
BUILD = "bench"
T = TypeVar("T")


def measure() -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        place, key = str(Path(folder) / "day.journal"), new_key(Path(folder) / "bench.key")
        bodies = _run(_written(place, key))
        count = len(bodies)
        bare = count / seconds(lambda: _bare(bodies), runs=3)
        chain = count / seconds(lambda: _proved(place, key, Depth.CHAIN), runs=2)
        plain = count / seconds(lambda: _proved(place, key, Depth.RECORDED), runs=2)
        whole = count / seconds(lambda: _proved(place, key), runs=2)
        taken = [_shared(place, key, Depth.DECIDED) for _ in range(3)]
        recorded = [_shared(place, key, Depth.RECORDED) for _ in range(3)]
        with_snapshot = seconds(lambda: _run(_started(place, key, BUILD)), runs=3)
        without = seconds(lambda: _run(_started(place, key, "a program that wrote no snapshot")), runs=1)
    yield row("verify_chain", chain, "records/s", bare)
    yield row("verify_one_process", plain, "records/s", chain)
    yield row("verify", count / min(wall for wall, _ in recorded), "records/s", plain)
    yield row("verify_by_cpu", count / min(cpu for _, cpu in recorded), "records/s", plain)
    yield row("verify_decided_one_process", whole, "records/s", chain)
    yield row("verify_decided", count / min(wall for wall, _ in taken), "records/s", whole)
    yield row("verify_decided_by_cpu", count / min(cpu for _, cpu in taken), "records/s", whole)
    yield row("start_of_a_day_with_snapshot", with_snapshot, "s", without)


def _run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def _bare(bodies: list[bytes]) -> bytes:
    digest = b""
    for body in bodies:
        digest = hashlib.sha256(digest + body).digest()
    return digest


def _proved(place: str, key: SigningKey, depth: Depth = Depth.DECIDED, hands: Hands | None = None) -> None:
    async def prove() -> Verdict:
        journal, against = await open_to_read(place), Against(BUILD, key.ring)
        return await verify(journal, against, lambda *_: None, depth=depth, hands=hands)

    verdict = _run(prove())
    assert verdict.ok, verdict.problems


def _shared(place: str, key: SigningKey, depth: Depth) -> tuple[float, float]:
    """How long the proof takes by the clock with all processors, and its CPU time for each of them."""
    processors, wall, cpu = os.cpu_count() or 1, time.perf_counter(), _cpu()
    with crew_of(processors, place, lambda *_: None) as hands:
        _proved(place, key, depth, hands)
    return time.perf_counter() - wall, (_cpu() - cpu) / processors


def _cpu() -> float:
    """The CPU time of this process and of those it has seen the end of."""
    return sum(os.times()[:4])


async def _started(place: str, key: SigningKey, form: str) -> None:
    """What a table does before it can answer: open the journal with all its checks, and bring the state back."""
    journal = await open_journal(place, keys=(key.public,))
    recalled = await recall_table(journal, STREAM, form)
    assert recalled.state.coups == COUPS
    await journal.close()


async def _written(place: str, key: SigningKey) -> list[bytes]:
    """Play the day and write it, each coup with its signed checkpoint; returns what is hashed."""
    journal = await open_journal(place)
    owned = await take(journal, STREAM, "bench", 60_000)
    assert isinstance(owned, Ownership)
    head = owned.head
    ring = tuple(one.line for one in key.ring)
    head, first = await _append(journal, head, [started_entry(Started(BUILD, ring), "bench", head.epoch, 0)])
    bodies = [record.body for record in first]
    talk = _Fast()
    talk.open()
    for _ in range(COUPS // TOGETHER):
        entries, ends = list[Entry](), list[int]()
        for _ in range(TOGETHER):
            talk.play()
            entries += [table_entry(record) for record in talk.drained()]
            ends.append(len(entries) - 1)
        head, records = await _append(journal, head, entries)
        bodies += [record.body for record in records]
        signed = [sign(head_after(records[end]), 0, key) for end in ends]
        await asyncio.gather(*map(journal.save_checkpoint, signed))
    await journal.save_snapshot(snapshot_at(head, BUILD, table_mark(talk.state, talk.n, talk.now_ms)))
    await journal.close()
    return bodies


async def _append(journal: Journal, head: Head, entries: list[Entry]) -> tuple[Head, list[Record]]:
    records = head.then(head.epoch, entries)
    assert isinstance(await journal.append(STREAM, head.version, records), Appended)
    return head_after(records[-1]), records


class _Fast(Conversation):
    """A table that is told commands and asked for no answers, so that a day is played in seconds."""

    def __init__(self) -> None:
        stations = {name: StationPart(approval="bench") for name in STATIONS}
        super().__init__(msgspec.structs.replace(fixture("crown"), stations=stations))
        self._chance = random.Random(6)

    def drained(self) -> list[Decided]:
        records, self.records = self.records, []
        self.history.clear()
        return records

    def do(self, command: c.Command) -> None:
        self.n += 1
        decision = self._decide(command)
        assert not isinstance(decision, Refused), decision

    def open(self) -> None:
        self.say(do="sign_on", by="D1")
        self.say(do="open_table", by="D1", build=BUILD)
        self.say(do="check_cards", by="GS1", cards=416)
        self.shoe()
        for station in STATIONS:
            self.say(do="buy_in", by="D1", station=station, cents=10**9)

    def shoe(self) -> None:
        for line in ({"do": "new_shoe", "by": "D1"}, {"do": "cut", "by": "GS1", "at": 200}, {"do": "burn", "by": "D1"}):
            self.say(**line)

    def say(self, **line: object) -> None:
        assert self.answer(line).ok, line

    def wager(self, station: str, bet: str, cents: int) -> None:
        at_ms = self.now_ms
        self.do(c.SetWager(by=station, role=Role.STATION, at_ms=at_ms, station=station, bet=Bet(bet), cents=cents))

    def play(self) -> None:
        """A coup with a wager or two at each station, over as many shoes as it takes."""
        chance = self._chance
        if self.state.shoe.left < 60:
            self.say(do="order_shuffle", by="CS1", reason="bench")
            self.shoe()
        self.say(do="open", by="D1")
        for place, station in enumerate(STATIONS):
            self.wager(station, chance.choice(("player", "banker")), chance.randrange(2_500, 20_001, 500))
            if place % 2:
                self.wager(station, "tie", 500)
        self.say(do="close", by="D1")
        while self.state.coup is not None and next_card(self.state.coup.cards) is not None:
            self.answer({"do": "card", "by": "D1", "card": chance.choice(DECK).notation})
        self.say(do="confirm", by="D1")
