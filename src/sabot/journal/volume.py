"""Where the bytes of a journal go."""

import msgspec


class KindVolume(msgspec.Struct):
    """Records of one kind."""

    records: int = 0
    body_bytes: int = 0
    """What is hashed."""
    stored_bytes: int = 0
    """The same as it is stored."""


class JournalVolume(msgspec.Struct, frozen=True):
    parts: dict[str, int]
    """Bytes of the files by what they hold; together they are all bytes there are."""
    kinds: dict[str, KindVolume]
    """The bodies of the records by the act that they decide, or by the first word of their key."""
