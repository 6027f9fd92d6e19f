"""What the start page at `/` is told: of a demo its links, and its staff with their PINs.

A real floor tells a stranger nothing about its tables and its people.
"""

import msgspec

from sabot.web.http.operation import AnyOperation, BareCall, Operation


class DemoLink(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the demo under its address, in most cases with the invitation that enrols the browser."""

    page: str
    path: str
    station: str = ""
    people: tuple[str, ...] = ()
    """Who signs on there; nobody at a page for everybody."""


class DemoPerson(msgspec.Struct, frozen=True, kw_only=True):
    person: str
    role: str
    pin: str


class DemoShown(msgspec.Struct, frozen=True, kw_only=True):
    table: str
    rule_set: str
    title: str
    links: tuple[DemoLink, ...]
    people: tuple[DemoPerson, ...]


class StartShown(msgspec.Struct, frozen=True, kw_only=True):
    demo: DemoShown | None = None
    """Nothing on a real floor."""
    school: bool = False
    """Whether the floor is a dealer school."""


class StartBoard:
    """What the start page shows now."""

    def __init__(self) -> None:
        self.shown = StartShown()


class StartRoutes:
    def __init__(self, board: StartBoard, *, has_school: bool) -> None:
        self._board, self._has_school = board, has_school

    def operations(self) -> tuple[AnyOperation, ...]:
        return (
            Operation("GET", "/api/start", "Say what the start page shows: the links of a demo.", self.start,
                      answer=StartShown),
        )  # fmt: skip

    async def start(self, call: BareCall) -> StartShown:  # noqa: ARG002  Everybody may ask.
        return msgspec.structs.replace(self._board.shown, school=self._has_school)
