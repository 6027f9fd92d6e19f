"""Who may do what at a table (G-118), and that nobody approves what he did himself (G-99)."""

from sabot.basics.role import Role, in_words

__all__ = [
    "CASINO_SUPERVISOR",
    "DEALER_OR_ABOVE",
    "GAME_SUPERVISOR_OR_ABOVE",
    "OPERATOR",
    "STAFF",
    "Role",
    "in_words",
]

DEALER_OR_ABOVE = frozenset({Role.DEALER, Role.GAME_SUPERVISOR, Role.CASINO_SUPERVISOR})
"""A supervisor may do whatever a dealer may (CROWN 1.2)."""
GAME_SUPERVISOR_OR_ABOVE = frozenset({Role.GAME_SUPERVISOR, Role.CASINO_SUPERVISOR})
CASINO_SUPERVISOR = frozenset({Role.CASINO_SUPERVISOR})
OPERATOR = frozenset({Role.OPERATOR, Role.CASINO_SUPERVISOR})
STAFF = frozenset(Role) - {Role.STATION, Role.CLOCK, Role.INSPECTOR, Role.TOURNAMENT_DIRECTOR}
