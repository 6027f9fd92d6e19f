"""Alarms of the tables' integrity."""

from sabot.basics.act import Act, Word
from sabot.basics.bounds import CountSaid, NameSaid, TextSaid, TimeTold


class RaiseLight(Act, frozen=True, kw_only=True):
    """A light of a table's integrity is an alarm. Told again in the same gaming day of the table it changes nothing."""

    table: NameSaid
    kind: Word
    """What the light is about."""
    subject: TextSaid
    """The bet, dealer or seat; empty for the table."""
    evidence: CountSaid
    """An honest table shows this on one of so many days at most; the most that can be recorded stands for more."""
    coups: CountSaid
    day_ends_ms: TimeTold
    """The end of the table's gaming day."""


class SeeToLight(Act, frozen=True, kw_only=True):
    """Say what was found about an alarm of a table's integrity."""

    table: NameSaid
    kind: Word
    subject: TextSaid = ""
    reason: TextSaid
    """What was looked at, and what came of it."""


LightAct = SeeToLight
CarriedLightAct = RaiseLight
