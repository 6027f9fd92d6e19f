"""What every event of a table has in common."""

import msgspec


class Event(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False, tag_field="event", tag=True
):
    pass
