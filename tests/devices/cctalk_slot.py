"""A note acceptor by ccTalk at a station, over a line that may lose, double and garble bytes."""

import random
from pathlib import Path

from sabot.devices.cctalk.acceptor import CctalkAcceptor, LinePace
from sabot.devices.cctalk.simulated import SimulatedValidator
from sabot.devices.note_driver import NoteDriver
from sabot.devices.pseudo_terminal import PseudoTerminal
from tests.devices.fitted import Machine
from tests.devices.noisy_line import NoisyLine
from tests.served.open_table import OpenTable

QUICK = LinePace(poll_s=0.001, answer_s=0.03, open_again_s=0.01)


class CctalkSlot:
    """A simulated acceptor behind a pseudo-terminal at A1, and the machine that drives it."""

    def __init__(self, floor: OpenTable, machine: Machine, validator: SimulatedValidator, line: NoisyLine) -> None:
        self.floor, self.machine, self.validator, self.line = floor, machine, validator, line
        self.attention: list[str] = []
        self.terminal = PseudoTerminal(self.hear)

    def hear(self, data: bytes) -> bytes:
        self.validator.pause()
        return self.line.carry(self.validator.hear(self.line.carry(data)))

    def start(self) -> None:
        self.machine.start(self._run)

    async def _run(self) -> None:
        acceptor = CctalkAcceptor(self.terminal.path, pace=QUICK, attention=self.attention.append)
        async with acceptor:
            await NoteDriver(acceptor, self.machine.connection(), self.attention.append).run()

    @property
    def credited(self) -> int:
        return self.floor.balance("A1")


async def fitted_port(floor: OpenTable, folder: Path, trouble: float = 0.0, seed: int = 0) -> CctalkSlot:
    identity = await floor.enrol("A1-notes", "note_acceptor", "A1")
    line = NoisyLine(random.Random(seed), trouble)
    return CctalkSlot(floor, Machine(floor.url, identity, folder), SimulatedValidator(after_power="holds"), line)
