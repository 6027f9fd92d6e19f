"""Where a table is recorded, as options of a command."""

from dataclasses import dataclass
from pathlib import Path

import msgspec
from cyclopts import Parameter

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag


class RecordPlace(msgspec.Struct, frozen=True):
    """Where a table is recorded, and what vouches for it."""

    journal: str
    key: Path | None
    anchor: Path | None
    makes_key: bool = False
    """Whether a key that is not there is made."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Recording:
    """Where everything is recorded before it is answered.

    Parameters
    ----------
    journal
        Record it here: the path of a file, made if it is not there, or a postgresql:// URL.
    key
        The key that signs it, at each settled coup and at the end. For a file it is FILE.key unless given, and made if
        it is not there.
    anchor
        Keep the journal's heads in this file, too, if possible on another disk: it shows a tail that was cut off. For a
        file it is FILE.anchor unless given.
    unsigned
        Sign nothing: nobody will vouch for the journal.
    """

    journal: str | None = None
    key: Path | None = None
    anchor: Path | None = None
    unsigned: Flag = False

    def place(self) -> RecordPlace | None:
        """Where it is recorded; nothing where it is not."""
        if self.journal is None:
            if self.key is not None or self.anchor is not None or self.unsigned:
                raise Mistake("--key, --anchor and --unsigned are for a table that is recorded: give --journal too")
            return None
        from sabot.journal.opening import path_of

        path = path_of(self.journal)
        if self.unsigned:
            if self.key is not None:
                raise Mistake("--unsigned signs nothing, and --key names the key that signs: give one of them")
            return RecordPlace(self.journal, None, self.anchor)
        if path is None:
            if self.key is None or self.anchor is None:
                raise Mistake("a journal on a server is signed and anchored: give --key and --anchor, or --unsigned")
            return RecordPlace(self.journal, self.key, self.anchor)
        key, anchor = path.with_name(f"{path.name}.key"), path.with_name(f"{path.name}.anchor")
        return RecordPlace(self.journal, self.key or key, self.anchor or anchor, makes_key=self.key is None)


UNRECORDED = Recording()
