"""A patron robot at a station over the wire: after every frame it acts by its habit.

Events do not carry the table's limits, so they are given for a station that follows events; views carry them.
"""

from collections.abc import Mapping

import msgspec

from sabot.client.outcome import CommandRefused, FrameNotTaken, NeverRecorded
from sabot.client.station import Station
from sabot.floor.virtual.robots import Robot, RobotAct, RobotSight
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet
from sabot.table.events import CoupDecided, Event, WageringClosed
from sabot.table.phase import Phase
from sabot.wire.frames import Told, Welcome

Limited = Mapping[Bet, Limits]


class Seated:
    """A robot at a station. `play` lasts until the connection ends or the robot has left."""

    def __init__(self, robot: Robot, station: Station, limits: Limited | None = None) -> None:
        self.station = station
        self._robot, self._limits = robot, limits
        self._last_winner = ""
        self._remembered: Mapping[Bet, int] = {}
        self.accepted = 0
        self.refused = 0

    async def play(self) -> None:
        with self.station.follow() as following:
            await self._act()
            async for news in following:
                if isinstance(news, Told):
                    self._learn(news.events)
                elif isinstance(news, Welcome):
                    for told in news.missed:
                        self._learn(told.events)
                await self._act()

    async def _act(self) -> None:
        seen = self._seen_in_view() if self._limits is None else self._seen_in_events(self._limits)
        for move in self._robot.moves(seen):
            await self._touch(move)

    async def _touch(self, move: RobotAct) -> None:
        try:
            await self.station.ask(move)
        except CommandRefused:
            self.refused += 1
        except (NeverRecorded, FrameNotTaken):
            pass  # The coup has gone on meanwhile.
        else:
            self.accepted += 1

    def _seen_in_view(self) -> RobotSight:
        view = self.station.mirror.view
        phase, station, wagers, result = view["phase"], view["station"], view["wagers"], view["result"]
        wagering = phase["phase"] == Phase.WAGERING.value
        under_way = phase["phase"] not in (Phase.CLOSED.value, Phase.BETWEEN_COUPS.value)
        return RobotSight(
            coup=phase["coup"] if under_way else 0,
            wagering=wagering,
            balance=view["purse"]["balance_cents"],
            may_wager=station["open"] and not station["leaving"] and not station["directed_to_leave"],
            remembered=wagers["remembered"],
            limits={Bet(area["bet"]): _limits(area["sign"]) for area in view["table"]["areas"]},
            last_winner="" if result is None or result["dummy"] else result["winner"],
        )

    def _seen_in_events(self, limits: Limited) -> RobotSight:
        board = self.station.mirror.board
        under_way = board.phase not in (Phase.CLOSED, Phase.BETWEEN_COUPS)
        return RobotSight(
            coup=board.coup if under_way else 0,
            wagering=board.phase is Phase.WAGERING,
            balance=board.purse.balance,
            may_wager=board.purse.balance > 0 and not board.purse.held,
            remembered=self._remembered,
            limits=limits,
            last_winner=self._last_winner,
        )

    def _learn(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, CoupDecided) and not event.dummy:
                self._last_winner = event.winner
            elif isinstance(event, WageringClosed):
                self._remembered = event.sealed.get(self._robot.station, self._remembered)


def _limits(sign: Mapping[str, int]) -> Limits:
    return msgspec.convert({name: sign[f"{name}_cents"] for name in ("minimum", "step", "maximum")}, Limits)
