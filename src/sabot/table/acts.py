# ruff: noqa: F403, F405, PLC0414  This module is the one namespace of all acts.
"""Commands: what people, stations and the clock ask of a table. One frozen class each, in the imperative.

Whoever carries a command to the table stamps who asks, in which role, and when it was received. Cards, time, salts
and ticket numbers arrive inside commands; the table never looks for them. The tag is the verb of `sabot table`.
"""

from sabot.table.accounts.acts import *
from sabot.table.act import Command as Command
from sabot.table.cases.acts import *
from sabot.table.corrections.acts import *
from sabot.table.coup.acts import *
from sabot.table.faults.acts import *
from sabot.table.irregularities.acts import *
from sabot.table.opening.acts import *
from sabot.table.shoe.acts import *
from sabot.table.wagers.acts import *

TableAct = OpeningAct | ShoeAct | AccountAct | WagerAct | CoupAct | IrregularityAct | CorrectionAct | CaseAct | FaultAct
"""Every act, as one type to decode into."""
