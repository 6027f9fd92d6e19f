"""What every command to a table has in common."""

import msgspec

from sabot.table.role import Role


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False, tag_field="do"):
    by: str
    role: Role
    at_ms: int
    """When the table's mailbox received it, in milliseconds of the one clock."""
    second: str = ""
    """Who approves it, where the configuration lets nobody do it alone."""
