"""Nights at a real table, recorded in a journal: scripted chance, some refusals, a ticket, an option, a correction."""

import asyncio
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.table_owner.errands import Backing
from sabot.journal.journal import Journal, ReadableJournal
from sabot.journal.keys import SigningKey, new_key
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Record
from sabot.journal.signer import Signer
from sabot.rules.coup import next_card
from sabot.rules.shoe import full_shoe
from sabot.table.fixtures import fixture
from sabot.table.history.state import KEPT_COUPS
from sabot.table.state import TableState

BUILD = "b" * 64
Line = dict[str, Any]


class Clock:
    """Milliseconds that pass when a test says so."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        self.ms += 1
        return self.ms


class Night:
    """A recorded table with its journal, and the states that it went through by version."""

    def __init__(self, journal: Journal, table: LineTable, seed: int) -> None:
        self.journal, self.table, self.floor = journal, table, table.floor
        self.state = table.state
        """As it was after the last line."""
        self.states: dict[int, TableState] = {}
        self.chance = random.Random(seed)
        self._cards: Iterator[str] = iter(())

    async def say(self, *lines: Line) -> None:
        """Lines that the table accepts."""
        for line in lines:
            answer = await self.table.ask(line)
            assert answer.ok, (line, answer.refusal)
            await self.remember()

    async def try_(self, line: Line) -> None:
        """A line that the table may refuse."""
        await self.table.ask(line)
        await self.remember()

    async def remember(self) -> None:
        self.state = self.table.state
        self.states[(await self.journal.head("table/T1")).version] = self.state

    async def close(self) -> None:
        await self.floor.close()

    async def open(self, patrons: Mapping[str, str] = MappingProxyType({})) -> None:
        """With the references that patrons gave, by station."""
        await self.say(by("D1", "sign_on"), by("CA1", "sign_on"), by("D1", "open_table"))
        await self.say(by("GS1", "check_cards", cards=416))
        await self.new_shoe()
        for station in ("A1", "A2", "A3"):
            reference = {"patron": patrons[station]} if station in patrons else {}
            await self.say(by("D1", "buy_in", station=station, cents=500_000, **reference))
        await self.say(by("R1", "note", cents=10_000))

    async def new_shoe(self) -> None:
        shoe = [card.notation for card in full_shoe(8)]
        self.chance.shuffle(shoe)
        self._cards = iter(shoe)
        await self.say(by("D1", "new_shoe"), by("GS1", "cut", at=200), by("D1", "burn"))

    async def another_shoe(self) -> None:
        """A new owner of a table in a test does not know the cards that are left."""
        await self.say(by("CS1", "order_shuffle", reason="a fresh start"))
        await self.new_shoe()

    async def coup(self) -> None:
        """Wagers with a refusal among them, cards until none is due, and the settlement."""
        table, chance = self.table, self.chance
        await self.say(by("D1", "open", at_ms=table.now_ms + 5_000))
        for station in ("A1", "A2", "A3"):
            cents = chance.randrange(2_500, 10_000, 500)
            await self.say(by(station, "set_wager", bet=chance.choice(("player", "banker")), cents=cents))
        await self.try_(by("A1", "set_wager", bet="dragon_tails", cents=500))
        await self.say(by("D1", "close"))
        while (coup := table.state.coup) is not None and next_card(coup.cards) is not None:
            await self.say(by("D1", "card", card=next(self._cards)))
        await self.say(by("D1", "confirm"))

    async def ticket(self) -> None:
        """The patron at the remote station leaves with a ticket, and the cage pays it once."""
        await self.say(by("R1", "leave"))
        number = next(iter(self.floor.house.tickets))
        await self.say(by("CA1", "redeem", ticket=number))
        await self.try_(by("CA1", "redeem", ticket=number))

    async def correction(self, coup: int) -> None:
        """The first card of a settled coup was another one."""
        played = next(one for one in self.table.state.played if one.coup == coup)
        cards = [_other(played.cards[0]), *played.cards[1:]]
        await self.say(by("D1", "freeze"))
        await self.try_(by("D1", "correct", coup=coup, cards=cards))
        await self.try_(by("D1", "recalculate"))
        await self.say(by("D1", "unfreeze"))


def by(who: str, do: str, **fields: object) -> Line:
    return {"do": do, "by": who, **fields}


def _other(card: str) -> str:
    """The same rank in another suit: the coup comes out as it did, and only its pairs may differ."""
    return card[0] + ("H" if card[1] != "H" else "S")


def backing(
    journal: Journal, key: SigningKey | None = None, owner: str = "the first owner", keeps: int = KEPT_COUPS
) -> Backing:
    clock = Clock()
    signer = None if key is None else Signer(journal, key, owner, clock)
    return Backing(
        journal=journal, owner=owner, build=BUILD, wall_ms=clock, signer=signer, lease_ms=10_000, keeps=keeps
    )


async def begin(
    journal: Journal,
    key: SigningKey | None = None,
    seed: int = 1,
    owner: str = "the first owner",
    keeps: int = KEPT_COUPS,
) -> Night:
    floor = LineFloor(backing(journal, key, owner, keeps), Clock())
    return Night(journal, await floor.take(fixture("crown")), seed)


async def play(journal: Journal, *, coups: int = 3, key: SigningKey | None = None, seed: int = 1) -> Night:
    """A whole short night, closed in order."""
    night = await begin(journal, key, seed)
    await night.open()
    for number in range(coups):
        await night.coup()
        if number == 0:
            await night.ticket()
            await night.say(by("operator", "option", option="dragon_bonus", choice=2))
        if number == 1:
            await night.correction(1)
    await night.remember()
    await night.close()
    return night


async def records_of(journal: ReadableJournal, stream: str = "table/T1") -> list[Record]:
    return [record async for record in journal.read(stream)]


def memory() -> MemoryJournal:
    return MemoryJournal(Clock())


def key_in(folder: Path, name: str = "casino.key") -> SigningKey:
    return new_key(folder / name)


def played(key: SigningKey | None = None, seed: int = 1, coups: int = 3) -> tuple[MemoryJournal, Night]:
    journal = memory()
    return journal, asyncio.run(play(journal, key=key, seed=seed, coups=coups))
