"""The weather of a run: how bad the network, the journal and the machines are. Each seed draws its own.

Some runs leave some kinds of trouble out altogether, so that one kind does not always hide another.
"""

import msgspec

from sabot.floor.simulator.chance import Chance


class WorldOptions(msgspec.Struct, frozen=True):
    """What is chosen for a run beside its seed."""

    stations: int = 3
    coups: int = 3
    """About how many coups' time the faults last."""


class Weather(msgspec.Struct):
    """Probabilities per message, append or look at the sky; `calm` ends all of it."""

    drop: float
    double: float
    linger: float
    """How often a message takes long enough to be overtaken."""
    lost_before_commit: float
    lost_after_commit: float
    committed_late: float
    """How often an append is given up as unknown and carried out afterwards."""
    crash: float
    pause: float
    hand_over: float
    """How often an owner is told to leave in order, as for a new program."""
    clock_jump: float

    def calm(self) -> None:
        for kind in self.__struct_fields__:
            setattr(self, kind, 0.0)


def draw_weather(chance: Chance) -> Weather:
    def of(*choices: float) -> float:
        return chance.pick(choices)

    return Weather(
        drop=of(0, 0.02, 0.06),
        double=of(0, 0.04, 0.15),
        linger=of(0, 0.05, 0.15),
        lost_before_commit=of(0, 0.01, 0.03),
        lost_after_commit=of(0, 0.01, 0.03),
        committed_late=of(0, 0.005, 0.02),
        crash=of(0, 0, 0.08, 0.2),
        pause=of(0, 0.1, 0.25),
        hand_over=of(0, 0, 0.05),
        clock_jump=of(0, 0, 0.05),
    )
