"""What can be asked of a tournament. Each command says who asks, in which role, and when it was received."""

import msgspec

from sabot.basics.role import Role


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    tournament: str
    by: str
    role: Role
    at_ms: int = 0


class CreateTournament(Command, frozen=True, kw_only=True, tag="create_tournament"):
    """Plan a competition; it has its own name, its own conditions and its own credits."""

    name: str


class SaveConditions(Command, frozen=True, kw_only=True, tag="save_conditions"):
    """Write down a new version of the conditions; whatever was approved before, this version is not yet."""

    entry_fee_cents: int
    starting_credit: int
    coups: int


class ApproveConditions(Command, frozen=True, kw_only=True, tag="approve_conditions"):
    """Record the regulator's written approval of a version of the conditions."""

    version: int
    reference: str


class AppointDirector(Command, frozen=True, kw_only=True, tag="appoint_director"):
    """Name the person who runs the tournament."""

    director: str


class RegisterEntrant(Command, frozen=True, kw_only=True, tag="register_entrant"):
    """Enter a player: a number, and who it is, as an erasable reference."""

    entrant: int
    player: str
    fee_cents: int


class StartSession(Command, frozen=True, kw_only=True, tag="start_session"):
    """Seat the entrants and give each the same credit."""

    seats: dict[str, str]
    """Table and station of each entrant, `T1/A1`, by entrant's number."""


AnyCommand = CreateTournament | SaveConditions | ApproveConditions | AppointDirector | RegisterEntrant | StartSession
