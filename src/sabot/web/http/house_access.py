"""The part of a running house that the web needs: its state now, and a way to give it commands."""

from typing import Protocol

from sabot.basics.stamp import Stamp
from sabot.floor.shared_owner.kinds import HouseDecision
from sabot.house.acts import HouseAct
from sabot.house.state import HouseState


class HouseAccess(Protocol):
    @property
    def state(self) -> HouseState:
        """The house as its journal records it, with no delay but that of reading."""

    async def ask(self, act: HouseAct, stamp: Stamp) -> HouseDecision:
        """Have the house decide, and answer when the decision is durable."""
