"""What the parts of a rule set file have in common."""

from typing import Annotated, NewType

import msgspec

Clause = NewType("Clause", str)
"""A clause of a document, such as `CROWN 4.11.1`, a house rule, `MBS-HOUSE 8.1`, or one of our readings, `G-29`."""

CheckedClause = Annotated[Clause, msgspec.Meta(min_length=3, max_length=80)]
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
NAME = r"^[a-z][a-z0-9]*([_-][a-z0-9]+)*$"
Identifier = Annotated[str, msgspec.Meta(pattern=NAME, max_length=40)]
Count = Annotated[int, msgspec.Meta(ge=1, le=600)]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a rule set file: immutable, and an unknown key is refused."""
