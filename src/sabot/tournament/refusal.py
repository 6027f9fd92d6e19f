"""Refusals of a tournament, in the order in which the checks come, each with its clause."""

import enum
from typing import NamedTuple

import msgspec

from sabot.basics.figures import Figure, figures_of, in_english


class _Cause(NamedTuple):
    clause: str
    sentence: str


class TournamentCause(_Cause, enum.Enum):
    """Why a tournament says no; the sentence's gaps are filled with the figures of the case."""

    # Who asks
    NOT_ON_STAFF = ("G-118", "{who} is not on the house's staff list as {role}")
    WRONG_ROLE = ("CROWN 12.1", "this is for {needed}, not for {role}")
    NOT_THE_DIRECTOR = ('CROWN 1.1 "Tournament Director"', "{who} does not direct this tournament; {director} does")
    SECOND_PERSON_DUE = ("G-99", "nobody does this alone: name a second person, who is {needed}")
    SAME_PERSON = ("G-99", "{who} cannot approve what {who} does")
    SECOND_ROLE = ("G-99", "the second person must be {needed}, not {role}")
    REASON_MISSING = ("G-118", "a reason is due")
    OUT_OF_RANGE = ("G-195", "{field} lies outside what can be recorded: {least} to {most}")
    TIME_TOO_FAR = ("G-195", "{field} is too far from now: it lies between {earliest_ms} and {latest_ms}")
    TOO_LONG = ("G-195", "{field} has {found} characters or entries, and {most} can be recorded")
    UNFIT_TEXT = ("G-195", "{field} holds what cannot be recorded: {what}")
    # The tournament
    NO_TOURNAMENT = ('CROWN 1.1 "tournament"', "there is no tournament {tournament}")
    TOURNAMENT_EXISTS = ('CROWN 1.1 "tournament"', "there is a tournament {tournament} already")
    NAME_MISSING = ('CROWN 1.1 "tournament"', "a tournament has a name")
    WRONG_PHASE = ("CROWN 12.1", "this is not done while the tournament is {phase}")
    NO_CONDITIONS = ('CROWN 1.1 "tournament conditions"', "there are no conditions yet")
    CONDITIONS = ("CROWN 12.2", "{key}: {why}")
    UNKNOWN_VERSION = (
        "CROWN 12.1.3",
        "version {version} is not the newest, which is {newest}",
    )
    APPROVED_ALREADY = ("CROWN 12.1.3", "version {version} is approved")
    WRONG_DIGEST = ("CROWN 12.1.3", "version {version} of the conditions has another digest")
    APPROVAL_MISSING = ("CROWN 12.1.3", "version {version} of the conditions has no written approval on record")
    REFERENCE_MISSING = ("CROWN 12.1.3", "an approval is in writing and has a reference")
    NO_DIRECTOR = ("CROWN 12.1.2", "no Tournament Director is appointed")
    DIRECTOR_AWAY = ("CROWN 12.2.5", "the Tournament Director is not present")
    PRESENT_ALREADY = ("CROWN 12.2.5", "{who} is present already")
    NOT_PRESENT = ("CROWN 12.2.5", "{who} is not present")
    # Entry
    ENTRY_NOT_OPEN = ("CROWN 12.2.1(g)", "entry is not open")
    ENTRY_TIME = ("CROWN 12.2.1(g)", "entry opens at {opens} and closes at {closes}")
    STAFF_MAY_NOT_ENTER = ("G-99", "{player} is on the staff list and enters no tournament")
    IDENTITY_UNCHECKED = ("CROWN 12.2.1(f)(i)", "the identity of {player} has not been checked")
    NOT_ENTITLED = ("CROWN 12.2.1(f)(i)", "{player} is excluded from the casino and may not enter")
    CRITERION_UNMET = ("CROWN 12.2.1(f)(iii)", "{player} does not meet the criterion {criterion}")
    UNKNOWN_CRITERION = ("CROWN 12.2.1(f)(iii)", "the conditions have no criterion {criterion}")
    FORM_MISSING = ("CROWN 12.2.1(g)", "the entry form of {player} is not on record")
    MAY_NOT_REFUSE = (
        "CROWN 12.2.1(f)(ii)",
        "the conditions give no right to refuse; name a criterion that is unmet",
    )
    ENTERED_ALREADY = ("CROWN 12.2.1(g)", "{player} is entrant {entrant} already")
    FULL = ("CROWN 12.2.1(g)", "{entered} have entered and {waiting} are waiting: there is no place left")
    TOO_FEW = ("CROWN 12.2.1(g)", "{entered} have entered and paid, and the conditions ask for {minimum}")
    UNKNOWN_ENTRANT = ('CROWN 1.1 "tournament player"', "there is no entrant {entrant}")
    NOBODY_ENTERED = ("CROWN 12.2.3", "nobody is in the tournament who could be briefed")
    NOT_IN_PLAY = ("CROWN 12.2.1(h)", "entrant {entrant} is {status}")
    FEE_DUE = ("CROWN 12.2.1(a)", "the fee of entrant {entrant} is not paid")
    # Tables, seats
    UNKNOWN_TABLE = ("CROWN 1.3", "there is no table {table}")
    TABLE_TAKEN = ("CROWN 12.3.2", "table {table} is reserved for {tournament}")
    UNEQUAL_TABLES = ("CROWN 12.1.1", "table {table} is not equal: it has {found} where the conditions have {wanted}")
    TOO_FEW_SEATS = ("CROWN 12.2.1(d)", "{needed} seats are needed and the designated tables have {found}")
    NOT_DESIGNATED = ("CROWN 12.3.1", "table {table} is not designated for this tournament")
    NONE_DESIGNATED = ("CROWN 12.3.1", "no table is designated for this tournament")
    NOT_COMMITTED = ("CROWN 12.1.1", "no commitment is published for the draw {draw}")
    WRONG_SEED = ("CROWN 12.1.1", "the seed does not lead to the commitment that was published for {draw}")
    TOO_FEW_WORDS = ("CROWN 12.1.1", "at least six cards or digits are drawn before witnesses")
    DRAWN_ALREADY = ("CROWN 12.1.1", "the seats of {round} are drawn")
    NOT_DRAWN = ("CROWN 12.1.1", "the seats of {round} are not drawn")
    UNKNOWN_ROUND = ("CROWN 12.2.1(d)", "the conditions have no round {round}, or no session {session} of it")
    LIST_OPEN = ("CROWN 12.1.1", "it is not settled yet who is in the draw {draw}")
    NOBODY_TO_SEAT = ("CROWN 12.2.1(d)", "nobody is in {round}")
    # Session
    SESSION_ON = ("CROWN 12.2.1(d)", "session {session} of {round} is on")
    SESSION_CALLED = ("CROWN 12.2.1(d)", "session {session} of {round} was called already")
    TOO_EARLY = ("CROWN 12.3.4", "session {session} of {round} starts later")
    NOTICE_TOO_SHORT = ("CROWN 12.3.4", "a start is altered with at least {minutes} minutes' notice")
    NOT_BRIEFED = ("CROWN 12.2.3", "entrant {entrant} has not been briefed on version {version} of the conditions")
    NOT_SIGNED = ("CROWN 12.2.4", "entrant {entrant} has not signed version {version} of the conditions")
    NO_SESSION = ("CROWN 12.2.1(d)", "no session is on")
    NO_SITTING = ("CROWN 12.2.1(d)", "table {table} plays no sitting of this tournament now")
    NOT_SEATED = ("CROWN 12.2.1(d)", "entrant {entrant} has no seat in this session")
    ARRIVED_ALREADY = ("CROWN 12.2.1(i)", "entrant {entrant} is there")
    TOO_LATE = ("CROWN 12.2.1(i)", "entrant {entrant} would be seated for coup {coup}, and the last is {latest}")
    NOT_ADMITTED_LATE = ("CROWN 12.2.1(i)", "the conditions admit nobody after the start")
    WITHIN_GRACE = ("CROWN 12.2.1(i)", "nobody is absent before {minutes} minutes after the start")
    NO_SUBSTITUTES = ("CROWN 12.3.3", "the conditions allow no substitutes")
    UNFIT_SUBSTITUTE = ("CROWN 12.3.3", "{substitute} cannot substitute: {why}")
    NO_RETIREMENT = ("CROWN 12.2.1(h)", "the conditions do not allow entrants to retire")
    UNKNOWN_GROUND = ("CROWN 12.2.1(h)", "the conditions have no ground {ground}")
    NOT_DETERMINED = (
        "CROWN 12.3.5(a)",
        "the remaining coups can still change who goes on: {least_cents} at least against {most_cents} at most",
    )
    NOT_AGREED = ("CROWN 12.3.5(b)", "{agreed} of {seated} players have agreed")
    SITTING_OPEN = ("CROWN 12.2.1(d)", "the sitting at {table} is still {state}")
    CLAIMS_OPEN = ("CROWN 11.12", "a claim is open at {table}")
    # Progress, money
    TIES_UNBROKEN = ("G-103", "the places of entrants {entrants} are tied; a play-off is due")
    ROUND_UNCONFIRMED = ("CROWN 12.2.1(d)", "{round} is not confirmed")
    CONFIRMED_ALREADY = ("CROWN 12.2.1(d)", "{round} is confirmed")
    NEXT_ROUND_BEGUN = ("G-133", "{round} has begun")
    PLACES_STAND = ("G-133", "the conditions let places stand once the next round has begun")
    NOT_THROUGH = ("G-133", "the scores do not put entrant {entrant} through to {round}")
    NO_STATION = ("CROWN 12.1.1", "table {table} has no free station {station}")
    NO_BUY_BACK = ("CROWN 12.2.1(e)", "the conditions allow no buy-back")
    NOT_ELIMINATED = ("CROWN 12.2.1(e)", "entrant {entrant} was not eliminated in {round}")
    BUY_BACKS_USED = ("CROWN 12.2.1(e)", "{used} of {allowed} buy-backs are used")
    BUY_BACK_OVER = ("CROWN 12.2.1(e)", "buying back ended {minutes} minutes before {round}")
    PRIZES_UNDECIDED = ("CROWN 12.2.1(j)", "the prize places are not decided")
    SLIPS_OPEN = ("CROWN 12.2.1(a)", "{slips} slips are not settled")
    UNKNOWN_SLIP = ("CROWN 12.2.1(a)", "the tournament raised no slip {slip}")

    @property
    def code(self) -> str:
        return self.name.lower()


class TournamentRefused(msgspec.Struct, frozen=True, gc=False):
    """No, and why. Nothing is changed."""

    code: str
    clause: str
    text: str
    values: dict[str, Figure] = {}
    """The figures of the sentence, so that every language can say them."""


class TournamentNo(Exception):
    """Raised inside a decision, and caught by `decide`, which turns it into a refusal."""

    def __init__(self, cause: TournamentCause, *, clause: str | None = None, **figures: object) -> None:
        super().__init__(cause.name)
        values = figures_of(figures)
        self.refused = TournamentRefused(cause.code, clause or cause.clause, in_english(cause.sentence, values), values)
