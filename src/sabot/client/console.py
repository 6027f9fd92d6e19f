"""A dealer's console over the wire. Everybody who acts there says so with the token of his own signing on."""

from typing import Any

from sabot.client.connection import Connection, Identity, Settings
from sabot.views.console import ConsoleView
from sabot.wire.frames import Answer
from sabot.wire.spoken import Spoken


class Console(Connection):
    def __init__(self, url: str, identity: Identity, settings: Settings | None = None, *, token: str = "") -> None:
        super().__init__(url, identity, settings)
        self.token = token
        """Of whoever works at the console, unless a command names another."""

    async def ask(self, command: Spoken, *, token: str = "", **rest: Any) -> Answer:
        return await super().ask(command, token=token or self.token, **rest)

    @property
    def shown(self) -> ConsoleView:
        return self.mirror.view_as(ConsoleView)
