# ruff: noqa: F403, F405, PLC0414  This module is the one namespace of all acts.
"""Acts: what people, stations and the clock say to a table. One frozen class each, named by its verb.

Cards arrive inside acts; time, salts and ticket numbers in the stamp. The table looks for nothing.
"""

from sabot.basics.act import Act as Act
from sabot.table.accounts.acts import *
from sabot.table.books.acts import *
from sabot.table.care.acts import *
from sabot.table.cases.acts import *
from sabot.table.chips.acts import *
from sabot.table.corrections.acts import *
from sabot.table.coup.acts import *
from sabot.table.faults.acts import *
from sabot.table.history.acts import *
from sabot.table.irregularities.acts import *
from sabot.table.opening.acts import *
from sabot.table.seats.acts import *
from sabot.table.sessions.acts import *
from sabot.table.shoe.acts import *
from sabot.table.signs.acts import *
from sabot.table.wagers.acts import *

DeviceAct = (
    OpeningAct
    | SignAct
    | ShoeAct
    | AccountAct
    | SeatAct
    | CareAct
    | ChipAct
    | WagerAct
    | CoupAct
    | IrregularityAct
    | CorrectionAct
    | CaseAct
    | FaultAct
    | BooksAct
    | AgreeToConclude
)
"""What devices may send, and those who act at them."""
FloorAct = (
    Configure
    | TakeUpOption
    | DropSignOn
    | DropEscrow
    | EndDay
    | Tick
    | Restart
    | ClockJump
    | BringBack
    | TournamentOrder
)
"""What the floor, the clock and the operator's desk ask; no device may."""
TableAct = DeviceAct | FloorAct
