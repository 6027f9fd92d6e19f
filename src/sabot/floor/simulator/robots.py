"""The people at a simulated table: patrons with simple habits, and a dealer who plays on whatever happens."""

from collections.abc import Callable
from typing import Any

from sabot.basics.role import Role
from sabot.floor.simulator.chance import Chance
from sabot.floor.simulator.device import Device
from sabot.floor.simulator.scheduler import Scheduler
from sabot.floor.table_owner.messages import Message
from sabot.rules.cards import CARDS
from sabot.rules.rule_set import Bet
from sabot.table import acts as c
from sabot.table.phase import Phase
from sabot.views.audience import Audience

BETS = (Bet("player"), Bet("banker"), Bet("tie"))
STAKES = (500, 2_500, 5_000, 5_000, 10_000, 50_000)
"""Some are below a minimum and some above what an account holds, so that there are refusals."""
NOTE = 5_000
TOP_UP = 20_000
_CARDS = tuple(CARDS)

Send = Callable[[int, Message], None]


class Robot(Device):
    pace_ms = (50, 400)

    def __init__(self, scheduler: Scheduler, chance: Chance, send: Send, name: str, audience: Audience) -> None:
        super().__init__(scheduler, chance, send, name, audience)
        self.resting = False

    def live(self) -> None:
        """Look at the table now and then, and do something."""
        self.check_silence()
        if self.is_free and not self.resting:
            self.act()
        self.scheduler.after(self.chance.between(*self.pace_ms), self.live)

    def act(self) -> None:
        """What comes next; whoever only looks does nothing."""


class Patron(Robot):
    pace_ms = (150, 1_200)

    def __init__(self, scheduler: Scheduler, chance: Chance, send: Send, station: str) -> None:
        super().__init__(scheduler, chance, send, station, Audience.STATION)

    def act(self) -> None:
        if self.board.phase is not Phase.WAGERING and not self.chance.happens(0.1):
            return  # Mostly patrons wait until they may wager; some try all the same.
        command = self._habit()
        self.ask(command, None if isinstance(command, c.InsertNote) else self.board.coup)

    def _habit(self) -> c.Command:
        habit, me = self.chance.between(0, 9), self.name
        if habit == 0:
            return c.Clear(by=me, role=Role.STATION, at_ms=0, station=me)
        if habit == 1:
            return c.Double(by=me, role=Role.STATION, at_ms=0, station=me)
        if habit == 2:
            return c.Undo(by=me, role=Role.STATION, at_ms=0, station=me)
        if habit == 3:
            return c.InsertNote(by=me, role=Role.STATION, at_ms=0, station=me, cents=NOTE)
        bet, cents = self.chance.pick(BETS), self.chance.pick(STAKES)
        return c.SetWager(by=me, role=Role.STATION, at_ms=0, station=me, bet=bet, cents=cents)


class Dealer(Robot):
    def __init__(self, scheduler: Scheduler, chance: Chance, send: Send, stations: tuple[str, ...]) -> None:
        super().__init__(scheduler, chance, send, "console", Audience.CONSOLE)
        self._stations = stations
        self._asked = 0
        self.last_coup: int | None = None
        """No coup is opened after this one."""

    @property
    def is_done(self) -> bool:
        board = self.board
        return self.last_coup is not None and board.phase is Phase.BETWEEN_COUPS and board.coup >= self.last_coup

    def act(self) -> None:
        if self.chance.happens(0.06) and not self.is_done:
            self._say(c.BuyIn, station=self.chance.pick(self._stations), cents=TOP_UP, top_up=True)
        elif self.chance.happens(0.06) and self.last_coup is None:
            self._slip()
        elif self.board.awaits_confirmation:
            self._confirm_records()
        elif self.board.phase is Phase.BETWEEN_COUPS:
            if not self.is_done:
                self._say(c.OpenWagering)
        elif self.board.phase is Phase.WAGERING:
            if self.chance.happens(0.03):
                self._say(c.CloseWagering, self.board.coup, salts=self._salts())
        elif self.board.is_card_due:
            self._say(c.DealCard, self.board.coup, card=self.chance.pick(_CARDS), salts=self._salts())
        else:
            self._say(c.ConfirmResult, self.board.coup)

    def _slip(self) -> None:
        """Press a button at the wrong moment: what is refused now would be accepted a little later."""
        wrong = self.chance.pick((c.OpenWagering, c.ConfirmResult, c.ConfirmRecords))
        self._say(wrong, self.board.coup if wrong is c.ConfirmResult else None)

    def _confirm_records(self) -> None:
        if self.chance.happens(0.2):
            self._say(c.CannotConfirm, station=self.chance.pick(self._stations))
        else:
            self._say(c.ConfirmRecords)

    def _salts(self) -> dict[str, str]:
        self._asked += 1
        return dict.fromkeys(self._stations, f"{self._asked:032x}")

    def _say(self, kind: type[c.Command], coup: int | None = None, **fields: Any) -> None:
        self.ask(kind(by="D1", role=Role.DEALER, at_ms=0, **fields), coup)
