"""What is wrong with the shoe on the table: shown until it is put right or the next shoe comes."""

from sabot.table.state import CardCheck, Stage, TableState
from sabot.views.message import ScreenMessage, say


def shoe_alarms(state: TableState) -> tuple[ScreenMessage, ...]:
    shoe, found = state.shoe, []
    if shoe.overdue and shoe.last_coup is None:
        expected = shoe.cards - shoe.behind_cutting_card
        found.append(say("alarm_cutting_card", state.cites("CROWN 3.9"), expected=expected, out=shoe.out))
    if shoe.stage is Stage.IN_PLAY and state.cards_checked is CardCheck.NONE:
        found.append(say("alarm_cards_in_doubt", state.cites("CROWN 3.4")))
    if shoe.missing:
        found.append(say("alarm_cards_missing", state.cites("CROWN 3.4"), missing=shoe.missing))
    return tuple(found)
