"""What every event of the house has in common."""

import msgspec


class HouseEvent(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False, tag_field="event", tag=True
):
    """Something that concerns more than one table; its tag is the name of its class."""
