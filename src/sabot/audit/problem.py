"""Problems that a verification finds in a journal, each with its first bad record."""

import enum

import msgspec


class ProblemKind(enum.StrEnum):
    DAMAGED = "damaged"
    """The stored bytes cannot be read as a record."""
    GAP = "gap"
    CHAIN = "chain"
    """A record does not carry the hash of its content, or does not follow from the one before it."""
    EPOCH = "epoch"
    """An owner wrote that had not taken the stream, or had lost it."""
    REPEATED = "repeated"
    """A command's key is used twice."""
    CHECKPOINT = "checkpoint"
    """A record is not the one that a checkpoint or anchor names."""
    SIGNATURE = "signature"
    CUT = "cut"
    """The end of the stream is missing."""
    SETTLED_TWICE = "settled_twice"
    MONEY = "money"
    TICKET = "ticket"
    SCORE = "score"
    """A tournament noted another score than the table's records give."""
    DECISION = "decision"
    """The rules give another outcome for the command than the record says."""
    SNAPSHOT = "snapshot"
    """A snapshot differs from the state that the records give."""
    SHELF = "shelf"
    """What is kept of a table's past, or was brought back from there, is not what the records give."""
    PART = "part"
    """A part of the journal does not begin or end as the seals say, or opens with a state that the records deny."""
    SUM = "sum"
    """A kept sum differs from what the records add up to, or cannot be read."""
    WATCH = "watch"
    """The kept watch of integrity differs from the one that the records give."""
    IMPOSSIBLE = "impossible"
    """The events of the record cannot follow the records before it."""


class Problem(msgspec.Struct, frozen=True):
    stream: str
    version: int
    """The first bad record, or the first that is missing."""
    kind: ProblemKind
    why: str

    def __str__(self) -> str:
        return f"{self.stream} record {self.version}: {self.why}" if self.version else f"{self.stream}: {self.why}"
