"""The display's view, which holds nothing of a patron's own (CROWN 1.1 "WND")."""

import msgspec

from sabot.views.coup_shown import Cards, ResultShown
from sabot.views.message import ScreenMessage
from sabot.views.public import Clock, PhaseShown, Public, Seal
from sabot.views.score import RoadsShown, ShoeShown
from sabot.views.table import Table


class DisplayView(msgspec.Struct, frozen=True):
    table: Table
    phase: PhaseShown
    clock: Clock
    cards: Cards | None
    result: ResultShown | None
    notices: tuple[ScreenMessage, ...]
    roads: RoadsShown
    shoe: ShoeShown
    seal: Seal | None


def display_view(public: Public) -> DisplayView:
    return DisplayView(
        table=public.table,
        phase=public.phase,
        clock=public.clock,
        cards=public.cards,
        result=public.result,
        notices=public.notices,
        roads=public.roads,
        shoe=public.shoe,
        seal=public.seal,
    )
