"""The network: every message takes its time, and some are lost, doubled or overtaken."""

from sabot.floor.simulator.chance import Chance
from sabot.floor.simulator.scheduler import ScheduledAct, Scheduler
from sabot.floor.simulator.weather import Weather

USUAL_MS = (1, 15)
LINGERING_MS = (50, 4_000)


class Network:
    def __init__(self, scheduler: Scheduler, chance: Chance, weather: Weather) -> None:
        self._scheduler, self._chance, self._weather = scheduler, chance, weather

    def carry(self, deliver: ScheduledAct) -> None:
        chance, weather = self._chance, self._weather
        if not chance.happens(weather.drop):
            self._scheduler.after(self._delay(weather.linger), deliver)
        if chance.happens(weather.double):
            self._scheduler.after(self._delay(0.5), deliver)

    def _delay(self, linger: float) -> int:
        return self._chance.between(*(LINGERING_MS if self._chance.happens(linger) else USUAL_MS))
