"""A patron's station over the wire."""

from sabot.client.connection import Connection
from sabot.table.acts import ShowsSign
from sabot.views.station import StationView
from sabot.wire.frames import Answer


class Station(Connection):
    """`async with Station(url, identity) as station: await station.ask(SetWager(bet="banker", cents=2500))`."""

    @property
    def name(self) -> str:
        """The station's name at its table, known once the floor has accepted the device."""
        return self.mirror.station

    @property
    def shown(self) -> StationView:
        """The station's view, for one that follows views."""
        return self.mirror.view_as(StationView)

    async def show_sign(self) -> Answer:
        """Tell that the station shows what is posted: the limits and the signs of its view."""
        return await self.ask(ShowsSign(sign=self.shown.table.posted))

    @property
    def balance(self) -> int:
        """In cents."""
        purse = self.mirror.view.get("purse")
        return self.mirror.board.purse.balance if purse is None else int(purse["balance_cents"])
