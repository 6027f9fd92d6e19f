"""A table of 24 hours, 2,000 coups with fifty stations, in a SQLite journal: how fast it is proved, how soon it is up.

`verify` is the plain command, `verify_decided` the one that decides every act again. The baselines: for the chain,
a bare loop of SHA-256 over the same bytes; for a proof by one process, the chain alone; for a proof by all processors,
that of one process; for the start with a snapshot, the same start without one, which reads and applies every record of
the day; for `…_since_earlier`, the earlier program in turns with this one, each in a process of its own on a journal of
the same play in its own form, since neither reads the other's; for the memory that a proof takes at its peak, the same
of 200 coups. The long form measures that at 20,000 coups, and with SABOT_BENCH_COUPS=200000 at as many.

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
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from sabot.audit.verify import Against, Depth, ProvingWorkers, Verdict, verify
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, operator_stamp
from sabot.cli.checkout import checkout
from sabot.cli.earlier_program import earlier_program, run_beside
from sabot.cli.stopwatch import Row, row, seconds
from sabot.cli.worker_processes import proving_workers
from sabot.floor.records.record_codec import Started, entry_of, started_entry, table_stream
from sabot.floor.records.recovery import recover_table, snapshot_at, table_mark
from sabot.floor.records.state_form import SNAPSHOT_FORM
from sabot.floor.table_owner.term import key_of
from sabot.journal.checkpoint import sign
from sabot.journal.journal import Appended, Journal
from sabot.journal.keys import SigningKey, new_key
from sabot.journal.opening import open_journal, open_to_read
from sabot.journal.ownership import Ownership, take
from sabot.journal.record import Entry, Head, Record, head_after
from sabot.rules.cards import DECK
from sabot.rules.coup import next_card
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.configuration import StationPart
from sabot.table.decide import decide
from sabot.table.evolve import evolve, fold
from sabot.table.fixtures import fixture
from sabot.table.history.state import KEPT_COUPS
from sabot.table.refusal import Refused
from sabot.table.state import UNCONFIGURED
from sabot.wire.frames import Name

STATIONS = [f"A{number}" for number in range(1, 51)]
COUPS = 2_000
COUPS_IN_TURNS = 300
"""Enough for a rate; both programs write and prove them."""
FEW = 200
"""Coups that the memory at a longer journal is compared with."""
TOGETHER = 50
"""Coups that are written at once; a table writes each as it comes."""
STREAM = table_stream("T1")
BUILD = "bench"
DEALER = Stamp(by="D1", role=Role.DEALER)
CLOSES = Stamp(by="D1", role=Role.DEALER, salts=dict.fromkeys(STATIONS, "5a" * 16))
SUPERVISOR = Stamp(by="GS1", role=Role.GAME_SUPERVISOR)
CASINO_SUPERVISOR = Stamp(by="CS1", role=Role.CASINO_SUPERVISOR)
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
        with_snapshot = seconds(lambda: _run(_started(place, key, SNAPSHOT_FORM)), runs=3)
        without = seconds(lambda: _run(_started(place, key, "a program that wrote no snapshot")), runs=1)
    yield row("verify_chain", chain, "records/s", bare)
    yield row("verify_one_process", plain, "records/s", chain)
    yield row("verify", count / min(wall for wall, _ in recorded), "records/s", plain)
    yield row("verify_by_cpu", count / min(cpu for _, cpu in recorded), "records/s", plain)
    yield row("verify_decided_one_process", whole, "records/s", chain)
    yield row("verify_decided", count / min(wall for wall, _ in taken), "records/s", whole)
    yield row("verify_decided_by_cpu", count / min(cpu for _, cpu in taken), "records/s", whole)
    yield row("start_of_a_day_with_snapshot", with_snapshot, "s", without)
    yield from _since_earlier()
    yield from _memory_at(COUPS)


def measure_long() -> Iterator[Row]:
    yield from _memory_at(int(os.environ.get("SABOT_BENCH_COUPS", "20000")))


def _since_earlier() -> Iterator[Row]:
    """Both programs in turns, one process each, on records of the same play."""
    now = checkout()
    assert now is not None
    earlier, rates = earlier_program(), dict[str, dict[str, float]]()
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        places = {place: Path(folder) / place.name for place in (earlier, now)}
        for place in places.values():
            place.mkdir()
        for _ in range(3):
            for program, place in places.items():
                told = run_beside(program, _PROVE, str(place), str(COUPS_IN_TURNS))
                best = rates.setdefault(str(program), {})
                best.update({depth: max(rate, best.get(depth, 0)) for depth, rate in told.items()})
    for depth, name in (("CHAIN", "verify_chain"), ("RECORDED", "verify"), ("DECIDED", "verify_decided")):
        yield row(f"{name}_since_earlier", rates[str(now)][depth], "records/s", rates[str(earlier)][depth])


def _memory_at(coups: int) -> Iterator[Row]:
    """What a proof by one process takes at its peak, whatever the length of the journal."""
    now = checkout()
    assert now is not None
    peaks: dict[int, dict[str, float]] = {}
    for length in (FEW, coups):
        with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
            run_beside(now, _WRITE, folder, str(length))
            depths = ("RECORDED", "DECIDED")
            peaks[length] = {depth: run_beside(now, _PEAK, folder, depth) for depth in depths}
    for depth, name in (("RECORDED", "verify"), ("DECIDED", "verify_decided")):
        yield row(f"{name}_memory_at_{coups}", peaks[coups][depth], "MB", peaks[FEW][depth])


_WRITE = """
import sys
from pathlib import Path
from bench import journal_verify as b
folder, b.COUPS = Path(sys.argv[1]), int(sys.argv[2])
bodies = b._run(b._written(str(folder / "day.journal"), b.new_key(folder / "bench.key")))
(folder / "count").write_text(str(len(bodies)))
print(len(bodies))
"""
_PROVE = """
import json, sys
from pathlib import Path
from bench import journal_verify as b
from sabot.journal.keys import read_signing_key
folder, b.COUPS = Path(sys.argv[1]), int(sys.argv[2])
place, count = str(folder / "day.journal"), folder / "count"
if not count.exists():
    count.write_text(str(len(b._run(b._written(place, b.new_key(folder / "bench.key"))))))
key, told = read_signing_key(folder / "bench.key"), {}
for depth in b.Depth:
    told[depth.name] = int(count.read_text()) / b.seconds(lambda: b._proved(place, key, depth), runs=2)
print(json.dumps(told))
"""
"""Run with either program, each with its own file of this name."""
_PEAK = """
import re, sys
from pathlib import Path
from bench import journal_verify as b
from sabot.journal.keys import read_signing_key
folder = Path(sys.argv[1])
b._proved(str(folder / "day.journal"), read_signing_key(folder / "bench.key"), b.Depth[sys.argv[2]])
print(int(re.search(r"VmHWM:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1]) / 1024)
"""


def _run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def _bare(bodies: list[bytes]) -> bytes:
    digest = b""
    for body in bodies:
        digest = hashlib.sha256(digest + body).digest()
    return digest


def _proved(place: str, key: SigningKey, depth: Depth = Depth.DECIDED, workers: ProvingWorkers | None = None) -> None:
    """Prove it as the command does, by one process or by these workers."""

    async def prove(workers: ProvingWorkers) -> Verdict:
        journal, against = await open_to_read(place), Against(BUILD, key.ring)
        return await verify(journal, against, lambda *_: None, depth=depth, workers=workers)

    with proving_workers(1, place) if workers is None else nullcontext(workers) as found:
        verdict = _run(prove(found))
    assert not verdict.problems, verdict.problems


def _shared(place: str, key: SigningKey, depth: Depth) -> tuple[float, float]:
    """How long the proof takes by the clock with all processors, and its CPU time for each of them."""
    processors, wall, cpu = os.cpu_count() or 1, time.perf_counter(), _cpu()
    with proving_workers(processors, place) as hands:
        _proved(place, key, depth, hands)
    return time.perf_counter() - wall, (_cpu() - cpu) / processors


def _cpu() -> float:
    """The CPU time of this process and of those it has seen the end of."""
    return sum(os.times()[:4])


async def _started(place: str, key: SigningKey, form: str) -> None:
    """What a table does before it can answer: open the journal with all its checks, and bring the state back."""
    journal = await open_journal(place, keys=(key.public,))
    recovered = await recover_table(journal, STREAM, form)
    assert recovered.state.coups == COUPS
    await journal.close()


async def _written(place: str, key: SigningKey) -> list[bytes]:
    """Play the day and write it, each coup with its signed checkpoint; returns what is hashed."""
    journal = await open_journal(place)
    owned = await take(journal, STREAM, "bench", 60_000)
    assert isinstance(owned, Ownership)
    head = owned.head
    head, first = await _append(journal, head, [started_entry(Started(BUILD), "bench", head.epoch, 0)])
    bodies = [record.body for record in first]
    day = _Day()
    day.open()
    for _ in range(COUPS // TOGETHER):
        entries, ends = list[Entry](), list[int]()
        for _ in range(TOGETHER):
            day.play()
            entries += day.drained()
            ends.append(len(entries) - 1)
        head, records = await _append(journal, head, entries)
        bodies += [record.body for record in records]
        signed = [sign(head_after(records[end]), 0, key) for end in ends]
        await asyncio.gather(*map(journal.save_checkpoint, signed))
    await journal.save_snapshot(snapshot_at(head, table_mark(day.state, 0, 0)))
    await journal.close()
    return bodies


async def _append(journal: Journal, head: Head, entries: list[Entry]) -> tuple[Head, list[Record]]:
    records = head.then(head.epoch, entries)
    assert isinstance(await journal.append(STREAM, head.version, records), Appended)
    return head_after(records[-1]), records


class _Day:
    """A table that is told acts and asked for no answers, so that a day is played in seconds."""

    def __init__(self) -> None:
        stations = {name: StationPart(approval="bench") for name in STATIONS}
        configuration = msgspec.structs.replace(fixture("crown"), stations=stations)
        act = acts.Configure(configuration=configuration, keeps=KEPT_COUPS)
        decision = decide(UNCONFIGURED, act, operator_stamp())
        assert not isinstance(decision, Refused), decision
        self.state = evolve(UNCONFIGURED, decision[0])
        self._chance, self._n = random.Random(6), 1
        self._entries = [entry_of(key_of("console", Name(1, 1)), act, operator_stamp(), decision)]

    def drained(self) -> list[Entry]:
        entries, self._entries = self._entries, []
        return entries

    def do(self, act: acts.Act, stamp: Stamp) -> None:
        assert self.tries(act, stamp), act

    def tries(self, act: acts.Act, stamp: Stamp) -> bool:
        """Whether the table takes it; it is on record either way."""
        self._n += 1
        decision = decide(self.state, act, stamp)
        self._entries.append(entry_of(key_of("console", Name(1, self._n)), act, stamp, decision))
        if isinstance(decision, Refused):
            return False
        self.state = fold(decision, self.state)
        return True

    def open(self) -> None:
        self.do(acts.SignOn(), msgspec.structs.replace(DEALER, sign_on=1))
        self.do(acts.OpenTable(), msgspec.structs.replace(DEALER, build=BUILD))
        self.do(acts.CheckCards(cards=416), SUPERVISOR)
        self.shoe()
        for station in STATIONS:
            self.do(acts.BuyIn(station=station, cents=10**9), DEALER)

    def shoe(self) -> None:
        self.do(acts.NewShoe(), DEALER)
        self.do(acts.Cut(at=200), SUPERVISOR)
        self.do(acts.Burn(), DEALER)

    def wager(self, station: str, bet: str, cents: int) -> None:
        self.do(acts.SetWager(bet=Bet(bet), cents=cents), Stamp(by=station, role=Role.STATION))

    def play(self) -> None:
        """A coup with a wager or two at each station, over as many shoes as it takes."""
        chance = self._chance
        if self.state.shoe.left < 60:
            self.do(acts.OrderShuffle(reason="bench"), CASINO_SUPERVISOR)
            self.shoe()
        self.do(acts.Open(), DEALER)
        for place, station in enumerate(STATIONS):
            self.wager(station, chance.choice(("player", "banker")), chance.randrange(2_500, 20_001, 500))
            if place % 2:
                self.wager(station, "tie", 500)
        self.do(acts.Close(), CLOSES)
        while self.state.coup is not None and next_card(self.state.coup.cards) is not None:
            self.tries(acts.Card(card=chance.choice(DECK).notation), DEALER)
        self.do(acts.Confirm(), DEALER)
