"""The table's clock: what time it is at a table, given the time of its owner's own clock."""

from typing import Protocol


class TableClock(Protocol):
    @property
    def follows_journal(self) -> bool:
        """Whether the table's time is the journal's, so that the two can be compared."""

    def table_ms(self, now: int) -> int:
        """The table's time when the owner's own clock shows `now`."""

    def own(self, table_ms: int) -> int | None:
        """What the owner's clock will show then; nothing where the table's time does not pass by itself."""

    def alive_until(self, last_sign_ms: int) -> int:
        """When the last owner was known to be alive, in the table's time; `last_sign_ms` is the journal's."""


class JournalClock:
    """The journal's clock as it was when the table was taken, carried on by the owner's own.

    The owner's own clock only ever counts on; the journal's may be put forward or back. Where the two leave room for
    doubt the table's clock is ahead of the journal's, never behind. So a sign of life at or after a deadline, by the
    journal's clock, was given when the deadline had passed (CROWN 11.15).
    """

    follows_journal = True

    def __init__(self, asked: int, granted_ms: int, not_before_ms: int) -> None:
        """The lease was asked for at `asked` by the owner's clock, and granted at `granted_ms` by the journal's."""
        self._ahead_by = max(granted_ms - asked, not_before_ms - asked)

    def table_ms(self, now: int) -> int:
        return now + self._ahead_by

    def own(self, table_ms: int) -> int | None:
        return table_ms - self._ahead_by

    def alive_until(self, last_sign_ms: int) -> int:
        return last_sign_ms
