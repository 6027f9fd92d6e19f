"""What every event of a tournament has in common."""

import msgspec


class TournamentEvent(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False, tag_field="event", tag=True
):
    by: str
    at_ms: int
    clause: str
