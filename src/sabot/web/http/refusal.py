"""The refusals of the HTTP interface: each with its HTTP status, the clause that it follows from, and its sentence."""

import enum
from typing import NamedTuple

from sabot.audit.not_there import NoSuch
from sabot.basics.figures import Figure, figures_of, in_english
from sabot.house.devices.deciding import GAME_SYSTEM
from sabot.house.refusal import HouseRefused
from sabot.table.refusal import Refused
from sabot.tournament.refusal import TournamentRefused


class _Cause(NamedTuple):
    status: int
    clause: str
    sentence: str


class WebCause(_Cause, enum.Enum):
    # The request
    FOREIGN_ORIGIN = (403, "", "requests from pages of {origin} are not allowed")
    FOREIGN_HOST = (421, "", "this floor does not answer to the host {host}")
    LONG_HEAD = (431, "", "the head of a request has at most {most} bytes in {fields} fields")
    TOO_FAST = (429, "", "too many requests; try again in {seconds} seconds")
    TOO_LARGE = (413, "", "a request has at most {most} bytes")
    NOT_JSON = (415, "", "the body of a request must be application/json")
    MALFORMED = (400, "", "{why}")
    NO_SUCH_PATH = (404, "", "there is nothing at this path")
    WRONG_METHOD = (405, "", "this path does not answer {method}")
    NO_SUCH_TABLE = (404, "", NoSuch.NO_SUCH_TABLE.value)
    NO_SUCH_STATION = (404, "", NoSuch.NO_SUCH_STATION.value)
    NO_SUCH_COUP = (404, "", NoSuch.NO_SUCH_COUP.value)
    NO_SUCH_CODE = (404, "", NoSuch.NO_SUCH_CODE.value)
    UNAVAILABLE = (503, "", "the floor cannot answer this now; try again in a moment")
    REPORTS_BUSY = (503, "", "too many reports are being made; try again in {seconds} seconds")
    REPORT_TOO_LONG = (503, "", "this takes longer than {most} seconds; ask for a shorter period")
    # Staff
    SIGN_ON_REFUSED = (401, "G-118", "the person or the PIN is not right, or the person is locked out")
    SIGN_ON_FIRST = (401, "G-118", "sign on first")
    SESSION_OVER = (401, "G-118", "this session has ended; sign on again")
    TOKEN_FROM_ELSEWHERE = (401, "G-118", "this token was issued to another console or address; it is no longer valid")
    WRONG_ROLE = (403, "G-118", "this is for {needed}")
    SAME_PERSON = (403, "G-99", "{who} cannot approve what {who} does")
    APPROVAL_OVER = (403, "G-99", "the approval was used, has expired, or was given for something else")
    WEAK_PIN = (422, "G-118", "{why}")
    # Service accounts
    SERVICE_REFUSED = (
        401,
        "G-233",
        "the service account or its secret is not right, or it has expired or been revoked",
    )
    SCOPE_MISSING = (403, "G-233", "the service account {service} does not have the scope {scope}")
    NOT_FOR_SERVICES = (403, "G-233", "this is for a person who has signed on, not for a service account")
    # Tickets
    MISREAD_TICKET = (
        422,
        "CROWN 6.7.2",
        "{ticket} was misread: its check digit is wrong; scan the ticket again, or type its 18 digits",
    )
    # Tournaments
    UNREAD_CONDITIONS = (400, "CROWN 12.2", "the conditions cannot be read: {why}")
    FORM_INCOMPLETE = (400, "CROWN 12.2.1(g)", "the form asks for {fields}")
    # Devices
    BAD_KEY = (422, GAME_SYSTEM, "{why}")
    PROOF_FAILED = (401, GAME_SYSTEM, "the device is not enrolled, or has not proved that it holds its key")
    UNKNOWN_ENROLMENT = (404, GAME_SYSTEM, "no device waits under this id; it was settled, or took too long")
    WRONG_CODE = (403, GAME_SYSTEM, "that is not the code that the device shows")
    UNKNOWN_INVITATION = (404, GAME_SYSTEM, "this code is not known: it was mistyped or used, or has expired")

    @property
    def code(self) -> str:
        return self.name.lower()


ABOUT_WHO_ASKS = frozenset(
    {
        *("not_on_staff", "wrong_role", "not_the_director", "second_person_due", "same_person", "second_role"),
        *("service_over", "not_in_scope"),
    }
)
CONFLICT, FORBIDDEN = 409, 403


class Refusal(Exception):
    """A refusal of a request, with its reason."""

    def __init__(
        self, code: str, clause: str, text: str, status: int, seconds: int = 0, values: dict[str, Figure] | None = None
    ) -> None:
        super().__init__(text)
        self.code, self.clause, self.text, self.status = code, clause, text, status
        self.seconds = seconds
        """After how many seconds to try again; 0 where that is not known."""
        self.values = values or {}
        """The figures of the sentence, so that every language can say them."""


def refusal(cause: WebCause, *, seconds: int = 0, **figures: object) -> Refusal:
    values = figures_of({"seconds": seconds, **figures} if seconds else figures)
    return Refusal(cause.code, cause.clause, in_english(cause.sentence, values), cause.status, seconds, values)


def passed_on(refused: HouseRefused | Refused | TournamentRefused) -> Refusal:
    """A refusal of the house, of a tournament or of the stamping, as an HTTP answer."""
    status = FORBIDDEN if refused.code in ABOUT_WHO_ASKS else CONFLICT
    return Refusal(refused.code, refused.clause, refused.text, status, values=refused.values)
