"""Acts: what people and the floor say to a tournament. One frozen class each, named by its verb.

What a rule asks for and a person may leave out (a reason, a reference, drawn words) is not required here: the decision
refuses it with the clause.

What the floor carries from tables and the house comes from the clock (`note_*`, `commit_draw`).
"""

from typing import Annotated, Any

import msgspec

from sabot.basics.act import Act, Reference
from sabot.basics.bounds import AmountSaid, CountSaid, NameSaid, TextSaid, TimeSaid

EntrantNumber = Annotated[int, msgspec.Meta(ge=1, le=10**6)]
Wording = Annotated[str, msgspec.Meta(max_length=400)]


class TournamentAct(Act, frozen=True, kw_only=True):
    tournament: Annotated[str, msgspec.Meta(pattern=r"^[A-Z][A-Z0-9-]{0,19}$")]


# Planning


class CreateTournament(TournamentAct, frozen=True, kw_only=True):
    name: Wording = ""


class SaveConditions(TournamentAct, frozen=True, kw_only=True):
    """Write down a new version of the conditions, whole; it waits for its own approval."""

    conditions: dict[NameSaid, Any]
    """As written; the checks name every key that is wrong."""


class WithdrawVersion(TournamentAct, frozen=True, kw_only=True):
    """Take back a version that is not approved; the one before it is the newest again."""

    version: CountSaid


class ApproveConditions(TournamentAct, frozen=True, kw_only=True):
    """Record the regulator's written approval of a version (CROWN 12.1.3)."""

    version: CountSaid
    digest: NameSaid
    reference: Wording = ""
    dated: NameSaid = ""


class AppointDirector(TournamentAct, frozen=True, kw_only=True):
    director: Reference


# Entry


class OpenEntry(TournamentAct, frozen=True, kw_only=True):
    pass


class CloseEntry(TournamentAct, frozen=True, kw_only=True):
    pass


class RegisterEntrant(TournamentAct, frozen=True, kw_only=True):
    player: Reference
    form_digest: NameSaid = ""
    """The SHA-256 of the entry form, which is kept where it can be erased."""
    criteria: tuple[NameSaid, ...] = ()
    """The selection criteria that the player meets."""
    identity_checked: bool = False


class RefuseApplication(TournamentAct, frozen=True, kw_only=True):
    player: Reference
    criterion: NameSaid = ""
    reason: Wording = ""


class WithdrawEntrant(TournamentAct, frozen=True, kw_only=True):
    entrant: EntrantNumber


class RequireSignatures(TournamentAct, frozen=True, kw_only=True):
    on: bool = True


class Brief(TournamentAct, frozen=True, kw_only=True):
    """The entrants were told the conditions; without numbers, all who are in."""

    entrants: tuple[EntrantNumber, ...] = ()


class SignConditions(TournamentAct, frozen=True, kw_only=True):
    entrant: EntrantNumber


# Presence and tables


class BePresent(TournamentAct, frozen=True, kw_only=True):
    pass


class StepOut(TournamentAct, frozen=True, kw_only=True):
    pass


class DesignateTables(TournamentAct, frozen=True, kw_only=True):
    tables: Annotated[tuple[NameSaid, ...], msgspec.Meta(min_length=1)]


class ReleaseTables(TournamentAct, frozen=True, kw_only=True):
    tables: tuple[NameSaid, ...] = ()
    """All of them unless named."""


# Seats


class CommitDraw(TournamentAct, frozen=True, kw_only=True):
    draw: NameSaid
    """Its label: `SPRING/heats`, `SPRING/heats/lots`."""
    commitment: NameSaid


class DrawSeats(TournamentAct, frozen=True, kw_only=True):
    round: NameSaid
    words: Wording = ""
    """At least six cards or digits, drawn before witnesses."""


class AlterStart(TournamentAct, frozen=True, kw_only=True):
    round: NameSaid
    session: CountSaid = 1
    to_ms: TimeSaid


# Sessions


class CallSession(TournamentAct, frozen=True, kw_only=True):
    round: NameSaid
    session: CountSaid = 1
    absent: tuple[EntrantNumber, ...] = ()
    """Who has a seat and is not there; the others are."""


class RecordArrival(TournamentAct, frozen=True, kw_only=True):
    entrant: EntrantNumber


class DeclareAbsent(TournamentAct, frozen=True, kw_only=True):
    entrant: EntrantNumber


class ApproveSubstitute(TournamentAct, frozen=True, kw_only=True):
    entrant: EntrantNumber
    substitute: Reference
    until: NameSaid = ""
    """The round to whose end the substitute plays; the present one unless named."""
    approved: bool = True
    reason: Wording = ""


class Retire(TournamentAct, frozen=True, kw_only=True):
    entrant: EntrantNumber
    reason: Wording = ""


class Disqualify(TournamentAct, frozen=True, kw_only=True):
    entrant: EntrantNumber
    ground: NameSaid
    reason: Wording = ""


class ConcludeEarly(TournamentAct, frozen=True, kw_only=True):
    table: NameSaid
    reason: Wording = ""


class CloseSession(TournamentAct, frozen=True, kw_only=True):
    """Order the closing of every sitting that is played out."""


class AbandonSitting(TournamentAct, frozen=True, kw_only=True):
    table: NameSaid
    reason: Wording = ""
    move_to: NameSaid = ""
    """Another designated table, where the conditions let the sitting go on or be played again."""


# Progress, money


class ConfirmRound(TournamentAct, frozen=True, kw_only=True):
    round: NameSaid
    words: Wording = ""
    """Drawn before witnesses, where lots may decide."""


class ReopenRound(TournamentAct, frozen=True, kw_only=True):
    round: NameSaid
    reason: Wording = ""


class AdmitPlace(TournamentAct, frozen=True, kw_only=True):
    """Seat an entrant whom a correction shows to be through, where the conditions add a place (G-133)."""

    entrant: EntrantNumber
    table: NameSaid
    station: NameSaid = ""
    reason: Wording = ""


class BuyBack(TournamentAct, frozen=True, kw_only=True):
    entrant: EntrantNumber


class AwardPrizes(TournamentAct, frozen=True, kw_only=True):
    words: Wording = ""


class CancelTournament(TournamentAct, frozen=True, kw_only=True):
    reason: Wording = ""


class CloseBooks(TournamentAct, frozen=True, kw_only=True):
    pass


# Carried


class ScoreNews(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The scores after one counted coup."""

    counted: CountSaid
    scores: dict[CountSaid, AmountSaid]


class SeatTold(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    entrant: CountSaid
    present: bool = True
    bust: bool = False
    closed: bool = False
    agreed: bool = False
    warnings: CountSaid = 0
    owed: AmountSaid = 0
    """What a correction could not take; the score is the balance less this (G-126)."""


class NoteTable(TournamentAct, frozen=True, kw_only=True):
    """How far a table is with what the tournament wants of it; states only go forward."""

    table: NameSaid
    sitting: NameSaid = ""
    state: NameSaid
    """`reserved`, `released`, `waiting`, `open`, `played` or `closed`."""
    why: TextSaid = ""
    """Why it waits."""


class NoteScore(TournamentAct, frozen=True, kw_only=True):
    table: NameSaid
    sitting: NameSaid
    revision: CountSaid
    counted: CountSaid
    left: CountSaid | None = None
    scores: tuple[ScoreNews, ...]
    """Every counted coup whose figures changed since the revision that was noted last; figures are whole."""
    seats: dict[NameSaid, SeatTold] = {}
    """By station."""
    claims_open: bool = False


class NoteSlip(TournamentAct, frozen=True, kw_only=True):
    slip: NameSaid
    settled: Annotated[str, msgspec.Meta(pattern="^(taken|paid|forfeited|expired|cancelled)$")]
    tender: NameSaid = ""


class NoteExclusion(TournamentAct, frozen=True, kw_only=True):
    player: Reference
    reason: TextSaid = ""


class NoteDismissal(TournamentAct, frozen=True, kw_only=True):
    """The house no longer has this person as a Tournament Director, which ends the presence (G-120)."""

    person: Reference


PlanningAct = CreateTournament | SaveConditions | WithdrawVersion | ApproveConditions | AppointDirector
EntryAct = (
    OpenEntry
    | CloseEntry
    | RegisterEntrant
    | RefuseApplication
    | WithdrawEntrant
    | RequireSignatures
    | Brief
    | SignConditions
)
PresenceAct = BePresent | StepOut | DesignateTables | ReleaseTables
SeatingAct = DrawSeats | AlterStart
SittingAct = (
    CallSession
    | RecordArrival
    | DeclareAbsent
    | ApproveSubstitute
    | Retire
    | Disqualify
    | ConcludeEarly
    | CloseSession
    | AbandonSitting
)
ProgressAct = ConfirmRound | ReopenRound | AdmitPlace | BuyBack | AwardPrizes | CancelTournament | CloseBooks
DirectedAct = PlanningAct | EntryAct | PresenceAct | SeatingAct | SittingAct | ProgressAct
"""What people ask at a desk."""
NewsAct = CommitDraw | NoteTable | NoteScore | NoteSlip | NoteExclusion | NoteDismissal
"""What the floor carries; no device may send it."""
AnyTournamentAct = DirectedAct | NewsAct
