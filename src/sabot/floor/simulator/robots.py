"""The people at a simulated table: patrons with simple habits, and a dealer who plays on whatever happens."""

from collections.abc import Callable

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.floor.simulator.chance import Chance
from sabot.floor.simulator.device import SimulatedDevice
from sabot.floor.simulator.scheduler import Scheduler
from sabot.floor.table_owner.messages import OwnerMessage
from sabot.rules.cards import CARDS
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.phase import Phase
from sabot.views.audience import Audience

BETS = (Bet("player"), Bet("banker"), Bet("tie"))
STAKES = (500, 2_500, 5_000, 5_000, 10_000, 50_000)
"""Some are below a minimum and some above what an account holds, so that there are refusals."""
NOTE = 5_000
TOP_UP = 20_000
_CARDS = tuple(CARDS)

SendToHost = Callable[[int, OwnerMessage], None]


class SimulatedRobot(SimulatedDevice):
    pace_ms = (50, 400)

    def __init__(self, scheduler: Scheduler, chance: Chance, send: SendToHost, name: str, audience: Audience) -> None:
        super().__init__(scheduler, chance, send, name, audience)
        self.resting = False

    def live(self) -> None:
        """Look at the table now and then, and do something."""
        self.check_silence()
        if self.is_free and not self.resting:
            self.act()
        self.scheduler.after(self.chance.between(*self.pace_ms), self.live)

    def act(self) -> None:
        """What comes next; a robot that only looks does nothing."""


class Patron(SimulatedRobot):
    pace_ms = (150, 1_200)

    def __init__(self, scheduler: Scheduler, chance: Chance, send: SendToHost, station: str) -> None:
        super().__init__(scheduler, chance, send, station, Audience.STATION)

    def act(self) -> None:
        if self.board.phase is not Phase.WAGERING and not self.chance.happens(0.1):
            return  # Mostly patrons wait until they may wager; some try all the same.
        act = self._habit()
        stamp = Stamp(by=self.name, role=Role.STATION)
        self.ask(act, stamp, None if isinstance(act, acts.Note) else self.board.coup)

    def _habit(self) -> acts.DeviceAct:
        habit = self.chance.between(0, 9)
        if habit == 0:
            return acts.Clear()
        if habit == 1:
            return acts.Double()
        if habit == 2:
            return acts.Undo()
        if habit == 3:
            return acts.Note(cents=NOTE)
        bet, cents = self.chance.pick(BETS), self.chance.pick(STAKES)
        return acts.SetWager(bet=bet, cents=cents)


class Dealer(SimulatedRobot):
    def __init__(self, scheduler: Scheduler, chance: Chance, send: SendToHost, stations: tuple[str, ...]) -> None:
        super().__init__(scheduler, chance, send, "console", Audience.CONSOLE)
        self._stations = stations
        self.last_coup: int | None = None
        """No coup is opened after this one."""

    @property
    def is_done(self) -> bool:
        board = self.board
        return self.last_coup is not None and board.phase is Phase.BETWEEN_COUPS and board.coup >= self.last_coup

    def act(self) -> None:
        if self.chance.happens(0.06) and not self.is_done:
            self._say(acts.BuyIn(station=self.chance.pick(self._stations), cents=TOP_UP, top_up=True))
        elif self.chance.happens(0.06) and self.last_coup is None:
            self._slip()
        elif self.board.awaits_confirmation:
            self._confirm_records()
        elif self.board.phase is Phase.BETWEEN_COUPS:
            if not self.is_done:
                self._say(acts.Open())
        elif self.board.phase is Phase.WAGERING:
            if self.chance.happens(0.03):
                self._say(acts.Close(), self.board.coup)
        elif self.board.is_card_due:
            self._say(acts.Card(card=self.chance.pick(_CARDS)), self.board.coup)
        else:
            self._say(acts.Confirm(), self.board.coup)

    def _slip(self) -> None:
        """Press a button at the wrong moment: what is refused now would be accepted a little later."""
        slips: tuple[acts.DeviceAct, ...] = (acts.Open(), acts.Confirm(), acts.ConfirmRecords())
        wrong = self.chance.pick(slips)
        self._say(wrong, self.board.coup if isinstance(wrong, acts.Confirm) else None)

    def _confirm_records(self) -> None:
        if self.chance.happens(0.2):
            self._say(acts.CannotConfirm(station=self.chance.pick(self._stations)))
        else:
            self._say(acts.ConfirmRecords())

    def _say(self, act: acts.DeviceAct, coup: int | None = None) -> None:
        self.ask(act, Stamp(by="D1", role=Role.DEALER), coup)
