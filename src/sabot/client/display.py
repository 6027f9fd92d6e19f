"""A display over the wire: it follows the public view, and tells which signs it shows."""

from sabot.client.connection import Connection
from sabot.table.acts import ShowsSign
from sabot.views.display import DisplayView
from sabot.wire.frames import Answer


class Display(Connection):
    @property
    def shown(self) -> DisplayView:
        return self.mirror.view_as(DisplayView)

    async def show_sign(self) -> Answer:
        """Tell that the display shows what is posted: the limits and the signs of its view."""
        return await self.ask(ShowsSign(sign=self.shown.table.posted))
