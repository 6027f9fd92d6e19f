"""A simulated world from beginning to end: first with faults, then in calm weather, when all must come right."""

import hashlib
from collections.abc import Callable
from functools import partial

import msgspec

from sabot.basics.at_once import at_once
from sabot.floor.records.record_codec import Started, table_stream
from sabot.floor.records.recovery import recover_table
from sabot.floor.simulator.chance import Chance
from sabot.floor.simulator.device import ACCEPTED, LOST, SimulatedDevice
from sabot.floor.simulator.host import Host
from sabot.floor.simulator.network import Network
from sabot.floor.simulator.opened import configuration_for, opened
from sabot.floor.simulator.robots import Dealer, Patron, SimulatedRobot
from sabot.floor.simulator.scheduler import Scheduler
from sabot.floor.simulator.store import Store
from sabot.floor.simulator.violation import Violation, insist
from sabot.floor.simulator.weather import WorldOptions, draw_weather
from sabot.floor.simulator.witness import Witness
from sabot.floor.table_owner.effects import Disconnect
from sabot.floor.table_owner.messages import Asked, OwnerMessage, Start, Stop
from sabot.floor.table_owner.opening import Opening
from sabot.floor.table_owner.owner import Owner
from sabot.floor.table_owner.term import Term, key_of
from sabot.journal.record import start_of
from sabot.table.snapshot import digest_of
from sabot.wire.frames import OwnerFrame

COUP_MS = 4_000
LOOK_MS = 500
"""How often the sky decides whether something breaks."""
CALM_MS = 30_000
"""By when everything must have come right once nothing breaks any more."""
QUIET_MS = 1_000
"""Time for everybody to say hello once more, since what was lost last shows by nothing that follows."""
START_MS = 1_000_000
KEPT_IN_WORLDS = 3
"""The newest coups that the state keeps, so that a table that is taken over has long filled its shelf."""
ABOUT_A_CLOCK = "The clock of "
"""How an alarm begins that this weather may raise."""
JUMPS_MS = (-3_000, -500, 700, 2_500, 3_600_000, 86_400_000)


class Cast(msgspec.Struct, frozen=True):
    """Who plays the parts; a planted fault changes one of them."""

    term: type[Term] = Term
    store: type[Store] = Store
    patron: type[Patron] = Patron
    dealer: type[Dealer] = Dealer


class WorldOutcome(msgspec.Struct, frozen=True):
    seed: int
    options: WorldOptions
    problem: str | None
    digest: str
    """The same for the same seed, options and program."""
    records: int
    steps: int
    epochs: int
    coups: dict[str, int]
    """How many coups ended in which way."""


class SimulatedWorld:
    def __init__(self, options: WorldOptions, draw: Callable[[], float], cast: Cast) -> None:
        self._chance = chance = Chance(draw)
        self.scheduler = scheduler = Scheduler()
        self._options = options
        self._salts = 0
        self._weather = draw_weather(chance)
        self._network = Network(scheduler, chance, self._weather)
        self._store = cast.store(scheduler, chance, self._weather, START_MS)
        configuration = configuration_for(options.stations)
        self._stream = table_stream(configuration.table)
        self.witness = Witness(start_of(self._stream), self._store.signs)
        self._store.look = self._look_at_the_journal
        at_once(self._store.journal.append(self._stream, 0, opened(options.stations)))
        self._look_at_the_journal()

        def new_owner(name: str) -> Owner:
            return Owner(Opening(name, Started("simulated"), configuration, self._salt, KEPT_IN_WORLDS), term=cast.term)

        self._hosts = [Host(scheduler, self._store, new_owner, configuration, name) for name in ("east", "west")]
        stations = tuple(configuration.stations)
        self._dealer = cast.dealer(scheduler, chance, self._to_host, stations)
        patrons = [cast.patron(scheduler, chance, self._to_host, name) for name in stations]
        self._devices: dict[str, SimulatedRobot] = {robot.name: robot for robot in (self._dealer, *patrons)}
        for number, host in enumerate(self._hosts):
            host.clock_ms = chance.between(0, 10_000_000)
            host.arrived = self._arrived
            host.to_client = partial(self._to_device, number)

    def _salt(self, _: str) -> str:
        self._salts += 1
        return f"{self._salts:032x}"

    # What connects them

    def _to_host(self, host: int, message: OwnerMessage) -> None:
        self._network.carry(lambda: self._hosts[host].receive(message))

    def _to_device(self, host: int, device: str, message: OwnerFrame | Disconnect) -> None:
        self._network.carry(lambda: self._devices[device].hear(host, message))

    def _arrived(self, host: Host, message: OwnerMessage) -> None:
        term = host.owner.term if host.owner is not None else None
        if isinstance(message, Asked) and term is not None:
            times = self.witness.arrivals.setdefault(key_of(message.device, message.ask.name), set())
            times.add(term.clock.table_ms(host.now))

    def _look_at_the_journal(self) -> None:
        at_once(self._show_the_witness())

    async def _show_the_witness(self) -> None:
        async for record in self._store.journal.read(self._stream, self.witness.head.version):
            self.witness.see(record)

    # What happens

    def run(self) -> None:
        scheduler, chance = self.scheduler, self._chance
        for host in self._hosts:
            scheduler.after(chance.between(0, 50), host.start)
        for robot in self._devices.values():
            scheduler.after(chance.between(0, 300), robot.connect)
            scheduler.after(chance.between(300, 1_000), robot.live)
        self._look_at_the_sky()
        scheduler.run(self._options.coups * COUP_MS, lambda: False)
        self._weather.calm()
        for host in self._hosts:
            host.resume()
            host.start()
            host.receive(Start())
        self._dealer.last_coup = self.witness.state.coups + 1
        insist(
            scheduler.run(scheduler.now + CALM_MS, self._is_quiet),
            f"not everything has come right {CALM_MS // 1000} seconds after the last fault",
        )
        for robot in self._devices.values():
            robot.connect()
        scheduler.run(scheduler.now + QUIET_MS, lambda: False)
        self._check_the_end()

    def _is_quiet(self) -> bool:
        if not self._dealer.is_done:
            return False
        for robot in self._devices.values():
            robot.resting = True
        return all(robot.is_free for robot in self._devices.values())

    def _look_at_the_sky(self) -> None:
        chance, weather, later = self._chance, self._weather, self.scheduler.after
        for host in self._hosts:
            if chance.happens(weather.crash):
                host.crash()
                later(chance.between(100, 3_000), host.start)
            elif chance.happens(weather.pause):
                host.pause()
                later(chance.between(300, 5_000), host.resume)
            elif chance.happens(weather.hand_over):
                host.receive(Stop())
                later(chance.between(100, 3_000), partial(host.receive, Start()))
        if chance.happens(weather.clock_jump):
            self._store.clock_ms += chance.pick(JUMPS_MS)
        later(LOOK_MS, self._look_at_the_sky)

    # What must be true at the end

    def _check_the_end(self) -> None:
        for device in self._devices.values():
            self._check_beliefs(device)
        self._check_pictures()
        alarms = [text for host in self._hosts for text in host.alarms if not text.startswith(ABOUT_A_CLOCK)]
        insist(not alarms, f"an alarm: {alarms}")
        recalled = at_once(recover_table(self._store.journal, self._stream, ""))
        digest = digest_of(recalled.state)
        insist(digest == digest_of(self.witness.state), "the records read again give another state")
        serving = [one.owner.term for one in self._hosts if one.owner is not None and one.owner.term is not None]
        newest = max(serving, key=lambda term: term.epoch)
        insist(digest_of(newest.state) == digest, "the owner's state is not what its records give")

    def _check_beliefs(self, device: SimulatedDevice) -> None:
        outcomes = self.witness.outcomes
        for name, belief in device.believes.items():
            accepted = outcomes.get(key_of(device.name, name))
            who = f"{device.name} believes its command {name.n} of epoch {name.epoch} {belief}"
            if belief == ACCEPTED:
                insist(accepted is True, f"{who}, and it is not on record")
            else:
                insist(not accepted, f"{who}, and it was accepted")
                insist(belief != LOST or accepted is None, f"{who}, and it is on record")
        for answer in device.heard:
            accepted = outcomes.get(f"ask/{device.name}/{answer.epoch}/{answer.n}")
            said = f"{device.name} was told {'yes' if answer.accepted else 'no'} to {answer.n} of epoch {answer.epoch}"
            insist(bool(accepted) == answer.accepted, f"{said}, and the records say otherwise")

    def _check_pictures(self) -> None:
        for device in self._devices.values():
            if device.station:
                on_record = self.witness.state.purse(device.station)
                insist(device.board.purse == on_record, f"{device.name} shows another balance than is on record")
            insist(device.board.phase is self.witness.state.phase, f"{device.name} shows another phase")

    def digest(self) -> str:
        told = [(name, sorted(device.believes.items())) for name, device in self._devices.items()]
        text = f"{self.witness.head.hash.hex()} {self.scheduler.steps} {self.scheduler.now} {told}"
        return hashlib.sha256(text.encode()).hexdigest()


def simulate(seed: int, options: WorldOptions, draw: Callable[[], float], cast: Cast | None = None) -> WorldOutcome:
    """Run one world. Whatever goes wrong in it, in whichever part, is a finding."""
    world = SimulatedWorld(options, draw, cast or Cast())
    problem = None
    try:
        world.run()
    except Violation as violation:
        problem = str(violation)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    ended = list(world.witness.coups.values())
    return WorldOutcome(
        seed=seed,
        options=options,
        problem=problem,
        digest=world.digest(),
        records=world.witness.head.version,
        steps=world.scheduler.steps,
        epochs=world.witness.head.epoch,
        coups={how: ended.count(how) for how in ("settled", "void", "dummy")},
    )
