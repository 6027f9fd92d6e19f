"""Who acts: the roles that the documents name, and the few that a game system adds (G-118)."""

import enum
from collections.abc import Iterable


class Role(enum.StrEnum):
    OPERATOR = "operator"
    """The casino operator's configuration desk (CROWN 8.1(a))."""
    DEALER = "dealer"
    GAME_SUPERVISOR = "game_supervisor"
    CASINO_SUPERVISOR = "casino_supervisor"
    CASHIER = "cashier"
    TECHNICIAN = "technician"
    TOURNAMENT_DIRECTOR = "tournament_director"
    """Runs a tournament (CROWN 12.1.2), and no cash table."""
    INSPECTOR = "inspector"
    """Reads, and never acts (CROWN 13.10)."""
    STATION = "station"
    """The patron in control of a station acts through it (CROWN 4.2, 4.9)."""
    CLOCK = "clock"
    """Time itself, which closes the wagering, and the floor, which carries what one stream did to another."""

    @property
    def in_words(self) -> str:
        return self.value.replace("_", " ").title()


def in_words(roles: Iterable[Role]) -> str:
    """`Game Supervisor or Casino Supervisor`, in the order of the roles."""
    return " or ".join(role.in_words for role in Role if role in set(roles))
