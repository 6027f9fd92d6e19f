"""A process of its own: a floor of full tables under virtual dealers, whose patrons wager at every coup.

    python _crowded_floor.py FOLDER TABLES PERIOD_MS [STATIONS]

The patrons are in this process, so what a page costs is not mixed with sockets of stations. Staff sign on at a desk
with the PINs of the tests. When every table has dealt a coup, one line with the address is printed; the process ends
when its standard input does.
"""

import asyncio
import logging
import os
import random
import sys
from pathlib import Path

import msgspec
import structlog

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # The benchmark stands on the same ground as the tests.

from sabot.basics.role import Role  # noqa: E402
from sabot.basics.stamp import Stamp  # noqa: E402
from sabot.cli.demo_table import CREW, configuration_of  # noqa: E402
from sabot.floor.table_owner.messages import Asked, Connected  # noqa: E402
from sabot.floor.virtual.dealer import Manner, Pace  # noqa: E402
from sabot.rules import shipped  # noqa: E402
from sabot.rules.rule_set import Bet  # noqa: E402
from sabot.runtime.link import LinkFeed, Published  # noqa: E402
from sabot.runtime.table_runner import RunningTable  # noqa: E402
from sabot.table import acts  # noqa: E402
from sabot.table.configuration import Configuration  # noqa: E402
from sabot.views.audience import Audience  # noqa: E402
from sabot.web.serving.floor_file import (  # noqa: E402
    Floor,
    FloorFile,
    StaffPart,
    TablePart,
    TableWanted,
    in_folder,
)
from sabot.web.serving.listening import Listening  # noqa: E402
from sabot.web.serving.server import run, served  # noqa: E402
from sabot.wire.frames import Ask, FloorFrame, Hello, Welcome  # noqa: E402
from tests.served.staff import DESKS, give_pins  # noqa: E402

STATIONS = 50
BROUGHT = 1_000_000
BETS = ("player", "banker", "banker", "tie", "banker_pair", "player_pair")
STAKES = (2_500, 2_500, 5_000, 10_000, 25_000, 50_000)
RULE_SETS = ("crown-traditional", "crown-baccarat")


class Heard:
    """What a patron or the cashier needs to know of the table: nothing but its epoch."""

    feed: LinkFeed = "appends"

    def __init__(self) -> None:
        self.epoch = self.n = 0

    def tell(self, frame: FloorFrame | Published) -> None:
        if isinstance(frame, Welcome):
            self.epoch = frame.epoch

    def end(self, why: str, owner: str = "") -> None:
        """The floor closes."""

    def ask(self, table: RunningTable, device: str, act: acts.DeviceAct, stamp: Stamp) -> None:
        self.n += 1
        term = table.term
        coup = term.state.coups if term is not None and isinstance(act, acts.SetWager) else None
        table.receive(Asked(device, Ask(epoch=self.epoch, n=self.n, coup=coup, act=act), stamp))


async def floor(folder: Path, tables: int, period_ms: int, stations: int) -> None:
    async with served(_floor(folder, tables, period_ms, stations), "bench") as serving:
        premises = serving.premises
        await give_pins(premises.vault)
        for number, dealer in enumerate(premises.dealers.values()):
            dealer.manner = Manner(Pace(card=period_ms // 20, coup=period_ms // 5 + 37 * number, shoe=0))
        playing = [
            asyncio.create_task(_patrons(table, random.Random(number)))
            for number, table in enumerate(premises.floor.tables.values())
        ]
        while not all(table.term and table.term.state.coups for table in premises.floor.tables.values()):
            await asyncio.sleep(0.05)
        sys.stdout.write(f"{msgspec.json.encode({'url': serving.url, 'pid': os.getpid()}).decode()}\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)
        for one in playing:
            one.cancel()


def _floor(folder: Path, tables: int, period_ms: int, stations: int) -> Floor:
    configurations = [_configuration(number, period_ms, stations) for number in range(1, tables + 1)]
    parts = [TablePart(configuration={}, dealer="virtual") for _ in configurations]
    file = FloorFile(
        floor="a crowded floor",
        listen=Listening(port=0),
        staff=StaffPart(desks=DESKS),
        tables=tuple(parts),
    )
    return Floor(in_folder(file, folder), tuple(map(TableWanted, configurations, parts)))


def _configuration(number: int, period_ms: int, stations: int) -> Configuration:
    places = [f"A{place}" for place in range(1, stations + 1)]
    rules = shipped.rule_set(RULE_SETS[number % len(RULE_SETS)])
    return msgspec.structs.replace(configuration_of(rules, 8, places, f"T{number}"), wagering_period_ms=period_ms)


async def _patrons(table: RunningTable, chance: random.Random) -> None:
    """Most seats are taken, and most patrons wager in a coup, each once or twice."""
    while table.term is None or table.term.state.dealer is None or table.term.state.phase.value == "closed":
        await asyncio.sleep(0.02)
    stations = [name for name in table.term.state.stations if chance.random() < 0.9]
    links = {name: Heard() for name in ("cashier", *stations)}
    for name, link in links.items():
        audience = Audience.CONSOLE if name == "cashier" else Audience.STATION
        table.hello(Connected(name, audience, Hello(), "" if name == "cashier" else name), link)
    await asyncio.sleep(0.05)
    cashier, dealer = links.pop("cashier"), Stamp(by=CREW.dealer, role=Role.DEALER)
    for name in stations:
        cashier.ask(table, "cashier", acts.BuyIn(station=name, cents=BROUGHT), dealer)
    played = 0
    while True:
        state = table.term.state
        if state.phase.value != "wagering" or state.coups == played:
            await asyncio.sleep(0.05)
            continue
        played = state.coups
        await _coup(table, links, chance, state.period_ms / 1000)


async def _coup(table: RunningTable, links: dict[str, Heard], chance: random.Random, period_s: float) -> None:
    touches = [name for name in links if chance.random() < 0.8] + [name for name in links if chance.random() < 0.4]
    chance.shuffle(touches)
    for name in touches:
        await asyncio.sleep(0.85 * period_s / len(touches))
        act = acts.SetWager(bet=Bet(chance.choice(BETS)), cents=chance.choice(STAKES))
        links[name].ask(table, name, act, Stamp(by=name, role=Role.STATION))


if __name__ == "__main__":
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    wanted = [int(word) for word in sys.argv[2:]]
    run(floor(Path(sys.argv[1]), wanted[0], wanted[1], wanted[2] if len(wanted) > 2 else STATIONS))
