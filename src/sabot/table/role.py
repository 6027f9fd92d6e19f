"""Who may do what at a table (G-118), and that nobody approves their own act (G-99)."""

from collections.abc import Iterable

from sabot.basics.role import PERSONS, Role, in_words

__all__ = [
    "CASINO_SUPERVISOR",
    "DEALER_OR_ABOVE",
    "GAME_SUPERVISOR_OR_ABOVE",
    "ONLY_SIGNED_ON",
    "OPERATOR",
    "PERSONS",
    "STAFF",
    "Role",
    "at_least",
    "in_words",
    "role_to_sign_on_in",
]

DEALER_OR_ABOVE = frozenset({Role.DEALER, Role.GAME_SUPERVISOR, Role.CASINO_SUPERVISOR})
"""A supervisor may do whatever a dealer may (CROWN 1.2)."""
GAME_SUPERVISOR_OR_ABOVE = frozenset({Role.GAME_SUPERVISOR, Role.CASINO_SUPERVISOR})
CASINO_SUPERVISOR = frozenset({Role.CASINO_SUPERVISOR})
ONLY_SIGNED_ON = frozenset({Role.DEALER})
"""A dealer acts only where signed on; other staff may act from the staff list."""
OPERATOR = frozenset({Role.OPERATOR, Role.CASINO_SUPERVISOR})
STAFF = DEALER_OR_ABOVE | {Role.OPERATOR, Role.CASHIER, Role.TECHNICIAN}
"""The roles in which a person signs on at a table."""


def role_to_sign_on_in(listed: Iterable[Role]) -> Role | None:
    """The first of a person's roles that works at a table; nothing for a person who only reads."""
    return next((role for role in listed if role in STAFF), None)


def at_least(role: Role) -> frozenset[Role]:
    """The role and those above it at a table; nobody where the role does not deal or supervise."""
    return next(
        (roles for roles in (CASINO_SUPERVISOR, GAME_SUPERVISOR_OR_ABOVE, DEALER_OR_ABOVE) if role in roles),
        frozenset(),
    )
