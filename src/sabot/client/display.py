"""A display over the wire: it follows the public view, and gives no commands."""

from sabot.client.connection import Connection
from sabot.views.display import DisplayView


class Display(Connection):
    @property
    def shown(self) -> DisplayView:
        return self.mirror.view_as(DisplayView)
