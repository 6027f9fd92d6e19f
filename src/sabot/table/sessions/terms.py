"""What a sitting is played by: everything of the tournament's conditions that its table must know.

It stands whole in the record that opens the session, so that the table's records can be judged alone.
"""

from typing import Literal

import msgspec

from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet


class SessionTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    tournament: str
    title: dict[str, str]
    sitting: str
    """`SPRING/heats/1/T1`: tournament, round, session and table. It opens once."""
    version: int
    """Of the conditions."""
    round: str
    session: int
    rule_set: str
    """The digest of the rule set that must be played."""
    decks: int | None = None
    options: dict[str, int] | None = None
    """What must be played, where it is said."""
    offered: tuple[Bet, ...]
    limits: dict[Bet, Limits]
    """In hundredths of a credit."""
    period_ms: int
    fresh_shoe: bool = False
    credit: int
    """What each seat starts with; `SessionSeat.credit` where balances are carried."""
    coups: int | None = None
    minutes: int | None = None
    each_coup: Literal["none", "minimum", "compulsory"] = "none"
    credits: int = 0
    """The minimum or compulsory wager of a coup (CROWN 12.2.1(c))."""
    missed: Literal["forfeit", "warning", "disqualification"] | None = None
    warnings: int = 0
    shown: Literal["after_close", "after_result"] = "after_close"
    hidden_last_coups: int = 0
    late_admitted: bool = False
    penalty_credits: int = 0
    """For each counted coup that a late arrival has missed (CROWN 12.2.1(i))."""
    latest_coup: int | None = None
    """The last coup before which a late arrival is seated."""
    void_coups: Literal["replayed", "counted"] = "replayed"
    excluded: tuple[str, ...] = ()
    """Clauses of rule 6 that do not apply (CROWN 12.2.2)."""
    modified: dict[str, dict[str, str]] = {}
    balances: Literal["cancelled", "carried", "cash"] = "cancelled"
    counted: int = 0
    """Coups that count already, where an interrupted sitting goes on at this table."""


class SessionSeat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who has a station in a session."""

    entrant: int
    patron: str
    """The player's reference."""
    substitute: str = ""
    """Who plays in the entrant's place (CROWN 12.3.3)."""
    credit: int
    present: bool = True
    """An entrant who is not there yet has a seat and no credits."""
