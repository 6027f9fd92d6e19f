"""A display over the wire: it follows what everybody may see, and asks nothing."""

from sabot.client.connection import Connection
from sabot.views.display import DisplayView


class Display(Connection):
    @property
    def shown(self) -> DisplayView:
        return self.mirror.view_as(DisplayView)
