"""A dealer's console over the wire. Each person who acts there sends the token of their own session."""

from typing import Any

from sabot.client.connection import Connection, Identity, Settings
from sabot.table.acts import DeviceAct
from sabot.views.console import ConsoleView
from sabot.wire.frames import Answer


class Console(Connection):
    def __init__(self, url: str, identity: Identity, settings: Settings | None = None, *, token: str = "") -> None:
        super().__init__(url, identity, settings)
        self.token = token
        """The token of every command that is given without one."""

    async def ask(self, act: DeviceAct, *, token: str = "", **rest: Any) -> Answer:
        return await super().ask(act, token=token or self.token, **rest)

    @property
    def shown(self) -> ConsoleView:
        return self.mirror.view_as(ConsoleView)
