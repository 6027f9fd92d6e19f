"""The roles in which people and the system act: those that the documents name, and a few that Sabot adds (G-118).

A role grants nothing by being here. Every set of roles lists its members, so that a new role may do and see only what
a list says.
"""

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
    """Runs a tournament (CROWN 12.1.2); may not act at a cash table."""
    INSPECTOR = "inspector"
    """May read everything and change nothing (CROWN 13.10)."""
    SURVEILLANCE = "surveillance"
    """Sees every table live, every account and the whole record, and can do nothing (G-118)."""
    STATION = "station"
    """The patron in control of a station acts through it (CROWN 4.2, 4.9)."""
    CLOCK = "clock"
    """The system itself: its clock closes wagering, and it carries events from one stream to another."""

    @property
    def in_words(self) -> str:
        return self.value.replace("_", " ").title()


PERSONS = frozenset(
    {
        Role.OPERATOR,
        Role.DEALER,
        Role.GAME_SUPERVISOR,
        Role.CASINO_SUPERVISOR,
        Role.CASHIER,
        Role.TECHNICIAN,
        Role.TOURNAMENT_DIRECTOR,
        Role.INSPECTOR,
        Role.SURVEILLANCE,
    }
)
"""The roles to which a person can be appointed."""


def in_words(roles: Iterable[Role]) -> str:
    """`Game Supervisor or Casino Supervisor`, in the order of the roles."""
    return " or ".join(role.in_words for role in Role if role in set(roles))


def with_article(roles: Iterable[Role]) -> str:
    """`a Cashier`, `an Operator or Casino Supervisor`."""
    words = in_words(roles)
    return f"{'an' if words.startswith(('O', 'I')) else 'a'} {words}"
