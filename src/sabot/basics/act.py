"""What every act has in common. An act is what is said to a table, to the house or to a tournament.

Who says it, in which role and when stands in the stamp beside it (`basics/stamp`). The class, the tag on the wire and
in the records, and the verb of `sabot table` are one name: `SetWager` is `set_wager`.
"""

import re
from typing import Annotated

import msgspec

Reference = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$")]
"""Stands for a person or a thing whose name is kept elsewhere, where it can be erased."""
Word = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z_]{0,19}$")]
"""Names a kind of something, as the program spells it."""


def verb_of(name: str) -> str:
    """The verb of an act's class: `set_wager` for `SetWager`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Act(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    gc=False,
    tag_field="do",
    tag=verb_of,
):
    @property
    def verb(self) -> str:
        return verb(type(self))


def verb(kind: type[Act]) -> str:
    return str(kind.__struct_config__.tag)
