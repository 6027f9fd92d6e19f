"""Patrons who may not play at any table of the house."""

from sabot.basics.act import Act, Reference
from sabot.basics.bounds import FarTimeSaid, NameSaid, TextSaid


class Exclude(Act, frozen=True, kw_only=True):
    patron: Reference
    reason: TextSaid
    until_ms: FarTimeSaid | None = None
    """Without it, for good."""


class CarryExclusion(Act, frozen=True, kw_only=True):
    """A table's case has led to an exclusion; told again it changes nothing."""

    patron: Reference
    reason: TextSaid
    source: NameSaid
    """The table and the case."""
    decided_by: NameSaid


class Readmit(Act, frozen=True, kw_only=True):
    patron: NameSaid
    reason: TextSaid


ExclusionAct = Exclude | Readmit
CarriedExclusionAct = CarryExclusion
