# ruff: noqa: F403, F405, PLC0414  This module is the one namespace of all acts.
"""Acts: what people and the floor say to the house. One frozen class each, named by its verb.

What the floor carries from the tables' own records comes from the clock.
"""

from sabot.basics.act import Act as Act
from sabot.house.days.acts import *
from sabot.house.devices.acts import *
from sabot.house.escrow.acts import *
from sabot.house.exclusions.acts import *
from sabot.house.lights.acts import *
from sabot.house.services.acts import *
from sabot.house.settings.acts import *
from sabot.house.slips.acts import *
from sabot.house.staff.acts import *
from sabot.house.tickets.acts import *

DeskAct = SettingAct | StaffAct | FloorDeviceAct | ExclusionAct | TicketAct | SlipAct | DayAct | LightAct | ServiceAct
"""What people ask at a desk or a console."""
CarriedAct = (
    CarriedSettingAct
    | CarriedStaffAct
    | CarriedExclusionAct
    | CarriedTicketAct
    | CarriedEscrowAct
    | CarriedSlipAct
    | CarriedDayAct
    | CarriedLightAct
    | CarriedServiceAct
)
"""What the floor carries; no device may send it."""
HouseAct = DeskAct | CarriedAct
