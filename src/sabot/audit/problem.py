"""What is wrong with a journal, and where it begins."""

import enum

import msgspec


class Kind(enum.StrEnum):
    DAMAGED = "damaged"
    """What is stored cannot be read as a record."""
    GAP = "gap"
    CHAIN = "chain"
    """A record does not carry the hash of its content, or does not follow from the one before it."""
    EPOCH = "epoch"
    """An owner wrote who had not taken the stream, or who had lost it."""
    REPEATED = "repeated"
    """A command's key stands twice."""
    CHECKPOINT = "checkpoint"
    """A record is not the one that was vouched for."""
    SIGNATURE = "signature"
    CUT = "cut"
    """The end of the stream is missing."""
    SETTLED_TWICE = "settled_twice"
    MONEY = "money"
    TICKET = "ticket"
    DECISION = "decision"
    """The rules give another outcome for the command than the record says."""
    SNAPSHOT = "snapshot"
    """The state that was kept for a quicker start is not the one that the records come to."""
    IMPOSSIBLE = "impossible"
    """What the record says cannot have happened after what came before it."""


class Problem(msgspec.Struct, frozen=True):
    stream: str
    version: int
    """The first bad record, or the first that is missing."""
    kind: Kind
    why: str

    def __str__(self) -> str:
        return f"{self.stream} record {self.version}: {self.why}"
