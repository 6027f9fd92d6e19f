"""Refusals of the web: an ordered list, each with its HTTP status, the clause it comes from, and its sentence."""

import enum
from typing import NamedTuple

from sabot.house.devices import GAME_SYSTEM
from sabot.house.refusal import Refused as HouseRefused
from sabot.table.refusal import Refused


class _Cause(NamedTuple):
    status: int
    clause: str
    sentence: str


class Cause(_Cause, enum.Enum):
    # The request
    FOREIGN_ORIGIN = (403, "", "a page of {origin} has no business here")
    TOO_FAST = (429, "", "that was too often; try again in {seconds} seconds")
    TOO_LARGE = (413, "", "a request has at most {most} bytes")
    NOT_JSON = (415, "", "a request's body is application/json")
    MALFORMED = (400, "", "{why}")
    NO_SUCH_PATH = (404, "", "there is nothing at this path")
    WRONG_METHOD = (405, "", "this path does not answer {method}")
    UNAVAILABLE = (503, "", "the floor cannot answer this now; try again in a moment")
    # Who asks
    SIGN_ON_REFUSED = (401, "G-118", "the person or the PIN is not right, or the person is locked out")
    SIGN_ON_FIRST = (401, "G-118", "sign on first")
    SESSION_OVER = (401, "G-118", "this session is over; sign on again")
    TOKEN_FROM_ELSEWHERE = (401, "G-118", "this token was made elsewhere; it is good for nothing now")
    WRONG_ROLE = (403, "G-118", "this is for {needed}")
    SAME_PERSON = (403, "G-99", "{who} cannot approve what {who} does")
    APPROVAL_OVER = (403, "G-99", "the approval was used, has expired, or was given for something else")
    WEAK_PIN = (422, "G-118", "{why}")
    # Devices
    NOT_A_CONSOLE = (409, GAME_SYSTEM, "{device} is no enrolled console")
    BAD_KEY = (422, GAME_SYSTEM, "{why}")
    PROOF_FAILED = (401, GAME_SYSTEM, "the device is not enrolled, or has not proved that it holds its key")
    TOO_MANY_WAIT = (429, GAME_SYSTEM, "too many devices wait to be enrolled; settle those first")
    UNKNOWN_ENROLMENT = (404, GAME_SYSTEM, "no device waits under this id; it was settled, or took too long")
    WRONG_CODE = (403, GAME_SYSTEM, "that is not the code that the device shows")
    UNKNOWN_INVITATION = (404, GAME_SYSTEM, "there is no such invitation; it was used, or has expired")

    @property
    def code(self) -> str:
        return self.name.lower()


ABOUT_WHO_ASKS = frozenset({"not_on_staff", "wrong_role", "second_person_due", "same_person", "second_role"})
CONFLICT, FORBIDDEN = 409, 403


class Refusal(Exception):
    """No, and why."""

    def __init__(self, code: str, clause: str, text: str, status: int, seconds: int = 0) -> None:
        super().__init__(text)
        self.code, self.clause, self.text, self.status = code, clause, text, status
        self.seconds = seconds
        """When to try again, where that is known."""


def refusal(cause: Cause, *, seconds: int = 0, **figures: object) -> Refusal:
    text = cause.sentence.format(seconds=seconds, **figures)
    return Refusal(cause.code, cause.clause, text, cause.status, seconds)


def passed_on(refused: HouseRefused | Refused) -> Refusal:
    """What the house or the stamp said, as an answer of the web."""
    status = FORBIDDEN if refused.code in ABOUT_WHO_ASKS else CONFLICT
    return Refusal(refused.code, refused.clause, refused.text, status)
